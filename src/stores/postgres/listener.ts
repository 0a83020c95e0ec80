/** Receives the notifications of all processes over one connection, by LISTEN and NOTIFY of PostgreSQL. */

import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { ChangeNotifier, type Watch } from '../change-notifier.ts'
import type { Queries } from './sql.ts'
import { parseDatabaseUrl } from './url.ts'

/**
 * Maximum milliseconds that a watcher waits for a notification: while notifications arrive; and while they may be lost.
 */
const WAIT_MS = { listening: 5_000, polling: 1_000 }

/** Milliseconds between two attempts to connect: first and maximum. */
const RECONNECT_MS = { first: 250, maximum: 5_000 }

export const CHANNEL = 'ambit_runs'

export class Listener {
  readonly #connect: () => Client
  readonly #queries: Queries
  readonly #notifier = new ChangeNotifier()
  #client: Client | undefined
  #isListening = false
  #isClosed = false
  #reconnectMs = RECONNECT_MS.first
  #reconnectTimer: NodeJS.Timeout | undefined

  constructor(connect: () => Client, queries: Queries) {
    this.#connect = connect
    this.#queries = queries
  }

  /** Creates a listener for the database at a URL. The listener connects at the first `watch`. */
  static async at(databaseUrl: string, queries: Queries): Promise<Listener> {
    const { url } = parseDatabaseUrl(databaseUrl)
    const { default: pg } = await import('pg')
    const settings = { connectionString: url, application_name: 'ambit listener' }
    // The connection is idle for long. Keep-alive stops proxies from dropping it, and detects when it is dead.
    const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
    return new Listener(() => new pg.Client({ ...settings, ...keepAlive }), queries)
  }

  /** Whether notifications are known to arrive. While false, watchers read the database more often. */
  get isListening(): boolean {
    return this.#isListening
  }

  watch(name: string): Watch {
    if (!this.#client && !this.#reconnectTimer) this.#open()
    return this.#notifier.watch(name, () => (this.#isListening ? WAIT_MS.listening : WAIT_MS.polling))
  }

  /** Wakes the watchers of this name in this process. */
  wake(name: string): void {
    this.#notifier.notify(name)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#reconnectTimer)
    await this.#client?.end().catch(() => {})
    this.#notifier.notifyAll()
  }

  #open(): void {
    if (this.#isClosed) return
    const client = this.#connect()
    this.#client = client
    let isLost = false
    const onLoss = () => {
      if (isLost) return
      isLost = true
      this.#handleLoss(client)
    }
    client.on('error', onLoss)
    client.on('end', onLoss)
    const probe = `knock ${randomUUID()}`
    client.on('notification', ({ payload = '' }) => {
      if (payload === probe) this.#startListening()
      else this.#notifier.notify(payload)
    })
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      // Sends a test notification over another connection. Behind a pooler, this connection may never receive
      // notifications.
      .then(() => this.#queries.run(`SELECT pg_notify('${CHANNEL}', $1)`, probe))
      .then(() => {
        this.#reconnectMs = RECONNECT_MS.first
      })
      .catch(onLoss)
  }

  #startListening(): void {
    this.#isListening = true
    // Notifications before this moment were lost, so watchers read the database once.
    this.#notifier.notifyAll()
  }

  /**
   * Reconnects after a random pause, so that many processes do not reconnect at once. Meanwhile watchers read the database more
   * often.
   */
  #handleLoss(client: Client): void {
    client.end().catch(() => {})
    this.#client = undefined
    this.#isListening = false
    if (this.#isClosed) return
    this.#notifier.notifyAll()
    const waitMs = this.#reconnectMs * (0.5 + Math.random())
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, RECONNECT_MS.maximum)
    this.#reconnectTimer = setTimeout(() => {
      this.#reconnectTimer = undefined
      if (this.#notifier.hasWatchers) this.#open()
    }, waitMs)
    this.#reconnectTimer.unref()
  }
}
