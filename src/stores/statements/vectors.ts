import { withBits } from '../../core/bits.ts'
import { ContextError } from '../../core/errors.ts'
import type { Document, DocumentFilter } from '../document-store.ts'
import type { NewVectors, StoredVector, VectorCounts, VectorStore, VectorView } from '../vector-store.ts'
import { requireCollections } from './collections.ts'
import { type DocumentRow, documentOf, SELECT_DOCUMENT, selectNextIds } from './documents.ts'
import { conditionOf, selectMatchingIds } from './filter.ts'
import { FilterCache } from './filter-cache.ts'
import { Lease, type LeaseTimes } from './lease.ts'
import { bytesOf } from './segment-numbers.ts'
import {
  type Database,
  execute,
  insertMany,
  queryRow,
  queryRows,
  readLibraryVersion,
  type Statements,
  selectColumn,
  selectRow,
  selectRows,
} from './statement.ts'

interface ModelRow {
  readonly id: number
  readonly centre: Uint8Array
}

/** All vectors of a model as a search reads them. */
interface CurrentView {
  readonly model: string
  readonly modelId: number
  readonly version: number
  /** The count and the last id: ids only go up, so other vectors have another. */
  readonly extent: string
  readonly view: VectorView
  /** The index of each id in the view. */
  readonly places: ReadonlyMap<number, number>
  readonly allowed: FilterCache<Uint8Array>
}

const MODEL = 'SELECT id, centre FROM ambit.vector_models WHERE fingerprint = ?'

const MISSING = `
  SELECT * FROM (
    SELECT d.*, row_number() OVER (PARTITION BY d.hash ORDER BY d.collection, d.path) AS place FROM (${SELECT_DOCUMENT}
      WHERE NOT EXISTS (SELECT 1 FROM ambit.vector_contents v WHERE v.model_id = ? AND v.hash = d.hash)
        AND (? = 0 OR d.collection_id {anyOf number})) d) m
  WHERE place = 1 ORDER BY collection, path`

const EXTENT = "SELECT count(*) || ' ' || coalesce(max(id), 0) FROM ambit.vectors WHERE model_id = ?"

// With the plus sign in the order of the table: SQLite would look up each by the index.
const BITS = 'SELECT id, bits FROM ambit.vectors WHERE +model_id = ? ORDER BY id'

const ALLOWED = `
  SELECT id FROM ambit.vectors WHERE model_id = ?
    AND hash IN (SELECT d.hash FROM ambit.documents d WHERE d.id {anyOf number})`

const BY_ID = `
  SELECT v.id, {hex v.hash} AS hash, v.first_line AS start, v.last_line AS "end", b.scale, b.data
  FROM ambit.vectors v JOIN ambit.vector_bytes b ON b.vector_id = v.id WHERE v.id {anyOf number}`

const COUNTS = `
  SELECT (SELECT count(*) FROM ambit.documents) AS documents,
    (SELECT count(*) FROM ambit.documents d
      WHERE EXISTS (SELECT 1 FROM ambit.vector_contents v WHERE v.model_id = ? AND v.hash = d.hash)) AS done,
    (SELECT count(*) FROM ambit.vectors WHERE model_id = ?) AS chunks`

const HASHES = '(SELECT {unhex a.value} FROM {each text})'

const GONE = `
  DELETE FROM ambit.vector_contents AS v
  WHERE v.model_id <> ? OR NOT EXISTS (SELECT 1 FROM ambit.documents d WHERE d.hash = v.hash)`

/** Vectors in a database. */
export class VectorStatements implements VectorStore {
  readonly #database: Database
  readonly #lease: Lease
  /** Of the model that was used last. */
  #current: CurrentView | undefined

  constructor(database: Database, times?: LeaseTimes) {
    this.#database = database
    this.#lease = new Lease(database, 'embed', times)
  }

  centre(model: string): Promise<Float32Array | undefined> {
    return this.#database.read(queryRow<ModelRow>(MODEL, model), (row) => row && centreOf(row))
  }

  missing(model: string, collections: readonly string[]): Promise<Document[]> {
    return this.#database.readTogether(function* () {
      const ids = yield* requireCollections(collections)
      const { id } = yield* selectModel(model)
      return (yield* selectRows<DocumentRow>(MISSING, id, ids.length, ids)).map(documentOf)
    })
  }

  put(model: string, centre: Float32Array, contents: readonly NewVectors[]): Promise<void> {
    const lease = this.#lease
    return this.#database.write('library', function* () {
      yield* lease.assertHeld()
      const known = yield* selectRow<ModelRow>(MODEL, model)
      const dimensions = known ? centreOf(known).length : centre.length
      const given = [centre, ...contents.flatMap(({ chunks }) => chunks.map(({ bytes }) => bytes))]
      const wrong = given.find(({ length }) => length !== dimensions)
      if (wrong) {
        const message = `The model gave vectors of ${wrong.length} dimensions, and before of ${dimensions}.`
        throw new ContextError('conflict', message, { hint: 'Run "ambit embed --force" to recompute all of them.' })
      }
      yield* insertVectors(known?.id ?? (yield* insertModel(model, centre)), contents)
    })
  }

  view(model: string, filter: DocumentFilter): Promise<VectorView> {
    return this.#database.readTogether(() => this.#view(model, filter))
  }

  *#view(model: string, filter: DocumentFilter): Statements<VectorView> {
    const { modelId, view, places, allowed } = yield* this.#selectCurrent(model)
    const bits = yield* allowed.find(filter, function* () {
      const ids = yield* selectColumn<number>(ALLOWED, modelId, yield* selectMatchingIds(filter))
      const indices = ids.map((id) => places.get(id) ?? 0)
      return withBits(null, indices, view.ids.length)
    })
    return bits ? { ...view, allowed: bits } : view
  }

  *#selectCurrent(model: string): Statements<CurrentView> {
    const version = yield* readLibraryVersion()
    const known = this.#current?.model === model ? this.#current : undefined
    if (known?.version === version) return known
    const { id, centre } = yield* selectModel(model)
    const [extent = ''] = yield* selectColumn<string>(EXTENT, id)
    const packed = known?.extent === extent ? known : packView(yield* selectRows<BitsRow>(BITS, id), centre)
    const { view, places } = packed
    const allowed = new FilterCache<Uint8Array>()
    this.#current = { model, modelId: id, version, extent, view: { ...view, centre }, places, allowed }
    return this.#current
  }

  byId(ids: readonly number[]): Promise<StoredVector[]> {
    const query = queryRows<Omit<StoredVector, 'bytes'> & { readonly data: Uint8Array }>(BY_ID, ids)
    return this.#database.read(query, (rows) =>
      rows.map(({ data, ...row }) => ({ ...row, bytes: new Int8Array(data.buffer, data.byteOffset, data.byteLength) })),
    )
  }

  documentsOf(hashes: readonly string[], filter: DocumentFilter): Promise<Document[]> {
    return this.#database.readTogether(function* () {
      const { clause, values, accepts = () => true } = yield* conditionOf(filter)
      const select = `${SELECT_DOCUMENT} WHERE d.hash IN ${HASHES} AND ${clause} ORDER BY c.name, d.path`
      return (yield* selectRows<DocumentRow>(select, hashes, ...values)).filter(accepts).map(documentOf)
    })
  }

  counts(model: string): Promise<VectorCounts> {
    return this.#database.readTogether(function* () {
      const { id } = yield* selectModel(model)
      const row = yield* selectRow<{ documents: number; done: number; chunks: number }>(COUNTS, id, id)
      const { documents = 0, done = 0, chunks = 0 } = row ?? {}
      return { documents: done, missing: documents - done, chunks }
    })
  }

  prune(model: string): Promise<number> {
    const lease = this.#lease
    return this.#database.write('library', function* () {
      yield* lease.assertHeld()
      const { id } = yield* selectModel(model)
      const removed = yield* execute(GONE, id)
      yield* execute('DELETE FROM ambit.vector_models WHERE id <> ?', id)
      return removed
    })
  }

  clear(model: string): Promise<void> {
    const lease = this.#lease
    return this.#database.write('library', function* () {
      yield* lease.assertHeld()
      yield* execute('DELETE FROM ambit.vector_models WHERE fingerprint = ?', model)
    })
  }

  exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    return this.#lease.hold(waitMs, work, signal)
  }
}

function centreOf({ centre }: ModelRow): Float32Array {
  // A view needs an address that is a multiple of four.
  return new Float32Array(new Uint8Array(centre).buffer)
}

/** A model without vectors has the id -1. */
function* selectModel(model: string): Statements<{ readonly id: number; readonly centre: Float32Array }> {
  const row = yield* selectRow<ModelRow>(MODEL, model)
  return row ? { id: row.id, centre: centreOf(row) } : { id: -1, centre: new Float32Array() }
}

function* insertModel(model: string, centre: Float32Array): Statements<number> {
  const insert = 'INSERT INTO ambit.vector_models (fingerprint, centre) VALUES (?, ?) RETURNING id'
  const [id = -1] = yield* selectColumn<number>(insert, model, bytesOf(centre))
  return id
}

/** In place of what the contents had. */
function* insertVectors(model: number, contents: readonly NewVectors[]): Statements<void> {
  const last = new Map(contents.map((content) => [content.hash, content]))
  const hashes = [...last.keys()]
  yield* execute(`DELETE FROM ambit.vector_contents WHERE model_id = ? AND hash IN ${HASHES}`, model, hashes)
  const cells = new Map(hashes.map((hash) => [hash, new Uint8Array(Buffer.from(hash, 'hex'))]))
  yield* insertMany(
    'vector_contents',
    ['model_id', 'hash'],
    [...cells.values()].map((hash) => [model, hash]),
  )
  const chunks = [...last.values()].flatMap(({ hash, chunks: all }) => all.map((chunk) => ({ hash, ...chunk })))
  const ids = yield* selectNextIds('vectors', chunks.length)
  const rows = chunks.map((chunk, at) => ({ id: ids[at] ?? -1, ...chunk }))
  yield* insertMany(
    'vectors',
    ['id', 'model_id', 'hash', 'first_line', 'last_line', 'bits'],
    rows.map(({ id, hash, start, end, bits }) => [id, model, cells.get(hash) ?? null, start, end, bytesOf(bits)]),
  )
  yield* insertMany(
    'vector_bytes',
    ['vector_id', 'scale', 'data'],
    rows.map(({ id, scale, bytes }) => [id, scale, bytesOf(bytes)]),
  )
}

interface BitsRow {
  readonly id: number
  readonly bits: Uint8Array
}

/** Puts the bits of vectors one after the other. `rows`: by ascending ids. */
function packView(rows: readonly BitsRow[], centre: Float32Array): Pick<CurrentView, 'view' | 'places'> {
  const words = (centre.length + 31) >> 5
  const bits = new Uint8Array(4 * words * rows.length)
  for (const [at, row] of rows.entries()) bits.set(row.bits, 4 * words * at)
  const ids = Uint32Array.from(rows, (row) => row.id)
  const places = new Map(rows.map((row, at) => [row.id, at]))
  return { view: { centre, ids, bits: new Uint32Array(bits.buffer) }, places }
}
