import { createHash } from 'node:crypto'
import { PathContexts } from '../../src/collections/path-contexts.ts'
import { deflateText } from '../../src/stores/deflated.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'

/** A store in memory with collections by name, of these documents; `null`: it was never indexed. */
export interface Fixture extends AsyncDisposable {
  readonly store: Store
  readonly contexts: PathContexts
}

export interface FixtureOptions {
  readonly cwd?: string
  readonly home?: string
  /** Roots by name. Default: a directory that is not there. */
  readonly roots?: Readonly<Record<string, string>>
}

type Documents = readonly string[] | null

export async function fixture(
  collections: Readonly<Record<string, Documents>>,
  { roots = {}, ...from }: FixtureOptions = {},
): Promise<Fixture> {
  const store = openSqlite(':memory:')
  for (const [name, documents] of Object.entries(collections)) {
    await store.collections.add({ name, root: roots[name] ?? `/srv/${name}`, patterns: [], exclude: [] })
    if (documents === null) continue
    await addDocuments(store, name, documents)
    await store.collections.update(name, { indexedAt: new Date().toISOString() })
  }
  const contexts = new PathContexts(store, from)
  return { store, contexts, [Symbol.asyncDispose]: () => store.close() }
}

/** Puts documents into a collection as an indexer would, with a text but without words. */
export async function addDocuments(store: Store, collection: string, paths: readonly string[]): Promise<void> {
  const documents = paths.map((path) => ({
    path,
    hash: createHash('sha256').update(path).digest('hex'),
    title: path,
    format: 'markdown',
    metadata: {},
    deflated: deflateText(path),
    size: path.length,
    mtime: '1700000000000000000',
    ctime: '1700000000000000000',
  }))
  await store.index.exclusively(1000, async () => {
    const segment = await store.index.begin()
    const none = new Uint32Array(documents.length)
    await store.index.apply({
      added: { collection, documents, segment, lengths: { bodyLengths: none, titleLengths: none } },
    })
  })
}
