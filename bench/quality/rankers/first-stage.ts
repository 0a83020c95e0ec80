import { boostOf } from '../../../src/collections/search/fusion.ts'
import { resolveTerms, wantedOf } from '../../../src/collections/search/wanted.ts'
import { parseQuery } from '../../../src/retrieval/query.ts'
import { rank } from '../../../src/retrieval/rank.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { RankerMaker } from '../ranker.ts'
import { rankerOver } from './ambit.ts'

const NAME = 'Ambit, as it was'

/** As Ambit ranked before it read texts again: the index and titles alone, and no word is taken for the beginning of others. */
export const firstStageRanker: RankerMaker = {
  name: NAME,
  open: () =>
    rankerOver(NAME, {
      open: async () => openSqlite(':memory:'),
      search: async (store, text, most) => {
        const query = parseQuery(text)
        const { view, resolved } = await resolveTerms(store, query, {})
        const typed = resolved.filter(({ as }) => as === 'typed' || as === 'near')
        if (typed.length === 0) return []
        const { ranked } = rank(view.segments, wantedOf(query, typed, view), most)
        const scores = new Map(ranked.map(({ segment, doc, score }) => [view.segments[segment]?.ids[doc] ?? 0, score]))
        const documents = await store.documents.byId([...scores.keys()])
        return documents
          .map((document) => ({ document, score: (scores.get(document.id) ?? 0) * boostOf(document, query).factor }))
          .sort((a, b) => b.score - a.score || (a.document.path < b.document.path ? -1 : 1))
          .slice(0, most)
          .map(({ document }) => document.path)
      },
    }),
}
