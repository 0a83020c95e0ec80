/**
 * The rows of group G that no other test shows. README.md says where the others are.
 *
 * @module-tag long
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { newRunId } from '../../src/surfaces/http/events/run-log.ts'
import { ROOT } from '../source-files.ts'
import { SOON } from '../support/soon.ts'
import { tree } from '../support/tree.ts'
import {
  appOf,
  ask,
  BEARER,
  echo,
  HOST,
  listening,
  operation,
  post,
  raw,
  rootsOf,
  TOKEN,
} from '../surfaces/http/support.ts'
import { served } from './served.ts'

/** Every kind of route. */
const ROUTES = ['/', '/healthz', '/login', '/openapi.json', '/api/echo', '/api/things.write', '/mcp', '/nothing']

const mcp = () => ({ fetch: async () => new Response('{}') })
const app = appOf({ mcp })

function start(argv: readonly string[], env = {}) {
  using planted = tree({})
  const script = [join(ROOT, 'src/bin.ts'), 'serve', '--port', '0', ...argv]
  const options = { cwd: planted.base, encoding: 'utf8', timeout: 60_000 } as const
  return spawnSync(process.execPath, script, {
    ...options,
    env: { PATH: process.env.PATH, HOME: planted.base, ...env },
  })
}

describe.runIf(existsSync('/proc/net/tcp'))('G1 a server that is started without more', () => {
  it('G1 listens on loopback only', async () => {
    using planted = tree({})
    await using server = await served(planted.base)
    const port = server.port.toString(16).toUpperCase().padStart(4, '0')
    const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
      existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [],
    )
    const LISTEN = '0A'
    const bound = rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, local = '', , state]) => {
        return local.endsWith(`:${port}`) && state === LISTEN
      })
    expect(bound.map(([, local]) => local)).toEqual([`0100007F:${port}`])
  })
})

describe('G2 a server that others could reach', () => {
  it.each([
    [['--host', '0.0.0.0'], {}],
    [['--host', '0.0.0.0', '--json'], { AMBIT_TOKEN: '' }],
    [['--host', '0.0.0.0'], { AMBIT_TOKEN: '0123456789abcdef' }],
  ])('G2 is not started without a token that the user chose: %j %j', (argv, env) => {
    const { status, stdout, stderr } = start(argv, env)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/can be reached by others/)
  })
})

describe('G3 a request on the wire', () => {
  it('G3 is refused on the wire, too: no host, two, and one in the address', async () => {
    await using server = await listening()
    const own = `Host: 127.0.0.1:${server.port}\r\n`
    const token = `Authorization: Bearer ${TOKEN}\r\n`
    const answers = await Promise.all([
      raw(server.port, `GET /healthz HTTP/1.1\r\n\r\n`),
      raw(server.port, `GET /healthz HTTP/1.0\r\n\r\n`),
      raw(server.port, `GET /healthz HTTP/1.1\r\n${own}Host: attacker.example\r\n\r\n`),
      raw(server.port, `GET /healthz HTTP/1.1\r\n${own}${own}\r\n`),
      raw(server.port, `GET http://attacker.example/healthz HTTP/1.1\r\n${own}\r\n`),
      raw(server.port, `OPTIONS * HTTP/1.1\r\n${own}\r\n`),
      raw(server.port, `GET /healthz HTTP/1.1\r\n${own}${token}Connection: close\r\n\r\n`),
    ])
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual([...Array(6).fill('400'), '200'])
  })

  it.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    '',
    'application/jsonp',
  ])('G6 cannot post a form of the type %j', async (type) => {
    const { status } = await ask(app, '/api/things.write', post('{"word":"a"}', { 'content-type': type }))
    expect(status).toBe(415)
  })

  it('G7 gets no leave to read or write', async () => {
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    for (const path of ROUTES) {
      const answers = await Promise.all([
        ask(app, path, { method: 'OPTIONS', headers: preflight }),
        ask(app, path, { headers: { origin: `http://${HOST}` } }),
        ask(app, path, { headers: { origin: 'http://attacker.example' } }),
      ])
      expect(answers[0]?.status).toBe(405)
      for (const { headers } of answers) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    }
  })

  it.each(ROUTES)('cannot frame %s, run anything in it, or learn where it leads', async (path) => {
    for (const init of [{}, { headers: { host: 'x' } }, { headers: { authorization: '' } }, post('{')]) {
      const { headers } = await ask(app, path, init)
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toBe('')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('G8 the token', () => {
  it('G8 is in nothing that the server writes or answers, and another after the next start', async () => {
    using planted = tree({ 'AGENTS.md': 'a' })
    await using server = await served(planted.base, { env: { AMBIT_TOKEN: TOKEN, AMBIT_DEBUG: '1' } })
    expect(server.token).toBe(TOKEN)
    const wrong = `Bearer ${TOKEN}x`
    const answers = [BEARER.authorization, wrong].flatMap((authorization) =>
      ['/', '/api/load', '/api/load?budget=x', '/nothing', `/${TOKEN}`].map(async (path) => {
        const response = await fetch(`${server.url}${path}`, { headers: { authorization } })
        return `${JSON.stringify([...response.headers])} ${await response.text()}`
      }),
    )
    expect((await Promise.all(answers)).join('')).not.toContain(TOKEN)
    expect(server.written().split('\n').slice(1).join('\n')).not.toContain(TOKEN)
    await using next = await served(planted.base)
    expect(next.token).toMatch(/^[\w-]{43}$/)
    const stale = await fetch(`${next.url}/api/load`, { headers: { authorization: BEARER.authorization } })
    expect(stale.status).toBe(401)
  })

  it('G8 is not printed for a person, who gets a link with a code', async () => {
    using planted = tree({ 'AGENTS.md': 'a' })
    const { status, stdout } = start(['--host', 'nowhere.invalid'])
    expect([status, stdout]).toEqual([2, ''])
    await using server = await served(planted.base, { env: { AMBIT_TOKEN: TOKEN } })
    expect(server.written()).toMatch(/^\{"url":"http:\/\/127\.0\.0\.1:\d+","token":"canary/)
  })
})

describe('G9 a thousand wrong tokens', () => {
  it('G9 are limited for their address; others, and whoever has the right one there, are not', async () => {
    await using server = await listening()
    const statuses = new Map<number, number>()
    for (let round = 0; round < 50; round++) {
      const asked = Array.from({ length: 20 }, () => statusOf(server.port, { authorization: 'Bearer wrong' }))
      for (const status of await Promise.all(asked)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [401, 20],
      [429, 980],
    ])
    expect(await statusOf(server.port, server.headers)).toBe(200)
    expect(await statusOf(server.port, { authorization: 'Bearer wrong' }, '127.0.0.2')).toBe(401)
    const forged = { authorization: 'Bearer wrong', 'x-forwarded-for': '192.0.2.9', forwarded: 'for=192.0.2.9' }
    expect(await statusOf(server.port, forged)).toBe(429)
  })
})

/** The status of an answer, to a client at an address of this machine. */
function statusOf(port: number, headers: Record<string, string>, localAddress = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', localAddress, path: '/api/echo', headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    asked.on('error', reject).end()
  })
}

/** What comes back for a request whose body comes bit by bit, and never ends. */
function dribbled(port: number, head: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const isChunked = head.includes('chunked')
    let received = ''
    socket.write(head)
    const dribble = setInterval(() => socket.write(isChunked ? '1\r\n \r\n' : ' '), 100)
    socket.on('data', (chunk) => (received += chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(dribble)
      resolve(received)
    })
  })
}

describe('G10 to G22', () => {
  it('G10 a run is known by an id that nobody guesses, and asking for another is not found', async () => {
    expect(Buffer.from(newRunId(), 'base64url')).toHaveLength(16)
    expect(new Set(Array.from({ length: 1000 }, newRunId)).size).toBe(1000)
    const headers = { accept: 'text/event-stream', 'last-event-id': `${newRunId()}.1` }
    expect((await ask(app, '/api/echo', { headers })).status).toBe(404)
  })

  it.each(['/%2e%2e/%2e%2e/etc/passwd', '/..%5c..%5cetc', '/api/..%2f..%2fload', '/%00', '//etc/passwd', '/api/'])(
    'G11 %s leads nowhere',
    async (path) => {
      await using server = await listening()
      const answer = await raw(
        server.port,
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    },
  )

  it.each([
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n'],
    ['a length that is none', 'Content-Length: 5x\r\n'],
    ['a strange encoding', 'Transfer-Encoding: chunked, identity\r\n'],
    ['a folded header', 'X-Long: a\r\n b\r\n'],
    ['a space before the colon', 'X-Odd : a\r\n'],
    ['a NUL', 'X-Odd: a\0b\r\n'],
  ])('G12 a request with %s is refused, and the connection closed', async (_, header) => {
    await using server = await listening()
    const head = `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TOKEN}\r\n`
    const smuggled = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`
    const answer = await raw(server.port, `${head}Content-Type: application/json\r\n${header}\r\n0\r\n\r\n${smuggled}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('G13 slow requests have a time, and keep nobody else waiting', async () => {
    await using server = await listening()
    expect(server.server.headersTimeout).toBeLessThanOrEqual(10_000)
    expect(server.server.requestTimeout).toBeLessThanOrEqual(60_000)
    expect(server.server.maxConnections).toBeGreaterThan(1000)
    const slow = Array.from({ length: 200 }, () => raw(server.port, 'GET /healthz HTTP/1.1\r\nHost: 127', 300))
    const began = performance.now()
    for (let time = 0; time < 20; time++) expect(await statusOf(server.port, server.headers)).toBe(200)
    expect(performance.now() - began).toBeLessThan(SOON)
    await Promise.all(slow)
  })

  it('G13 slow bodies have a time, too, take no place of what runs, and are no bugs', async () => {
    const logged: unknown[] = []
    const log = (error: unknown) => logged.push(error)
    const printed = vi.spyOn(console, 'error').mockImplementation(log)
    await using server = await listening({ limits: { runs: 2 }, logBug: log })
    // In place of a minute. Node looks every five seconds.
    Object.assign(server.server, { headersTimeout: 400, requestTimeout: 500 })
    const head = `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TOKEN}\r\n`
    const slow = Array.from({ length: 200 }, (_, at) => {
      const length = at % 2 === 0 ? 'Content-Length: 1000' : 'Transfer-Encoding: chunked'
      return dribbled(server.port, `${head}Content-Type: application/json\r\n${length}\r\n\r\n`)
    })
    const began = performance.now()
    for (let time = 0; time < 20; time++) expect(await statusOf(server.port, server.headers)).toBe(200)
    expect(performance.now() - began).toBeLessThan(SOON)
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(performance.now() - began).toBeLessThan(SOON)
    expect(logged).toEqual([])
    printed.mockRestore()
  })

  it.each([
    ['a header of 64 kB', () => `GET /healthz HTTP/1.1\r\nX: ${'x'.repeat(65_536)}\r\n`, '431'],
    [
      '1,000 headers',
      () => `GET /healthz HTTP/1.1\r\n${Array.from({ length: 1000 }, (_, at) => `a${at}:b\r\n`).join('')}`,
      '431',
    ],
    ['an address of 100 kB', () => `GET /healthz?${'x'.repeat(100_000)} HTTP/1.1\r\n`, '431'],
    ['an address of 10 kB', () => `GET /healthz?${'x'.repeat(10_000)} HTTP/1.1\r\n`, '414'],
    ['a long, allowed address', () => `GET /healthz?${'x'.repeat(8_000)} HTTP/1.1\r\nConnection: close\r\n`, '200'],
  ])('G14 %s', async (_, head, status) => {
    await using server = await listening()
    const answer = await raw(server.port, `${head()}Host: 127.0.0.1:${server.port}\r\n\r\n`)
    expect(answer.slice(9, 12)).toBe(status)
  })

  it.each([
    ['10 MB', () => post({ word: 'x'.repeat(10_000_000) }), 413],
    ['one byte too many', () => post(`"${'x'.repeat(1_048_575)}"`), 413],
    ['JSON 100,000 deep', () => post(`{"word":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), 400],
    ['an input 100,000 deep', () => post(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), 400],
    ['bad UTF-8', () => ({ ...post(''), body: Buffer.from([0x22, 0xff, 0x22]) }), 400],
    ['half of JSON', () => post('{"word": "a'), 400],
    ['a number with 100,000 digits', () => post(`{"count":${'9'.repeat(100_000)}}`), 400],
    ['another charset', () => post({}, { 'content-type': 'application/json; charset=utf-16' }), 415],
  ])('G15 %s is refused at once', async (_, init, status) => {
    const asked = init()
    const began = performance.now()
    expect((await ask(app, '/api/echo', asked)).status).toBe(status)
    expect(performance.now() - began).toBeLessThan(SOON)
  })

  it('G15 a body that is larger than it says, or endless, is not read to its end', async () => {
    await using server = await listening()
    const head = `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TOKEN}\r\n`
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const chunked = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`
    expect(await raw(server.port, chunked)).toMatch(/^HTTP\/1\.1 413 /)
    const told = `${head}Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n{`
    expect(await raw(server.port, told)).toMatch(/^HTTP\/1\.1 413 /)
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    'G16 %s is not allowed',
    async (method) => {
      await using server = await listening({ mcp })
      for (const path of ROUTES) {
        const answer = await raw(
          server.port,
          `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
        )
        expect([path, answer.slice(9, 12)]).toEqual([path, '405'])
      }
    },
  )

  it('G16 no header changes the method', async () => {
    const headers = { 'x-http-method-override': 'POST', 'x-method-override': 'POST', 'x-http-method': 'POST' }
    expect((await ask(app, '/api/things.write?_method=POST', { headers })).status).toBe(405)
  })

  it('G17 no error tells of the machine or the code', async () => {
    using planted = tree({ 'served/AGENTS.md': 'a', 'secret/AGENTS.md': 'SECRET', 'served/out -> ../secret': '' })
    const roots = rootsOf(planted.at('served'))
    const queries = 'place=out place=../secret place=nope budget=x profile=x tokens=x strange=1 place=%00'.split(' ')
    const served = appOf({ roots, logBug: () => {} })
    const asked = [
      ...['load', 'explain', 'check', 'diff'].flatMap((name) => queries.map((query) => `/api/${name}?${query}`)),
      ...['bug', 'conflict', 'not-found'].map((word) => `/api/fail?word=${word}`),
      '/nothing',
      '/login?code=x',
    ]
    const failed = (await Promise.all(asked.map((path) => ask(served, path)))).filter(({ status }) => status >= 400)
    expect(failed.length).toBeGreaterThan(25)
    for (const { body } of failed) {
      expect(body).not.toMatch(/\bat .*:\d+|node_modules|\.ts\b|SELECT|SECRET/)
      expect(body).not.toContain(planted.base)
      expect(JSON.parse(body)).toMatchObject({
        title: expect.any(String),
        code: expect.any(String),
        hint: expect.any(String),
      })
    }
  })

  it('G18 an operation that throws, rejects or gives nonsense ends nothing', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const bad = [
      operation('throws', () => {
        throw new Error('thrown')
      }),
      operation('rejects', async () => Promise.reject('a word')),
      operation('rejects.nothing', () => Promise.reject(undefined)),
      operation('circular', () => circular),
      operation('late', async (_, { emit }) => {
        setTimeout(() => emit({ type: 'rendered', tokens: 1 }), 1)
        return {}
      }),
    ]
    await using server = await listening({ operations: [...bad, echo], logBug: () => {} })
    for (const { name } of bad) {
      for (const accept of ['application/json', 'text/event-stream']) {
        const response = await fetch(`${server.url}/api/${name}`, { headers: { ...server.headers, accept } })
        const isFine = accept === 'text/event-stream' || name === 'late'
        expect([name, accept, response.status]).toEqual([name, accept, isFine ? 200 : 500])
        expect(await response.text()).not.toContain('thrown')
      }
    }
    expect(await statusOf(server.port, server.headers)).toBe(200)
  })

  it('G19 under load, the end is orderly: what was begun is answered, and nothing new is', {
    tags: 'long',
  }, async () => {
    using planted = tree({})
    await using server = await served(planted.base, { own: true })
    const headers = { authorization: `Bearer ${server.token}` }
    const asked = Array.from({ length: 20 }, () => fetch(`${server.url}/api/slow?count=4000`, { headers }))
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const { code, ms } = await server.ended('SIGTERM')
    const answers = await Promise.all(asked.map(async (response) => (await response).json()))
    expect(answers).toEqual(Array(20).fill({ said: 'after 4000' }))
    expect([code, ms < SOON]).toEqual([0, true])
    await expect(fetch(server.url)).rejects.toThrow()
  })

  it('G19 what does not end is stopped after ten seconds', { tags: 'long' }, async () => {
    using planted = tree({})
    await using server = await served(planted.base, { own: true })
    const headers = { authorization: `Bearer ${server.token}` }
    const stuck = fetch(`${server.url}/api/stuck`, { headers }).then(({ status }) => status, String)
    const stream = fetch(`${server.url}/api/stuck`, { headers: { ...headers, accept: 'text/event-stream' } })
    await stream
    const { code, ms } = await server.ended('SIGINT')
    expect([code, ms < SOON]).toEqual([130, true])
    expect(await stuck).toBe(499)
    await (await stream).text().catch(() => {})
  })

  it.each([
    '/api/echo?word=a%0d%0aSet-Cookie:%20b',
    '/login?code=a%0d%0aSet-Cookie:b',
    '/a%0d%0aSet-Cookie:b',
    '/api/a%0d%0ab',
  ])('G21 no header comes out of %s', async (path) => {
    await using server = await listening()
    const response = await fetch(`${server.url}${path}`, { headers: server.headers })
    expect(response.headers.get('set-cookie')).toBeNull()
    await response.text()
  })

  it('G22 headers of a proxy say nothing', async () => {
    const forged = {
      'x-forwarded-host': HOST,
      'x-forwarded-proto': 'https',
      forwarded: `host=${HOST}`,
      'x-real-ip': '127.0.0.1',
    }
    expect((await ask(app, '/api/echo', { headers: { ...forged, host: 'attacker.example' } })).status).toBe(403)
    const plain = await ask(app, '/openapi.json')
    const { body } = await ask(app, '/openapi.json', { headers: { ...forged, 'x-forwarded-host': 'attacker.example' } })
    expect(body).toBe(plain.body)
  })
})

describe('O5 the command line beside a running server', () => {
  it('O5 changes what the server answers, and both go on', async () => {
    using planted = tree({ 'notes/a.md': '# A\n\nthe needle\n' })
    await using server = await served(planted.base)
    const headers = { authorization: `Bearer ${server.token}` }
    const find = async () =>
      JSON.stringify(await (await fetch(`${server.url}/api/search?query=needle`, { headers })).json())
    expect(await find()).toContain('"results":[]')
    const env = { PATH: process.env.PATH, HOME: planted.base }
    for (const argv of [['collection', 'add', 'notes', planted.at('notes')], ['index']]) {
      const script = [join(ROOT, 'src/bin.ts'), ...argv]
      const { status, stderr } = spawnSync(process.execPath, script, { cwd: planted.base, env, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    }
    expect(await find()).toContain('ambit://notes/a.md')
  })
})
