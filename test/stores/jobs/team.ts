/** Servers of one database, each a process of its own, behind a balancer. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Served, served } from '../../reliability/served.ts'
import { type Balancer, balancer } from '../../support/balancer.ts'

export const TOKEN = 'correct-horse-battery-staple-of-the-tests'

export interface TeamOptions {
  readonly cwd: string
  readonly database: string
  /** Seconds; `default`: as the product has it where nothing is set. */
  readonly heartbeat?: number | 'default'
  readonly jobs?: number
  readonly env?: Readonly<Record<string, string>>
}

type Role = 'api' | 'worker'

/** What happened in a session, as somebody was told who followed it. */
export interface Heard {
  readonly ids: number[]
  readonly types: string[]
  /** How often the connection was made. */
  connections: number
}

export class Team implements AsyncDisposable {
  readonly balancer: Balancer
  readonly apis: Served[] = []
  readonly workers: Served[] = []
  /** Of whoever asks. */
  readonly headers = HEADERS
  readonly #options: TeamOptions
  readonly #ending = new AbortController()

  private constructor(balancer: Balancer, options: TeamOptions) {
    this.balancer = balancer
    this.#options = options
  }

  static async of(apis: number, workers: number, options: TeamOptions): Promise<Team> {
    const team = new Team(await balancer(), options)
    const roles = [...Array(apis).fill('api'), ...Array(workers).fill('worker')]
    await Promise.all(roles.map((role) => team.add(role)))
    return team
  }

  /** `more`: of its own environment. */
  async add(role: Role, more: Readonly<Record<string, string>> = {}): Promise<Served> {
    const { cwd, database, heartbeat = 4, jobs = 2, env = {} } = this.#options
    const argv = [
      '--role',
      role,
      '--jobs',
      `${jobs}`,
      '--drain',
      '2',
      '--root',
      cwd,
      '--allow-host',
      this.balancer.host,
    ]
    const set = heartbeat === 'default' ? {} : { AMBIT_HEARTBEAT: String(heartbeat) }
    const server = await served(cwd, {
      argv,
      env: { AMBIT_DATABASE_URL: database, AMBIT_TOKEN: TOKEN, ...set, ...env, ...more },
    })
    const all = role === 'api' ? this.apis : this.workers
    all.push(server)
    this.#balance()
    return server
  }

  /** As a machine that loses its power. */
  async kill(server: Served): Promise<void> {
    for (const all of [this.apis, this.workers]) {
      const at = all.indexOf(server)
      if (at >= 0) all.splice(at, 1)
    }
    this.#balance()
    await server.ended('SIGKILL')
  }

  #balance(): void {
    this.balancer.targets = this.apis.map(({ port }) => port)
  }

  /** Asks until somebody answers: a connection that is cut is no answer. */
  // biome-ignore lint/suspicious/noExplicitAny: what answers hold is the matter of the tests.
  async ask(path: string, init: RequestInit = {}, at = this.balancer.url): Promise<any> {
    for (let tries = 1; ; tries++) {
      try {
        const response = await fetch(`${at}${path}`, { ...init, headers: { ...HEADERS, ...init.headers } })
        const text = await response.text()
        if (response.status >= 500 && tries < 100) throw new Error(text)
        return { status: response.status, ...(text.startsWith('{') ? JSON.parse(text) : { text }) }
      } catch (error) {
        if (tries >= 100) throw error
        await sleep(200)
      }
    }
  }

  post(path: string, body: object = {}, at = this.balancer.url) {
    return this.ask(path, { method: 'POST', body: JSON.stringify(body), headers: JSON_BODY }, at)
  }

  /** Makes a session with files. */
  async session(body: object, files: Readonly<Record<string, string>>): Promise<string> {
    const { session_id } = await this.post('/api/sessions', { extractive: true, ...body })
    for (const [name, text] of Object.entries(files)) {
      const form = new FormData()
      form.append('file', new File([text], name))
      await this.ask(`/api/sessions/${session_id}/files`, { method: 'POST', body: form })
    }
    return session_id
  }

  /** Follows a session through the balancer, comes back wherever it is cut off, and ends with the last event. */
  follow(id: string, at = () => this.balancer.url): { readonly heard: Heard; readonly done: Promise<void> } {
    const heard: Heard = { ids: [], types: [], connections: 0 }
    const done = (async () => {
      while (!this.#ending.signal.aborted) {
        const last = heard.ids.at(-1)
        const headers = { ...HEADERS, ...(last !== undefined && { 'Last-Event-ID': String(last) }) }
        try {
          const { signal } = this.#ending
          const response = await fetch(`${at()}/api/sessions/${id}/events`, { headers, signal })
          if (response.status === 204) return
          if (response.status !== 200) throw new Error(await response.text())
          heard.connections++
          await readInto(heard, response)
          if (LAST.test(heard.types.at(-1) ?? '')) return
        } catch {
          await sleep(100)
        }
      }
    })()
    return { heard, done }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await Promise.all([...this.apis, ...this.workers].map((one) => one[Symbol.asyncDispose]()))
    await this.balancer[Symbol.asyncDispose]()
  }
}

/** The event that nothing comes after. */
export const LAST = /^run_(completed|aborted|quarantined)$/
const HEADERS = { authorization: `Bearer ${TOKEN}`, connection: 'close' }
const JSON_BODY = { 'content-type': 'application/json' }

/** Whole events only: what was cut off in the middle was not heard. */
async function readInto({ ids, types }: Heard, response: Response): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const [, id, type] = /^id: (\d+)\nevent: (\w+)$/m.exec(rest.slice(0, end)) ?? []
      rest = rest.slice(end + 2)
      if (id === undefined || type === undefined) continue
      ids.push(Number(id))
      types.push(type)
    }
  }
}
