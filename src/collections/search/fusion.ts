import type { Document } from '../../stores/document-store.ts'
import type { VectorChunk } from '../../stores/vector-store.ts'
import { compareHits, type LexicalHit } from './lexical-hit.ts'
import type { VectorHit } from './vectors.ts'

/** A document that was found by its words, by its meaning, or by both. */
export interface FusedHit {
  readonly document: Document
  /** 0 to 1. */
  readonly score: number
  /** Places in the lists it was found in, from 1, and what it scored there. */
  readonly lexical?: Pick<LexicalHit, 'score' | 'boost' | 'shown'> & { readonly rank: number }
  readonly vector?: { readonly rank: number; readonly cosine: number; readonly chunk: VectorChunk }
  /** Its place among those that a model judged, from 1, and what the model gave. */
  readonly rerank?: { readonly rank: number; readonly score: number }
}

/**
 * How little the first places of a list differ: from the paper on reciprocal rank fusion by Cormack, Clarke and Büttcher.
 */
const K = 60

/**
 * Two lists as one: each document counts by its places in them, since their scores are not to be compared. The best first;
 * first in both is 1. Ties by collection and path.
 */
export function fuseByRank(lexical: readonly LexicalHit[], vectors: readonly VectorHit[]): FusedHit[] {
  const found = new Map<number, FusedHit>()
  for (const [index, { document, ...hit }] of lexical.entries()) {
    const rank = index + 1
    found.set(document.id, { document, score: shareOf(rank), lexical: { rank, ...hit } })
  }
  for (const [index, { document, cosine, chunk }] of vectors.entries()) {
    const rank = index + 1
    const known = found.get(document.id) ?? { document, score: 0 }
    found.set(document.id, { ...known, score: known.score + shareOf(rank), vector: { rank, cosine, chunk } })
  }
  return [...found.values()].sort((a, b) => b.score - a.score || compareHits(a.document, b.document))
}

function shareOf(rank: number): number {
  return (K + 1) / (K + rank) / 2
}

/** One list alone, as it is. */
export function byWords(hits: readonly LexicalHit[]): FusedHit[] {
  return hits.map(({ document, ...hit }, index) => ({
    document,
    score: hit.score,
    lexical: { rank: index + 1, ...hit },
  }))
}

/** One list alone; what points the other way is 0. */
export function byMeaning(hits: readonly VectorHit[]): FusedHit[] {
  return hits.map(({ document, cosine, chunk }, index) => ({
    document,
    score: Math.max(0, cosine),
    vector: { rank: index + 1, cosine, chunk },
  }))
}
