import MiniSearch, { type Options } from 'minisearch'
import { stemmer } from 'stemmer'
import type { Doc } from '../collection.ts'
import type { Ranker, RankerMaker } from '../measure.ts'
import { STOP_WORDS } from '../words.ts'

type Process = NonNullable<Options<Doc>['processTerm']>

function openMiniSearch(processTerm?: Process): Ranker {
  const index = new MiniSearch<Doc>({ fields: ['title', 'text'], ...(processTerm ? { processTerm } : {}) })
  return {
    async index(documents) {
      for await (const doc of documents) index.add(doc)
    },
    async search(query, k) {
      return index
        .search(query)
        .slice(0, k)
        .map(({ id }) => id)
    },
    async close() {
      index.removeAll()
    },
  }
}

const stems = new Map<string, string>()

function stemTerm(term: string): string | null {
  const lower = term.toLowerCase()
  if (STOP_WORDS.has(lower)) return null
  const known = stems.get(lower)
  if (known !== undefined) return known
  const stem = stemmer(lower)
  stems.set(lower, stem)
  return stem
}

export const miniSearchRankers: readonly RankerMaker[] = [
  { name: 'minisearch', open: () => openMiniSearch() },
  { name: 'minisearch, stems, stop words', open: () => openMiniSearch(stemTerm) },
]
