import { Index } from 'flexsearch'
import type { Ranker, RankerMaker } from '../ranker.ts'

/** Without `suggest` a document has to hold every word. */
function openFlexSearch(): Ranker {
  const index = new Index({ tokenize: 'strict' })
  const ids: string[] = []
  return {
    name: 'flexsearch, suggest',
    async index(documents) {
      for await (const { id, title, text } of documents) index.add(ids.push(id) - 1, `${title}\n${text}`)
    },
    async search(query, k) {
      const found = index.search(query, { limit: k, suggest: true })
      return found.flatMap((at) => (typeof at === 'number' ? [ids[at] ?? ''] : []))
    },
    async close() {
      index.clear()
    },
  }
}

export const flexSearchRankers: readonly RankerMaker[] = [{ name: 'flexsearch, suggest', open: openFlexSearch }]
