/** Fuses the scores of documents by words and by meaning into one ranking. */

import { fuseScores, LOW_COVERAGE, type PassageSpan } from '../../retrieval/meaning.ts'
import type { Query } from '../../retrieval/query.ts'
import { isStopWord, mainTerms } from '../../retrieval/terms.ts'
import type { Document } from '../../stores/document-store.ts'
import type { VectorChunk } from '../../stores/vector-store.ts'
import { byCodeUnit } from '../../text/paths.ts'
import type { DocumentHit } from './exact-text.ts'
import type { Meaning, NearDocument } from './meaning.ts'

/** A document that was found by its words. */
export interface LexicalHit extends DocumentHit {
  /** The score by the index times the factor of the title. `rereadHits` may raise the score. */
  readonly score: number
  readonly boost: TitleBoost
  /** Best passage in its text, in UTF-16 units; absent if the text was not read. */
  readonly shown?: PassageSpan
}

/** A document that was found by its nearest chunk. */
export interface VectorHit extends DocumentHit {
  /** Similarity of the nearest chunk to the query, -1 to 1. */
  readonly cosine: number
  readonly chunk: VectorChunk
}

/** Compares by collection, then by path. */
export function compareHits(a: Document, b: Document): number {
  return byCodeUnit(a.collection, b.collection) || byCodeUnit(a.path, b.path)
}

/** How well a title matches a query. */
export interface TitleBoost {
  /** The factor of the score; 1 or more. */
  readonly factor: number
  /** Whether the title is the query, word by word. */
  readonly isExact: boolean
  /** Share of the adjacent word pairs of the query that are adjacent in the title, too. */
  readonly pairs: number
}

const PAIR_BONUS = 0.1
const EXACT_TITLE_BONUS = 0.1

/** The maximum factor of a title. */
export const MAX_TITLE_BOOST = 1 + PAIR_BONUS + EXACT_TITLE_BONUS

/** Compares a title with the query, word by word and by pairs of adjacent words. */
export function titleBoost({ title }: Pick<Document, 'title'>, query: Query): TitleBoost {
  const queryTerms = query.terms.filter(({ kind, isPrefix }) => kind === 'word' && !isPrefix).map(({ term }) => term)
  if (queryTerms.length === 0) return { factor: 1, isExact: false, pairs: 0 }
  const titleTerms = mainTerms(title)
  const informativeTerms = titleTerms.filter((term) => !isStopWord(term))
  const isExact = areSameTerms(queryTerms, informativeTerms) || areSameTerms(queryTerms, titleTerms)
  const queryPairs = pairsOf(queryTerms)
  const titlePairs = new Set(pairsOf(informativeTerms))
  const pairs = queryPairs.filter((pair) => titlePairs.has(pair)).length / (queryPairs.length || 1)
  return { factor: 1 + PAIR_BONUS * pairs + (isExact ? EXACT_TITLE_BONUS : 0), isExact, pairs }
}

function areSameTerms(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((term, index) => term === other[index])
}

function pairsOf(terms: readonly string[]): string[] {
  return terms.slice(1).map((term, index) => `${terms[index]} ${term}`)
}

/** A document that was found by its words, by its meaning, or by both. */
export interface FusedHit extends DocumentHit {
  /** 0 to 1. */
  readonly score: number
  /** The passage to show, in UTF-16 units of the text. */
  readonly shown?: PassageSpan
  /** Whether `shown` is the passage nearest in meaning. Default: false; `shown` is the best passage by words. */
  readonly isByMeaning?: boolean
  /** The rank by words, from 1, and the score by words as a share of the maximum: 0 to 1. */
  readonly lexical?: Pick<LexicalHit, 'score' | 'boost'> & { readonly rank: number }
  /** The rank by meaning, from 1, the cosine, and the nearest chunk, if stored vectors of a model have one. */
  readonly vector?: { readonly rank: number; readonly cosine: number; readonly chunk?: VectorChunk }
  /** The rank by the reranking model, from 1, and the score of the model. */
  readonly rerank?: { readonly rank: number; readonly score: number }
}

interface MeaningScores {
  readonly meaning: Meaning
  /** Share of the query that the best hit by words contains. */
  readonly coverage: number
  /** The nearest passages, by the id of the document. */
  readonly nearestById: ReadonlyMap<number, NearDocument>
  /** Whether a document contains a name of the query verbatim. */
  readonly hasName: boolean
}

export function fuseHits(
  lexical: readonly FusedHit[],
  furtherDocuments: readonly Document[],
  { meaning, coverage, nearestById, hasName }: MeaningScores,
): FusedHit[] {
  const foundIds = new Set(lexical.map(({ document }) => document.id))
  const furtherHits = furtherDocuments
    .filter(({ id }) => !foundIds.has(id))
    .map((document): FusedHit => ({ document, score: 0 }))
  const candidates = [...lexical, ...furtherHits].map((hit) => ({ hit, nearest: nearestById.get(hit.document.id) }))
  const near = candidates.flatMap(({ hit, nearest }) => (nearest ? { hit, cosine: nearest.cosine } : []))
  const ranks = new Map(near.sort((a, b) => b.cosine - a.cosine).map(({ hit }, at) => [hit, at + 1]))
  const documents = candidates.map(({ hit }) => hit.document)
  const weight = meaning.weightFor(documents, hasName && coverage >= LOW_COVERAGE)
  const scores = fuseScores(
    candidates.map(({ hit, nearest }) => ({ lexical: hit.lexical?.score ?? 0, cosine: nearest?.cosine ?? 0 })),
    { coverage: coverage ** meaning.coverageExponent, meaning: weight },
  )
  const fused = candidates.map(({ hit, nearest }, at): FusedHit => {
    const { cosine = 0, chunk, start, end } = nearest ?? {}
    const passage = start === undefined || end === undefined ? undefined : { start, end }
    // A document whose words match weakly was found for its meaning, and shows the passage nearest in meaning.
    const isByMeaning = !hit.lexical || (coverage < LOW_COVERAGE && cosine > coverage * hit.lexical.score)
    const shown = isByMeaning ? (passage ?? hit.shown) : (hit.shown ?? passage)
    return {
      ...hit,
      score: scores[at] ?? 0,
      isByMeaning,
      ...(shown && { shown }),
      ...(nearest && { vector: { rank: ranks.get(hit) ?? 0, cosine, ...(chunk && { chunk }) } }),
    }
  })
  return fused.sort((a, b) => b.score - a.score || cosineOf(b) - cosineOf(a) || compareHits(a.document, b.document))
}

const cosineOf = ({ vector }: FusedHit) => vector?.cosine ?? -1

/** Hits by meaning alone. A negative cosine scores 0. */
export function toFusedHits(hits: readonly VectorHit[]): FusedHit[] {
  return hits.map(({ document, cosine, chunk }, index) => {
    return { document, score: Math.max(0, cosine), isByMeaning: true, vector: { rank: index + 1, cosine, chunk } }
  })
}
