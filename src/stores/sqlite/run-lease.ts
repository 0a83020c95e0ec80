import { assertFewer, type RunLeaseParts } from '../run-lease.ts'
import { SqliteLease } from './lease.ts'
import type { Sql } from './sql.ts'

const OTHERS = `
  SELECT l.holder FROM leases l JOIN research_sessions s ON l.name = 'research ' || s.id
  WHERE s.owner = ? AND s.id <> ? AND l.expires > ?`

export class SqliteRunLease extends SqliteLease {
  readonly #sql: Sql
  readonly #parts: RunLeaseParts

  constructor(sql: Sql, parts: RunLeaseParts) {
    super(sql, `research ${parts.session}`, parts.times)
    this.#sql = sql
    this.#parts = parts
  }

  protected override assertRoom(): void {
    const { session, owner, most } = this.#parts
    if (most !== undefined) assertFewer(this.#sql.column(OTHERS, owner, session, Date.now()), most)
  }
}
