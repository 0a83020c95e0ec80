import { assertFewer, type RunLeaseParts } from '../run-lease.ts'
import { NOW, PostgresLease } from './lease.ts'
import type { Sql } from './sql.ts'

const OTHERS = `
  SELECT l.holder FROM ambit.leases l JOIN ambit.research_sessions s ON l.name = 'research ' || s.id
  WHERE s.owner = $1 AND s.id <> $2 AND l.expires > ${NOW}`

export class PostgresRunLease extends PostgresLease {
  readonly #sql: Sql
  readonly #parts: RunLeaseParts

  constructor(sql: Sql, parts: RunLeaseParts) {
    super(sql, `research ${parts.session}`, parts.times)
    this.#sql = sql
    this.#parts = parts
  }

  /** Where they are counted, one of the owner's is taken at a time. */
  protected override async taken(holder: string): Promise<boolean> {
    const { session, owner, most } = this.#parts
    if (most === undefined) return super.taken(holder)
    return this.#sql.write(`runs ${owner}`, async (queries) => {
      assertFewer(await queries.column(OTHERS, owner, session), most)
      return this.takenBy(queries, holder)
    })
  }
}
