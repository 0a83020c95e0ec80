import { searchLexically } from '../../../src/collections/search/search-index.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { Extractor } from '../../../src/ingest/extractor.ts'
import { textReaderOf } from '../../../src/ingest/indexing/tree.ts'
import { type UpdateAnswer, update } from '../../../src/ingest/update.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { NewCollection, Store } from '../../../src/stores/store.ts'
import { type Shape, type Tree, tree } from '../../support/tree.ts'

/** How an update is done here. */
interface Updating {
  readonly force?: boolean
  readonly signal?: AbortSignal
  /** Into another store than that of the place. */
  readonly into?: Store
}

/** A collection over a tree of its own, in memory; `await using` takes both away. */
export class Place implements AsyncDisposable {
  readonly tree: Tree
  readonly store: Store
  /** Paths of the files that the last update read. */
  readonly read: string[] = []
  readonly #extractor = new Extractor()

  constructor(planted: Tree, store: Store) {
    this.tree = planted
    this.store = store
  }

  /** Plants files below `root/`. */
  static async plant(shape: Shape, collection: Partial<NewCollection> = {}, store?: Store): Promise<Place> {
    const planted = tree({ 'root/': '' })
    const place = new Place(planted, store ?? openSqlite(':memory:'))
    place.plant(shape)
    await add(place.store, { name: 'docs', root: planted.at('root'), ...collection })
    return place
  }

  plant(shape: Shape): void {
    this.tree.plant(Object.fromEntries(Object.entries(shape).map(([path, what]) => [`root/${path}`, what])))
  }

  readonly at = (...path: readonly string[]): string => this.tree.at('root', ...path)

  /** Brings the store in step with the files. */
  async update({ force, signal, into = this.store }: Updating = {}): Promise<UpdateAnswer> {
    this.read.length = 0
    const through = textReaderOf(this.#extractor)
    const textOf: typeof through = {
      ...through,
      read: (root, path) => {
        this.read.push(path)
        return through.read(root, path)
      },
    }
    const run = { ...SILENT, ...(signal && { signal }) }
    return update(into, 'docs', { reader: textOf, force }, run)
  }

  /** A store of its own, into which all was read at once. */
  async fresh(): Promise<Store> {
    const store = openSqlite(':memory:')
    const { name, root, patterns, exclude, hasSubstrings } = (await this.store.collections.get('docs')) ?? never()
    await add(store, { name, root, patterns, exclude, hasSubstrings })
    await this.update({ into: store })
    return store
  }

  async paths(): Promise<string[]> {
    return (await this.store.documents.list({ collections: ['docs'] })).map(({ path }) => path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#extractor.close()
    await this.store.close()
    this.tree[Symbol.dispose]()
  }
}

function never(): never {
  throw new Error('It has no collection.')
}

function add(store: Store, collection: Partial<NewCollection> & Pick<NewCollection, 'name' | 'root'>) {
  return store.collections.add({ patterns: [], exclude: [], ...collection })
}

/** The counts of an answer that are not 0, in words: `added 1, unchanged 2`. */
export function counts(answer: UpdateAnswer): string {
  const some = Object.entries(answer).filter(([, count]) => typeof count === 'number' && count > 0)
  return some.map(([name, count]) => `${name} ${count}`).join(', ')
}

/** All that a reader can learn from a store: its documents with their texts, what is left out, and what queries find. */
export async function known(store: Store, queries: readonly string[]) {
  const documents = await store.documents.list({})
  const texts = await store.documents.texts(documents.map(({ id }) => id))
  const skipped = await store.documents.skipped('docs')
  const found = queries.map(async (query) => {
    const { hits, total } = await searchLexically(store, { query, filter: {}, limit: 1000 }, SILENT)
    return { query, total, hits: hits.map(({ document, score }) => [document.path, score]) }
  })
  return {
    documents: documents.map(({ id, ...document }) => ({ ...document, text: texts.get(id) })),
    skipped: skipped.map(({ path, why, detail }) => ({ path, why, detail })),
    found: await Promise.all(found),
    problems: await store.check(),
  }
}

/** Waits until what was just written is at rest, so that its state alone tells that it is the same. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 150))
}
