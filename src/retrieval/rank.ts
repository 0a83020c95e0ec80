/**
 * Ranks documents for a query: BM25 over body and title, each with its own lengths and frequencies, raised by the share
 * of the query that a document covers. Statistics count only live documents, and sums are in the order of the query, so
 * that scores do not depend on the history of the index.
 */

import { hasBit } from '../core/bits.ts'
import { bisect } from '../text/bisect.ts'
import { type DecodedPostings, decodePostings } from './postings.ts'
import { BestScores, type IndexTotals, maxScoreOf, Scorer, type SegmentView, type TermList } from './ranking/scorer.ts'

/** A wanted (or excluded) term, or all terms of a prefix, with postings: the documents with the term. */
export interface RankedTerm extends Pick<TermList, 'weight' | 'role' | 'inTitle'> {
  /** Postings of each term, by the index of the segment. */
  readonly postings: readonly (readonly Uint8Array[])[]
  /** The idf in bodies. If given, titles do not count. Default: computed from the number of documents. */
  readonly idf?: number
}

/** Terms that a document must contain together. `positions`: their indices in the list of ranked terms. */
export interface TermGroup {
  readonly positions: readonly number[]
  /** Whether only the title, path and further names count. */
  readonly inTitle: boolean
}

export interface RankedDocument {
  /** Index of the segment, and number of the document in the segment. */
  readonly segment: number
  readonly doc: number
  readonly score: number
}

/** Finds the best `limit` documents of all segments (parts of the index). */
export function rank(
  segments: readonly SegmentView[],
  terms: readonly RankedTerm[],
  limit: number,
  groups: readonly TermGroup[] = [],
) {
  const totals = sumTotals(segments)
  const lists = terms.map((term) => toTermList(term, segments, totals.docs))
  const totalWeight = sum(lists.map(({ role, weight, idf }) => (role === 'not' ? 0 : weight * idf)))
  const bestScores = new BestScores(limit)
  const documentsByGroup = groups.map((): RankedDocument[] => [])
  const candidates = segments.flatMap((segment, index) => {
    const scorer = new Scorer(segment, totals)
    for (const isExclusion of [false, true]) {
      for (const list of lists) {
        const decoded = list.decoded[index]
        if (!decoded || (list.role === 'not') !== isExclusion) continue
        if (isExclusion) scorer.exclude(decoded, list.inTitle)
        else scorer.add(list, decoded, totalWeight)
      }
    }
    scorer.requiredListCount = lists.filter(({ role }) => role === 'must').length
    for (const [at, group] of groups.entries()) {
      const docs = docsWithGroup(group, lists, index)
      documentsByGroup[at]?.push(...scorer.scoreDocuments(docs).map((scored) => ({ ...scored, segment: index })))
    }
    return scorer.collectBest(bestScores).map((scored) => ({ ...scored, segment: index }))
  })
  return {
    /** The best documents, unordered, with all that tie with the last, so that the caller can order ties by name. */
    ranked: candidates.filter(({ score }) => score >= bestScores.threshold),
    /** Number of all hits. */
    total: bestScores.total,
    maxScore: maxScoreOf(lists),
    /** The idf of each wanted term, and its number of documents. */
    terms: lists.map(({ docs, idf }) => ({ docs, idf })),
    /** For each group, the documents with all of its terms, the best first. */
    documentsByGroup: documentsByGroup.map((documents) =>
      documents.sort((a, b) => b.score - a.score || a.segment - b.segment || a.doc - b.doc),
    ),
  }
}

/** Documents with all terms of a group. Begins with the rarest term, so that few documents are looked up in the longer lists. */
function docsWithGroup({ positions, inTitle }: TermGroup, lists: readonly TermList[], segment: number): number[] {
  const decoded = positions.flatMap((position) => lists[position]?.decoded[segment] ?? [])
  if (decoded.length < positions.length) return []
  const sizeOf = ({ body, title }: DecodedPostings) => (inTitle ? 0 : body) + title
  const [rarest, ...others] = decoded.sort((a, b) => sizeOf(a) - sizeOf(b))
  if (!rarest) return []
  const docs = [...new Set(rarest.docs.subarray(inTitle ? rarest.body : 0, rarest.body + rarest.title))]
  return others.reduce((matching, postings) => matching.filter((doc) => containsDoc(postings, doc, inTitle)), docs)
}

function containsDoc({ docs, body, title }: DecodedPostings, doc: number, inTitle: boolean): boolean {
  const isInRange = (from: number, to: number) => {
    const at = bisect(from - 1, to, (position) => (docs[position] ?? 0) < doc) + 1
    return at < to && docs[at] === doc
  }
  return (!inTitle && isInRange(0, body)) || isInRange(body, body + title)
}

function sumTotals(segments: readonly SegmentView[]): IndexTotals {
  const docs = sum(segments.map(({ live }) => live.docs)) || 1
  const body = sum(segments.map(({ live }) => live.body))
  const title = sum(segments.map(({ live }) => live.title))
  return { docs, averageBody: body / docs || 1, averageTitle: title / docs || 1 }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

function toTermList(
  { postings, role, weight, inTitle, idf }: RankedTerm,
  segments: readonly SegmentView[],
  totalDocs: number,
): TermList {
  const decoded = segments.map((_, index) => decodeTerms(postings[index] ?? []))
  const countField = (isTitle: boolean) =>
    sum(decoded.map((one, index) => (one ? countLive(one, segments[index]?.dead, isTitle) : 0)))
  const [body, title] = [inTitle ? 0 : countField(false), countField(true)]
  const docs = Math.max(body, title)
  if (idf !== undefined) return { decoded, role, weight, inTitle, docs, idf, bodyIdf: idf, titleIdf: 0 }
  const bodyIdf = body === 0 ? 0 : inverseFrequency(body, totalDocs)
  const titleIdf = title === 0 ? 0 : inverseFrequency(title, totalDocs)
  return { decoded, role, weight, inTitle, docs, idf: body === 0 ? titleIdf : bodyIdf, bodyIdf, titleIdf }
}

/** The inverse document frequency of a term, for documents, passages or texts. */
export function inverseFrequency(frequency: number, docs: number): number {
  return Math.log(1 + (docs - frequency + 0.5) / (frequency + 0.5))
}

function decodeTerms(postings: readonly Uint8Array[]): DecodedPostings | undefined {
  const [first] = postings
  if (!first) return undefined
  return postings.length === 1 ? decodePostings(first) : mergePostings(postings)
}

/** The postings of several terms as postings of one term: the counts of a document are added. */
function mergePostings(postings: readonly Uint8Array[]): DecodedPostings {
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
export function countLive({ docs, body, title }: DecodedPostings, dead: Uint8Array | undefined, isTitle: boolean) {
  if (!dead) return isTitle ? title : body
  let live = 0
  const to = isTitle ? body + title : body
  for (let at = isTitle ? body : 0; at < to; at++) if (!hasBit(dead, docs[at] ?? 0)) live++
  return live
}
