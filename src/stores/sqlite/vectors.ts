import { withBits } from '../../core/bits.ts'
import { ContextError } from '../../core/errors.ts'
import type { Document, DocumentFilter } from '../document-store.ts'
import { requireCollections } from '../statements/collections.ts'
import { type DocumentRow, documentOf, SELECT_DOCUMENT } from '../statements/documents.ts'
import { conditionOf, selectMatchingIds } from '../statements/filter.ts'
import { Lease, type LeaseTimes } from '../statements/lease.ts'
import { isOpen } from '../statements/matching.ts'
import { bytesOf } from '../statements/segment-numbers.ts'
import { type Database, type Statements, selectRows } from '../statements/statement.ts'
import { type PackedView, packedView } from '../statements/vector-view.ts'
import type { NewVectors, StoredVector, VectorCounts, VectorStore, VectorView } from '../vector-store.ts'
import { runInSqlite } from './runner.ts'
import type { SqliteConnection } from './sql.ts'

interface Model {
  readonly id: number
  readonly centre: Float32Array
}

interface View extends PackedView {
  readonly model: string
  readonly version: number
  /** How many there are, and the last: since ids go up, others have another. */
  readonly extent: string
  readonly allowed: Map<string, Uint8Array | undefined>
}

const MISSING = `
  WHERE d.hash NOT IN (SELECT hash FROM vector_contents WHERE model_id = ?)
    AND (? = 0 OR d.collection_id IN (SELECT value FROM json_each(?)))
  GROUP BY d.hash ORDER BY c.name, d.path`

const EXTENT = "SELECT count(*) || ' ' || coalesce(max(id), 0) FROM vectors WHERE model_id = ?"

// With the plus sign as they lie in the table: by the index each would be looked up.
const BITS = 'SELECT id, bits FROM vectors WHERE +model_id = ? ORDER BY id'

const ALLOWED = `
  SELECT id FROM vectors WHERE model_id = ?
    AND hash IN (SELECT d.hash FROM documents d WHERE d.id {anyOf number})`

const AMONG_HASHES = 'd.hash IN (SELECT unhex(value) FROM json_each(?))'

/** Filters that are remembered with what they let through. */
const MOST_FILTERS = 32

export class SqliteVectors implements VectorStore {
  readonly #sql: SqliteConnection
  readonly #lease: Lease
  /** Of the model that was asked for last. */
  #view: View | undefined

  constructor(sql: SqliteConnection, database: Database, times?: LeaseTimes) {
    this.#sql = sql
    this.#lease = new Lease(database, 'embed', times)
  }

  async centre(model: string): Promise<Float32Array | undefined> {
    return this.#modelOf(model)?.centre
  }

  async missing(model: string, collections: readonly string[]): Promise<Document[]> {
    return this.#sql.read(() => {
      const ids = JSON.stringify(this.#run(requireCollections(collections)))
      const modelId = this.#modelOf(model)?.id ?? -1
      const rows = this.#sql.all<DocumentRow>(`${SELECT_DOCUMENT} ${MISSING}`, modelId, collections.length, ids)
      return rows.map(documentOf)
    })
  }

  #run<Result>(statements: Statements<Result>): Result {
    return runInSqlite(this.#sql, statements)
  }

  #modelOf(fingerprint: string): Model | undefined {
    const select = 'SELECT id, centre FROM vector_models WHERE fingerprint = ?'
    const row = this.#sql.get<{ id: number; centre: Uint8Array }>(select, fingerprint)
    return row && { id: row.id, centre: new Float32Array(row.centre.slice().buffer) }
  }

  async put(model: string, centre: Float32Array, contents: readonly NewVectors[]): Promise<void> {
    this.#sql.write(() => {
      this.#run(this.#lease.assertHeld())
      const known = this.#modelOf(model)
      const dimensions = known?.centre.length ?? centre.length
      const given = [centre, ...contents.flatMap(({ chunks }) => chunks.map(({ bytes }) => bytes))]
      const wrong = given.find(({ length }) => length !== dimensions)
      if (wrong) {
        const message = `The model gave vectors of ${wrong.length} dimensions, and before of ${dimensions}.`
        throw new ContextError('conflict', message, { hint: 'Run "ambit embed --force" to recompute all of them.' })
      }
      const insert = 'INSERT INTO vector_models (fingerprint, centre) VALUES (?, ?)'
      const id = known?.id ?? this.#sql.insert(insert, model, bytesOf(centre))
      for (const content of contents) this.#insert(id, content)
    })
  }

  #insert(model: number, { hash, chunks }: NewVectors): void {
    const content = Buffer.from(hash, 'hex')
    this.#sql.run('DELETE FROM vector_contents WHERE model_id = ? AND hash = ?', model, content)
    this.#sql.run('INSERT INTO vector_contents (model_id, hash) VALUES (?, ?)', model, content)
    const insert = 'INSERT INTO vectors (model_id, hash, first_line, last_line, bits) VALUES (?, ?, ?, ?, ?)'
    const insertBytes = 'INSERT INTO vector_bytes (vector_id, scale, data) VALUES (?, ?, ?)'
    for (const { start, end, bits, bytes, scale } of chunks) {
      const id = this.#sql.insert(insert, model, content, start, end, bytesOf(bits))
      this.#sql.run(insertBytes, id, scale, bytesOf(bytes))
    }
  }

  async view(model: string, filter: DocumentFilter): Promise<VectorView> {
    return this.#sql.read(() => {
      const current = this.#current(model)
      const key = JSON.stringify(filter)
      if (!current.allowed.has(key)) {
        if (current.allowed.size >= MOST_FILTERS) current.allowed.clear()
        current.allowed.set(key, this.#allowedBy(filter, model, current))
      }
      const allowed = current.allowed.get(key)
      return allowed ? { ...current.view, allowed } : current.view
    })
  }

  #current(model: string): View {
    const version = this.#sql.version()
    if (this.#view?.version === version && this.#view.model === model) return this.#view
    const { id = -1, centre = new Float32Array() } = this.#modelOf(model) ?? {}
    const [extent = ''] = this.#sql.column<string>(EXTENT, id)
    const known = this.#view?.model === model && this.#view.extent === extent ? this.#view : undefined
    const { view, places } = known ?? packedView(this.#sql.all<{ id: number; bits: Uint8Array }>(BITS, id), centre)
    this.#view = { model, version, extent, view: { ...view, centre }, places, allowed: new Map() }
    return this.#view
  }

  #allowedBy(filter: DocumentFilter, model: string, { view, places }: View): Uint8Array | undefined {
    const hasPaused = this.#sql.get('SELECT 1 FROM collections WHERE paused = 1') !== undefined
    if (isOpen(filter) && !hasPaused) return undefined
    const documents = JSON.stringify(this.#run(selectMatchingIds(filter)))
    const ids = this.#sql.column<number>(ALLOWED, this.#modelOf(model)?.id ?? -1, documents)
    return withBits(
      null,
      ids.map((id) => places.get(id) ?? 0),
      view.ids.length,
    )
  }

  async byId(ids: readonly number[]): Promise<StoredVector[]> {
    const select = `
      SELECT v.id, lower(hex(v.hash)) AS hash, v.first_line AS start, v.last_line AS end, b.scale, b.data
      FROM vectors v JOIN vector_bytes b ON b.vector_id = v.id WHERE v.id IN (SELECT value FROM json_each(?))`
    const rows = this.#sql.all<Omit<StoredVector, 'bytes'> & { data: Uint8Array }>(select, JSON.stringify(ids))
    return rows.map(({ data, ...row }) => ({
      ...row,
      bytes: new Int8Array(data.buffer, data.byteOffset, data.byteLength),
    }))
  }

  async documentsOf(hashes: readonly string[], filter: DocumentFilter): Promise<Document[]> {
    return this.#sql.read(() => this.#run(selectWithHashes(hashes, filter)))
  }

  async counts(model: string): Promise<VectorCounts> {
    return this.#sql.read(() => {
      const id = this.#modelOf(model)?.id ?? -1
      const [documents = 0] = this.#sql.column<number>('SELECT count(*) FROM documents')
      const has = 'SELECT count(*) FROM documents WHERE hash IN (SELECT hash FROM vector_contents WHERE model_id = ?)'
      const [done = 0] = this.#sql.column<number>(has, id)
      const [chunks = 0] = this.#sql.column<number>('SELECT count(*) FROM vectors WHERE model_id = ?', id)
      return { documents: done, missing: documents - done, chunks }
    })
  }

  async prune(model: string): Promise<number> {
    return this.#sql.write(() => {
      this.#run(this.#lease.assertHeld())
      const id = this.#modelOf(model)?.id ?? -1
      const gone = 'DELETE FROM vector_contents WHERE model_id <> ? OR hash NOT IN (SELECT hash FROM documents)'
      const removed = this.#sql.run(gone, id)
      this.#sql.run('DELETE FROM vector_models WHERE id <> ?', id)
      return removed
    })
  }

  async clear(model: string): Promise<void> {
    this.#sql.write(() => {
      this.#run(this.#lease.assertHeld())
      this.#sql.run('DELETE FROM vector_models WHERE fingerprint = ?', model)
    })
  }

  exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    return this.#lease.hold(waitMs, work, signal)
  }
}

function* selectWithHashes(hashes: readonly string[], filter: DocumentFilter): Statements<Document[]> {
  const { clause, values, accepts = () => true } = yield* conditionOf(filter)
  const select = `${SELECT_DOCUMENT} WHERE ${AMONG_HASHES} AND ${clause} ORDER BY c.name, d.path`
  return (yield* selectRows<DocumentRow>(select, hashes, ...values)).filter(accepts).map(documentOf)
}
