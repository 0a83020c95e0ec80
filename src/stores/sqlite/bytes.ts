import { type ByteStore, type InObject, type KeptObject, NO_BYTES, noIdentity } from '../byte-store.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly data: Uint8Array
  readonly key: string | null
}

const IN_OBJECTS = `
  SELECT sha256, key, coalesce((SELECT name FROM research_files f WHERE f.sha256 = b.sha256 ORDER BY number LIMIT 1), '') AS name
  FROM research_bytes b WHERE key IS NOT NULL AND sha256 > ? ORDER BY sha256 LIMIT ?`

const LEFT = `
  SELECT key FROM research_gone WHERE key NOT IN (SELECT key FROM research_bytes WHERE key IS NOT NULL) ORDER BY key LIMIT ?`

/** Where the bytes of files are, in SQLite. */
export class SqliteBytes implements ByteStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async id(): Promise<string> {
    const [id] = this.#sql.column<string>('SELECT id FROM identity')
    if (id !== undefined) return id
    throw noIdentity(this.#sql.path)
  }

  async find(sha256: string): Promise<Uint8Array | InObject | undefined> {
    const row = this.#sql.get<Row>('SELECT data, key FROM research_bytes WHERE sha256 = ?', sha256)
    return row && (row.key === null ? row.data : { key: row.key })
  }

  async move(sha256: string, { key }: InObject, from: InObject | 'database'): Promise<boolean> {
    const known = from === 'database' ? null : from.key
    const update = 'UPDATE research_bytes SET key = ?, data = ? WHERE sha256 = ? AND key IS ?'
    return this.#sql.write(() => this.#sql.run(update, key, NO_BYTES, sha256, known) > 0)
  }

  async inDatabase(after: string, limit: number): Promise<string[]> {
    const select = 'SELECT sha256 FROM research_bytes WHERE key IS NULL AND sha256 > ? ORDER BY sha256 LIMIT ?'
    return this.#sql.column(select, after, limit)
  }

  async inObjects(after: string, limit: number): Promise<KeptObject[]> {
    return this.#sql.all(IN_OBJECTS, after, limit)
  }

  async used(keys: readonly string[]): Promise<Set<string>> {
    const select = 'SELECT key FROM research_bytes WHERE key IN (SELECT value FROM json_each(?))'
    return new Set(this.#sql.column<string>(select, JSON.stringify(keys)))
  }

  async left(limit: number): Promise<string[]> {
    return this.#sql.column(LEFT, limit)
  }

  async forget(keys: readonly string[]): Promise<void> {
    const remove = 'DELETE FROM research_gone WHERE key IN (SELECT value FROM json_each(?))'
    this.#sql.write(() => this.#sql.run(remove, JSON.stringify(keys)))
  }
}
