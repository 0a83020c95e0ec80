import type { Sql } from './sql.ts'

/** How long an answer of the server is gone on with, by what has passed since. Milliseconds. */
const KEPT_MS = 60_000

/** The clock of the server. It is not asked each time: how much time has passed, any machine knows. */
export class ServerClock {
  readonly #sql: Sql
  #known: { readonly told: number; readonly at: number } | undefined

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async now(): Promise<number> {
    const passed = this.#known ? performance.now() - this.#known.at : KEPT_MS
    if (this.#known && passed < KEPT_MS) return Math.floor(this.#known.told + passed)
    const [told = 0] = await this.#sql.column<number>('SELECT {now}')
    this.#known = { told, at: performance.now() }
    return told
  }
}
