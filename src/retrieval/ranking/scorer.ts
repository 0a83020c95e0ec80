/** Scores documents by BM25 over body and title, raised by the share of the query that a document covers. */

import { hasBit } from '../../core/bits.ts'
import type { DecodedPostings } from '../postings.ts'
import type { NewSegment } from '../segment.ts'

/** The BM25 parameter k1: how soon repetitions of a word add nothing. */
export const SATURATION = 1.2
/** The BM25 parameter b: how much the length of a field counts. */
const LENGTH_B = 0.75
const TITLE_WEIGHT = 0.9
const COVERAGE_WEIGHT = 0.2

/** A segment (part) of the index, as a query reads it. */
export interface SegmentView extends Pick<NewSegment, 'docs' | 'bodyLengths' | 'titleLengths'> {
  /** Number of live documents, and of the words in their bodies and titles. */
  readonly live: { readonly docs: number; readonly body: number; readonly title: number }
  /** A bit for each removed document. */
  readonly dead?: Uint8Array | undefined
  /** A bit for each document that the filters accept. Default: all. */
  readonly allowed?: Uint8Array | undefined
}

/** Number of documents, and average words of their bodies and of their titles, without deleted documents. */
export interface IndexTotals {
  readonly docs: number
  readonly averageBody: number
  readonly averageTitle: number
}

/** A term of the query with its documents. `decoded`: by the index of the segment. */
export interface TermList {
  readonly weight: number
  /** `must`: each hit contains the term. `not`: no hit contains the term. */
  readonly role: 'may' | 'must' | 'not'
  /** Whether only the title and path count. */
  readonly inTitle: boolean
  readonly decoded: readonly (DecodedPostings | undefined)[]
  /** Number of documents that contain the term. */
  readonly docs: number
  readonly idf: number
  readonly bodyIdf: number
  readonly titleIdf: number
}

/**
 * Creates arrays for the scores of the documents of a segment. Later segments and queries reuse the arrays, and
 * `collectBest` resets the touched entries.
 */
function createScoreTable(docs: number) {
  return {
    scores: new Float64Array(docs),
    /** Share of the query that a document covers. */
    coverages: new Float64Array(docs),
    /** The number, from 1, of the last list that contains a document; 0 for none. */
    lastLists: new Uint16Array(docs),
    /** Number of required lists with a document. */
    requiredCounts: new Uint16Array(docs),
    touched: new Uint32Array(docs),
  }
}

let sharedTable = createScoreTable(0)

export type ScoredDocument = Readonly<Record<'doc' | 'score', number>>

/** Sums the scores of the documents of one segment over the term lists of a query. */
export class Scorer {
  readonly #segment: SegmentView
  readonly #totals: IndexTotals
  readonly #table: typeof sharedTable
  #touchedCount = 0
  #listCount = 0
  /** Number of lists that a hit must be in. */
  requiredListCount = 0

  constructor(segment: SegmentView, totals: IndexTotals) {
    this.#segment = segment
    this.#totals = totals
    if (sharedTable.scores.length < segment.docs) sharedTable = createScoreTable(segment.docs)
    this.#table = sharedTable
  }

  /** Adds the documents of a list. `totalWeight`: sum of the weights of all wanted lists, each times its idf. */
  add(list: TermList, decoded: DecodedPostings, totalWeight: number): void {
    this.#listCount++
    const coverage = (list.weight * list.idf) / totalWeight
    if (!list.inTitle) this.#addField(list, decoded, { isTitle: false, coverage })
    this.#addField(list, decoded, { isTitle: true, coverage })
  }

  #addField(
    { weight, role, bodyIdf, titleIdf }: TermList,
    { docs, counts, body, title }: DecodedPostings,
    { isTitle, coverage }: { readonly isTitle: boolean; readonly coverage: number },
  ): void {
    const lengths = isTitle ? this.#segment.titleLengths : this.#segment.bodyLengths
    const averageLength = isTitle ? this.#totals.averageTitle : this.#totals.averageBody
    const [from, to] = isTitle ? [body, body + title] : [0, body]
    const requiredCount = role === 'must' ? 1 : 0
    const { scores, coverages, lastLists, requiredCounts, touched } = this.#table
    const factor = (isTitle ? weight * titleIdf * TITLE_WEIGHT : weight * bodyIdf) * (SATURATION + 1)
    const [base, slope] = [SATURATION * (1 - LENGTH_B), (SATURATION * LENGTH_B) / averageLength]
    for (let at = from; at < to; at++) {
      const doc = docs[at] ?? 0
      const count = counts[at] ?? 0
      scores[doc] = (scores[doc] ?? 0) + (factor * count) / (count + base + slope * (lengths[doc] ?? 0))
      if (lastLists[doc] === this.#listCount) continue
      if (lastLists[doc] === 0) touched[this.#touchedCount++] = doc
      lastLists[doc] = this.#listCount
      coverages[doc] = (coverages[doc] ?? 0) + coverage
      requiredCounts[doc] = (requiredCounts[doc] ?? 0) + requiredCount
    }
  }

  exclude({ docs, body, title }: DecodedPostings, inTitle: boolean): void {
    for (let at = inTitle ? body : 0; at < body + title; at++) this.#table.scores[docs[at] ?? 0] = 0
  }

  /**
   * Returns the best documents, and documents that were among the best before better documents came. Drops removed and
   * filtered documents, and documents without a required term. Do not use the scorer after this call.
   */
  collectBest(bestScores: BestScores): ScoredDocument[] {
    const { scores, coverages, lastLists, requiredCounts, touched } = this.#table
    const best: ScoredDocument[] = []
    for (let at = 0; at < this.#touchedCount; at++) {
      const doc = touched[at] ?? 0
      const score = this.#scoreOf(doc)
      scores[doc] = coverages[doc] = lastLists[doc] = requiredCounts[doc] = 0
      if (score > 0 && bestScores.offer(score)) best.push({ doc, score })
    }
    return best
  }

  /** The documents that are hits, with their scores. Must be called before `collectBest`. */
  scoreDocuments(docs: readonly number[]): ScoredDocument[] {
    return docs.map((doc) => ({ doc, score: this.#scoreOf(doc) })).filter(({ score }) => score > 0)
  }

  #scoreOf(doc: number): number {
    const share = this.#table.coverages[doc] ?? 0
    return this.#isExcluded(doc) ? 0 : (this.#table.scores[doc] ?? 0) * (1 + COVERAGE_WEIGHT * share * share)
  }

  #isExcluded(doc: number): boolean {
    const { dead, allowed } = this.#segment
    if ((this.#table.requiredCounts[doc] ?? 0) < this.requiredListCount || (dead && hasBit(dead, doc))) return true
    return allowed !== undefined && !hasBit(allowed, doc)
  }
}

/** The maximum score of a document. */
export function maxScoreOf(lists: readonly TermList[]): number {
  const maximums = lists.map(({ role, weight, bodyIdf, titleIdf }) =>
    role === 'not' ? 0 : weight * (SATURATION + 1) * (bodyIdf + TITLE_WEIGHT * titleIdf),
  )
  return maximums.reduce((sum, maximum) => sum + maximum, 0) * (1 + COVERAGE_WEIGHT)
}

/** Finds the lowest of the best `limit` scores, and counts all scores. */
export class BestScores {
  /** A heap of the best scores so far, the lowest on top; 0 for a free place. */
  readonly #heap: Float64Array
  total = 0

  constructor(limit: number) {
    this.#heap = new Float64Array(limit)
  }

  /** The lowest of the best scores. */
  get threshold(): number {
    return this.#heap[0] ?? 0
  }

  /** Whether a score is among the best so far, or equals the lowest of the best scores. */
  offer(score: number): boolean {
    this.total++
    if (score < this.threshold) return false
    siftDown(this.#heap, score)
    return true
  }
}

/** Replaces the lowest score of a heap. */
function siftDown(heap: Float64Array, score: number): void {
  let at = 0
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++
    if ((heap[child] ?? 0) >= score) break
    heap[at] = heap[child] ?? 0
    at = child
  }
  heap[at] = score
}
