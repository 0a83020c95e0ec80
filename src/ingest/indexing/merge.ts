/** Merges segments (parts of the index) into one, and drops their removed documents. */

import { hasBit } from '../../core/bits.ts'
import { yieldToEvents } from '../../core/steps.ts'
import { compareBytes } from '../../files/objects.ts'
import { ByteWriter, decodePostings, encodePostings, type FieldPostings } from '../../retrieval/postings.ts'
import type { IndexStore, NewPostings, StoredSegment, TermPostings } from '../../stores/store.ts'
import { TERMS_AT_ONCE } from './prefetch.ts'

/** Maximum number of segments, because each segment slows queries down. */
const MAX_SEGMENTS = 8
/** Maximum share of removed documents in a segment, because queries read the postings of removed documents, too. */
const MAX_DEAD_SHARE = 0.2

/** Segments to merge, if any. The smallest come first, so that large segments are seldom written. */
export function segmentsToMerge(segments: readonly StoredSegment[]): readonly StoredSegment[] {
  const bySize = [...segments].sort((a, b) => a.live.docs - b.live.docs || a.id - b.id)
  if (segments.length > MAX_SEGMENTS) return selectSmallest(bySize)
  const sparse = bySize.filter(({ docs, live }) => docs > 0 && (docs - live.docs) / docs > MAX_DEAD_SHARE)
  if (sparse.length === 0) return []
  // A segment with many removed documents is rewritten in any case, so smaller segments are merged into it.
  const largest = Math.max(...sparse.map(({ live }) => live.docs))
  return bySize.filter((segment) => sparse.includes(segment) || segment.live.docs <= largest)
}

/**
 * The segments to merge: as many of the smallest as the limit demands, then further segments, up to a segment that is more than
 * twice as large as all smaller segments together. So the number of times that a document is rewritten grows with the
 * logarithm of the size of the collection.
 */
function selectSmallest(bySize: readonly StoredSegment[]): readonly StoredSegment[] {
  const minCount = bySize.length - MAX_SEGMENTS + 3
  let smallerDocs = 0
  const end = bySize.findIndex(({ live }, index) => {
    const isLarge = live.docs > 2 * smallerDocs
    smallerDocs += live.docs
    return index >= minCount && isLarge
  })
  return end < 0 ? bySize : bySize.slice(0, end)
}

/** Merges segments. The caller holds the lock for the index. */
export async function mergeSegments(index: IndexStore, segments: readonly StoredSegment[], signal?: AbortSignal) {
  const plan = planOf(segments)
  const segment = await index.begin()
  const ids = segments.map(({ id }) => id)
  const pending: NewPostings[] = []
  for await (const group of termsInOrder(index, ids)) {
    // Lets other work run, such as the renewal of the lock.
    await yieldToEvents(signal)
    for (const term of mergedTerms(group, plan)) pending.push(term)
    for (; pending.length >= TERMS_AT_ONCE; await yieldToEvents(signal)) {
      await index.put(segment, pending.splice(0, TERMS_AT_ONCE))
    }
  }
  if (pending.length > 0) await index.put(segment, pending)
  await index.apply({ merged: { segment, replacedIds: ids, ids: plan.ids, lengths: plan } })
}

type MergePlan = ReturnType<typeof planOf>

/** The documents that stay, with the lengths of their fields. */
function planOf(segments: readonly StoredSegment[]) {
  const ids: number[] = []
  const [bodyLengths, titleLengths]: [number[], number[]] = [[], []]
  /** By segment: the new number of each document; -1 for a removed document. */
  const newNumbers = new Map<number, Int32Array>()
  for (const segment of segments) {
    const numbers = new Int32Array(segment.docs).fill(-1)
    for (let doc = 0; doc < segment.docs; doc++) {
      if (hasBit(segment.dead, doc)) continue
      numbers[doc] = ids.length
      ids.push(segment.ids[doc] ?? 0)
      bodyLengths.push(segment.bodyLengths[doc] ?? 0)
      titleLengths.push(segment.titleLengths[doc] ?? 0)
    }
    newNumbers.set(segment.id, numbers)
  }
  const lengths = { bodyLengths: Uint32Array.from(bodyLengths), titleLengths: Uint32Array.from(titleLengths) }
  return { ids: Uint32Array.from(ids), ...lengths, newNumbers }
}

/**
 * Yields the merged postings of each term, in JavaScript's order, which is nearly byte order: writes in order fill the
 * pages of a database best.
 */
function* mergedTerms(group: readonly TermPostings[], plan: MergePlan): Generator<NewPostings> {
  const byTerm = Map.groupBy(group, ({ term }) => term)
  const bytes = new ByteWriter()
  for (const term of [...byTerm.keys()].sort()) {
    const { body, title } = unitePostings(byTerm.get(term) ?? [], plan)
    if (body.to + title.to > 0) yield [term, encodePostings(body, title, bytes)]
  }
}

/**
 * The merged postings of a term. Segments and documents are in the order of the plan, so that the new numbers ascend.
 */
function unitePostings(parts: readonly TermPostings[], { newNumbers }: MergePlan) {
  const [bodyLists, titleLists] = [emptyLists(), emptyLists()] as const
  for (const { segment, postings } of parts) {
    const { docs, counts, body, title } = decodePostings(postings)
    const segmentNumbers = newNumbers.get(segment)
    for (let at = 0; at < body + title; at++) {
      const newNumber = segmentNumbers?.[docs[at] ?? 0] ?? -1
      if (newNumber < 0) continue
      const lists = at < body ? bodyLists : titleLists
      lists.docs.push(newNumber)
      lists.counts.push(counts[at] ?? 1)
    }
  }
  return { body: fieldFrom(bodyLists), title: fieldFrom(titleLists) }
}

type PostingLists = Record<'docs' | 'counts', number[]>

const emptyLists = (): PostingLists => ({ docs: [], counts: [] })
const fieldFrom = (lists: PostingLists): FieldPostings => ({ ...lists, from: 0, to: lists.docs.length })

/**
 * Maximum postings that one read requests for all segments together. In memory, there may be half as many more, left
 * from the previous read.
 */
const MAX_AHEAD = 32_768
/** Maximum postings that one read requests for one segment. */
const MAX_AHEAD_PER_SEGMENT = 4_000

/** A segment and its read position. */
interface SegmentReader {
  readonly segment: number
  /** Postings that were read. Postings from `position` on were not yielded yet. */
  rows: readonly TermPostings[]
  position: number
  isAtEnd: boolean
}

type TermSource = Pick<IndexStore, 'terms'>

/**
 * All postings of these segments, in groups with ascending terms. The postings of a term are in one group, in the order of
 * the segments.
 */
export async function* termsInOrder(index: TermSource, segments: readonly number[]) {
  const readLimit = Math.min(MAX_AHEAD_PER_SEGMENT, Math.ceil(MAX_AHEAD / Math.max(1, segments.length)))
  const readers = segments.map((segment): SegmentReader => ({ segment, rows: [], position: 0, isAtEnd: false }))
  for (;;) {
    await refill(index, readers, readLimit)
    const bound = findReadBound(readers)
    const group = readers.flatMap((reader) => takeUpTo(reader, bound))
    if (group.length === 0) return
    yield group
  }
}

/** Reads postings when a segment has no more to yield. The same read refills all segments that have few left. */
async function refill(index: TermSource, readers: readonly SegmentReader[], readLimit: number): Promise<void> {
  const countLeft = ({ rows, position }: SegmentReader) => rows.length - position
  const openReaders = readers.filter(({ isAtEnd }) => !isAtEnd)
  if (openReaders.every((reader) => countLeft(reader) > 0)) return
  const lowReaders = openReaders.filter((reader) => countLeft(reader) <= readLimit / 2)
  const requests = lowReaders.map(({ segment, rows }) => ({ segment, after: rows.at(-1)?.term ?? '' }))
  const bySegment = Map.groupBy(await index.terms(requests, readLimit), ({ segment }) => segment)
  for (const reader of lowReaders) {
    const moreRows = bySegment.get(reader.segment) ?? []
    reader.rows = [...reader.rows.slice(reader.position), ...moreRows]
    reader.position = 0
    reader.isAtEnd = moreRows.length < readLimit
  }
}

/** The last term that was read in every segment; undefined if all segments were read to their ends. */
function findReadBound(readers: readonly SegmentReader[]): string | undefined {
  const lastRows = readers.flatMap(({ rows, isAtEnd }) => (isAtEnd ? [] : rows.slice(-1)))
  return lastRows.map(({ term }) => term).sort(compareBytes)[0]
}

function takeUpTo(reader: SegmentReader, bound: string | undefined): readonly TermPostings[] {
  const { rows, position } = reader
  let end = bound === undefined ? rows.length : position
  for (let row = rows[end]; bound !== undefined && row && compareBytes(row.term, bound) <= 0; row = rows[end]) end++
  reader.position = end
  return rows.slice(position, end)
}
