/** The connection of a process for notifications of all processes: LISTEN and NOTIFY. */

import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { ChangeNotifier, type Watch } from '../change-notifier.ts'
import type { Queries } from './sql.ts'
import { addressOf } from './url.ts'

/** Maximum milliseconds of a wait without a notification: while the process listens, and while it cannot. */
const COVER_MS = { listening: 5_000, deaf: 1_000 }

/** Milliseconds between two tries to connect: first and maximum. */
const AGAIN_MS = { first: 250, most: 5_000 }

export const CHANNEL = 'ambit_runs'

async function notify(queries: Queries, words: string): Promise<void> {
  await queries.run(`SELECT pg_notify('${CHANNEL}', $1)`, words)
}

export class Listener {
  readonly #connect: () => Client
  readonly #queries: Queries
  readonly #notifier = new ChangeNotifier()
  #client: Client | undefined
  #isListening = false
  #isClosed = false
  #waitMs = AGAIN_MS.first
  #again: NodeJS.Timeout | undefined

  constructor(connect: () => Client, queries: Queries) {
    this.#connect = connect
    this.#queries = queries
  }

  /** It connects when something is watched. */
  static async at(given: string, queries: Queries): Promise<Listener> {
    const { url } = addressOf(given)
    const { default: pg } = await import('pg')
    const settings = { connectionString: url, application_name: 'ambit listener' }
    // It is idle for long: keep-alive stops proxies from dropping it, and finds a dead connection.
    const alive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
    return new Listener(() => new pg.Client({ ...settings, ...alive }), queries)
  }

  /** Whether notifications are known to arrive; watchers read more often while they do not. */
  get isListening(): boolean {
    return this.#isListening
  }

  watch(name: string): Watch {
    if (!this.#client && !this.#again) this.#open()
    return this.#notifier.watch(name, () => (this.#isListening ? COVER_MS.listening : COVER_MS.deaf))
  }

  /** Wakes the watchers of this name in this process. */
  wake(name: string): void {
    this.#notifier.notify(name)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#again)
    await this.#client?.end().catch(() => {})
    this.#notifier.notifyAll()
  }

  #open(): void {
    if (this.#isClosed) return
    const client = this.#connect()
    this.#client = client
    let isLost = false
    const lost = () => {
      if (isLost) return
      isLost = true
      this.#lost(client)
    }
    client.on('error', lost)
    client.on('end', lost)
    const knock = `knock ${randomUUID()}`
    client.on('notification', ({ payload = '' }) => {
      if (payload === knock) this.#startListening()
      else this.#notifier.notify(payload)
    })
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      // Sends a test by another connection: behind a pooler, this one may receive no notifications.
      .then(() => notify(this.#queries, knock))
      .then(() => {
        this.#waitMs = AGAIN_MS.first
      })
      .catch(lost)
  }

  #startListening(): void {
    this.#isListening = true
    // Earlier notifications were lost.
    this.#notifier.notifyAll()
  }

  /** Watchers read by themselves meanwhile. The random pause keeps processes from reconnecting all at once. */
  #lost(client: Client): void {
    client.end().catch(() => {})
    this.#client = undefined
    this.#isListening = false
    if (this.#isClosed) return
    this.#notifier.notifyAll()
    const waitMs = this.#waitMs * (0.5 + Math.random())
    this.#waitMs = Math.min(this.#waitMs * 2, AGAIN_MS.most)
    this.#again = setTimeout(() => {
      this.#again = undefined
      if (this.#notifier.hasWatchers) this.#open()
    }, waitMs)
    this.#again.unref()
  }
}
