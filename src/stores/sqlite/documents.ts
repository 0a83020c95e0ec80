import { inflated } from '../deflated.ts'
import type {
  Document,
  DocumentFilter,
  DocumentStore,
  FileStamp,
  KnownFile,
  KnownPaths,
  NewDocument,
  SkippedFile,
} from '../document-store.ts'
import { timeOf } from '../times.ts'
import { idOf } from './collections.ts'
import { guarded } from './database.ts'
import { matchingClause } from './filter.ts'
import type { Sql } from './sql.ts'

export interface DocumentRow {
  readonly id: number
  readonly collection: string
  readonly path: string
  readonly title: string
  readonly hash: string
  readonly format: string
  readonly size: number
  readonly modified_at: string
  readonly metadata: string
}

/** Of each document what `documentOf` reads: over `d` and `c`, documents and collections. */
export const SELECT_DOCUMENT = `
  SELECT d.id, c.name AS collection, d.path, d.title, lower(hex(d.hash)) AS hash, d.format, d.size, d.modified_at, d.metadata
  FROM documents d JOIN collections c ON c.id = d.collection_id`

const KNOWN = `
  SELECT id, path, lower(hex(hash)) AS hash, size, mtime, ctime FROM documents WHERE collection_id = ?`

const UNLIKE = `
  SELECT d.id FROM documents d JOIN collections c ON c.id = d.collection_id WHERE c.id = ? AND d.substrings <> c.substrings`

const SKIPPED = 'SELECT path, size, mtime, ctime, why, detail FROM skipped WHERE collection_id = ? ORDER BY path'

export function sqliteDocuments(sql: Sql): DocumentStore {
  return {
    known: async (collection) => sql.all<KnownFile>(KNOWN, idOf(sql, collection)),
    unlike: async (collection) => new Set(sql.column<number>(UNLIKE, idOf(sql, collection))),
    skipped: async (collection) => sql.all<SkippedFile>(SKIPPED, idOf(sql, collection)),
    byId: async (ids) => byId(sql, ids),
    find: async (collection, path) => {
      const row = sql.get<DocumentRow>(`${SELECT_DOCUMENT} WHERE c.name = ? AND d.path = ?`, collection, path)
      return row && documentOf(sql, row)
    },
    among: async (collection, paths) => among(sql, collection, paths),
    below: async (collection, directories) => below(sql, collection, directories),
    byHash: async (prefix, most) => byHash(sql, prefix, most),
    list: async (filter) => listed(sql, filter),
    texts: async (ids) => texts(sql, ids),
  }
}

export function documentOf(sql: Sql, row: DocumentRow): Document {
  const { id, collection, path, title, hash, format, size, modified_at, metadata } = row
  return { id, collection, path, title, hash, format, size, modifiedAt: modified_at, metadata: sql.parsed(metadata) }
}

/** Between the prefix and the last hash that begins like it: whole bytes, so that the index is used. */
function byHash(sql: Sql, prefix: string, most: number): Document[] {
  if (!/^[0-9a-f]{1,64}$/.test(prefix)) return []
  const [low, high] = [Buffer.from(prefix.padEnd(64, '0'), 'hex'), Buffer.from(prefix.padEnd(64, 'f'), 'hex')]
  const where = 'WHERE d.hash BETWEEN ? AND ? ORDER BY c.name, d.path LIMIT ?'
  return sql.all<DocumentRow>(`${SELECT_DOCUMENT} ${where}`, low, high, most).map((row) => documentOf(sql, row))
}

function listed(sql: Sql, filter: DocumentFilter): Document[] {
  const { clause, values } = matchingClause(sql, filter)
  return sql
    .all<DocumentRow>(`${SELECT_DOCUMENT} WHERE ${clause} ORDER BY c.name, d.path`, ...values)
    .map((row) => documentOf(sql, row))
}

const AMONG = 'IN (SELECT value FROM json_each(?))'
const TEXTS = 'SELECT document_id, deflated FROM texts WHERE document_id IN (SELECT value FROM json_each(?))'

function byId(sql: Sql, ids: readonly number[]): Document[] {
  const rows = sql.all<DocumentRow>(`${SELECT_DOCUMENT} WHERE d.id ${AMONG}`, JSON.stringify(ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [documentOf(sql, row)] : []
  })
}

const SKIPPED_AMONG =
  'SELECT path, size, mtime, ctime, why, detail FROM skipped WHERE collection_id = ? AND path IN (SELECT value FROM json_each(?))'

function among(sql: Sql, collection: string, paths: readonly string[]): KnownPaths {
  const [id, json] = [idOf(sql, collection), JSON.stringify(paths)]
  const rows = sql.all<DocumentRow>(`${SELECT_DOCUMENT} WHERE d.collection_id = ? AND d.path ${AMONG}`, id, json)
  return {
    documents: rows.map((row) => documentOf(sql, row)),
    skipped: sql.all<SkippedFile>(SKIPPED_AMONG, id, json),
  }
}

/** A slash is followed by `0` among the bytes, by which paths are in order. */
const BELOW = 'SELECT count(*) FROM documents WHERE collection_id = ? AND path > ? AND path < ?'

function below(sql: Sql, collection: string, directories: readonly string[]): number[] {
  const id = idOf(sql, collection)
  return directories.flatMap((directory) => sql.column<number>(BELOW, id, `${directory}/`, `${directory}0`))
}

function texts(sql: Sql, ids: readonly number[]): Map<number, string> {
  const rows = sql.all<{ document_id: number; deflated: Uint8Array }>(TEXTS, JSON.stringify(ids))
  return new Map(guarded(sql.path, () => rows.map((row) => [row.document_id, inflated(row.deflated)] as const)))
}

const INSERT = `
  INSERT INTO documents (collection_id, path, hash, title, format, size, mtime, ctime, modified_at, metadata, substrings)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Within a write. Returns the document's id. */
export function insertDocument(sql: Sql, collection: number, document: NewDocument): number {
  const { path, hash, title, format, size, mtime, ctime, metadata, hasSubstrings, deflated } = document
  const values = [
    path,
    Buffer.from(hash, 'hex'),
    title,
    format,
    size,
    mtime,
    ctime,
    timeOf(mtime),
    JSON.stringify(metadata),
    hasSubstrings ? 1 : 0,
  ]
  const id = sql.insert(INSERT, collection, ...values)
  sql.run('INSERT INTO texts (document_id, deflated) VALUES (?, ?)', id, deflated)
  return id
}

/** Within a write. The file was touched; its content is the same. */
export function stampDocument(sql: Sql, id: number, { size, mtime, ctime }: FileStamp): void {
  const update = 'UPDATE documents SET size = ?, mtime = ?, ctime = ?, modified_at = ? WHERE id = ?'
  sql.run(update, size, mtime, ctime, timeOf(mtime), id)
}

/** Within a write. Puts these in the place of all that were skipped before. */
export function replaceSkipped(sql: Sql, collection: string, files: readonly SkippedFile[]): void {
  const id = idOf(sql, collection)
  sql.run('DELETE FROM skipped WHERE collection_id = ?', id)
  const insert =
    'INSERT INTO skipped (collection_id, path, size, mtime, ctime, why, detail) VALUES (?, ?, ?, ?, ?, ?, ?)'
  for (const { path, size, mtime, ctime, why, detail } of files)
    sql.run(insert, id, path, size, mtime, ctime, why, detail)
}
