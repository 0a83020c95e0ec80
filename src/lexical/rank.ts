/**
 * The order of documents for a query: BM25 over body and title, each with its own lengths and frequencies, times how much
 * of the query a document covers. Numbers are taken over the documents that live, and summed in the order of the query:
 * so an index gives the same scores however it came about.
 */

import { Best } from './best.ts'
import { type Decoded, decodePostings, room } from './postings.ts'

/** A segment as a query sees it. */
export interface SegmentView {
  readonly docs: number
  readonly bodyLengths: Uint32Array
  readonly titleLengths: Uint32Array
  /** What lives in it: documents, and the words of their bodies and titles. */
  readonly live: { readonly docs: number; readonly body: number; readonly title: number }
  /** A bit for each document that is no more. */
  readonly dead?: Uint8Array | undefined
  /** A bit for each document that the filters let through. Default: all. */
  readonly allowed?: Uint8Array | undefined
}

/** One thing that is looked for: a term, or all the terms that a prefix stands for. */
export interface Wanted {
  /** Postings by the index of the segment; several where it stands for several terms. */
  readonly postings: readonly (readonly Uint8Array[])[]
  /** How much it counts. */
  readonly weight: number
  /** `must`: a document without it is no hit. `not`: one with it is none. */
  readonly role: 'may' | 'must' | 'not'
  /** Only the title and path count. */
  readonly inTitle: boolean
}

/** A document that was found. */
export interface Ranked {
  readonly segment: number
  readonly doc: number
  readonly score: number
}

export interface Ranking {
  /** The best, in no order; with all that score as high as the last of them, so that ties can be broken by name. */
  readonly ranked: readonly Ranked[]
  /** Documents that were found in all. */
  readonly total: number
  /** The highest score that a document could have. */
  readonly best: number
  /** How much each thing that was wanted tells, and in how many documents it stands. */
  readonly told: readonly { readonly docs: number; readonly idf: number }[]
}

const K1 = 1.2
const BODY_B = 0.75
const TITLE_B = 0.75
const TITLE_WEIGHT = 0.9
const COVERAGE_WEIGHT = 0.2

/** Finds the best `most` documents of all segments. */
export function rank(segments: readonly SegmentView[], wanted: readonly Wanted[], most: number): Ranking {
  const totals = totalsOf(segments)
  const lists = wanted.map((one) => listOf(one, segments, totals.docs))
  const share = sum(lists.map(({ role, weight, idf }) => (role === 'not' ? 0 : weight * idf)))
  const best = new Best(most)
  const found = segments.flatMap((segment, index) =>
    scoresIn(segment, lists, { index, totals, share })
      .best(best)
      .map((one) => ({ ...one, segment: index })),
  )
  const ranked = found.filter(({ score }) => score >= best.threshold)
  return { ranked, total: best.total, best: bestOf(lists), told: lists.map(({ docs, idf }) => ({ docs, idf })) }
}

interface Totals {
  readonly docs: number
  readonly averageBody: number
  readonly averageTitle: number
}

function totalsOf(segments: readonly SegmentView[]): Totals {
  const docs = sum(segments.map(({ live }) => live.docs)) || 1
  const body = sum(segments.map(({ live }) => live.body))
  const title = sum(segments.map(({ live }) => live.title))
  return { docs, averageBody: body / docs || 1, averageTitle: title / docs || 1 }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

/** What is wanted, with its documents read and counted. */
interface List extends Pick<Wanted, 'role' | 'weight' | 'inTitle'> {
  readonly decoded: readonly (Decoded | undefined)[]
  /** Documents that hold it. */
  readonly docs: number
  readonly idf: number
  readonly bodyIdf: number
  readonly titleIdf: number
}

function listOf({ postings, role, weight, inTitle }: Wanted, segments: readonly SegmentView[], all: number): List {
  const decoded = segments.map((_, index) => decodedOf(postings[index] ?? []))
  const count = (isTitle: boolean) =>
    sum(decoded.map((one, index) => (one ? livingIn(one, segments[index]?.dead, isTitle) : 0)))
  const [body, title] = [inTitle ? 0 : count(false), count(true)]
  const docs = Math.max(body, title)
  const [bodyIdf, titleIdf] = [body === 0 ? 0 : idfOf(body, all), title === 0 ? 0 : idfOf(title, all)]
  return { decoded, role, weight, inTitle, docs, idf: body === 0 ? titleIdf : bodyIdf, bodyIdf, titleIdf }
}

function idfOf(frequency: number, docs: number): number {
  return Math.log(1 + (docs - frequency + 0.5) / (frequency + 0.5))
}

function decodedOf(postings: readonly Uint8Array[]): Decoded | undefined {
  const [first] = postings
  if (!first) return undefined
  return postings.length === 1 ? decodePostings(first, room(first.length)) : united(postings)
}

/** The documents of several terms as those of one. */
function united(postings: readonly Uint8Array[]): Decoded {
  const fields = [new Map<number, number>(), new Map<number, number>()] as const
  for (const bytes of postings) {
    const { docs, counts, body, title } = decodePostings(bytes, room(bytes.length))
    for (let at = 0; at < body + title; at++) {
      const field = at < body ? fields[0] : fields[1]
      const doc = docs[at] ?? 0
      field.set(doc, (field.get(doc) ?? 0) + (counts[at] ?? 0))
    }
  }
  const entries = fields.flatMap((field) => [...field].sort(([a], [b]) => a - b))
  return {
    body: fields[0].size,
    title: fields[1].size,
    docs: Uint32Array.from(entries, ([doc]) => doc),
    counts: Uint32Array.from(entries, ([, count]) => count),
  }
}

/** Documents that live and hold it, in the title or else in the body. */
export function livingIn({ docs, body, title }: Decoded, dead: Uint8Array | undefined, isTitle: boolean): number {
  if (!dead) return isTitle ? title : body
  let living = 0
  const to = isTitle ? body + title : body
  for (let at = isTitle ? body : 0; at < to; at++) if (!isSet(dead, docs[at] ?? 0)) living++
  return living
}

/** Whether the bit at an index is set. */
export function isSet(bits: Uint8Array, at: number): boolean {
  return ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
}

interface Scoring {
  /** Of the segment. */
  readonly index: number
  readonly totals: Totals
  /** What all that may count together. */
  readonly share: number
}

function scoresIn(segment: SegmentView, lists: readonly List[], { index, totals, share }: Scoring): Scorer {
  const scorer = new Scorer(segment, totals)
  for (const list of lists) {
    const decoded = list.decoded[index]
    if (decoded && list.role !== 'not') scorer.add(list, decoded, share)
  }
  for (const list of lists) {
    const decoded = list.decoded[index]
    if (decoded && list.role === 'not') scorer.exclude(decoded, list.inTitle)
  }
  scorer.required = lists.filter(({ role }) => role === 'must').length
  return scorer
}

/**
 * Room for the scores of one segment, by document; used again for the next, and for the next query: only what was touched
 * is set back.
 */
class Room {
  readonly scores: Float64Array
  /** Which share of the query is covered. */
  readonly covered: Float64Array
  /** The number of the list that a document was last found in; 0 for none. */
  readonly seen: Uint16Array
  /** How many lists it was found in that it must be in. */
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

let spare = new Room(0)

/** The scores of one segment's documents, list by list. */
class Scorer {
  readonly #segment: SegmentView
  readonly #totals: Totals
  readonly #room: Room
  #touched = 0
  #lists = 0
  /** Lists that a hit must be in. */
  required = 0

  constructor(segment: SegmentView, totals: Totals) {
    this.#segment = segment
    this.#totals = totals
    if (spare.scores.length < segment.docs) spare = new Room(segment.docs)
    this.#room = spare
  }

  add(list: List, decoded: Decoded, share: number): void {
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

  #field({ docs, counts }: Decoded, field: FieldScoring): void {
    const { lengths, from, to, cover, must } = field
    const { scores, covered, seen, required, touched } = this.#room
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

  exclude({ docs, body, title }: Decoded, inTitle: boolean): void {
    for (let at = inTitle ? body : 0; at < body + title; at++) this.#room.scores[docs[at] ?? 0] = 0
  }

  /**
   * Those that are among the best, and some that no longer are. Leaves out what is dead, filtered out, or lacks something
   * that it must hold; the rest counts by what it covers. The scorer is done with.
   */
  best(best: Best): Omit<Ranked, 'segment'>[] {
    const { scores, covered, touched } = this.#room
    const found: Omit<Ranked, 'segment'>[] = []
    for (let at = 0; at < this.#touched; at++) {
      const doc = touched[at] ?? 0
      const share = covered[doc] ?? 0
      const score = this.#isOut(doc) ? 0 : (scores[doc] ?? 0) * (1 + COVERAGE_WEIGHT * share * share)
      this.#room.clear(doc)
      if (score > 0 && best.offer(score)) found.push({ doc, score })
    }
    return found
  }

  #isOut(doc: number): boolean {
    const { dead, allowed } = this.#segment
    if ((this.#room.required[doc] ?? 0) < this.required || (dead && isSet(dead, doc))) return true
    return allowed !== undefined && !isSet(allowed, doc)
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

function bestOf(lists: readonly List[]): number {
  const most = lists.map(({ role, weight, bodyIdf, titleIdf }) =>
    role === 'not' ? 0 : weight * (K1 + 1) * (bodyIdf + TITLE_WEIGHT * titleIdf),
  )
  return sum(most) * (1 + COVERAGE_WEIGHT)
}
