/** Scores documents: BM25 over body and title, times the covered share of the query. */

import { hasBit } from '../../core/bits.ts'
import type { DecodedPostings } from '../postings.ts'

const K1 = 1.2
const BODY_B = 0.75
const TITLE_B = 0.75
const TITLE_WEIGHT = 0.9
const COVERAGE_WEIGHT = 0.2

/** A segment of the index for a query. */
export interface SegmentView {
  readonly docs: number
  readonly bodyLengths: Uint32Array
  readonly titleLengths: Uint32Array
  /** Number of live documents, and of the words in their bodies and titles. */
  readonly live: { readonly docs: number; readonly body: number; readonly title: number }
  /** A bit for each removed document. */
  readonly dead?: Uint8Array | undefined
  /** A bit for each document that the filters accept. Default: all. */
  readonly allowed?: Uint8Array | undefined
}

export interface Totals {
  readonly docs: number
  readonly averageBody: number
  readonly averageTitle: number
}

/** A wanted term with its decoded and counted documents. */
export interface List {
  readonly weight: number
  /** `must`: a document without it is no hit. `not`: one with it is none. */
  readonly role: 'may' | 'must' | 'not'
  /** Whether only the title and path count. */
  readonly inTitle: boolean
  readonly decoded: readonly (DecodedPostings | undefined)[]
  /** Number of documents that contain it. */
  readonly docs: number
  readonly idf: number
  readonly bodyIdf: number
  readonly titleIdf: number
}

/**
 * The scores of one segment, by document. Reused for the next segment and the next query: only touched entries are
 * reset.
 */
class ScoreTable {
  readonly scores: Float64Array
  /** Covered share of the query. */
  readonly covered: Float64Array
  /** The number of the last list with a document; 0 for none. */
  readonly seen: Uint16Array
  /** Number of required lists with a document. */
  readonly required: Uint16Array
  readonly touched: Uint32Array

  constructor(docs: number) {
    this.scores = new Float64Array(docs)
    this.covered = new Float64Array(docs)
    this.seen = new Uint16Array(docs)
    this.required = new Uint16Array(docs)
    this.touched = new Uint32Array(docs)
  }

  clear(doc: number): void {
    this.scores[doc] = 0
    this.covered[doc] = 0
    this.seen[doc] = 0
    this.required[doc] = 0
  }
}

let spare = new ScoreTable(0)

export interface ScoredDocument {
  readonly doc: number
  readonly score: number
}

/** The scores of one segment's documents, list by list. */
export class Scorer {
  readonly #segment: SegmentView
  readonly #totals: Totals
  readonly #table: ScoreTable
  #touched = 0
  #lists = 0
  /** Number of lists that a hit must be in. */
  required = 0

  constructor(segment: SegmentView, totals: Totals) {
    this.#segment = segment
    this.#totals = totals
    if (spare.scores.length < segment.docs) spare = new ScoreTable(segment.docs)
    this.#table = spare
  }

  add(list: List, decoded: DecodedPostings, share: number): void {
    this.#lists++
    const { weight, inTitle, role } = list
    const { bodyLengths, titleLengths } = this.#segment
    const { averageBody, averageTitle } = this.#totals
    const cover = share === 0 ? 0 : (weight * list.idf) / share
    const must = role === 'must' ? 1 : 0
    const body = { lengths: bodyLengths, b: BODY_B, average: averageBody, weight: weight * list.bodyIdf }
    if (!inTitle) this.#field(decoded, { ...body, from: 0, to: decoded.body, cover, must })
    const title = {
      lengths: titleLengths,
      b: TITLE_B,
      average: averageTitle,
      weight: weight * list.titleIdf * TITLE_WEIGHT,
    }
    this.#field(decoded, { ...title, from: decoded.body, to: decoded.body + decoded.title, cover, must })
  }

  #field({ docs, counts }: DecodedPostings, field: FieldScoring): void {
    const { lengths, from, to, cover, must } = field
    const { scores, covered, seen, required, touched } = this.#table
    const factor = field.weight * (K1 + 1)
    const [base, slope] = [K1 * (1 - field.b), (K1 * field.b) / field.average]
    for (let at = from; at < to; at++) {
      const doc = docs[at] ?? 0
      const count = counts[at] ?? 0
      scores[doc] = (scores[doc] ?? 0) + (factor * count) / (count + base + slope * (lengths[doc] ?? 0))
      if (seen[doc] === this.#lists) continue
      if (seen[doc] === 0) touched[this.#touched++] = doc
      seen[doc] = this.#lists
      covered[doc] = (covered[doc] ?? 0) + cover
      required[doc] = (required[doc] ?? 0) + must
    }
  }

  exclude({ docs, body, title }: DecodedPostings, inTitle: boolean): void {
    for (let at = inTitle ? body : 0; at < body + title; at++) this.#table.scores[docs[at] ?? 0] = 0
  }

  /**
   * The best documents, and some that were among the best only for a while. Drops removed documents, filtered ones, and those without
   * a required term; weights the others by coverage. The scorer cannot be used after this call.
   */
  best(best: Best): ScoredDocument[] {
    const { touched } = this.#table
    const found: ScoredDocument[] = []
    for (let at = 0; at < this.#touched; at++) {
      const doc = touched[at] ?? 0
      const score = this.#scoreOf(doc)
      this.#table.clear(doc)
      if (score > 0 && best.offer(score)) found.push({ doc, score })
    }
    return found
  }

  /** Scores of the given documents that are hits. Call it before `best`. */
  scored(docs: readonly number[]): ScoredDocument[] {
    return docs.map((doc) => ({ doc, score: this.#scoreOf(doc) })).filter(({ score }) => score > 0)
  }

  #scoreOf(doc: number): number {
    const share = this.#table.covered[doc] ?? 0
    return this.#isOut(doc) ? 0 : (this.#table.scores[doc] ?? 0) * (1 + COVERAGE_WEIGHT * share * share)
  }

  #isOut(doc: number): boolean {
    const { dead, allowed } = this.#segment
    if ((this.#table.required[doc] ?? 0) < this.required || (dead && hasBit(dead, doc))) return true
    return allowed !== undefined && !hasBit(allowed, doc)
  }
}

interface FieldScoring {
  readonly lengths: Uint32Array
  readonly b: number
  readonly average: number
  readonly weight: number
  readonly from: number
  readonly to: number
  readonly cover: number
  readonly must: 0 | 1
}

/** The maximum score of a document. */
export function highestOf(lists: readonly List[]): number {
  const most = lists.map(({ role, weight, bodyIdf, titleIdf }) =>
    role === 'not' ? 0 : weight * (K1 + 1) * (bodyIdf + TITLE_WEIGHT * titleIdf),
  )
  return most.reduce((all, one) => all + one, 0) * (1 + COVERAGE_WEIGHT)
}

/** The threshold of the best `most` offered scores, and their number. */
export class Best {
  /** A heap of the best scores so far, the lowest on top. */
  readonly #heap: Float64Array
  #size = 0
  total = 0

  constructor(most: number) {
    this.#heap = new Float64Array(most)
  }

  /** The lowest of the best scores. */
  get threshold(): number {
    return this.#size < this.#heap.length ? Number.MIN_VALUE : (this.#heap[0] ?? 0)
  }

  /** Whether a score is among the best so far, or equals the lowest of them. */
  offer(score: number): boolean {
    this.total++
    const { threshold } = this
    if (score < threshold) return false
    if (this.#size < this.#heap.length) raise(this.#heap, this.#size++, score)
    else if (score > threshold) sink(this.#heap, score)
    return true
  }
}

function raise(heap: Float64Array, start: number, score: number): void {
  let at = start
  while (at > 0) {
    const parent = (at - 1) >> 1
    if ((heap[parent] ?? 0) <= score) break
    heap[at] = heap[parent] ?? 0
    at = parent
  }
  heap[at] = score
}

function sink(heap: Float64Array, score: number): void {
  let at = 0
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++
    if ((heap[child] ?? 0) >= score) break
    heap[at] = heap[child] ?? 0
    at = child
  }
  heap[at] = score
}
