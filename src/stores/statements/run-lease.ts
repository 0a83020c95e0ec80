import { TooMany } from '../../core/errors.ts'
import type { RunLimits, RunStore } from '../run-store.ts'
import { isAlive, Lease, type LeaseTimes } from './lease.ts'
import { type Database, queryColumn, queryRow, type Statements, selectColumn } from './statement.ts'

/** The right to run a session. */
interface RunLeaseParts extends RunLimits {
  readonly session: string
  readonly owner: string
  readonly times: LeaseTimes | undefined
}

/** Holders of other sessions of the owner. */
const OTHERS = `
  SELECT l.holder FROM ambit.leases l JOIN ambit.research_sessions s ON l.name = 'research ' || s.id
  WHERE s.owner = ? AND s.id <> ? AND l.expires > {now}`

/** The number of sessions of an owner, and the bytes of their files. */
const USAGE = `
  SELECT count(DISTINCT s.id) AS sessions, coalesce(sum(f.size), 0) AS bytes
  FROM ambit.research_sessions s LEFT JOIN ambit.research_files f ON f.session = s.id WHERE s.owner = ?`

export function readUsage(database: Database, owner: string): ReturnType<RunStore['usage']> {
  const query = queryRow<{ sessions: number; bytes: number | string }>(USAGE, owner)
  return database.read(query, (row) => ({ sessions: Number(row?.sessions ?? 0), bytes: Number(row?.bytes ?? 0) }))
}

export class RunLease extends Lease {
  readonly #parts: RunLeaseParts

  constructor(database: Database, parts: RunLeaseParts) {
    super(database, `research ${parts.session}`, parts.times)
    this.#parts = parts
  }

  /** With a maximum, one lease of the owner is taken at a time. @throws TooMany when living processes run as many. */
  protected override async take(database: Database, holder: string): Promise<boolean> {
    const { owner, most } = this.#parts
    if (most === undefined) return super.take(database, holder)
    return database.write(`runs ${owner}`, () => this.#takeOneOf(most, holder))
  }

  protected override lose(): void {
    this.#parts.lost?.()
  }

  *#takeOneOf(most: number, holder: string): Statements<boolean> {
    const { session, owner } = this.#parts
    const holders = yield* selectColumn<string>(OTHERS, owner, session)
    if (holders.filter(isAlive).length >= most) throw new TooMany(`${most} sessions of the same owner are run already.`)
    return yield* this.takeWithin(holder)
  }
}

const OWNERS = `
  SELECT owner FROM ambit.conversations UNION SELECT owner FROM ambit.research_sessions ORDER BY owner`

/** Names of owners with data, in order. */
export function readOwners(database: Database): Promise<string[]> {
  return database.read(queryColumn<string>(OWNERS))
}
