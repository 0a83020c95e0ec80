import { withBits } from '../../core/bits.ts'
import { ContextError } from '../../core/errors.ts'
import type { Document, DocumentFilter } from '../document-store.ts'
import { requireCollections } from '../statements/collections.ts'
import { type DocumentRow, documentOf, SELECT_DOCUMENT } from '../statements/documents.ts'
import { conditionOf, selectMatchingIds } from '../statements/filter.ts'
import { Lease, type LeaseTimes } from '../statements/lease.ts'
import { isOpen } from '../statements/matching.ts'
import { bytesOf } from '../statements/segment-numbers.ts'
import type { Database, Statements } from '../statements/statement.ts'
import { type PackedView, packedView } from '../statements/vector-view.ts'
import type { NewVectors, StoredVector, VectorCounts, VectorStore, VectorView } from '../vector-store.ts'
import { runInPostgres } from './runner.ts'
import type { Queries, Sql } from './sql.ts'
import { groupRows, packBytes } from './values.ts'

interface Model {
  readonly id: number
  readonly centre: Float32Array
}

interface Current extends PackedView {
  readonly model: string
  readonly modelId: number
  /** Of all that searches read. */
  readonly version: number
  /** How many there are, and the last: since ids go up, others have another. */
  readonly extent: string
  readonly allowed: Map<string, Uint8Array | undefined>
}

const MISSING = `
  SELECT * FROM (
    SELECT DISTINCT ON (d.hash) d.* FROM (${SELECT_DOCUMENT}
      WHERE NOT EXISTS (SELECT 1 FROM ambit.vector_contents v WHERE v.model_id = $1 AND v.hash = d.hash)
        AND ($2 = 0 OR d.collection_id = ANY($3::bigint[]))) d
    ORDER BY d.hash, d.collection, d.path) m
  ORDER BY m.collection, m.path`

const EXTENT = "SELECT count(*) || ' ' || coalesce(max(id), 0) FROM ambit.vectors WHERE model_id = $1"

const BITS = 'SELECT id, bits FROM ambit.vectors WHERE model_id = $1 ORDER BY id'

const ALLOWED = `
  SELECT id FROM ambit.vectors WHERE model_id = $1
    AND hash IN (SELECT d.hash FROM ambit.documents d WHERE d.id = ANY($2::bigint[]))`

const BY_ID = `
  SELECT v.id, encode(v.hash, 'hex') AS hash, v.first_line AS start, v.last_line AS "end", b.scale, b.data
  FROM ambit.vectors v JOIN ambit.vector_bytes b ON b.vector_id = v.id WHERE v.id = ANY($1::bigint[])`

const COUNTS = `
  SELECT (SELECT count(*) FROM ambit.documents) AS documents,
    (SELECT count(*) FROM ambit.documents d
      WHERE EXISTS (SELECT 1 FROM ambit.vector_contents v WHERE v.model_id = $1 AND v.hash = d.hash)) AS done,
    (SELECT count(*) FROM ambit.vectors WHERE model_id = $1) AS chunks`

const NEXT_IDS = `
  SELECT nextval(pg_get_serial_sequence('ambit.vectors', 'id')) AS id FROM generate_series(1, $1::bigint)`

const INSERT = `
  INSERT INTO ambit.vectors (id, model_id, hash, first_line, last_line, bits)
  SELECT a.id, $1, decode(a.hash, 'hex'), a.first_line, a.last_line, substring($6::bytea FROM a.start FOR a.length)
  FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $7::int[], $8::int[])
    AS a (id, hash, first_line, last_line, start, length)`

const INSERT_BYTES = `
  INSERT INTO ambit.vector_bytes (vector_id, scale, data)
  SELECT a.id, a.scale, substring($3::bytea FROM a.start FOR a.length)
  FROM unnest($1::bigint[], $2::float8[], $4::int[], $5::int[]) AS a (id, scale, start, length)`

const GONE = `
  DELETE FROM ambit.vector_contents v
  WHERE v.model_id <> $1 OR NOT EXISTS (SELECT 1 FROM ambit.documents d WHERE d.hash = v.hash)`

/** Filters that are remembered with what they let through. */
const MOST_FILTERS = 32

export class PostgresVectors implements VectorStore {
  readonly #sql: Sql
  readonly #lease: Lease
  /** Of the model that was asked for last. */
  #known: Current | undefined

  constructor(sql: Sql, database: Database, times?: LeaseTimes) {
    this.#sql = sql
    this.#lease = new Lease(database, 'embed', times)
  }

  async centre(model: string): Promise<Float32Array | undefined> {
    return (await modelOf(this.#sql, model))?.centre
  }

  async missing(model: string, collections: readonly string[]): Promise<Document[]> {
    return this.#sql.read(async (queries) => {
      const ids = await this.#run(queries, requireCollections(collections))
      const id = (await modelOf(queries, model))?.id ?? -1
      const rows = await queries.all<DocumentRow>(MISSING, id, ids.length, ids)
      return rows.map(documentOf)
    })
  }

  async put(model: string, centre: Float32Array, contents: readonly NewVectors[]): Promise<void> {
    await this.#sql.write('library', async (queries) => {
      await this.#run(queries, this.#lease.assertHeld())
      const known = await modelOf(queries, model)
      const dimensions = known?.centre.length ?? centre.length
      const given = [centre, ...contents.flatMap(({ chunks }) => chunks.map(({ bytes }) => bytes))]
      const wrong = given.find(({ length }) => length !== dimensions)
      if (wrong) {
        const message = `The model gave vectors of ${wrong.length} dimensions, and before of ${dimensions}.`
        throw new ContextError('conflict', message, { hint: 'Run "ambit embed --force" to recompute all of them.' })
      }
      await insert(queries, known?.id ?? (await insertModel(queries, model, centre)), contents)
    })
  }

  async view(model: string, filter: DocumentFilter): Promise<VectorView> {
    return this.#sql.read(async (queries) => {
      const current = await this.#current(queries, model)
      const key = JSON.stringify(filter)
      if (!current.allowed.has(key)) {
        const allowed = await this.#allowedBy(queries, filter, current)
        if (current.allowed.size >= MOST_FILTERS) current.allowed.clear()
        current.allowed.set(key, allowed)
      }
      const allowed = current.allowed.get(key)
      return allowed ? { ...current.view, allowed } : current.view
    })
  }

  async #allowedBy(
    queries: Queries,
    filter: DocumentFilter,
    { modelId, view, places }: Current,
  ): Promise<Uint8Array | undefined> {
    const hasPaused = await queries.get('SELECT 1 FROM ambit.collections WHERE paused = 1 LIMIT 1')
    if (isOpen(filter) && !hasPaused) return undefined
    const ids = await queries.column<number>(ALLOWED, modelId, await this.#run(queries, selectMatchingIds(filter)))
    return withBits(
      null,
      ids.map((id) => places.get(id) ?? 0),
      view.ids.length,
    )
  }

  #run<Result>(queries: Queries, statements: Statements<Result>): Promise<Result> {
    return runInPostgres(queries, this.#sql.name, statements)
  }

  async #current(queries: Queries, model: string): Promise<Current> {
    const [version = 0] = await queries.column<number>("SELECT count FROM ambit.changes WHERE what = 'library'")
    if (this.#known?.version === version && this.#known.model === model) return this.#known
    const { id = -1, centre = new Float32Array() } = (await modelOf(queries, model)) ?? {}
    const [extent = ''] = await queries.column<string>(EXTENT, id)
    const known = this.#known?.model === model && this.#known.extent === extent ? this.#known : undefined
    const { view, places } = known ?? packedView(await queries.all<{ id: number; bits: Uint8Array }>(BITS, id), centre)
    const current = { model, modelId: id, version, extent, view: { ...view, centre }, places, allowed: new Map() }
    this.#known = current
    return current
  }

  async byId(ids: readonly number[]): Promise<StoredVector[]> {
    const rows = await this.#sql.all<Omit<StoredVector, 'bytes'> & { data: Uint8Array }>(BY_ID, ids)
    return rows.map(({ data, ...row }) => ({
      ...row,
      bytes: new Int8Array(data.buffer, data.byteOffset, data.byteLength),
    }))
  }

  async documentsOf(hashes: readonly string[], filter: DocumentFilter): Promise<Document[]> {
    return this.#sql.read(async (queries) => {
      const { clause, values, accepts = () => true } = await this.#run(queries, conditionOf(filter))
      const select = `${SELECT_DOCUMENT} WHERE d.hash = ANY(?::bytea[]) AND ${clause} ORDER BY c.name, d.path`
      const contents = hashes.map((hash) => Buffer.from(hash, 'hex'))
      return (await queries.all<DocumentRow>(select, contents, ...values)).filter(accepts).map(documentOf)
    })
  }

  async counts(model: string): Promise<VectorCounts> {
    return this.#sql.read(async (queries) => {
      const id = (await modelOf(queries, model))?.id ?? -1
      const row = await queries.get<{ documents: number; done: number; chunks: number }>(COUNTS, id)
      const { documents = 0, done = 0, chunks = 0 } = row ?? {}
      return { documents: done, missing: documents - done, chunks }
    })
  }

  async prune(model: string): Promise<number> {
    return this.#sql.write('library', async (queries) => {
      await this.#run(queries, this.#lease.assertHeld())
      const id = (await modelOf(queries, model))?.id ?? -1
      const removed = await queries.run(GONE, id)
      await queries.run('DELETE FROM ambit.vector_models WHERE id <> $1', id)
      return removed
    })
  }

  async clear(model: string): Promise<void> {
    await this.#sql.write('library', async (queries) => {
      await this.#run(queries, this.#lease.assertHeld())
      await queries.run('DELETE FROM ambit.vector_models WHERE fingerprint = $1', model)
    })
  }

  exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    return this.#lease.hold(waitMs, work, signal)
  }
}

async function modelOf(queries: Queries, fingerprint: string): Promise<Model | undefined> {
  const select = 'SELECT id, centre FROM ambit.vector_models WHERE fingerprint = $1'
  const row = await queries.get<{ id: number; centre: Uint8Array }>(select, fingerprint)
  // A view needs an address that is a multiple of four.
  return row && { id: row.id, centre: new Float32Array(new Uint8Array(row.centre).buffer) }
}

async function insertModel(queries: Queries, fingerprint: string, centre: Float32Array): Promise<number> {
  const insert = 'INSERT INTO ambit.vector_models (fingerprint, centre) VALUES ($1, $2) RETURNING id'
  const [id = -1] = await queries.column<number>(insert, fingerprint, bytesOf(centre))
  return id
}

/** Hashes that are the second value, as hex. */
const THESE = "(SELECT decode(h, 'hex') FROM unnest($2::text[]) h)"

async function insert(queries: Queries, model: number, contents: readonly NewVectors[]): Promise<void> {
  const hashes = [...new Set(contents.map(({ hash }) => hash))]
  await queries.run(`DELETE FROM ambit.vector_contents WHERE model_id = $1 AND hash IN ${THESE}`, model, hashes)
  await queries.run(
    "INSERT INTO ambit.vector_contents (model_id, hash) SELECT $1, decode(h, 'hex') FROM unnest($2::text[]) h",
    model,
    hashes,
  )
  const last = new Map(contents.map((content) => [content.hash, content]))
  const chunks = [...last.values()].flatMap(({ hash, chunks: all }) => all.map((chunk) => ({ hash, ...chunk })))
  const ids = (await queries.column<number>(NEXT_IDS, chunks.length)).sort((one, two) => one - two)
  const rows = chunks.map((chunk, at) => ({ id: ids[at] ?? -1, ...chunk }))
  for (const group of groupRows(rows, ({ bytes }) => bytes.length)) {
    const of = <Item>(item: (row: (typeof rows)[number]) => Item) => group.map(item)
    const [bits, bytes] = [packBytes(of((row) => bytesOf(row.bits))), packBytes(of((row) => bytesOf(row.bytes)))]
    const own = of(({ id }) => id)
    const lines = [of(({ start }) => start), of(({ end }) => end)]
    const spoken = of(({ hash }) => hash)
    await queries.run(INSERT, model, own, spoken, ...lines, bits.data, bits.offsets, bits.lengths)
    await queries.run(
      INSERT_BYTES,
      own,
      of(({ scale }) => scale),
      bytes.data,
      bytes.offsets,
      bytes.lengths,
    )
  }
}
