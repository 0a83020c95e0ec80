import { searchLexically } from '../../../src/collections/search/search-index.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { IndexBatch } from '../../../src/ingest/indexing/batch.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../../src/stores/store.ts'
import type { OwnPostgres } from '../../../test/support/own-postgres.ts'
import type { Doc } from '../collection.ts'
import type { Ranker, RankerMaker } from '../measure.ts'

/** Ours, over a store in memory: what `ambit search` ranks by. */
export const ambitRanker: RankerMaker = {
  name: 'Ambit',
  ours: true,
  open: () => rankerOver({ open: async () => openSqlite(':memory:'), search: searchPaths }),
}

/** Ours, in databases of this server. */
export function postgresRanker(server: OwnPostgres): RankerMaker {
  const open = async () => openPostgres(await server.database())
  return { name: 'Ambit on PostgreSQL', ours: true, open: () => rankerOver({ open, search: searchPaths }) }
}

async function searchPaths(store: Store, query: string, limit: number): Promise<string[]> {
  const { hits } = await searchLexically(store, { query, filter: {}, limit }, SILENT)
  return hits.map(({ document }) => document.path)
}

interface StoreRanking {
  open(): Promise<Store>
  /** Paths, the best first. */
  search(store: Store, query: string, most: number): Promise<readonly string[]>
  /** What names a content, where meaning counts: its vectors are kept by it. Default: the same for all. */
  hashOf?(document: Doc): string
}

/** A ranker whose documents are indexed into a store as Ambit does it. */
export function rankerOver({ open, search, hashOf = () => UNCHANGED.hash }: StoreRanking): Ranker {
  const opening = open()
  // A document without a path must not be found by one that we invent: signs are no words.
  const ids = new Map<string, string>()
  return {
    async index(documents) {
      const store = await opening
      await store.collections.add({ name: 'set', root: '/', patterns: [], exclude: [] })
      const index = store.index.of('set')
      await index.exclusively(1000, async () => {
        const batch = new IndexBatch(index, 'set')
        for await (const document of documents) {
          const { id, path, title, text } = document
          const name = path === '' ? signs(ids.size) : path
          ids.set(name, id)
          await batch.add({
            ...UNCHANGED,
            hash: hashOf(document),
            path: name,
            title,
            text,
            format: 'markdown',
            metadata: {},
          })
        }
        await batch.flush()
        await batch.end()
      })
    },
    async search(query, k) {
      return (await search(await opening, query, k)).map((path) => ids.get(path) ?? path)
    },
    close: async () => (await opening).close(),
  }
}

const UNCHANGED = { hash: '0'.repeat(64), size: 0, mtime: '0', ctime: '0' }

/** A name without letters or digits for each number. */
function signs(number: number): string {
  return Array.from(number.toString(8), (digit) => '!$%&+,;='[Number(digit)] ?? '').join('')
}
