import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { SignOnConfig } from '../../../src/engine/config.ts'
import { openWith } from '../../../src/open.ts'
import type { HttpParts } from '../../../src/surfaces/http/http-parts.ts'
import { oidc, StateCipher } from '../../../src/surfaces/http/sign-on/oidc.ts'
import { type OidcProvider, oidcProvider, type Twist } from '../../support/oidc-provider.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { appOf, HOST, waiter } from './support.ts'

type App = ReturnType<typeof appOf>

const settingsOf = ({ issuer, client }: OidcProvider, rest: Partial<SignOnConfig> = {}): SignOnConfig => ({
  issuer,
  clientId: client.id,
  clientSecret: client.secret,
  scopes: 'openid email profile',
  allow: ['@example.org'],
  everyone: ['read', 'research'],
  grants: {},
  hours: 12,
  ...rest,
})

/** A browser: it keeps cookies, and says from where it comes. */
class Browser {
  readonly cookies = new Map<string, string>()
  readonly app: App
  /** All that the server ever sent to it. */
  readonly heard: string[] = []

  constructor(app: App) {
    this.app = app
  }

  async get(url: string, headers: Record<string, string> = {}, method = 'GET') {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const common = { host: HOST, accept: 'text/html', ...(cookie !== '' && { cookie }) }
    const response = await this.app.fetch(
      new Request(new URL(url, `http://${HOST}`), { method, headers: { ...common, ...headers } }),
    )
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      if (/Max-Age=0/.test(one)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const body = await response.text()
    this.heard.push(body, JSON.stringify([...response.headers]))
    return { status: response.status, headers: response.headers, body }
  }

  /** As far as the provider, and what it leads back to. */
  async asked(at = '/login/oidc'): Promise<string> {
    const begun = await this.get(at, { 'sec-fetch-site': 'same-origin' })
    expect(begun.status).toBe(303)
    const there = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
    return there.headers.get('location') ?? ''
  }

  returned(to: string) {
    const { pathname, search } = new URL(to)
    return this.get(pathname + search, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })
  }

  async signedIn() {
    return this.returned(await this.asked())
  }

  async me() {
    const { status, body } = await this.get('/api/me', { accept: 'application/json' })
    return { status, ...JSON.parse(body) }
  }
}

interface Options extends Partial<SignOnConfig> {
  readonly parts?: Partial<HttpParts>
  readonly now?: () => number
}

async function having(
  options: Options,
  work: (browser: Browser, provider: OidcProvider, told: string[]) => Promise<void>,
) {
  await using provider = await oidcProvider()
  const { parts, now = Date.now, ...rest } = options
  const told: string[] = []
  const signOn = oidc(settingsOf(provider, rest), { onProblem: (problem) => told.push(problem), now })
  await work(new Browser(appOf({ signOn, ...parts })), provider, told)
}

describe('somebody whom a provider vouches for', () => {
  it('is led there, comes back, and is in', () =>
    having({}, async (browser, provider) => {
      const door = await browser.get('/')
      expect(door.status).toBe(401)
      expect(door.body).toContain(`<a class="button" href="/login/oidc">Sign in with 127.0.0.1:`)
      const page = await browser.signedIn()
      expect(page.status).toBe(200)
      expect(page.body).toContain('<meta http-equiv="refresh" content="0;url=/">')
      expect(await browser.me()).toMatchObject({
        status: 200,
        name: `oidc:${new URL(provider.issuer).host}:alice-1`,
        isOwner: false,
        scopes: ['read', 'research'],
        collections: null,
      })
      const { last } = provider
      expect(Object.fromEntries(last ?? [])).toMatchObject({
        response_type: 'code',
        client_id: 'ambit',
        redirect_uri: `http://${HOST}/login/oidc/callback`,
        scope: 'openid email profile',
        code_challenge_method: 'S256',
      })
      for (const name of ['state', 'nonce', 'code_challenge']) expect(last?.get(name)).toMatch(/^[\w-]{43}$/)
    }))

  it('comes to what they asked for, and nowhere else', () =>
    having({}, async (browser) => {
      const door = await browser.get('/browse/docs?at="2"&b')
      const [, link = ''] = /href="(\/login\/oidc[^"]*)"/.exec(door.body) ?? []
      const page = await browser.returned(await browser.asked(link))
      expect(page.body).toContain('content="0;url=/browse/docs?at=%222%22&amp;b"')
      const elsewhere = await browser.asked('/login/oidc?to=https://evil.example/browse')
      expect((await browser.returned(elsewhere)).body).toContain('content="0;url=/"')
    }))

  it('has a cookie that no script and no other site gets, and none of the provider', () =>
    having({}, async (browser, provider) => {
      const begun = await browser.get('/login/oidc')
      expect(begun.headers.get('set-cookie')).toMatch(
        /^ambit-oidc-7377=[\w-]{60,}; HttpOnly; SameSite=Lax; Path=\/login; Max-Age=600$/,
      )
      browser.cookies.clear()
      const cookies = (await browser.signedIn()).headers.getSetCookie()
      expect(cookies).toEqual([
        expect.stringMatching(
          /^ambit-session-7377=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43(199|200)$/,
        ),
        expect.stringMatching(/^ambit-oidc-7377=; .*Max-Age=0$/),
      ])
      expect(browser.heard.join('')).not.toContain(provider.client.secret)
    }))

  it.each<[string, readonly string[] | undefined, Partial<SignOnConfig>]>([
    ['client_secret_basic', undefined, {}],
    ['client_secret_basic', ['client_secret_basic', 'private_key_jwt'], {}],
    ['client_secret_post', ['client_secret_post', 'client_secret_basic'], {}],
    ['none', ['none'], { clientSecret: undefined } as object],
  ])('is asked for by %s, where the provider takes %j', async (way, methods, rest) =>
    having(rest, async (browser, provider) => {
      if (methods) provider.twist = { metadata: { token_endpoint_auth_methods_supported: methods } }
      expect([(await browser.signedIn()).status, provider.ways]).toEqual([200, [way]])
    }),
  )

  it('is led back by https where the server is reached so, with cookies for that alone', () =>
    having({ url: 'https://ambit.example' }, async (browser, provider) => {
      const { headers } = await browser.signedIn()
      expect(headers.getSetCookie().every((one) => one.endsWith('; Secure'))).toBe(true)
      expect(provider.last?.get('redirect_uri')).toBe('https://ambit.example/login/oidc/callback')
    }))

  it('is out when they sign out, and only they', () =>
    having({}, async (browser) => {
      const other = new Browser(browser.app)
      await Promise.all([browser.signedIn(), other.signedIn()])
      const foreign = await browser.get('/logout', { origin: 'http://evil.example' }, 'POST')
      expect([foreign.status, (await browser.me()).status]).toEqual([403, 200])
      expect((await browser.get('/logout')).status).toBe(405)
      const [before] = [...browser.cookies]
      const left = await browser.get('/logout', {}, 'POST')
      expect([left.status, left.headers.get('location'), browser.cookies.size]).toEqual([303, '/', 0])
      if (before) browser.cookies.set(...before)
      expect([(await browser.me()).status, (await other.me()).status]).toEqual([401, 200])
    }))

  it('has what is under way until they are out, and then it ends', async () => {
    const { seen, wait } = waiter()
    await having({ parts: { operations: [wait], limits: { sweep: 20 } } }, async (browser) => {
      await browser.signedIn()
      const streaming = browser.get('/api/wait', { accept: 'text/event-stream' })
      await expect.poll(() => seen.started, { timeout: 60_000 }).toBe(1)
      // Several sweeps later it still runs.
      await sleep(200)
      expect(seen.stopped).toBe(0)
      await browser.get('/logout', {}, 'POST')
      await expect.poll(() => seen.stopped, { timeout: 60_000 }).toBe(1)
      await streaming
    })
  })

  it('keeps what is theirs over two sign-ins, and nothing of another', () =>
    having({}, async (_, provider) => {
      const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
      try {
        const app = appOf({ engine, signOn: oidc(settingsOf(provider)) })
        const sessions = async (one: Browser) => JSON.parse((await one.get('/api/sessions')).body).sessions.length
        const [first, second, third] = [new Browser(app), new Browser(app), new Browser(app)]
        await first.signedIn()
        const { name } = await first.me()
        await (await engine.as({ name, scopes: ['research'] }).research()).create({ question: 'Mine?' })
        await second.signedIn()
        provider.person = { claims: { sub: 'bob-1', email: 'bob@example.org', email_verified: true } }
        await third.signedIn()
        expect(await Promise.all([sessions(first), sessions(second), sessions(third)])).toEqual([1, 1, 0])
      } finally {
        await engine.close()
      }
    }))
})

describe('who may come in', () => {
  const VERIFIED = { sub: 's.1', email: 'Alice@Example.org', email_verified: true }

  it.each<[string, readonly string[], object, boolean]>([
    ['an address', ['alice@example.org'], VERIFIED, true],
    ['another address', ['alice@example.com'], VERIFIED, false],
    ['a domain', ['example.org'], VERIFIED, true],
    ['a domain with @', ['@EXAMPLE.org'], VERIFIED, true],
    ['a domain with digits and dashes', ['b4-z.example.org'], { ...VERIFIED, email: 'a@b4-z.example.org' }, true],
    ['a domain above', ['@org'], VERIFIED, false],
    ['a domain that ends alike', ['ample.org'], VERIFIED, false],
    ['a domain below', ['@example.org'], { ...VERIFIED, email: 'a@sub.example.org' }, false],
    ['an address with two', ['@example.org'], { ...VERIFIED, email: 'a@example.org@evil.example' }, false],
    ['an address that nobody verified', ['@example.org'], { ...VERIFIED, email_verified: false }, false],
    ['an address of which nobody says that', ['@example.org'], { sub: 's.1', email: 'a@example.org' }, false],
    ['an address that is verified in words', ['@example.org'], { ...VERIFIED, email_verified: 'true' }, true],
    ['no address', ['@example.org'], { sub: 's.1' }, false],
    ['an id', ['sub:s.1'], { sub: 's.1' }, true],
    ['another id', ['sub:s.2'], VERIFIED, false],
    ['an id that looks like an address', ['a@example.org'], { sub: 'a@example.org' }, false],
    ['an id without dots', ['12345'], { sub: '12345' }, true],
    ['everybody', ['*'], { sub: 'x' }, true],
    ['everybody, but for an id that none is', ['*'], { sub: 'a\nb' }, false],
    ['everybody, but for nobody', ['*'], { sub: '' }, false],
  ])('is told by %s', async (_, allow, claims, isIn) =>
    having({ allow }, async (browser, provider) => {
      provider.person = { claims: claims as typeof VERIFIED }
      const { status } = await browser.signedIn()
      expect([status, (await browser.me()).status]).toEqual(isIn ? [200, 200] : [403, 401])
    }),
  )

  it('is told that they may not, by a page', () =>
    having({ allow: ['bob@example.org'] }, async (browser, provider) => {
      provider.person = { claims: { sub: '1', email: '<img src=x>@example.org', email_verified: true } }
      const page = await browser.signedIn()
      expect(page.body).toContain('&lt;img src=x&gt;@example.org may not use this server.')
      expect(page.headers.getSetCookie().join()).not.toContain('ambit-session')
    }))

  it('is asked of the provider where the token does not say it, and that it is verified beside it', () =>
    having({ grants: { groups: { admins: ['admin'] } } }, async (browser, provider) => {
      const userinfo = { email: 'alice@example.org', email_verified: true, groups: ['admins'] }
      provider.person = { claims: { sub: 'alice-1' }, userinfo }
      await browser.signedIn()
      expect((await browser.me()).scopes).toEqual(['read', 'research', 'admin'])
      provider.person = { claims: { sub: 'eve-1', email: 'eve@example.org' }, userinfo: { email_verified: true } }
      expect((await new Browser(browser.app).signedIn()).status).toBe(403)
    }))

  it.each<[string, Partial<SignOnConfig>, object, readonly string[]]>([
    ['all', {}, {}, ['read', 'research']],
    ['all, as it is told', { everyone: ['read'] }, {}, ['read']],
    ['a text', { grants: { role: { boss: ['admin'] } } }, { role: 'boss' }, ['read', 'research', 'admin']],
    ['one', { everyone: [], grants: { groups: { w: ['write'], r: ['read'] } } }, { groups: ['r', 'x'] }, ['read']],
    [
      'two of a list',
      { everyone: [], grants: { groups: { w: ['write'], r: ['read'] } } },
      { groups: ['w', 'r'] },
      ['read', 'write'],
    ],
    [
      'a claim within another',
      { grants: { 'realm.roles': { a: ['write'] } } },
      { realm: { roles: ['a'] } },
      ['read', 'write', 'research'],
    ],
    [
      'nothing that every object has',
      { grants: { groups: { a: ['admin'] } } },
      { groups: ['constructor', 'toString'] },
      ['read', 'research'],
    ],
    ['nothing but text', { grants: { groups: { '1': ['admin'] } } }, { groups: [1, { a: 1 }] }, ['read', 'research']],
  ])('may do what is granted to %s', async (_, rules, claims, scopes) =>
    having({ ...rules, allow: ['*'] }, async (browser, provider) => {
      provider.person = { claims: { sub: 'x', ...claims } }
      await browser.signedIn()
      expect((await browser.me()).scopes).toEqual(scopes)
    }),
  )

  it('may do no more in one browser than what was found in another later', () =>
    having({ allow: ['*'], everyone: ['read'], grants: { groups: { a: ['admin'] } } }, async (browser, provider) => {
      provider.person = { claims: { sub: 'x', groups: ['a'] } }
      await browser.signedIn()
      expect((await browser.me()).scopes).toEqual(['read', 'admin'])
      provider.person = { claims: { sub: 'x', groups: [] } }
      await new Browser(browser.app).signedIn()
      expect((await browser.me()).scopes).toEqual(['read'])
    }))
})

const HOUR = 3600
const seconds = () => Math.floor(Date.now() / 1000)

describe('a provider that is not believed', () => {
  it.each<[string, () => Twist]>([
    ['another state', () => ({ back: { state: 'x'.repeat(43) } })],
    ['no state', () => ({ back: { state: '' } })],
    ['another nonce', () => ({ claims: { nonce: 'x'.repeat(43) } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['another audience', () => ({ claims: { aud: 'other' } })],
    ['several audiences, of which another asked', () => ({ claims: { aud: ['ambit', 'other'], azp: 'other' } })],
    ['a token that is over', () => ({ claims: { iat: seconds() - 2 * HOUR, exp: seconds() - HOUR } })],
    ['a token without an end', () => ({ claims: { exp: undefined } })],
    ['a token that begins later', () => ({ claims: { nbf: seconds() + HOUR } })],
    ['a token without a signature', () => ({ alg: 'none' })],
    ['a token that the secret of the client signs', () => ({ alg: 'HS256' })],
    ['a token that another key signs', () => ({ isForged: true })],
    ['a token of another provider', () => ({ claims: { iss: 'https://id.example' } })],
    ['an answer of another provider', () => ({ back: { iss: 'https://id.example' } })],
    ['an answer that does not say whose it is', () => ({ back: { iss: '' } })],
    ['another code', () => ({ back: { code: 'x' } })],
    ['no code', () => ({ back: { code: '' } })],
    ['a refusal', () => ({ back: { code: '', error: 'access_denied' } })],
    ['a refusal in strange words', () => ({ back: { code: '', error: '<b>x</b>' } })],
  ])('gives %s', async (_, twist) =>
    having({}, async (browser, provider, told) => {
      provider.twist = twist()
      const { status, body, headers } = await browser.signedIn()
      expect(status).toBe(403)
      expect(headers.get('content-type')).toMatch(/^text\/html/)
      expect(body).not.toContain('<b>')
      expect(headers.getSetCookie().join()).not.toContain('ambit-session')
      expect((await browser.me()).status).toBe(401)
      expect(told.join()).not.toMatch(new RegExp(`${provider.client.secret}|eyJ`))
    }),
  )

  it.each<[string, Twist]>([
    ['says that it is another', { metadata: { issuer: 'https://id.example' } }],
    ['says nothing', { metadata: { issuer: undefined } }],
  ])('%s', async (_, twist) =>
    having({}, async (browser, provider, told) => {
      provider.twist = twist
      const { status } = await browser.get('/login/oidc')
      expect([status, told.length]).toEqual([503, 1])
      // What was mended is asked anew.
      provider.twist = {}
      expect((await browser.signedIn()).status).toBe(200)
    }),
  )

  it('fails, and nobody is in', () =>
    having({}, async (browser, provider) => {
      provider.twist = { status: 500 }
      expect((await browser.signedIn()).status).toBe(503)
      expect((await browser.me()).status).toBe(401)
    }))

  it('is not there, and those with a token come in', () =>
    having({}, async (browser, provider) => {
      await provider[Symbol.asyncDispose]()
      const page = await browser.get('/login/oidc')
      expect(page.status).toBe(503)
      expect(page.body).toContain('does not answer correctly')
    }))
})

describe('a way back', () => {
  it('is taken once, even where the provider would give more', () =>
    having({}, async (browser, provider) => {
      provider.twist = { isForgetful: true }
      const back = await browser.asked()
      const kept = new Map(browser.cookies)
      expect((await browser.returned(back)).status).toBe(200)
      for (const [name, value] of kept) browser.cookies.set(name, value)
      expect((await browser.returned(back)).status).toBe(403)
    }))

  it('is for the browser that began it', () =>
    having({}, async (browser, provider) => {
      const back = await browser.asked()
      const other = new Browser(browser.app)
      expect((await other.returned(back)).status).toBe(403)
      await other.asked()
      expect((await other.returned(back)).status).toBe(403)
      expect(provider.asked).not.toContain('/token')
      expect((await browser.returned(back)).status).toBe(200)
    }))

  it('is too late after ten minutes', async () => {
    let now = Date.now()
    await having({ now: () => now }, async (browser, provider) => {
      const back = await browser.asked()
      now += 600_001
      expect((await browser.returned(back)).status).toBe(403)
      expect(provider.asked).not.toContain('/token')
    })
  })

  it('is open to a person who is led there, and to no script of another site', () =>
    having({}, async (browser) => {
      const { pathname, search } = new URL(await browser.asked())
      const foreign = { 'sec-fetch-site': 'cross-site' }
      expect((await browser.get(pathname + search, { ...foreign, 'sec-fetch-mode': 'no-cors' })).status).toBe(403)
      const posted = await browser.get(pathname + search, { ...foreign, 'sec-fetch-mode': 'navigate' }, 'POST')
      expect(posted.status).toBe(403)
      for (const path of ['/', '/login/oidc', '/api/me', '/login?code=x', `${pathname}/x`, '/logout']) {
        expect((await browser.get(path, { ...foreign, 'sec-fetch-mode': 'navigate' })).status).toBe(403)
      }
      const elsewhere = { ...foreign, 'sec-fetch-mode': 'navigate', host: 'evil.example' }
      expect((await browser.get(pathname + search, elsewhere)).status).toBe(403)
    }))

  it('makes who fails often wait', () =>
    having({}, async (browser) => {
      const statuses = new Set<number>()
      for (let count = 0; count < 25; count++) statuses.add((await browser.get('/login/oidc/callback?state=x')).status)
      expect(statuses).toEqual(new Set([403, 429]))
    }))

  it('is not there where no provider is set', async () => {
    const browser = new Browser(appOf())
    expect((await browser.get('/login/oidc')).status).toBe(404)
    expect((await browser.get('/login/oidc/callback?code=x&state=y')).status).toBe(404)
    expect((await browser.get('/')).body).not.toContain('/login/oidc')
  })
})

describe('what a browser keeps meanwhile', () => {
  const begun = { state: 's', nonce: 'n', verifier: 'v', at: 1, to: '/' }
  const keyOf = (byte: number) => async () => new Uint8Array(32).fill(byte)

  it('is opened by the process that sealed it', async () => {
    const seal = new StateCipher()
    expect(await seal.decrypt(await seal.encrypt(begun))).toEqual(begun)
    expect(await new StateCipher().decrypt(await seal.encrypt(begun))).toBeUndefined()
    expect(await seal.encrypt(begun)).not.toBe(await seal.encrypt(begun))
  })

  it.each([
    ['the same key', new StateCipher(keyOf(1)), true],
    ['another key', new StateCipher(keyOf(2)), false],
    ['the same key, and the secret of another client', new StateCipher(keyOf(1), 'x'), false],
  ])('is opened by %s: %s', async (_, other, isOpened) => {
    expect(await other.decrypt(await new StateCipher(keyOf(1)).encrypt(begun))).toEqual(isOpened ? begun : undefined)
  })

  it('is nothing where it was changed, or is something else', async () => {
    const seal = new StateCipher()
    const bytes = Buffer.from(await seal.encrypt(begun), 'base64url')
    await forAllAsync(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ by
      expect(await seal.decrypt(changed.toString('base64url'))).toBeUndefined()
    })
    await forAllAsync(fc.string(), async (text) => (await seal.decrypt(text)) === undefined)
  })
})
