import { type ByteStore, type InObject, type KeptObject, NO_BYTES, noIdentity } from '../byte-store.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly data: Uint8Array
  readonly key: string | null
}

const MOVE = `
  UPDATE ambit.research_bytes SET key = $1, data = $2 WHERE sha256 = $3 AND key IS NOT DISTINCT FROM $4`

const IN_DATABASE = `
  SELECT sha256 FROM ambit.research_bytes WHERE key IS NULL AND sha256 > $1 ORDER BY sha256 LIMIT $2`

const IN_OBJECTS = `
  SELECT sha256, key, coalesce(
    (SELECT name FROM ambit.research_files f WHERE f.sha256 = b.sha256 ORDER BY number LIMIT 1), '') AS name
  FROM ambit.research_bytes b WHERE key IS NOT NULL AND sha256 > $1 ORDER BY sha256 LIMIT $2`

const LEFT = `
  SELECT key FROM ambit.research_gone g WHERE NOT EXISTS (SELECT 1 FROM ambit.research_bytes b WHERE b.key = g.key)
  ORDER BY key LIMIT $1`

/** Where the bytes of files are, in PostgreSQL. */
export class PostgresBytes implements ByteStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async id(): Promise<string> {
    const [id] = await this.#sql.column<string>('SELECT id FROM ambit.identity')
    if (id !== undefined) return id
    throw noIdentity(this.#sql.name)
  }

  async find(sha256: string): Promise<Uint8Array | InObject | undefined> {
    const row = await this.#sql.get<Row>('SELECT data, key FROM ambit.research_bytes WHERE sha256 = $1', sha256)
    return row && (row.key === null ? row.data : { key: row.key })
  }

  async move(sha256: string, { key }: InObject, from: InObject | 'database'): Promise<boolean> {
    const known = from === 'database' ? null : from.key
    const moved = await this.#sql.write('research', (queries) => queries.run(MOVE, key, NO_BYTES, sha256, known))
    return moved > 0
  }

  inDatabase(after: string, limit: number): Promise<string[]> {
    return this.#sql.column(IN_DATABASE, after, limit)
  }

  inObjects(after: string, limit: number): Promise<KeptObject[]> {
    return this.#sql.all(IN_OBJECTS, after, limit)
  }

  async used(keys: readonly string[]): Promise<Set<string>> {
    return new Set(await this.#sql.column<string>('SELECT key FROM ambit.research_bytes WHERE key = ANY($1)', keys))
  }

  left(limit: number): Promise<string[]> {
    return this.#sql.column(LEFT, limit)
  }

  async forget(keys: readonly string[]): Promise<void> {
    await this.#sql.run('DELETE FROM ambit.research_gone WHERE key = ANY($1)', keys)
  }
}
