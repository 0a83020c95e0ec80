/** Converts numbers to bytes for a column, and back; checks a stored segment (a part of the index). */

import { hasBit } from '../../core/bits.ts'

export function bytesOf(numbers: Uint32Array | Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/**
 * The numbers in a column of bytes; none for NULL. @throws Error with the code `Z_DATA_ERROR` if the bytes end within a number.
 */
export function numbersOf(bytes: Uint8Array | null): Uint32Array {
  if (bytes && bytes.length % 4 !== 0) throw Object.assign(new Error('No whole numbers.'), { code: 'Z_DATA_ERROR' })
  // Copies, because a view needs an address that is a multiple of four.
  return bytes ? new Uint32Array(bytes.slice().buffer) : new Uint32Array()
}

export interface SegmentRow {
  readonly id: number
  readonly docs: number
  readonly ids: Uint8Array | null
  readonly body_lengths: Uint8Array | null
  readonly title_lengths: Uint8Array | null
  readonly live_docs: number
  readonly live_body: number
  readonly live_title: number
  readonly dead: Uint8Array | null
}

/**
 * Returns a sentence for each problem of a segment. Removes the documents of the segment from `missing`, the ids of
 * documents that no checked segment contains.
 */
export function brokenSegment(row: SegmentRow, missing: Set<number>): string[] {
  if ([row.ids, row.body_lengths, row.title_lengths].some((list) => list?.length !== 4 * row.docs)) {
    return [`Segment ${row.id} does not have the number of documents that it records (${row.docs}).`]
  }
  const [bodies, titles] = [numbersOf(row.body_lengths), numbersOf(row.title_lengths)]
  let [docs, body, title, strangeCount] = [0, 0, 0, 0]
  for (const [index, id] of numbersOf(row.ids).entries()) {
    if (hasBit(row.dead, index)) continue
    docs++
    body += bodies[index] ?? 0
    title += titles[index] ?? 0
    if (!missing.delete(id)) strangeCount++
  }
  const isCountRight = docs === row.live_docs && body === row.live_body && title === row.live_title
  return [
    ...(isCountRight ? [] : [`Segment ${row.id} has a wrong count of documents (${row.live_docs}) or of their words.`]),
    ...(strangeCount > 0 ? [`Segment ${row.id} has documents that are gone or elsewhere: ${strangeCount}.`] : []),
  ]
}
