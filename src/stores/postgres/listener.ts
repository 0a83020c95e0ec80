/** One connection of a process that hears what all processes change: LISTEN and NOTIFY. */

import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { Bells, type Watch } from '../change-notifier.ts'
import type { Queries } from './sql.ts'
import { addressOf } from './url.ts'

/** How often is looked all the same: while something is heard, and while it is not. Milliseconds. */
const COVER_MS = { heard: 5_000, deaf: 1_000 }

/** Between two tries to connect: the first, and the longest. Milliseconds. */
const AGAIN_MS = { first: 250, most: 5_000 }

export const CHANNEL = 'ambit_runs'

async function notify(queries: Queries, words: string): Promise<void> {
  await queries.run(`SELECT pg_notify('${CHANNEL}', $1)`, words)
}

export class Listener {
  readonly #connect: () => Client
  readonly #queries: Queries
  readonly #bells = new Bells()
  #client: Client | undefined
  #isHearing = false
  #isClosed = false
  #waitMs = AGAIN_MS.first
  #again: NodeJS.Timeout | undefined

  constructor(connect: () => Client, queries: Queries) {
    this.#connect = connect
    this.#queries = queries
  }

  /** None is connected before something is watched. */
  static async at(given: string, queries: Queries): Promise<Listener> {
    const { url } = addressOf(given)
    const { default: pg } = await import('pg')
    const settings = { connectionString: url, application_name: 'ambit listener' }
    // It is silent for long: what is between must not take it for dead, nor a dead one be taken for silent.
    const alive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
    return new Listener(() => new pg.Client({ ...settings, ...alive }), queries)
  }

  /** Whether it is known to hear: else is looked more often by those who wait. */
  get isHearing(): boolean {
    return this.#isHearing
  }

  watch(name: string): Watch {
    if (!this.#client && !this.#again) this.#open()
    return this.#bells.watch(name, () => (this.#isHearing ? COVER_MS.heard : COVER_MS.deaf))
  }

  /** Wakes those in this process who watch this name. */
  wake(name: string): void {
    this.#bells.ring(name)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#again)
    await this.#client?.end().catch(() => {})
    this.#bells.ringAll()
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
      if (payload === knock) this.#hears()
      else this.#bells.ring(payload)
    })
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      // By another connection: a pooler may take what comes to this one for nobody's, and then it hears nothing.
      .then(() => notify(this.#queries, knock))
      .then(() => {
        this.#waitMs = AGAIN_MS.first
      })
      .catch(lost)
  }

  #hears(): void {
    this.#isHearing = true
    // Earlier notifications were lost.
    this.#bells.ringAll()
  }

  /** Those who wait look for themselves meanwhile. Not all processes come back at the same moment. */
  #lost(client: Client): void {
    client.end().catch(() => {})
    this.#client = undefined
    this.#isHearing = false
    if (this.#isClosed) return
    this.#bells.ringAll()
    const waitMs = this.#waitMs * (0.5 + Math.random())
    this.#waitMs = Math.min(this.#waitMs * 2, AGAIN_MS.most)
    this.#again = setTimeout(() => {
      this.#again = undefined
      if (this.#bells.areHeard) this.#open()
    }, waitMs)
    this.#again.unref()
  }
}
