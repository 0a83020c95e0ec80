import { describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { Auth } from '../../../src/surfaces/http/auth.ts'
import { FailureCounter } from '../../../src/surfaces/http/problem.ts'
import { appOf, ask, engine, HOST, operation, TOKEN } from './support.ts'

function login(app: ReturnType<typeof appOf>, code: string, headers: Record<string, string> = {}, method = 'GET') {
  return app.fetch(new Request(`http://${HOST}/login?code=${code}`, { method, headers: { host: HOST, ...headers } }))
}

describe('somebody without a token', () => {
  it.each([
    ['a program of this machine', '127.0.0.1:7377', '127.0.0.1', {}, 200],
    ['a program of this machine, by its name', 'localhost:7377', '::1', {}, 200],
    ['a program of this machine, by IPv6', '[::1]:7377', '::1', {}, 200],
    ['another machine', '127.0.0.1:7377', '10.0.0.1', {}, 401],
    ['a proxy, by the name of the server', 'ambit.example', '127.0.0.1', {}, 401],
    ['a proxy that says for whom it asks', 'localhost:7377', '127.0.0.1', { 'x-forwarded-for': '10.0.0.1' }, 401],
  ])('gets open metrics only on this machine: %s, for %s from %s', async (_, host, remoteAddress, more, status) => {
    const hosts = ['127.0.0.1:7377', 'localhost:7377', '[::1]:7377', 'ambit.example']
    const headers = { host, ...more }
    const incoming = { headers, socket: { remoteAddress } }
    const request = new Request(`http://${host}/metrics`, { headers })
    expect((await appOf({ openMetrics: true, hosts }).fetch(request, { incoming } as object)).status).toBe(status)
  })
})

describe('a link', () => {
  it('signs a browser in, once, by a cookie that no script and no other site gets', async () => {
    const auth = new Auth(TOKEN, engine)
    const app = appOf({ auth })
    const code = auth.newCode()
    const first = await login(app, code)
    expect([first.status, first.headers.get('location')]).toEqual([303, '/'])
    const cookie = first.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^ambit-session-7377=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
    expect(cookie).not.toContain(TOKEN)
    const [pair = ''] = cookie.split(';')
    expect((await ask(app, '/api/echo', { headers: { authorization: '', cookie: `a=b; ${pair}` } })).status).toBe(200)
    expect((await login(app, code)).status).toBe(403)
    expect((await ask(app, '/api/echo', { headers: { authorization: '', cookie: `${pair}x` } })).status).toBe(401)
  })

  it('is not used up by a look ahead', async () => {
    const auth = new Auth(TOKEN, engine)
    const app = appOf({ auth })
    const code = auth.newCode()
    expect((await login(app, code, {}, 'HEAD')).status).toBe(405)
    expect((await login(app, code, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await login(app, code)).status).toBe(303)
  })

  it('is not good with another code, none, or the token, nor when there is a newer one', async () => {
    const auth = new Auth(TOKEN, engine)
    const app = appOf({ auth })
    expect((await login(app, '')).status).toBe(403)
    const old = auth.newCode()
    auth.newCode()
    for (const code of [old, TOKEN, '']) expect((await login(app, code)).status).toBe(403)
  })

  it('gives a cookie that is good at a server of the same token, and of no other', async () => {
    const auth = new Auth(TOKEN, engine)
    const cookie = (await login(appOf({ auth }), auth.newCode())).headers.get('set-cookie')?.split(';')[0] ?? ''
    const statusAt = async (token: string) => {
      const app = appOf({ auth: new Auth(token, engine) })
      return (await ask(app, '/api/echo', { headers: { authorization: '', cookie } })).status
    }
    expect([await statusAt(TOKEN), await statusAt(`${TOKEN}-of-another`)]).toEqual([200, 401])
  })

  it('gives a cookie that is of this port alone', async () => {
    const auth = new Auth(TOKEN, engine)
    const app = appOf({ auth, hosts: [HOST, '127.0.0.1:8000'] })
    const [pair = ''] = ((await login(app, auth.newCode())).headers.get('set-cookie') ?? '').split(';')
    const elsewhere = { host: '127.0.0.1:8000', authorization: '', cookie: pair }
    expect((await ask(app, '/api/echo', { headers: elsewhere })).status).toBe(401)
  })

  it('keeps a hundred browsers signed in', async () => {
    const auth = new Auth(TOKEN, engine)
    const request = (cookie = '') => new Request('http://a/', { headers: { host: HOST, cookie } })
    const cookies: string[] = []
    for (let count = 0; count < 101; count++) {
      const redeemed = await auth.redeem(auth.newCode(), request(), 'a')
      cookies.push(typeof redeemed === 'string' ? (redeemed.split(';')[0] ?? '') : '')
    }
    const found = await Promise.all(cookies.map((cookie) => auth.principalOf(request(cookie), 'a')))
    const isIn = found.map((one) => !('status' in one))
    expect(isIn).toEqual([false, ...Array(100).fill(true)])
  })
})

describe('a store that does not answer', () => {
  const failing = () => {
    let isAway = true
    const gone = new ContextError('unavailable', 'The database x.db is damaged.', {
      hint: 'Run "ambit doctor --repair".',
    })
    const kept = {
      tokens: () => engine.tokens(),
      signIns: async () => {
        if (isAway) throw gone
        return engine.signIns()
      },
    }
    return { auth: new Auth(TOKEN, kept), mend: () => (isAway = false) }
  }

  it('is told to a person on a page, and to a program in JSON', async () => {
    const app = appOf({ auth: failing().auth })
    const cookie = `ambit-session-7377=${'x'.repeat(43)}`
    const here = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
    const asked = (path: string, accept: string, from: object = here) =>
      ask(app, path, { headers: { authorization: '', cookie, accept } }, from)
    const page = await asked('/', 'text/html')
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.headers.get('retry-after')).toBe('1')
    expect(page.body).toContain('<h1>The database x.db is damaged.</h1>')
    const { status, json } = await asked('/api/echo', 'application/json')
    expect([status, json.code, json.hint]).toEqual([503, 'unavailable', 'Run "ambit doctor --repair".'])
    // Who comes from elsewhere, and may be anybody, is not told where it is.
    const elsewhere = { incoming: { socket: { remoteAddress: '192.0.2.7' } } }
    for (const accept of ['text/html', 'application/json']) {
      const told = await asked('/', accept, elsewhere)
      expect([told.status, told.headers.get('retry-after')]).toEqual([503, '1'])
      expect(told.body).toContain('Your identity cannot be checked now.')
      expect(told.body).not.toContain('x.db')
    }
    // Who has the token of the server needs no store to come in.
    expect((await ask(app, '/api/echo')).status).toBe(200)
  })

  it('is told by a worker, too', async () => {
    const worker = appOf({ auth: failing().auth, isWorker: true })
    const cookie = `ambit-session-7377=${'x'.repeat(43)}`
    const { status, json } = await ask(worker, '/metrics', { headers: { authorization: '', cookie } })
    expect([status, json.code]).toEqual([503, 'unavailable'])
  })

  it('uses up no link', async () => {
    const { auth, mend } = failing()
    const app = appOf({ auth })
    const code = auth.newCode()
    expect((await login(app, code)).status).toBe(503)
    mend()
    expect((await login(app, code)).status).toBe(303)
    expect((await login(app, code)).status).toBe(403)
  })
})

it.each([
  ['https', true],
  ['http', false],
])(
  'a token that is typed into the page by %s gives a cookie that is sent by https alone: %s',
  async (scheme, isSecure) => {
    const app = appOf({ hosts: ['ambit.example'] })
    const body = `token=${TOKEN}`
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
    const headers = { ...form, host: 'ambit.example', origin: `${scheme}://ambit.example` }
    const response = await app.fetch(new Request('http://ambit.example/login', { method: 'POST', body, headers }))
    expect([response.status, response.headers.get('set-cookie')?.endsWith('; Secure')]).toEqual([303, isSecure])
  },
)

it('a form whose body is cut off is not logged as a bug', async () => {
  const logged: unknown[] = []
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) })
  const headers = { host: HOST, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '100' }
  const request = new Request(`http://${HOST}/login`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  await appOf({ logBug: (error) => logged.push(error) }).fetch(request)
  expect(logged).toEqual([])
})

describe('wrong tokens', () => {
  it('are too many after twenty in a minute, for their address alone', () => {
    const failures = new FailureCounter()
    for (let time = 0; time < 20; time++) expect(failures.count('192.0.2.1', 0)).toBe(0)
    expect(failures.count('192.0.2.1', 30_000)).toBe(30)
    expect(failures.count('::ffff:192.0.2.1', 30_000)).toBe(30)
    expect(failures.count('192.0.2.2', 30_000)).toBe(0)
    expect(failures.count('192.0.2.1', 60_000)).toBe(0)
  })

  it('are remembered of so many addresses', () => {
    const failures = new FailureCounter()
    for (let time = 0; time < 21; time++) failures.count('first', 0)
    for (let other = 0; other < 10_000; other++) failures.count(`a${other}`, 0)
    expect(failures.count('first', 0)).toBe(0)
  })

  it('do not keep out those who have the right one', async () => {
    const app = appOf({ operations: [operation('echo', () => ({}))] })
    for (let time = 0; time < 25; time++) await ask(app, '/api/echo', { headers: { authorization: 'Bearer x' } })
    const { status, headers } = await ask(app, '/api/echo', { headers: { authorization: 'Bearer x' } })
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await ask(app, '/api/echo')).status).toBe(200)
  })
})
