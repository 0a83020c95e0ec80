import { inflateText } from '../deflated.ts'
import type {
  DirectoryChildren,
  Document,
  DocumentFilter,
  KnownFile,
  KnownPaths,
  NewDocument,
  SkippedFile,
} from '../document-store.ts'
import type { IndexChange } from '../library.ts'
import { requireCollection } from './collections.ts'
import { conditionOf, selectMatchingIds } from './filter.ts'
import {
  type Database,
  execute,
  insertMany,
  queryRow,
  queryRows,
  type Statements,
  selectColumn,
  selectRows,
  updateMany,
} from './statement.ts'

export interface DocumentRow extends Omit<Document, 'metadata'> {
  readonly metadata: string
}

/** Selects the columns that `documentOf` reads. Aliases: `d` for documents, `c` for collections. */
export const SELECT_DOCUMENT = `
  SELECT d.id, c.name AS collection, d.path, d.title, {hex d.hash} AS hash, d.format, d.size,
    d.modified_at AS "modifiedAt", d.metadata
  FROM ambit.documents d JOIN ambit.collections c ON c.id = d.collection_id`

const BY_ID = `${SELECT_DOCUMENT} WHERE d.id {anyOf number}`
const BY_PATH = `${SELECT_DOCUMENT} WHERE c.name = ? AND d.path = ?`
const BY_HASH = `${SELECT_DOCUMENT} WHERE d.hash BETWEEN ? AND ? ORDER BY c.name, d.path LIMIT ?`

const SELECT_KNOWN = 'SELECT id, path, {hex hash} AS hash, size, mtime, ctime FROM ambit.documents'
const KNOWN = `${SELECT_KNOWN} WHERE collection_id = ?`

const IDS = 'SELECT id FROM ambit.documents WHERE collection_id = ?'

/**
 * The version of the analysis of words in `retrieval/terms.ts`. Raise it with each change of that file, so that the
 * next update indexes all documents again. The column "substrings" contains twice this number, plus one if substrings
 * are indexed.
 */
const ANALYSIS = 2

const OUTDATED_IDS = `
  SELECT d.id FROM ambit.documents d JOIN ambit.collections c ON c.id = d.collection_id
  WHERE c.id = ? AND d.substrings <> c.substrings + ?`

type SkippedChange = NonNullable<IndexChange['skipped']>

const DROP_SKIPPED = 'DELETE FROM ambit.skipped WHERE collection_id = ? AND path {anyOf text}'
const SKIPPED = 'SELECT path, size, mtime, ctime, why, detail FROM ambit.skipped'

const TEXTS = 'SELECT document_id AS id, deflated FROM ambit.texts WHERE document_id {anyOf number}'

/** Stores documents, without the index. */
export function createDocumentStore(database: Database) {
  const readCollection = <Result>(collection: string, work: (id: number) => Statements<Result>): Promise<Result> =>
    database.readTogether(function* () {
      return yield* work(yield* requireCollection(collection))
    })
  return {
    /** The indexed files of a collection, in no order. `paths`: only files at these paths. Default: all. */
    known: (collection: string, paths?: readonly string[]) =>
      readCollection(collection, (id) =>
        paths ? selectRows<KnownFile>(KNOWN_AT_PATHS, paths, id) : selectRows<KnownFile>(KNOWN, id),
      ),
    /** Ids of all documents of a collection, in no order. */
    ids: (collection: string) => readCollection(collection, (id) => selectColumn<number>(IDS, id)),
    /**
     * Ids of documents that were indexed with another version of the analysis than `ANALYSIS`, or another setting of
     * substrings than the collection has.
     */
    listOutdated: async (collection: string): Promise<ReadonlySet<number>> =>
      new Set(await readCollection(collection, (id) => selectColumn<number>(OUTDATED_IDS, id, 2 * ANALYSIS))),
    /** The files of a collection that are not documents, by path. */
    skipped: (collection: string) =>
      readCollection(collection, (id) =>
        selectRows<SkippedFile>(`${SKIPPED} WHERE collection_id = ? ORDER BY path`, id),
      ),
    /** The documents with these ids, in the order of `ids`. Unknown ids are skipped. */
    byId: (ids: readonly number[]) =>
      database.read(queryRows<DocumentRow>(BY_ID, ids), (rows) => {
        const documents = new Map(rows.map((row) => [row.id, documentOf(row)]))
        return ids.flatMap((id) => documents.get(id) ?? [])
      }),
    find: (collection: string, path: string): Promise<Document | undefined> =>
      database.read(queryRow<DocumentRow>(BY_PATH, collection, path), (row) => row && documentOf(row)),
    /** Documents and skipped files at these paths of a collection, in no order. */
    findAtPaths: (collection: string, paths: readonly string[]): Promise<KnownPaths> =>
      readCollection(collection, function* (id) {
        const uniquePaths = [...new Set(paths)]
        const documents = (yield* selectRows<DocumentRow>(DOCUMENTS_AT_PATHS, uniquePaths, id)).map(documentOf)
        return { documents, skipped: yield* selectRows<SkippedFile>(SKIPPED_AT_PATHS, uniquePaths, id) }
      }),
    /** The number of documents below each of these directories, such as `a/b`. */
    countBelow: (collection: string, directories: readonly string[]) =>
      readCollection(collection, (id) => selectColumn<number>(COUNTS_BELOW, id, directories)),
    /** The content of a directory such as `a/b`; `''` is the collection itself. Empty if the directory does not exist. */
    children: (collection: string, directory: string) =>
      readCollection(collection, (id) => selectChildren(id, directory)),
    /** Documents whose hash begins with this prefix, by collection and path; at most `limit`. */
    byHash: async (prefix: string, limit: number): Promise<Document[]> => {
      // Compares with the first and the last hash that have the prefix, as bytes, so that the database uses its index.
      if (!/^[0-9a-f]{1,64}$/.test(prefix)) return []
      const [low, high] = [Buffer.from(prefix.padEnd(64, '0'), 'hex'), Buffer.from(prefix.padEnd(64, 'f'), 'hex')]
      return database.read(queryRows<DocumentRow>(BY_HASH, low, high, limit), (rows) => rows.map(documentOf))
    },
    /** The documents that a filter accepts, by collection and path. */
    list: (filter: DocumentFilter) => database.readTogether(() => selectMatching(filter)),
    /** The texts of the documents with these ids, by id. Unknown ids are skipped. */
    texts: (ids: readonly number[]) =>
      database.read(
        queryRows<{ readonly id: number; readonly deflated: Uint8Array }>(TEXTS, ids),
        (rows) => new Map(rows.map(({ id, deflated }) => [id, inflateText(deflated)])),
      ),
  }
}

/** A row as a document. Names each property, because `...rest` would take longer than reading the row. */
export function documentOf(row: DocumentRow): Document {
  const { id, collection, path, title, hash, format, size, modifiedAt, metadata } = row
  return { id, collection, path, title, hash, format, size, modifiedAt, metadata: JSON.parse(metadata) }
}

function* selectMatching(filter: DocumentFilter): Statements<Document[]> {
  const { clause, values, accepts } = yield* conditionOf(filter)
  const order = 'ORDER BY c.name, d.path'
  const rows = accepts
    ? yield* selectRows<DocumentRow>(`${BY_ID} ${order}`, yield* selectMatchingIds(filter))
    : yield* selectRows<DocumentRow>(`${SELECT_DOCUMENT} WHERE ${clause} ${order}`, ...values)
  return rows.map(documentOf)
}

/**
 * Selects the rows at some paths of a collection. Values: the paths, the id of the collection. In PostgreSQL, looks up
 * each path separately: for a list of paths, the planner would assume that a collection newer than its statistics is
 * small, and read the whole collection.
 */
const DOCUMENTS_AT_PATHS = {
  postgres: `
    SELECT one.* FROM {each text} CROSS JOIN LATERAL
      (${SELECT_DOCUMENT} WHERE d.path = a.value AND d.collection_id = ? LIMIT 1) one`,
  sqlite: `${SELECT_DOCUMENT} WHERE d.path {anyOf text} AND d.collection_id = ?`,
}
const KNOWN_AT_PATHS = {
  postgres: `
    SELECT one.* FROM {each text} CROSS JOIN LATERAL
      (${SELECT_KNOWN} WHERE path = a.value AND collection_id = ? LIMIT 1) one`,
  sqlite: `${SELECT_KNOWN} WHERE path {anyOf text} AND collection_id = ?`,
}
const SKIPPED_AT_PATHS = {
  postgres: `
    SELECT one.* FROM {each text} CROSS JOIN LATERAL
      (${SKIPPED} WHERE path = a.value AND collection_id = ? LIMIT 1) one`,
  sqlite: `${SKIPPED} WHERE path {anyOf text} AND collection_id = ?`,
}

/** Counts the paths between `DIRECTORY/` and `DIRECTORY0`, because `0` follows the slash in the order of bytes. */
const COUNTS_BELOW = `
  SELECT (SELECT count(*) FROM ambit.documents
    WHERE collection_id = ? AND path > a.value || '/' AND path < a.value || '0')
  FROM {each text} ORDER BY a.key`

/** Condition for paths of a collection between two values. */
const IS_BETWEEN = 'collection_id = ? AND path > ? AND path < ?'
/** SQL for a path without as many characters at its start as the value has. */
const PATH_AFTER = 'substr(path, length(CAST(? AS text)) + 1)'

const CHILD_DIRECTORIES = `
  SELECT substr(b.rest, 1, {position}(b.rest, '/') - 1) AS name, count(*) AS documents
  FROM (SELECT ${PATH_AFTER} AS rest FROM ambit.documents WHERE ${IS_BETWEEN}) b
  WHERE {position}(b.rest, '/') > 0 GROUP BY 1 ORDER BY min(b.rest)`

const CHILD_DOCUMENTS = `
  ${SELECT_DOCUMENT} WHERE d.id IN (SELECT id FROM ambit.documents WHERE ${IS_BETWEEN} AND {position}(${PATH_AFTER}, '/') = 0)
  ORDER BY d.path`

/** A text that sorts after all paths, by bytes. */
const LAST_PATH = '\u{10ffff}'

function* selectChildren(collection: number, directory: string): Statements<DirectoryChildren> {
  const [prefix, end] = directory === '' ? ['', LAST_PATH] : [`${directory}/`, `${directory}0`]
  const between = [collection, prefix, end]
  return {
    directories: yield* selectRows<DirectoryChildren['directories'][number]>(CHILD_DIRECTORIES, prefix, ...between),
    documents: (yield* selectRows<DocumentRow>(CHILD_DOCUMENTS, ...between, prefix)).map(documentOf),
  }
}

const NEXT_IDS = {
  postgres: "SELECT nextval(pg_get_serial_sequence('ambit.' || ?::text, 'id')) FROM generate_series(1, ?::bigint)",
  sqlite: `
    WITH RECURSIVE next (id) AS (
      SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = ?
      UNION ALL SELECT id + 1 FROM next LIMIT ?)
    SELECT id FROM next`,
}

/** Reserves ids for new rows of a table, ascending. Call it within a write. */
export function* selectNextIds(table: 'documents' | 'vectors', count: number): Statements<number[]> {
  return (yield* selectColumn<number>(NEXT_IDS, table, count)).sort((one, other) => one - other)
}

const COLUMNS = ['id', 'collection_id', 'path', 'hash', 'title', 'format', 'size', 'mtime', 'ctime']
const MORE_COLUMNS = ['modified_at', 'metadata', 'substrings']

/** Inserts documents, within a write. Returns their ids, in their order. */
export function* insertDocuments(collection: number, documents: readonly NewDocument[]): Statements<number[]> {
  const ids = yield* selectNextIds('documents', documents.length)
  const idAt = (at: number) => ids[at] ?? -1
  const rows = documents.map((document, at) => documentCells(document, { id: idAt(at), collection }))
  yield* insertMany('documents', [...COLUMNS, ...MORE_COLUMNS], rows)
  const texts = documents.map(({ deflated }, at) => [idAt(at), deflated])
  yield* insertMany('texts', ['document_id', 'deflated'], texts)
  return ids
}

function documentCells(document: NewDocument, { id, collection }: { id: number; collection: number }) {
  const { path, hash, title, format, size, mtime, ctime, metadata, hasSubstrings = false } = document
  const file = [path, Buffer.from(hash, 'hex'), title, format, size, mtime, ctime, isoTimeOf(mtime)]
  return [id, collection, ...file, JSON.stringify(metadata), 2 * ANALYSIS + Number(hasSubstrings)]
}

/** Stores new times of files with unchanged content, within a write. */
export function* stampDocuments(stamped: NonNullable<IndexChange['stamped']>): Statements<void> {
  const rows = stamped.map(({ id, stamp: { size, mtime, ctime } }) => [id, size, mtime, ctime, isoTimeOf(mtime)])
  yield* updateMany('documents', ['id', 'size', 'mtime', 'ctime', 'modified_at'], rows)
}

/** Stores and deletes rows of skipped files, within a write. */
export function* putSkipped({ collection, files, gone = [] }: SkippedChange): Statements<void> {
  const id = yield* requireCollection(collection)
  if (files.length + gone.length === 0) return
  yield* execute(DROP_SKIPPED, id, [...files.map(({ path }) => path), ...gone])
  const rows = files.map(({ path, size, mtime, ctime, why, detail }) => [id, path, size, mtime, ctime, why, detail])
  yield* insertMany('skipped', ['collection_id', 'path', 'size', 'mtime', 'ctime', 'why', 'detail'], rows)
}

/** ISO 8601 of nanoseconds since 1970. */
function isoTimeOf(nanoseconds: string): string {
  const milliseconds = Number(BigInt(nanoseconds) / 1_000_000n)
  return new Date(Math.min(Math.max(milliseconds, -8.64e15), 8.64e15)).toISOString()
}
