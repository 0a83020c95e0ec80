import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { isBusy, patient } from './patience.ts'
import type { Sql } from './sql.ts'

/** Milliseconds. */
export interface LeaseTimes {
  /** After so long without a sign of life another process takes over. */
  readonly lastsMs: number
  readonly renewedMs: number
}

const TIMES: LeaseTimes = { lastsMs: 30_000, renewedMs: 5_000 }
const POLL_MS = 50
/** How long the end of the work waits for a database that another process has. */
const RELEASE_MS = 5_000

interface Row {
  readonly holder: string
  readonly expires: number
}

/** What a lease is for, by the command of those who take it; of research with the session. */
type Work = 'index' | 'embed' | `research ${string}`

function doing(work: Work): string {
  return work === 'index' ? 'indexing' : work === 'embed' ? 'embedding' : `at ${work.replace(' ', ' session ')}`
}

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
    const renewal = setInterval(() => this.#renew(holder), this.#times.renewedMs)
    renewal.unref()
    try {
      return await work()
    } finally {
      clearInterval(renewal)
      this.#holder = undefined
      await this.#release(holder)
    }
  }

  /** Within a write: a process that was stopped for too long must not go on where another has taken over. */
  assertHeld(): void {
    if (this.#holder === undefined || this.#row()?.holder === this.#holder) return
    const hint = `Run "ambit ${this.#name}" again: what is missing is done then.`
    throw new ContextError('conflict', `Another process has taken over the ${doing(this.#name)}.`, { hint })
  }

  async #take(holder: string, waitMs: number, signal?: AbortSignal): Promise<void> {
    const until = Date.now() + waitMs
    for (;;) {
      const taken = this.#tryTake(holder)
      if (taken === true) return
      throwIfAborted(signal)
      if (Date.now() >= until) {
        if (taken) throw taken
        const hint = 'Wait until it is done, then run this again.'
        throw new ContextError('conflict', `Another process is ${doing(this.#name)} (${this.#who()}).`, { hint })
      }
      await sleep(POLL_MS)
    }
  }

  /** False while another process holds it; the error when the database could not be asked. */
  #tryTake(holder: string): boolean | Error {
    try {
      return this.#taken(holder)
    } catch (error) {
      if (error instanceof Error && isBusy(error)) return error
      throw error
    }
  }

  #taken(holder: string): boolean {
    return this.#sql.write(() => {
      const row = this.#row()
      if (row && row.expires > Date.now() && isAlive(row.holder)) return false
      this.#sql.run(
        'INSERT INTO leases (name, holder, expires) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires',
        this.#name,
        holder,
        Date.now() + this.#times.lastsMs,
      )
      return true
    })
  }

  /** Where the database fails or is in use, the next sign of life may come in time; else what is written next tells it. */
  #renew(holder: string): void {
    const update = 'UPDATE leases SET expires = ? WHERE name = ? AND holder = ?'
    try {
      this.#sql.write(() => this.#sql.run(update, Date.now() + this.#times.lastsMs, this.#name, holder))
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
    }
  }

  /** Where that fails, it runs out by itself. */
  async #release(holder: string): Promise<void> {
    const remove = 'DELETE FROM leases WHERE name = ? AND holder = ?'
    try {
      await patient(async () => this.#sql.write(() => this.#sql.run(remove, this.#name, holder)), RELEASE_MS)
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
    }
  }

  #row(): Row | undefined {
    return this.#sql.get<Row>('SELECT holder, expires FROM leases WHERE name = ?', this.#name)
  }

  #who(): string {
    const row = this.#row()
    return row ? `process ${JSON.parse(row.holder).pid}` : 'it has just ended'
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
