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
import { guarded } from './errors.ts'
import { matching } from './filter.ts'
import { grouped, packed } from './packed.ts'
import { parsed, type Queries, type Sql } from './sql.ts'

export interface DocumentRow extends Omit<Document, 'metadata'> {
  readonly metadata: string
}

/** Of each document what `documentOf` reads: over `d` and `c`, documents and collections. */
export const SELECT_DOCUMENT = `
  SELECT d.id, c.name AS collection, d.path, d.title, encode(d.hash, 'hex') AS hash, d.format, d.size,
    d.modified_at AS "modifiedAt", d.metadata
  FROM ambit.documents d JOIN ambit.collections c ON c.id = d.collection_id`

const KNOWN = `
  SELECT id, path, encode(hash, 'hex') AS hash, size, mtime, ctime FROM ambit.documents WHERE collection_id = $1`

const UNLIKE = `
  SELECT d.id FROM ambit.documents d JOIN ambit.collections c ON c.id = d.collection_id
  WHERE c.id = $1 AND d.substrings <> c.substrings`

const SKIPPED = 'SELECT path, size, mtime, ctime, why, detail FROM ambit.skipped WHERE collection_id = $1'

const TEXTS = 'SELECT document_id AS id, deflated FROM ambit.texts WHERE document_id = ANY($1::bigint[])'

export function postgresDocuments(sql: Sql): DocumentStore {
  return {
    known: (collection) => sql.read(async (queries) => queries.all<KnownFile>(KNOWN, await idOf(queries, collection))),
    unlike: (collection) =>
      sql.read(async (queries) => new Set(await queries.column<number>(UNLIKE, await idOf(queries, collection)))),
    skipped: (collection) =>
      sql.read(async (queries) =>
        queries.all<SkippedFile>(`${SKIPPED} ORDER BY path`, await idOf(queries, collection)),
      ),
    byId: (ids) => byId(sql, ids),
    find: async (collection, path) => {
      const row = await sql.get<DocumentRow>(`${SELECT_DOCUMENT} WHERE c.name = $1 AND d.path = $2`, collection, path)
      return row && documentOf(sql.name, row)
    },
    among: (collection, paths) => sql.read((queries) => among(sql.name, queries, { collection, paths })),
    below: (collection, directories) => sql.read((queries) => below(queries, collection, directories)),
    byHash: (prefix, most) => byHash(sql, prefix, most),
    list: (filter) => sql.read((queries) => listed(sql.name, queries, filter)),
    texts: (ids) =>
      guarded(sql.name, async () => {
        const rows = await sql.all<{ readonly id: number; readonly deflated: Uint8Array }>(TEXTS, ids)
        return new Map(rows.map(({ id, deflated }) => [id, inflated(deflated)]))
      }),
  }
}

export function documentOf(store: string, { metadata, ...row }: DocumentRow): Document {
  return { ...row, metadata: parsed(store, metadata) }
}

async function byId(sql: Sql, ids: readonly number[]): Promise<Document[]> {
  const rows = await sql.all<DocumentRow>(`${SELECT_DOCUMENT} WHERE d.id = ANY($1::bigint[])`, ids)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row ? [documentOf(sql.name, row)] : []
  })
}

/** Between the prefix and the last hash that begins like it: whole bytes, so that the index is used. */
async function byHash(sql: Sql, prefix: string, most: number): Promise<Document[]> {
  if (!/^[0-9a-f]{1,64}$/.test(prefix)) return []
  const [low, high] = [Buffer.from(prefix.padEnd(64, '0'), 'hex'), Buffer.from(prefix.padEnd(64, 'f'), 'hex')]
  const where = 'WHERE d.hash BETWEEN $1 AND $2 ORDER BY c.name, d.path LIMIT $3'
  const rows = await sql.all<DocumentRow>(`${SELECT_DOCUMENT} ${where}`, low, high, most)
  return rows.map((row) => documentOf(sql.name, row))
}

async function listed(store: string, queries: Queries, filter: DocumentFilter): Promise<Document[]> {
  const { clause, values, keeps = () => true } = await matching(queries, filter)
  const select = `${SELECT_DOCUMENT} WHERE ${clause} ORDER BY c.name, d.path`
  const rows = await queries.all<DocumentRow>(select, ...values)
  return rows.filter(keeps).map((row) => documentOf(store, row))
}

interface Among {
  readonly collection: string
  readonly paths: readonly string[]
}

/**
 * Each path looked up by itself. Asked for by a list, a collection that is newer than the statistics of the table is taken for a
 * small one, and read whole.
 */
const DOCUMENTS_AMONG = `
  SELECT one.* FROM unnest($2::text[]) AS a (path) CROSS JOIN LATERAL
    (${SELECT_DOCUMENT} WHERE d.collection_id = $1 AND d.path = a.path LIMIT 1) one`

const SKIPPED_AMONG = `
  SELECT one.* FROM unnest($2::text[]) AS a (path) CROSS JOIN LATERAL (${SKIPPED} AND path = a.path LIMIT 1) one`

async function among(store: string, queries: Queries, { collection, paths }: Among): Promise<KnownPaths> {
  const asked = [await idOf(queries, collection), [...new Set(paths)]] as const
  const rows = await queries.all<DocumentRow>(DOCUMENTS_AMONG, ...asked)
  return {
    documents: rows.map((row) => documentOf(store, row)),
    skipped: await queries.all<SkippedFile>(SKIPPED_AMONG, ...asked),
  }
}

/** A slash is followed by `0` among the bytes, by which paths are in order. */
const BELOW = `
  SELECT (SELECT count(*) FROM ambit.documents WHERE collection_id = $1 AND path > a.low AND path < a.high)
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS a (low, high, at) ORDER BY a.at`

async function below(queries: Queries, collection: string, directories: readonly string[]): Promise<number[]> {
  const id = await idOf(queries, collection)
  const bounds = (end: string) => directories.map((directory) => `${directory}${end}`)
  return queries.column<number>(BELOW, id, bounds('/'), bounds('0'))
}

const NEXT_IDS = `
  SELECT nextval(pg_get_serial_sequence('ambit.documents', 'id')) AS id FROM generate_series(1, $1::bigint)`

const INSERT = `
  INSERT INTO ambit.documents
    (id, collection_id, path, hash, title, format, size, mtime, ctime, modified_at, metadata, substrings)
  SELECT a.id, $1, a.path, decode(a.hash, 'hex'), a.title, a.format, a.size, a.mtime, a.ctime, a.modified_at, a.metadata,
    a.substrings
  FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::int[])
    AS a (id, path, hash, title, format, size, mtime, ctime, modified_at, metadata, substrings)`

const INSERT_TEXTS = `
  INSERT INTO ambit.texts (document_id, deflated)
  SELECT a.id, substring($2::bytea FROM a.start FOR a.length)
  FROM unnest($1::bigint[], $3::int[], $4::int[]) AS a (id, start, length)`

/** Within a write. Returns the documents' ids. */
export async function insertDocuments(
  queries: Queries,
  collection: number,
  documents: readonly NewDocument[],
): Promise<number[]> {
  const ids = (await queries.column<number>(NEXT_IDS, documents.length)).sort((one, two) => one - two)
  const numbered = documents.map((document, at) => ({ id: ids[at] ?? -1, document }))
  const sizeOf = ({ document }: (typeof numbered)[number]) => document.deflated.length
  for (const group of grouped(numbered, sizeOf)) {
    const of = <Item>(item: (document: NewDocument) => Item) => group.map(({ document }) => item(document))
    await queries.run(
      INSERT,
      collection,
      group.map(({ id }) => id),
      of(({ path }) => path),
      of(({ hash }) => hash),
      of(({ title }) => title),
      of(({ format }) => format),
      of(({ size }) => size),
      of(({ mtime }) => mtime),
      of(({ ctime }) => ctime),
      of(({ mtime }) => timeOf(mtime)),
      of(({ metadata }) => JSON.stringify(metadata)),
      of(({ hasSubstrings }) => Number(hasSubstrings ?? false)),
    )
    const texts = packed(of(({ deflated }) => deflated))
    const own = group.map(({ id }) => id)
    await queries.run(INSERT_TEXTS, own, texts.data, texts.offsets, texts.lengths)
  }
  return ids
}

const STAMP = `
  UPDATE ambit.documents d SET size = a.size, mtime = a.mtime, ctime = a.ctime, modified_at = a.modified_at
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS a (id, size, mtime, ctime, modified_at)
  WHERE d.id = a.id`

interface Stamped {
  readonly id: number
  readonly stamp: FileStamp
}

/** Within a write. The files were touched; their content is the same. */
export async function stampDocuments(queries: Queries, stamped: readonly Stamped[]): Promise<void> {
  if (stamped.length === 0) return
  const of = <Item>(item: (stamp: FileStamp) => Item) => stamped.map(({ stamp }) => item(stamp))
  await queries.run(
    STAMP,
    stamped.map(({ id }) => id),
    of(({ size }) => size),
    of(({ mtime }) => mtime),
    of(({ ctime }) => ctime),
    of(({ mtime }) => timeOf(mtime)),
  )
}

const INSERT_SKIPPED = `
  INSERT INTO ambit.skipped (collection_id, path, size, mtime, ctime, why, detail)
  SELECT $1, a.* FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[])
    AS a (path, size, mtime, ctime, why, detail)`

/** Within a write. Puts these in the place of all that were skipped before. */
export async function replaceSkipped(
  queries: Queries,
  collection: string,
  files: readonly SkippedFile[],
): Promise<void> {
  const id = await idOf(queries, collection)
  await queries.run('DELETE FROM ambit.skipped WHERE collection_id = $1', id)
  for (const group of grouped(files, ({ path, detail }) => path.length + detail.length)) {
    await queries.run(
      INSERT_SKIPPED,
      id,
      group.map(({ path }) => path),
      group.map(({ size }) => size),
      group.map(({ mtime }) => mtime),
      group.map(({ ctime }) => ctime),
      group.map(({ why }) => why),
      group.map(({ detail }) => detail),
    )
  }
}
