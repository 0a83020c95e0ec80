import { SILENT } from '../../../src/core/flow.ts'
import { Batch } from '../../../src/indexing/batch.ts'
import { searchLexically } from '../../../src/searching/search.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { RankerMaker } from '../ranker.ts'

/** Ours, over a store in memory: what `ambit search` ranks by. */
export const ambitRanker: RankerMaker = {
  name: 'Ambit',
  ours: true,
  open() {
    const store = openSqlite(':memory:')
    // A document without a path must not be found by one that we invent: signs are no words.
    const ids = new Map<string, string>()
    return {
      name: ambitRanker.name,
      async index(documents) {
        await store.collections.add({ name: 'set', root: '/', patterns: [], exclude: [] })
        await store.index.exclusively(1000, async () => {
          const batch = new Batch(store.index, 'set')
          for await (const { id, path, title, text } of documents) {
            const name = path === '' ? signs(ids.size) : path
            ids.set(name, id)
            await batch.add({ ...UNCHANGED, path: name, title, text, format: 'markdown', metadata: {} })
          }
          await batch.flush()
          await batch.end()
        })
      },
      async search(query, k) {
        const { hits } = await searchLexically(store, { query, filter: {}, limit: k }, SILENT)
        return hits.map(({ document }) => ids.get(document.path) ?? document.path)
      },
      close: () => store.close(),
    }
  },
}

const UNCHANGED = { hash: '0'.repeat(64), size: 0, mtime: '0', ctime: '0' }

/** A name without letters or digits for each number. */
function signs(number: number): string {
  return Array.from(number.toString(8), (digit) => '!$%&+,;='[Number(digit)] ?? '').join('')
}
