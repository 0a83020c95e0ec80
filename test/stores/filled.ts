import type { IndexableDocument } from '../../src/ingest/indexing/batch.ts'
import { postingsIn, SegmentBuilder } from '../../src/retrieval/segment.ts'
import { deflateText } from '../../src/stores/deflated.ts'
import type { IndexChange, IndexWriter, Store, TermPostings } from '../../src/stores/store.ts'

/** Words that would do harm if they were taken for SQL, or for a pattern. */
export const ODD_WORDS = [
  "'; DROP TABLE path_contexts; --",
  `"; DELETE FROM collections; --`,
  "x' OR '1'='1",
  "') ON CONFLICT DO NOTHING; --",
  '%',
  '_',
  '*',
  '?1',
  '📚 日本語',
  'e\u0301',
]

/** A document to be stored: what is not said does not matter. */
export type Given = Partial<IndexableDocument> & Pick<IndexableDocument, 'path'>

export const COLLECTION = { name: 'docs', root: '/srv/docs', patterns: [], exclude: [] } as const

export function document({ path, ...given }: Given): IndexableDocument {
  const text = given.text ?? `text of ${path}`
  return {
    path,
    hash: given.hash ?? hashOf(text),
    title: path,
    format: 'plain',
    size: text.length,
    mtime: '1700000000000000000',
    ctime: '1700000000000000000',
    metadata: {},
    text,
    ...given,
  }
}

/** Not the real one: as long, and another for another text. */
function hashOf(text: string): string {
  return Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64)
}

/** Writes a segment of these documents; what it takes to add them. */
export async function written(
  { index }: Pick<Store, 'index'>,
  collection: string,
  given: readonly Given[],
  writer: IndexWriter = index,
) {
  const documents = given.map(document)
  const builder = new SegmentBuilder()
  for (const { title, path, text } of documents) builder.add({ title, path, body: text })
  const made = builder.finish()
  const segment = await writer.begin()
  await writer.put(segment, [...postingsIn(made)])
  const packed = documents.map(({ text, ...rest }) => ({ ...rest, deflated: deflateText(text) }))
  return { collection, documents: packed, segment, lengths: made }
}

/** All postings of these segments. */
export function postingsOf(store: Store, segments: readonly number[]): Promise<TermPostings[]> {
  return store.index.terms(
    segments.map((segment) => ({ segment, after: '' })),
    100_000,
  )
}

/** Stores documents as one segment, with whatever else changes. Returns their ids. */
export async function stored(
  store: Store,
  collection: string,
  given: readonly Given[],
  change: Omit<IndexChange, 'added'> = {},
): Promise<number[]> {
  await store.index.apply({ ...change, added: await written(store, collection, given) })
  const ids = new Map((await store.documents.known(collection)).map(({ path, id }) => [path, id]))
  return given.map(({ path }) => ids.get(path) ?? -1)
}
