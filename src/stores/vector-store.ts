/** Stores the vectors that an embedding model computed for pieces (chunks) of texts. */

import { withBits } from '../core/bits.ts'
import { ContextError } from '../core/errors.ts'
import { bisect } from '../text/bisect.ts'
import type { Document, DocumentFilter } from './document-store.ts'
import { requireCollections } from './statements/collections.ts'
import { type DocumentRow, documentOf, SELECT_DOCUMENT, selectNextIds } from './statements/documents.ts'
import { conditionOf, FilterCache, selectMatchingIds } from './statements/filter.ts'
import { Lease, type LeaseTimes } from './statements/lease.ts'
import { bytesOf } from './statements/segment-numbers.ts'
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
} from './statements/statement.ts'

/** The vectors for the chunks of one file's content. */
export interface NewVectors {
  /** SHA-256 of the file, hex. */
  readonly hash: string
  readonly chunks: readonly (VectorChunk & PackedBytes & { readonly bits: Uint32Array })[]
}

interface PackedBytes {
  /** One byte for each dimension. */
  readonly bytes: Int8Array
  readonly scale: number
}

/** Lines of a file, from 1. */
export type VectorChunk = Readonly<Record<'start' | 'end', number>>

/** The bits of all vectors of one model, as of one moment. */
export interface VectorView {
  /** The mean of the model: a number for each dimension. Empty when there are no vectors. */
  readonly centre: Float32Array
  /** Ids of the vectors, ascending. */
  readonly ids: Uint32Array
  /** Bits of the vectors, one after the other, in the order of the ids. */
  readonly bits: Uint32Array
  /** One bit per vector: whether the filter accepts a document with the vector's content; absent if it accepts all. */
  readonly allowed?: Uint8Array
}

/** One vector with its content and lines. */
export interface StoredVector extends VectorChunk, PackedBytes {
  readonly id: number
  readonly hash: string
}

/** Numbers of documents and vectors of one model. */
export interface VectorCounts {
  readonly documents: number
  /** Documents without vectors. */
  readonly missing: number
  /** Vectors of the model, one for each chunk. */
  readonly chunks: number
}

interface ModelRow {
  readonly id: number
  readonly centre: Uint8Array
}

/** The cached vectors of a model, for one version of the library. */
interface CurrentView {
  readonly model: string
  readonly modelId: number
  readonly version: number
  /** Number and largest id of the vectors. New vectors have larger ids, so the extent differs after each change. */
  readonly extent: string
  readonly view: VectorView
  readonly allowed: FilterCache<Uint8Array>
}

const MODEL = 'SELECT id, centre FROM ambit.vector_models WHERE fingerprint = ?'

const DOCUMENTS_WITHOUT = `
  SELECT * FROM (
    SELECT d.*, row_number() OVER (PARTITION BY d.hash ORDER BY d.collection, d.path) AS place FROM (${SELECT_DOCUMENT}
      WHERE NOT EXISTS (SELECT * FROM ambit.vector_contents v WHERE v.model_id = ? AND v.hash = d.hash)
        AND (? = 0 OR d.collection_id {anyOf number})) d) m
  WHERE place = 1 ORDER BY collection, path`

const EXTENT = "SELECT count(*) || ' ' || coalesce(max(id), 0) FROM ambit.vectors WHERE model_id = ?"

// The plus sign makes SQLite read the table in order instead of looking up each row by the index.
const ALL_BITS = 'SELECT id, bits FROM ambit.vectors WHERE +model_id = ? ORDER BY id'

const ACCEPTED_IDS = `
  SELECT id FROM ambit.vectors WHERE model_id = ?
    AND hash IN (SELECT d.hash FROM ambit.documents d WHERE d.id {anyOf number})`

const BY_ID = `
  SELECT v.id, {hex v.hash} AS hash, v.first_line AS start, v.last_line AS "end", b.scale, b.data
  FROM ambit.vectors v JOIN ambit.vector_bytes b ON b.vector_id = v.id WHERE v.id {anyOf number}`

const COUNTS = `
  SELECT (SELECT count(*) FROM ambit.documents) AS documents,
    (SELECT count(*) FROM ambit.documents d
      WHERE EXISTS (SELECT * FROM ambit.vector_contents v WHERE v.model_id = ? AND v.hash = d.hash)) AS done,
    (SELECT count(*) FROM ambit.vectors WHERE model_id = ?) AS chunks`

const REMOVE_MODEL = 'DELETE FROM ambit.vector_models WHERE fingerprint = ?'

const HASHES = '(SELECT {unhex a.value} FROM {each text})'

const DELETE_OBSOLETE = `
  DELETE FROM ambit.vector_contents AS v
  WHERE v.model_id <> ? OR NOT EXISTS (SELECT * FROM ambit.documents d WHERE d.hash = v.hash)`

/**
 * Stores vectors by the hash of the file, so that a moved document keeps its vectors, and equal files in two
 * collections share vectors. `model` is the fingerprint of a model, which changes with its settings.
 */
export function createVectorStore(database: Database, times?: LeaseTimes) {
  const lease = new Lease(database, 'embed', { times })
  /** The view of the model that was used last. */
  let current: CurrentView | undefined

  const selectCurrent = function* (model: string): Statements<CurrentView> {
    const version = yield* readLibraryVersion()
    const cached = current?.model === model ? current : undefined
    if (cached?.version === version) return cached
    const { id, centre } = yield* selectModel(model)
    const [extent = ''] = yield* selectColumn<string>(EXTENT, id)
    const view = cached?.extent === extent ? cached.view : packView(yield* selectRows<BitsRow>(ALL_BITS, id), centre)
    current = { model, modelId: id, version, extent, view: { ...view, centre }, allowed: new FilterCache<Uint8Array>() }
    return current
  }
  return {
    /** The centre of the packed vectors of a model; undefined without vectors. */
    centre: (model: string): Promise<Float32Array | undefined> =>
      database.read(queryRow<ModelRow>(MODEL, model), (row) => row && centreOf(row)),
    /**
     * For each file content without vectors of the model, one document with this content, by path. `collections`: only
     * in these collections; empty means all.
     */
    missing: (model: string, collections: readonly string[]): Promise<Document[]> =>
      database.readTogether(function* () {
        const ids = yield* requireCollections(collections)
        const { id } = yield* selectModel(model)
        return (yield* selectRows<DocumentRow>(DOCUMENTS_WITHOUT, id, ids.length, ids)).map(documentOf)
      }),
    /**
     * Stores the vectors of contents, and replaces their earlier vectors. The first call for a model sets its centre.
     *
     * @throws ContextError `conflict` for a different number of dimensions.
     */
    put: (model: string, centre: Float32Array, contents: readonly NewVectors[]): Promise<void> =>
      lease.write('library', () => putVectors(model, centre, contents)),
    view: (model: string, filter: DocumentFilter): Promise<VectorView> =>
      database.readTogether(function* () {
        const { modelId, view, allowed } = yield* selectCurrent(model)
        const bits = yield* allowed.find(filter, function* () {
          const ids = yield* selectColumn<number>(ACCEPTED_IDS, modelId, yield* selectMatchingIds(filter))
          const indexes = ids.map((id) => bisect(0, view.ids.length, (at) => (view.ids[at] ?? 0) <= id))
          return withBits(null, indexes, view.ids.length)
        })
        return bits ? { ...view, allowed: bits } : view
      }),
    /** The vectors with these ids, in no order. Unknown ids are skipped. */
    byId: (ids: readonly number[]): Promise<StoredVector[]> =>
      database.read(queryRows<Omit<StoredVector, 'bytes'> & { readonly data: Uint8Array }>(BY_ID, ids), (rows) =>
        rows.map(({ data, ...row }) => {
          return { ...row, bytes: new Int8Array(data.buffer, data.byteOffset, data.byteLength) }
        }),
      ),
    /** The documents that have one of these content hashes, and that the filter accepts; by collection and path. */
    documentsOf: (hashes: readonly string[], filter: DocumentFilter): Promise<Document[]> =>
      database.readTogether(function* () {
        const { clause, values, accepts = () => true } = yield* conditionOf(filter)
        const select = `${SELECT_DOCUMENT} WHERE d.hash IN ${HASHES} AND ${clause} ORDER BY c.name, d.path`
        return (yield* selectRows<DocumentRow>(select, hashes, ...values)).filter(accepts).map(documentOf)
      }),
    counts: (model: string): Promise<VectorCounts> =>
      database.readTogether(function* () {
        const { id } = yield* selectModel(model)
        const row = yield* selectRow<{ documents: number; done: number; chunks: number }>(COUNTS, id, id)
        const { documents = 0, done = 0, chunks = 0 } = row ?? {}
        return { documents: done, missing: documents - done, chunks }
      }),
    /** Removes vectors of other models, and vectors of contents without a document. Returns the number of removed contents. */
    prune: (model: string): Promise<number> =>
      lease.write('library', function* () {
        const { id } = yield* selectModel(model)
        const removed = yield* execute(DELETE_OBSOLETE, id)
        yield* execute('DELETE FROM ambit.vector_models WHERE id <> ?', id)
        return removed
      }),
    clear: (model: string) => lease.write('library', () => execute(REMOVE_MODEL, model)),
    /** As `exclusively` of an index writer, for the process that computes vectors. */
    exclusively: <Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> =>
      lease.hold(waitMs, work, signal),
  }
}

export type VectorStore = ReturnType<typeof createVectorStore>

function* putVectors(model: string, centre: Float32Array, contents: readonly NewVectors[]): Statements<void> {
  const storedModel = yield* selectRow<ModelRow>(MODEL, model)
  const dimensions = storedModel ? centreOf(storedModel).length : centre.length
  const newVectors = [centre, ...contents.flatMap(({ chunks }) => chunks.map(({ bytes }) => bytes))]
  const wrongVector = newVectors.find(({ length }) => length !== dimensions)
  if (wrongVector) {
    const message = `The model gave vectors of ${wrongVector.length} dimensions; earlier ones have ${dimensions}.`
    throw new ContextError('conflict', message, { hint: 'Run "ambit embed --force" to recompute all of them.' })
  }
  yield* insertVectors(storedModel?.id ?? (yield* insertModel(model, centre)), contents)
}

function centreOf({ centre }: ModelRow): Float32Array {
  // Copies, because a view needs an address that is a multiple of four.
  return new Float32Array(new Uint8Array(centre).buffer)
}

/** Selects the id and the centre of a model. A model without vectors has the id -1. */
function* selectModel(model: string): Statements<{ readonly id: number; readonly centre: Float32Array }> {
  const row = yield* selectRow<ModelRow>(MODEL, model)
  return row ? { id: row.id, centre: centreOf(row) } : { id: -1, centre: new Float32Array() }
}

function* insertModel(model: string, centre: Float32Array): Statements<number> {
  const insert = 'INSERT INTO ambit.vector_models (fingerprint, centre) VALUES (?, ?) RETURNING id'
  const [id = -1] = yield* selectColumn<number>(insert, model, bytesOf(centre))
  return id
}

/** Inserts vectors, and deletes earlier vectors of the same contents. */
function* insertVectors(model: number, contents: readonly NewVectors[]): Statements<void> {
  const contentByHash = new Map(contents.map((content) => [content.hash, content]))
  const hashes = [...contentByHash.keys()]
  yield* execute(`DELETE FROM ambit.vector_contents WHERE model_id = ? AND hash IN ${HASHES}`, model, hashes)
  const bytesOfHash = new Map(hashes.map((hash) => [hash, new Uint8Array(Buffer.from(hash, 'hex'))]))
  const contentRows = [...bytesOfHash.values()].map((hash) => [model, hash])
  yield* insertMany('vector_contents', ['model_id', 'hash'], contentRows)
  const chunks = [...contentByHash.values()].flatMap(({ hash, chunks: all }) => all.map((one) => ({ hash, ...one })))
  const ids = yield* selectNextIds('vectors', chunks.length)
  const rows = chunks.map((chunk, at) => ({ id: ids[at] ?? -1, ...chunk }))
  yield* insertMany(
    'vectors',
    ['id', 'model_id', 'hash', 'first_line', 'last_line', 'bits'],
    rows.map(({ id, hash, start, end, bits }) => [id, model, bytesOfHash.get(hash) ?? null, start, end, bytesOf(bits)]),
  )
  const bytesRows = rows.map(({ id, scale, bytes }) => [id, scale, bytesOf(bytes)])
  yield* insertMany('vector_bytes', ['vector_id', 'scale', 'data'], bytesRows)
}

interface BitsRow {
  readonly id: number
  readonly bits: Uint8Array
}

/** The bits of vectors in one array, one vector after the other. `rows`: by ascending ids. */
function packView(rows: readonly BitsRow[], centre: Float32Array): VectorView {
  const wordsPerVector = (centre.length + 31) >> 5
  const bits = new Uint8Array(4 * wordsPerVector * rows.length)
  for (const [at, row] of rows.entries()) bits.set(row.bits, 4 * wordsPerVector * at)
  return { centre, ids: Uint32Array.from(rows, (row) => row.id), bits: new Uint32Array(bits.buffer) }
}
