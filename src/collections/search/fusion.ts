/** Fuses documents that were found by words and by meaning into one order. */

import { fuseScores } from '../../retrieval/meaning.ts'
import type { Query } from '../../retrieval/query.ts'
import { isStopWord, mainTerms } from '../../retrieval/terms.ts'
import type { Document } from '../../stores/document-store.ts'
import type { VectorChunk } from '../../stores/vector-store.ts'
import { byCodeUnit } from '../../text/paths.ts'
import { LITTLE, type Meaning, type NearDocument } from './meaning.ts'

/** A document that was found. */
export interface LexicalHit {
  readonly document: Document
  /** From 0 to 1: the share of the maximum score. */
  readonly score: number
  readonly boost: Boost
  /** Best passage in its text, in UTF-16 units; absent if the text was not read. */
  readonly shown?: { readonly start: number; readonly end: number }
}

/** A document that was found by its nearest chunk. */
export interface VectorHit {
  readonly document: Document
  /** -1 to 1. */
  readonly cosine: number
  readonly chunk: VectorChunk
}

/** Compares by collection, then by path. */
export function compareHits(a: Document, b: Document): number {
  return byCodeUnit(a.collection, b.collection) || byCodeUnit(a.path, b.path)
}

/** Bonus of a title. */
export interface Boost {
  readonly factor: number
  /** Whether the title is the query, word by word. */
  readonly isExact: boolean
  /** Share of the neighbouring words of the query that are neighbours in the title, too. */
  readonly pairs: number
}

const PAIRS_WEIGHT = 0.1
const EXACT_WEIGHT = 0.1

/** The maximum factor of a title. */
export const HIGHEST_BOOST = 1 + PAIRS_WEIGHT + EXACT_WEIGHT

/** Compares the order of words in title and query. */
export function boostOf({ title }: Pick<Document, 'title'>, query: Query): Boost {
  const asked = query.terms.filter(({ kind, isPrefix }) => kind === 'word' && !isPrefix).map(({ term }) => term)
  if (asked.length === 0) return { factor: 1, isExact: false, pairs: 0 }
  const said = mainTerms(title)
  const telling = said.filter((term) => !isStopWord(term))
  const isExact = areSameTerms(asked, telling) || areSameTerms(asked, said)
  const wanted = pairsOf(asked)
  const there = new Set(pairsOf(telling))
  const pairs = wanted.length === 0 ? 0 : wanted.filter((pair) => there.has(pair)).length / wanted.length
  return { factor: 1 + PAIRS_WEIGHT * pairs + (isExact ? EXACT_WEIGHT : 0), isExact, pairs }
}

function areSameTerms(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((term, index) => term === other[index])
}

function pairsOf(terms: readonly string[]): string[] {
  return terms.slice(1).map((term, index) => `${terms[index]} ${term}`)
}

/** A document that was found by its words, by its meaning, or by both. */
export interface FusedHit {
  readonly document: Document
  /** 0 to 1. */
  readonly score: number
  /** Best passage in UTF-16 units of its text. */
  readonly shown?: { readonly start: number; readonly end: number }
  /** Its rank by words, from 1, and its score there. */
  readonly lexical?: Pick<LexicalHit, 'score' | 'boost'> & { readonly rank: number }
  /** Its rank by meaning, from 1, its cosine, and its nearest passage, if a model has vectors of it. */
  readonly vector?: { readonly rank: number; readonly cosine: number; readonly chunk?: VectorChunk }
  /** Its rank by the reranking model, from 1, and the score of the model. */
  readonly rerank?: { readonly rank: number; readonly score: number }
}

interface Fusing {
  readonly meaning: Meaning
  /** Share of the query that the best hit by words contains. */
  readonly coverage: number
  /** The nearest passages, by the id of the document. */
  readonly near: ReadonlyMap<number, NearDocument>
}

/** Hits by words and by meaning in one order. */
export function fuseHits(
  lexical: readonly FusedHit[],
  beyond: readonly Document[],
  { meaning, coverage, near: nearest }: Fusing,
): FusedHit[] {
  const known = new Set(lexical.map(({ document }) => document.id))
  const others = beyond.filter(({ id }) => !known.has(id)).map((document): FusedHit => ({ document, score: 0 }))
  const compared = [...lexical, ...others].map((hit) => ({ hit, near: nearest.get(hit.document.id) }))
  const byCosine = compared.filter(({ near }) => near).sort((a, b) => (b.near?.cosine ?? 0) - (a.near?.cosine ?? 0))
  const ranks = new Map(byCosine.map(({ hit }, at) => [hit, at + 1]))
  const scores = fuseScores(
    compared.map(({ hit, near }) => ({ lexical: hit.lexical?.score ?? 0, cosine: near?.cosine ?? 0 })),
    { coverage, meaning: meaning.weightFor(compared.map(({ hit }) => hit.document)) },
  )
  const fused = compared.map(({ hit, near }, at): FusedHit => {
    const { cosine = 0, chunk, start, end } = near ?? {}
    const meant = start === undefined || end === undefined ? undefined : { start, end }
    // For a weak match of words, the meaning is why the document was found.
    const isMeant = coverage < LITTLE && cosine > coverage * (hit.lexical?.score ?? 0)
    const shown = isMeant ? (meant ?? hit.shown) : (hit.shown ?? meant)
    return {
      ...hit,
      score: scores[at] ?? 0,
      ...(shown && { shown }),
      ...(near && { vector: { rank: ranks.get(hit) ?? 0, cosine, ...(chunk && { chunk }) } }),
    }
  })
  return fused.sort((a, b) => b.score - a.score || cosineOf(b) - cosineOf(a) || compareHits(a.document, b.document))
}

const cosineOf = ({ vector }: FusedHit) => vector?.cosine ?? -1

/** Hits by meaning alone. A negative cosine scores 0. */
export function byMeaning(hits: readonly VectorHit[]): FusedHit[] {
  return hits.map(({ document, cosine, chunk }, index) => ({
    document,
    score: Math.max(0, cosine),
    vector: { rank: index + 1, cosine, chunk },
  }))
}
