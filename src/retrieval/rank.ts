/**
 * Ranks documents for a query: BM25 over body and title, each with its own lengths and frequencies, times the covered share of
 * the query. Statistics are of the live documents, and sums are in the order of the query, so that the scores do not depend on the
 * history of the index.
 */

import { hasBit } from '../core/bits.ts'
import { bisect } from '../text/bisect.ts'
import { type DecodedPostings, decodePostings } from './postings.ts'
import { Best, highestOf, type List, Scorer, type SegmentView, type Totals } from './ranking/scorer.ts'

/** A wanted term, or all terms of a prefix. */
export interface RankedTerm {
  /** Postings by the index of the segment; several for several terms. */
  readonly postings: readonly (readonly Uint8Array[])[]
  readonly weight: number
  /** `must`: a document without it is no hit. `not`: one with it is none. */
  readonly role: 'may' | 'must' | 'not'
  /** Whether only the title and path count. */
  readonly inTitle: boolean
  /** Its idf, for bodies only. Default: from the number of documents. */
  readonly idf?: number
}

/** Some of the wanted terms, by their positions in the list. */
export interface WantedTogether {
  readonly at: readonly number[]
  /** Whether only the title, path and further names count. */
  readonly inTitle: boolean
}

export interface Ranked {
  readonly segment: number
  readonly doc: number
  readonly score: number
}

export interface Ranking {
  /** The best documents, unordered, with all that tie with the last one, so that ties can be broken by name. */
  readonly ranked: readonly Ranked[]
  /** Number of all found documents. */
  readonly total: number
  /** The maximum score of a document. */
  readonly best: number
  /** The idf of each wanted term, and its number of documents. */
  readonly found: readonly { readonly docs: number; readonly idf: number }[]
  /** For each group, the documents with all of its terms, the best first. */
  readonly together: readonly (readonly Ranked[])[]
}

/** Finds the best `most` documents of all segments. */
export function rank(
  segments: readonly SegmentView[],
  wanted: readonly RankedTerm[],
  most: number,
  groups: readonly WantedTogether[] = [],
): Ranking {
  const totals = totalsOf(segments)
  const lists = wanted.map((one) => listOf(one, segments, totals.docs))
  const share = sum(lists.map(({ role, weight, idf }) => (role === 'not' ? 0 : weight * idf)))
  const best = new Best(most)
  const together = groups.map((): Ranked[] => [])
  const found = segments.flatMap((segment, index) => {
    const scorer = new Scorer(segment, totals)
    for (const isWithout of [false, true]) {
      for (const list of lists) {
        const decoded = list.decoded[index]
        if (!decoded || (list.role === 'not') !== isWithout) continue
        if (isWithout) scorer.exclude(decoded, list.inTitle)
        else scorer.add(list, decoded, share)
      }
    }
    scorer.required = lists.filter(({ role }) => role === 'must').length
    for (const [at, group] of groups.entries()) {
      const docs = docsWithAll(group, lists, index)
      together[at]?.push(...scorer.scored(docs).map((one) => ({ ...one, segment: index })))
    }
    return scorer.best(best).map((one) => ({ ...one, segment: index }))
  })
  return {
    ranked: found.filter(({ score }) => score >= best.threshold),
    total: best.total,
    best: highestOf(lists),
    found: lists.map(({ docs, idf }) => ({ docs, idf })),
    together: together.map((some) => some.sort((a, b) => b.score - a.score || a.segment - b.segment || a.doc - b.doc)),
  }
}

/** Documents with all terms of a group. Begins with the rarest term, to look up few documents in the longer lists. */
function docsWithAll({ at, inTitle }: WantedTogether, lists: readonly List[], segment: number): readonly number[] {
  const decoded = at.map((one) => lists[one]?.decoded[segment])
  const sizeOf = (one: DecodedPostings | undefined) => (one ? (inTitle ? 0 : one.body) + one.title : 0)
  const [rarest, ...others] = decoded.sort((a, b) => sizeOf(a) - sizeOf(b))
  if (!rarest) return []
  const docs = [...new Set(rarest.docs.subarray(inTitle ? rarest.body : 0, rarest.body + rarest.title))]
  return others.reduce((left, one) => left.filter((doc) => one !== undefined && holdsDoc(one, doc, inTitle)), docs)
}

function holdsDoc({ docs, body, title }: DecodedPostings, doc: number, inTitle: boolean): boolean {
  return (!inTitle && isAmong(docs, doc, { from: 0, to: body })) || isAmong(docs, doc, { from: body, to: body + title })
}

function isAmong(
  docs: Uint32Array,
  doc: number,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const at = bisect(from - 1, to, (place) => (docs[place] ?? 0) < doc) + 1
  return at < to && docs[at] === doc
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

function listOf(
  { postings, role, weight, inTitle, idf }: RankedTerm,
  segments: readonly SegmentView[],
  all: number,
): List {
  const decoded = segments.map((_, index) => decodedOf(postings[index] ?? []))
  const count = (isTitle: boolean) =>
    sum(decoded.map((one, index) => (one ? countLive(one, segments[index]?.dead, isTitle) : 0)))
  const [body, title] = [inTitle ? 0 : count(false), count(true)]
  const docs = Math.max(body, title)
  if (idf !== undefined) return { decoded, role, weight, inTitle, docs, idf, bodyIdf: idf, titleIdf: 0 }
  const [bodyIdf, titleIdf] = [
    body === 0 ? 0 : inverseFrequency(body, all),
    title === 0 ? 0 : inverseFrequency(title, all),
  ]
  return { decoded, role, weight, inTitle, docs, idf: body === 0 ? titleIdf : bodyIdf, bodyIdf, titleIdf }
}

/** The BM25 parameter k1: how soon repetitions of a word add nothing. */
export const SATURATION = 1.2

/** The inverse document frequency of a term, for documents, passages or texts. */
export function inverseFrequency(frequency: number, docs: number): number {
  return Math.log(1 + (docs - frequency + 0.5) / (frequency + 0.5))
}

function decodedOf(postings: readonly Uint8Array[]): DecodedPostings | undefined {
  const [first] = postings
  if (!first) return undefined
  return postings.length === 1 ? decodePostings(first) : uniteTerms(postings)
}

/** Merges the documents of several terms. */
function uniteTerms(postings: readonly Uint8Array[]): DecodedPostings {
  const fields = [new Map<number, number>(), new Map<number, number>()] as const
  for (const bytes of postings) {
    const { docs, counts, body, title } = decodePostings(bytes)
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

/** Number of live documents with a term, in the title or in the body. */
export function countLive(
  { docs, body, title }: DecodedPostings,
  dead: Uint8Array | undefined,
  isTitle: boolean,
): number {
  if (!dead) return isTitle ? title : body
  let living = 0
  const to = isTitle ? body + title : body
  for (let at = isTitle ? body : 0; at < to; at++) if (!hasBit(dead, docs[at] ?? 0)) living++
  return living
}
