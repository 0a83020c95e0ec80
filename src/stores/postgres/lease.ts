import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import type { Queries, Sql } from './sql.ts'

/** Milliseconds. */
export interface LeaseTimes {
  /** After so long without a sign of life another process takes over. */
  readonly lastsMs: number
  readonly renewedMs: number
}

const TIMES: LeaseTimes = { lastsMs: 30_000, renewedMs: 5_000 }
const POLL_MS = 50
/** How often the end of the work tries to give it back. */
const RELEASES = 3

/** What a lease is for, by the command of those who take it; of research with the session. */
type Work = 'index' | 'embed' | `research ${string}`

function doing(work: Work): string {
  return work === 'index' ? 'indexing' : work === 'embed' ? 'embedding' : `at ${work.replace(' ', ' session ')}`
}

/** By the clock of the server: those of many machines differ. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

const TAKE = `
  INSERT INTO ambit.leases AS l (name, holder, expires) VALUES ($1, $2, ${NOW} + $3)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
  WHERE l.expires <= ${NOW} OR l.holder = $4`

/** The right to write the index, or the vectors: held by one process at a time, and lost by one that stops. */
export class Lease {
  readonly #sql: Sql
  readonly #name: Work
  readonly #times: LeaseTimes
  #holder: string | undefined

  constructor(sql: Sql, name: Work, times: LeaseTimes = TIMES) {
    this.#sql = sql
    this.#name = name
    this.#times = times
  }

  /** Does something while this process alone holds it. @throws ContextError `conflict` when another keeps it; `cancelled`. */
  async held<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    const holder = JSON.stringify({ id: randomUUID(), pid: process.pid, host: hostname() })
    await this.#take(holder, waitMs, signal)
    this.#holder = holder
    const renewal = setInterval(() => void this.#renew(holder), this.#times.renewedMs)
    renewal.unref()
    try {
      return await work()
    } finally {
      clearInterval(renewal)
      this.#holder = undefined
      await this.#release(holder)
    }
  }

  /**
   * Within a write: a process that was stopped for too long must not go on where another has taken over. None can take over
   * before that write has ended.
   */
  async assertHeld(queries: Queries): Promise<void> {
    if (this.#holder === undefined) return
    const select = 'SELECT holder FROM ambit.leases WHERE name = $1 FOR SHARE'
    const [holder] = await queries.column<string>(select, this.#name)
    if (holder === this.#holder) return
    const hint = `Run "ambit ${this.#name}" again: what is missing is done then.`
    throw new ContextError('conflict', `Another process has taken over the ${doing(this.#name)}.`, { hint })
  }

  async #take(holder: string, waitMs: number, signal?: AbortSignal): Promise<void> {
    const until = Date.now() + waitMs
    for (;;) {
      if (await this.#taken(holder)) return
      throwIfAborted(signal)
      if (Date.now() >= until) {
        const hint = 'Wait until it is done, then run this again.'
        throw new ContextError('conflict', `Another process is ${doing(this.#name)} (${await this.#who()}).`, { hint })
      }
      await sleep(POLL_MS)
    }
  }

  /** In one statement: of many that try at once one does. */
  async #taken(holder: string): Promise<boolean> {
    const known = await this.#row()
    const dead = known !== undefined && !isAlive(known) ? known : ''
    return (await this.#sql.run(TAKE, this.#name, holder, this.#times.lastsMs, dead)) > 0
  }

  /** Where the database fails or is in use, the next sign of life may come in time; else what is written next tells it. */
  async #renew(holder: string): Promise<void> {
    const update = `UPDATE ambit.leases SET expires = ${NOW} + $1 WHERE name = $2 AND holder = $3`
    try {
      await this.#sql.run(update, this.#times.lastsMs, this.#name, holder)
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
    }
  }

  /** Where that fails, it runs out by itself. */
  async #release(holder: string): Promise<void> {
    const remove = 'DELETE FROM ambit.leases WHERE name = $1 AND holder = $2'
    for (let tries = 1; tries <= RELEASES; tries++) {
      try {
        await this.#sql.run(remove, this.#name, holder)
        return
      } catch (error) {
        if (!(error instanceof ContextError)) throw error
      }
    }
  }

  async #row(): Promise<string | undefined> {
    return (await this.#sql.column<string>('SELECT holder FROM ambit.leases WHERE name = $1', this.#name))[0]
  }

  async #who(): Promise<string> {
    const holder = await this.#row()
    if (holder === undefined) return 'it has just ended'
    const { pid, host } = JSON.parse(holder)
    return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
  }
}

/** A holder on this machine that is no more frees its lease at once. */
export function isAlive(holder: string): boolean {
  const { pid, host } = JSON.parse(holder)
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
