/**
 * A vector in few bytes: a byte for each dimension, and a bit. The bits, which are compared many millions in a second,
 * tell which vectors are worth a closer look; the bytes then give nearly the angle that the numbers would.
 */

export interface PackedVector {
  /** The vector, scaled so that its largest number is 127. */
  readonly bytes: Int8Array
  /** Whether each dimension is above 0, the first in the lowest bit; whole 32 bits, the last filled up with 0. */
  readonly bits: Uint32Array
}

/** @throws RangeError for a vector that has no direction: without dimensions, all 0, or with what is no number. */
export function packed(vector: ArrayLike<number>): PackedVector {
  let largest = 0
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at] ?? Number.NaN))
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) throw new RangeError('The vector has no direction.')
  return { bytes: Int8Array.from(vector, (value) => Math.round((127 * value) / largest)), bits: bitsOf(vector) }
}

/** Numbers of 32 bits that the bits of a vector take. */
export function wordsOf(dimensions: number): number {
  return (dimensions + 31) >> 5
}

/** As in `PackedVector`. */
export function bitsOf(vector: ArrayLike<number>): Uint32Array {
  const bits = new Uint32Array(wordsOf(vector.length))
  for (let at = 0; at < vector.length; at++) {
    if ((vector[at] ?? 0) > 0) bits[at >> 5] = (bits[at >> 5] ?? 0) | (1 << (at & 31))
  }
  return bits
}

/** The cosine of the angle between them: -1 to 1. Lengths that differ are the caller's mistake. */
export function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [dot, a, b] = [0, 0, 0]
  for (let at = 0; at < one.length; at++) {
    const [x, y] = [one[at] ?? 0, other[at] ?? 0]
    dot += x * y
    a += x * x
    b += y * y
  }
  return a === 0 || b === 0 ? 0 : dot / Math.sqrt(a * b)
}
