/** Reads several segments from end to end, side by side: term by term, and each posting once. */

import type { IndexStore, TermPostings } from '../../stores/store.ts'

/** Postings that are read ahead, of all segments together; half as many more may be held for a moment. */
const MOST_AHEAD = 32_768
/** And of one segment: those of a large one are long. */
const MOST_OF_ONE = 4_000

/** A segment on the way to its end. */
interface SegmentReader {
  readonly segment: number
  /** Read, and not given yet from `at` on. */
  rows: readonly TermPostings[]
  at: number
  isAtEnd: boolean
}

/**
 * All postings of these segments, in groups: whatever there is of a term is in one group, in the order of the segments as
 * they are given, and no group has terms before those of the group before.
 */
export async function* termsInOrder(
  index: Pick<IndexStore, 'terms'>,
  segments: readonly number[],
): AsyncGenerator<readonly TermPostings[]> {
  const most = Math.min(MOST_OF_ONE, Math.ceil(MOST_AHEAD / Math.max(1, segments.length)))
  const readers = segments.map((segment): SegmentReader => ({ segment, rows: [], at: 0, isAtEnd: false }))
  for (;;) {
    await refill(index, readers, most)
    const bound = leastOfLast(readers)
    const group = readers.flatMap((reader) => takeUpTo(reader, bound))
    if (group.length === 0) return
    yield group
  }
}

/** Reads on where all has been given, and at once where little is left: so that many segments are not asked one by one. */
async function refill(
  index: Pick<IndexStore, 'terms'>,
  readers: readonly SegmentReader[],
  most: number,
): Promise<void> {
  const leftOf = ({ rows, at }: SegmentReader) => rows.length - at
  const open = readers.filter(({ isAtEnd }) => !isAtEnd)
  if (open.every((reader) => leftOf(reader) > 0)) return
  const low = open.filter((reader) => leftOf(reader) <= most / 2)
  const wanted = low.map(({ segment, rows }) => ({ segment, after: rows.at(-1)?.term ?? '' }))
  const bySegment = Map.groupBy(await index.terms(wanted, most), ({ segment }) => segment)
  for (const reader of low) {
    const more = bySegment.get(reader.segment) ?? []
    reader.rows = [...reader.rows.slice(reader.at), ...more]
    reader.at = 0
    reader.isAtEnd = more.length < most
  }
}

/** So far, every segment is known; undefined where all are known to their ends. */
function leastOfLast(readers: readonly SegmentReader[]): string | undefined {
  const lasts = readers.flatMap(({ rows, isAtEnd }) => (isAtEnd ? [] : rows.slice(-1)))
  return lasts.map(({ term }) => term).reduce<string | undefined>((least, term) => leastOf(term, least), undefined)
}

function leastOf(term: string, least: string | undefined): string {
  return least === undefined || isAfter(least, term) ? term : least
}

/** What comes up to the bound. */
function takeUpTo(reader: SegmentReader, bound: string | undefined): readonly TermPostings[] {
  const { rows, at } = reader
  let end = bound === undefined ? rows.length : at
  for (let row = rows[end]; bound !== undefined && row && !isAfter(row.term, bound); row = rows[end]) end++
  reader.at = end
  return rows.slice(at, end)
}

/** By bytes of UTF-8, as databases compare: as by code points, which is another order than that of UTF-16. */
function isAfter(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (a !== b) return heightOf(a) > heightOf(b)
  }
  return one.length > other.length
}

/** Halves of a pair stand for what comes after all others. */
function heightOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
