/** Similarity in meaning of documents to a query: by the built-in table, or by the embedding model. */

import { readAsset } from '../../files/home.ts'
import { type AskedMeaning, TABLE_WEIGHT, wordMeaning } from '../../retrieval/meaning.ts'
import { stemOf } from '../../retrieval/terms.ts'
import type { Document, DocumentFilter } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'
import type { VectorChunk } from '../../stores/vector-store.ts'
import type { ReadTexts } from './exact-text.ts'
import type { ResolvedTerm } from './wanted.ts'

export interface NearDocument {
  readonly cosine: number
  /** The nearest passage, in UTF-16 units, or its lines. */
  readonly start?: number
  readonly end?: number
  readonly chunk?: VectorChunk
}

type NearDocuments = ReadonlyMap<number, NearDocument>

export interface Meaning {
  /** Weight of a cosine of 1, relative to the words. */
  weightFor(documents: readonly Document[]): number
  /** The passages of a document, the nearest first, if known. */
  passages?(document: Document, text: string): readonly PassagePlace[]
  /** Further documents by meaning, for hits by words that contain this share of the query; the nearest first. */
  beyond(coverage: number): Promise<readonly Document[]>
  /** The nearest known passages, by the ids of documents. It reads texts that are not cached. */
  nearest(compared: readonly ComparedHit[], texts: ReadTexts, coverage: number): Promise<NearDocuments>
}

/** In UTF-16 units. */
export interface PassagePlace {
  readonly start: number
  readonly end: number
}

/** A document, with its best passage by words. */
export interface ComparedHit {
  readonly document: Document
  readonly shown?: PassagePlace
}

/** Coverage of a query below which its words may miss the meaning. */
export const LITTLE = 0.6

/** For a query with little coverage: maximum documents to compare, number of documents to take, and their minimum similarity. */
const MAX_COMPARED = 1_000
const MAX_BEYOND = 20
const LEAST_COSINE = 0.25

/** Idf of a word that no document contains. */
export const UNKNOWN_IDF = 6

interface Searched {
  readonly store: Store
  readonly filter: DocumentFilter
  /** Number of all documents, including filtered ones. */
  readonly documents: number
  /** Whether the query has no conditions. */
  readonly isOpen: boolean
  readonly texts: ReadTexts
}

/** Meaning by the built-in table; undefined if it does not know the words of the query. */
export function tableMeaning(
  plain: string,
  resolved: readonly ResolvedTerm[],
  searched: Searched,
): Meaning | undefined {
  const asked = wordMeaning(() => readAsset('word-vectors.bin')).ask(plain, wordWeights(resolved))
  if (!asked) return undefined
  return {
    weightFor: (documents) => {
      const code = documents.filter(({ format }) => format === 'code').length / (documents.length || 1)
      return code * TABLE_WEIGHT.code + (1 - code) * TABLE_WEIGHT.prose
    },
    beyond: async (coverage) => (coverage < LITTLE ? nearestDocuments(asked, searched) : []),
    passages: ({ hash, title }, text) => asked.passages({ hash, title, text }),
    // Reading rows takes most of the time of a search, so words that cover the question choose the passage.
    nearest: (compared, texts, coverage) =>
      nearestPassages(asked, coverage < LITTLE ? compared.map(({ document }) => ({ document })) : compared, texts),
  }
}

/** Weight of each word of the query in these collections. */
function wordWeights(resolved: readonly ResolvedTerm[]): (word: string) => number | undefined {
  const known = new Map<string, number>()
  for (const { term, docs = 0, idf = 0 } of resolved) known.set(term.term, docs > 0 ? idf : UNKNOWN_IDF)
  return (word) => known.get(stemOf(word.toLowerCase()))
}

async function nearestPassages(asked: AskedMeaning, compared: readonly ComparedHit[], texts: ReadTexts) {
  const near = new Map<number, NearDocument>()
  const compare = ({ document: { id, hash, title }, shown }: ComparedHit, text?: string) => {
    const found = asked.nearest({ hash, title, text }, shown)
    if (found) near.set(id, found)
  }
  for (const hit of compared) compare(hit)
  const unread = compared.filter(({ document }) => !near.has(document.id))
  for await (const [hit, { text }] of texts.each(unread)) compare(hit, text)
  return near
}

async function nearestDocuments(asked: AskedMeaning, { store, filter, documents, isOpen, texts }: Searched) {
  if (!isOpen || documents > MAX_COMPARED) return []
  const all = (await store.documents.list(filter)).map((document) => ({ document }))
  const near = await nearestPassages(asked, all, texts)
  const cosineOf = (id: number) => near.get(id)?.cosine ?? 0
  const found = all.map(({ document }) => document).filter(({ id }) => cosineOf(id) >= LEAST_COSINE)
  return found.sort((a, b) => cosineOf(b.id) - cosineOf(a.id)).slice(0, MAX_BEYOND)
}
