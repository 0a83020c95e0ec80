import { isAlive, Lease, type LeaseTimes, type Work } from '../lease.ts'
import { isBusy, patient } from './patience.ts'
import type { Sql } from './sql.ts'

/** How long the end of the work waits for a database that another process has. */
const RELEASE_MS = 5_000

interface Row {
  readonly holder: string
  readonly expires: number
}

const PUT = `
  INSERT INTO leases (name, holder, expires) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires`

export class SqliteLease extends Lease {
  readonly #sql: Sql

  constructor(sql: Sql, work: Work, times?: LeaseTimes) {
    super(work, times)
    this.#sql = sql
  }

  /** Within a write: a process that was stopped for too long must not go on where another has taken over. */
  assertHeld(): void {
    if (this.holder === undefined) return
    const holder = this.#row()?.holder
    if (holder !== this.holder) throw this.lost(holder)
  }

  protected override taken(holder: string): boolean | Error {
    try {
      return this.#sql.write(() => {
        // A holder on this machine that is no more frees its lease at once.
        if (this.living !== undefined) return false
        this.assertRoom()
        this.#sql.run(PUT, this.work, holder, Date.now() + this.times.lastsMs)
        return true
      })
    } catch (error) {
      if (error instanceof Error && isBusy(error)) return error
      throw error
    }
  }

  /** Whether one more may be held; throws where not. */
  protected assertRoom(): void {}

  protected override async renew(holder: string): Promise<void> {
    const update = 'UPDATE leases SET expires = ? WHERE name = ? AND holder = ?'
    const renewed = async () =>
      this.#sql.write(() => this.#sql.run(update, Date.now() + this.times.lastsMs, this.work, holder))
    // Others may write all the time: who lives must not be taken for dead.
    await patient(renewed, this.times.renewedMs)
  }

  protected override async release(holder: string): Promise<void> {
    const remove = 'DELETE FROM leases WHERE name = ? AND holder = ?'
    await patient(async () => this.#sql.write(() => this.#sql.run(remove, this.work, holder)), RELEASE_MS)
  }

  /** The living process that has it. */
  get living(): string | undefined {
    const row = this.#row()
    return row !== undefined && row.expires > Date.now() && isAlive(row.holder) ? row.holder : undefined
  }

  protected override async inRow(): Promise<string | undefined> {
    return this.#row()?.holder
  }

  #row(): Row | undefined {
    return this.#sql.get<Row>('SELECT holder, expires FROM leases WHERE name = ?', this.work)
  }
}
