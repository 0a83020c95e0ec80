import { createHash } from 'node:crypto'
import type { SearchAnswer } from '../../../src/collections/answers.ts'
import { Documents } from '../../../src/collections/documents.ts'
import { libraryOver } from '../../../src/collections/library.ts'
import { PathContexts } from '../../../src/collections/path-contexts.ts'
import {
  type LexicalAnswer,
  type LexicalRequest,
  searchLexically,
} from '../../../src/collections/search/search-index.ts'
import type { SearchRequest } from '../../../src/collections/search.ts'
import { type Run, SILENT } from '../../../src/core/flow.ts'
import { type IndexableDocument, IndexBatch } from '../../../src/ingest/indexing/batch.ts'
import { mergeSegments } from '../../../src/ingest/indexing/merge.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../../src/stores/store.ts'

/** A document by its text, or with more of it. */
export type Given = string | (Partial<Omit<IndexableDocument, 'path'>> & { readonly modifiedAt?: string })

/** Documents by path; those of another collection than `docs` by `name:path`. */
export type Shelved = Readonly<Record<string, Given>>

/** A store in memory with documents in it, as an indexer puts them there. */
export interface Shelf extends AsyncDisposable {
  readonly store: Store
  readonly contexts: PathContexts
  /** Adds documents as a segment of their own for each collection. */
  put(shelved: Shelved): Promise<void>
  remove(...paths: readonly string[]): Promise<void>
  /** Makes one segment of all. */
  merge(): Promise<void>
  look(query: string, request?: Partial<LexicalRequest>, run?: Run): Promise<LexicalAnswer>
  /** The paths that are found, the best first; with their collection where it is not `docs`. */
  paths(query: string, request?: Partial<LexicalRequest>): Promise<string[]>
  search(query: string, request?: Omit<SearchRequest, 'query'>): Promise<SearchAnswer>
  documents(): Promise<Documents>
}

export async function shelf(shelved: Shelved = {}, roots: Readonly<Record<string, string>> = {}): Promise<Shelf> {
  const store = openSqlite(':memory:')
  const contexts = new PathContexts(store, { cwd: '/', home: undefined })
  const look: Shelf['look'] = (query, request = {}, run = SILENT) =>
    searchLexically(store, { query, filter: {}, limit: 10, ...request }, run)
  const made: Shelf = {
    store,
    contexts,
    put: (more) => put(store, more, roots),
    remove: (...paths) => remove(store, paths),
    merge: async () => {
      const { segments } = await store.index.read({ terms: [], filter: {} })
      await store.index.exclusively(1000, () => mergeSegments(store.index, segments))
    },
    look,
    paths: async (query, request) => (await look(query, request)).hits.map(({ document }) => named(document)),
    search: (query, request) => libraryOver(store).search({ query, ...request }),
    documents: async () => new Documents(store, await contexts.resolver()),
    [Symbol.asyncDispose]: () => store.close(),
  }
  await made.put(shelved)
  return made
}

function named({ collection, path }: { readonly collection: string; readonly path: string }): string {
  return collection === 'docs' ? path : `${collection}:${path}`
}

function placed(key: string): { readonly collection: string; readonly path: string } {
  const [, collection = 'docs', path = key] = /^([\w-]+):(.*)$/s.exec(key) ?? []
  return { collection, path }
}

async function put(store: Store, shelved: Shelved, roots: Readonly<Record<string, string>>): Promise<void> {
  const byCollection = Map.groupBy(Object.entries(shelved), ([key]) => placed(key).collection)
  for (const [name, entries] of byCollection) {
    if (!(await store.collections.get(name))) {
      await store.collections.add({ name, root: roots[name] ?? `/srv/${name}`, patterns: [], exclude: [] })
    }
    await store.index.exclusively(1000, async () => {
      const batch = new IndexBatch(store.index, name)
      for (const [key, given] of entries) batch.add(documentOf(placed(key).path, given))
      await batch.flush()
    })
  }
}

function documentOf(path: string, given: Given): IndexableDocument {
  const { modifiedAt = '2026-01-01', ...rest } = typeof given === 'string' ? { text: given } : given
  const text = rest.text ?? ''
  const mtime = `${BigInt(Date.parse(modifiedAt)) * 1_000_000n}`
  return {
    path,
    hash: createHash('sha256').update(`${path}\n${text}`).digest('hex'),
    title: path,
    format: 'markdown',
    size: Buffer.byteLength(text),
    mtime,
    ctime: mtime,
    metadata: {},
    text,
    ...rest,
  }
}

async function remove(store: Store, keys: readonly string[]): Promise<void> {
  const found = await Promise.all(
    keys.map((key) => {
      const { collection, path } = placed(key)
      return store.documents.find(collection, path)
    }),
  )
  const removed = found.flatMap((document) => (document ? [document.id] : []))
  await store.index.exclusively(1000, () => store.index.apply({ removed }))
}
