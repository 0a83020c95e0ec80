import { ContextError } from '../../core/errors.ts'
import { isAlive, Lease, type LeaseTimes, type Work } from '../lease.ts'
import type { Queries, Sql } from './sql.ts'

/** How often the end of the work tries to give it back. */
const RELEASES = 3

/** By the clock of the server: those of many machines differ. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** That as it is kept where people read it: ISO 8601, UTC. */
export const ISO_NOW = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const TAKE = `
  INSERT INTO ambit.leases AS l (name, holder, expires) VALUES ($1, $2, ${NOW} + $3)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
  WHERE l.expires <= ${NOW} OR l.holder = $4`

export class PostgresLease extends Lease {
  readonly #sql: Sql

  constructor(sql: Sql, work: Work, times?: LeaseTimes) {
    super(work, times)
    this.#sql = sql
  }

  /**
   * Within a write: a process that was stopped for too long must not go on where another has taken over. None can take over
   * before that write has ended.
   */
  async assertHeld(queries: Queries): Promise<void> {
    if (this.holder === undefined) return
    const select = 'SELECT holder FROM ambit.leases WHERE name = $1 FOR SHARE'
    const [holder] = await queries.column<string>(select, this.work)
    if (holder !== this.holder) throw this.lost(holder)
  }

  protected override taken(holder: string): Promise<boolean> {
    return this.takenBy(this.#sql, holder)
  }

  /** In one statement: of many that try at once one does. */
  protected async takenBy(queries: Queries, holder: string): Promise<boolean> {
    const known = await this.#holder(queries)
    // A holder on this machine that is no more frees its lease at once.
    const dead = known !== undefined && !isAlive(known) ? known : ''
    return (await queries.run(TAKE, this.work, holder, this.times.lastsMs, dead)) > 0
  }

  protected override async renew(holder: string): Promise<void> {
    const update = `UPDATE ambit.leases SET expires = ${NOW} + $1 WHERE name = $2 AND holder = $3`
    await this.#sql.run(update, this.times.lastsMs, this.work, holder)
  }

  protected override async release(holder: string): Promise<void> {
    const remove = 'DELETE FROM ambit.leases WHERE name = $1 AND holder = $2'
    for (let tries = 1; ; tries++) {
      try {
        await this.#sql.run(remove, this.work, holder)
        return
      } catch (error) {
        if (!(error instanceof ContextError) || tries === RELEASES) throw error
      }
    }
  }

  /** The living process that has it. */
  async living(): Promise<string | undefined> {
    const select = `SELECT holder FROM ambit.leases WHERE name = $1 AND expires > ${NOW}`
    const [holder] = await this.#sql.column<string>(select, this.work)
    return holder !== undefined && isAlive(holder) ? holder : undefined
  }

  protected override inRow(): Promise<string | undefined> {
    return this.#holder(this.#sql)
  }

  async #holder(queries: Queries): Promise<string | undefined> {
    return (await queries.column<string>('SELECT holder FROM ambit.leases WHERE name = $1', this.work))[0]
  }
}
