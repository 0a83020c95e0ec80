import { create, insertMultiple, search } from '@orama/orama'
import type { Ranker, RankerMaker } from '../ranker.ts'
import { STOP_WORDS } from '../words.ts'

const SCHEMA = { id: 'string', title: 'string', text: 'string' } as const

/** Documents that are handed over at once. */
const BATCH = 500

const STEMMED = { tokenizer: { language: 'english', stemming: true, stopWords: [...STOP_WORDS] } } as const

function openOrama(name: string, components = {}): Ranker {
  const db = create({ schema: SCHEMA, components })
  return {
    name,
    async index(documents) {
      let batch: { id: string; title: string; text: string }[] = []
      for await (const { id, title, text } of documents) {
        batch.push({ id, title, text })
        if (batch.length < BATCH) continue
        await insertMultiple(db, batch, BATCH)
        batch = []
      }
      await insertMultiple(db, batch, BATCH)
    },
    async search(query, k) {
      const { hits } = await search(db, { term: query, properties: ['title', 'text'], limit: k })
      return hits.map(({ id }) => id)
    },
    async close() {},
  }
}

export const oramaRankers: readonly RankerMaker[] = [
  { name: 'orama', open: () => openOrama('orama') },
  { name: 'orama, stems, stop words', open: () => openOrama('orama, stems, stop words', STEMMED) },
]
