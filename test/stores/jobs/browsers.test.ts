/**
 * Browsers before two API processes, which come to one and then to the other.
 *
 * @module-tag long
 */

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, served } from '../../reliability/served.ts'
import { type Balancer, balancer } from '../../support/balancer.ts'
import { HOUR, offBy } from '../../support/clock.ts'
import { type OidcProvider, oidcProvider } from '../../support/oidc-provider.ts'
import { withPostgres } from '../../support/postgres.ts'
import { TOKEN } from './team.ts'
import { teams } from './teams.ts'

const own = teams()

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Headers, and a form that is sent. */
type Asked = Readonly<Record<string, string>> & { readonly body?: string }

interface Told {
  readonly status: number
  readonly location: string
  readonly body: string
}

/** It keeps cookies, goes where it is led by the balancer, and says from where it comes. */
class Browser {
  readonly cookies = new Map<string, string>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async ask(path: string, { body, ...told }: Asked = {}): Promise<Told> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const form = body === undefined ? {} : { origin: new URL(this.#url).origin, ...FORM, 'content-length': body.length }
    const headers = { accept: 'text/html', ...(cookie !== '' && { cookie }), ...form, ...told }
    // A connection of its own each time: so it comes to whichever process is meant.
    const asking = request(new URL(path, this.#url), {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      agent: false,
    })
    asking.end(body)
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    for (const one of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      if (/Max-Age=0/.test(one)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const { statusCode: status = 0, headers: heads } = response
    return { status, location: heads.location ?? '', body: await text(response) }
  }

  signIn(token: string) {
    return this.ask('/login', { body: `token=${token}` })
  }

  signOut() {
    return this.ask('/logout', { body: '' })
  }

  /** Who it is for the server. */
  async me(): Promise<{ readonly status: number; readonly name?: string; readonly isOwner?: boolean }> {
    const { status, body } = await this.ask('/api/me', { accept: 'application/json' })
    return { ...JSON.parse(body), status }
  }

  /** As far as the provider; what that leads back to. */
  async begin(): Promise<string> {
    const begun = await this.ask('/login/oidc', { 'sec-fetch-site': 'same-origin' })
    expect([begun.status, begun.body]).toEqual([303, ''])
    const there = await fetch(begun.location, { redirect: 'manual' })
    return there.headers.get('location') ?? ''
  }

  end(back: string) {
    const { pathname, search } = new URL(back)
    return this.ask(pathname + search, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })
  }
}

/** How processes are told of a store, and by how many milliseconds their clocks are off. */
interface Setting {
  readonly argv: readonly string[]
  readonly env: object
  readonly clocks?: readonly number[]
}

/** Two processes on one store, behind a balancer. */
class Servers implements AsyncDisposable {
  readonly #front: Balancer
  readonly #argv: readonly string[]
  readonly #env: object
  readonly #clocks: readonly number[]
  #servers: readonly Served[] = []

  private constructor(front: Balancer, { argv, env, clocks = [0, 0] }: Setting) {
    this.#front = front
    this.#argv = argv
    this.#env = env
    this.#clocks = clocks
  }

  static async on(told: Setting): Promise<Servers> {
    const servers = new Servers(await balancer(), told)
    await servers.start(TOKEN)
    return servers
  }

  browser(): Browser {
    return new Browser(this.#front.url)
  }

  /** Leads whoever comes to one of them. */
  toward(index: number): void {
    this.#front.targets = [this.#servers[index]?.port ?? 0]
  }

  /** One more, to which nobody is led. */
  beside(env: object): Promise<Served> {
    return served(own.at.base, { argv: [...this.#argv], env: { ...this.#env, ...env, AMBIT_TOKEN: TOKEN } })
  }

  /** Ends those that there are, and begins with this token of their own. */
  async start(token: string): Promise<void> {
    await this.#end()
    const argv = [...this.#argv, '--allow-host', this.#front.host, '--drain', '1']
    const envs = this.#clocks.map((ms) => ({ ...this.#env, ...offBy(ms), AMBIT_TOKEN: token }))
    this.#servers = await Promise.all(envs.map((env) => served(own.at.base, { argv, env })))
    this.toward(0)
  }

  /** Asks one of them, as its owner. */
  // biome-ignore lint/suspicious/noExplicitAny: what answers hold is the matter of the tests.
  async owner(index: number, path: string, body: object): Promise<any> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${this.#servers[index]?.url}${path}`, init)).json()
  }

  /** What a browser is told by each of them. */
  async statuses(...browsers: readonly Browser[]): Promise<readonly number[]> {
    const statuses: number[] = []
    for (const index of [1, 0]) {
      this.toward(index)
      for (const browser of browsers) statuses.push((await browser.me()).status)
    }
    return statuses
  }

  /** Signs out at one of them; what the cookie held is tried again. */
  async signedOut(browser: Browser, index: number): Promise<void> {
    const before = [...browser.cookies]
    this.toward(index)
    expect((await browser.signOut()).status).toBe(303)
    expect(browser.cookies.size).toBeLessThan(before.length)
    for (const [name, value] of before) browser.cookies.set(name, value)
  }

  async #end(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server[Symbol.asyncDispose]()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
    await this.#front[Symbol.asyncDispose]()
  }
}

function browsers(store: () => Promise<Setting>): void {
  let servers: Servers
  let provider: OidcProvider
  beforeAll(async () => {
    provider = await oidcProvider()
    const { issuer, client } = provider
    const oidc = { AMBIT_OIDC_ISSUER: issuer, AMBIT_OIDC_CLIENT_ID: client.id, AMBIT_OIDC_CLIENT_SECRET: client.secret }
    const told = await store()
    servers = await Servers.on({ ...told, env: { ...told.env, ...oidc, AMBIT_OIDC_ALLOW: '@example.org' } })
  }, 600_000)
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  }, 600_000)

  const alice = () => servers.owner(0, '/api/token.create', { name: 'alice', scope: ['read'] })

  it.each(['the token of the server', 'a token of somebody'])(
    'signs in with %s at one, is in at the other, and is out at both when it signs out at either',
    async (kind) => {
      const isOwner = kind === 'the token of the server'
      const token = isOwner ? TOKEN : (await alice()).token
      for (const out of [0, 1]) {
        const [browser, other] = [servers.browser(), servers.browser()]
        servers.toward(0)
        for (const one of [browser, other]) expect((await one.signIn(token)).status).toBe(303)
        expect(await servers.statuses(browser, other)).toEqual([200, 200, 200, 200])
        expect(await browser.me()).toMatchObject({ name: isOwner ? '' : 'alice', isOwner })
        await servers.signedOut(browser, out)
        expect(await servers.statuses(browser, other)).toEqual([401, 200, 401, 200])
      }
    },
    600_000,
  )

  it('is out at both when its token is revoked at one', async () => {
    const { token, id } = await alice()
    const browser = servers.browser()
    await browser.signIn(token)
    expect(await servers.statuses(browser)).toEqual([200, 200])
    await servers.owner(1, '/api/token.revoke', { token: id })
    expect(await servers.statuses(browser)).toEqual([401, 401])
  }, 600_000)

  it('signs in by a provider: begins at one, comes back to the other, once, and is out at both when it signs out', async () => {
    const browser = servers.browser()
    servers.toward(0)
    const back = await browser.begin()
    const begun = new Map(browser.cookies)
    servers.toward(1)
    expect((await browser.end(back)).status).toBe(200)
    expect(await servers.statuses(browser)).toEqual([200, 200])
    expect((await browser.me()).name).toBe(`oidc:${new URL(provider.issuer).host}:alice-1`)
    // What was taken at one is not taken at the other, though the provider gives more.
    provider.twist = { isForgetful: true }
    const thief = servers.browser()
    for (const [name, value] of begun) thief.cookies.set(name, value)
    servers.toward(0)
    expect((await thief.end(back)).status).toBe(403)
    expect(provider.asked.filter((path) => path === '/token')).toHaveLength(2)
    expect(await servers.statuses(thief)).toEqual([401, 401])
    await servers.signedOut(browser, 0)
    expect(await servers.statuses(browser)).toEqual([401, 401])
    servers.toward(0)
    expect((await thief.end(back)).status).toBe(403)
  }, 600_000)

  it('is in after the servers were started anew; the owner is where their token is the same', async () => {
    const [owner, holder, person] = [servers.browser(), servers.browser(), servers.browser()]
    await owner.signIn(TOKEN)
    await holder.signIn((await alice()).token)
    expect((await person.end(await person.begin())).status).toBe(200)
    await servers.start(TOKEN)
    expect(await servers.statuses(owner, holder, person)).toEqual([200, 200, 200, 200, 200, 200])
    await servers.start(`${TOKEN}-changed`)
    expect(await servers.statuses(owner, holder, person)).toEqual([401, 200, 200, 401, 200, 200])
    // One more that lets in others: whom the old rules let in is out at all of them.
    await using _ = await servers.beside({ AMBIT_OIDC_ALLOW: '@example.com' })
    await expect.poll(() => servers.statuses(holder, person), { timeout: 60_000 }).toEqual([200, 401, 200, 401])
  }, 600_000)
}

describe('a browser before two processes of one file', () =>
  browsers(async () => ({ argv: ['--db', own.at.at('browsers.db')], env: {} })))

withPostgres('E9: a browser before two processes of one database, whose clocks are two hours apart', () => {
  browsers(async () => ({
    argv: ['--role', 'api'],
    env: { AMBIT_DATABASE_URL: `${await own.database()}?pool=3` },
    clocks: [HOUR, -HOUR],
  }))
})
