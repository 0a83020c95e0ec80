/** Vectors of one model by their bits, one after the other. */
export interface BitTable {
  readonly bits: Uint32Array
  /** A bit for each vector that counts. Default: all. */
  readonly allowed?: Uint8Array | undefined
}

/**
 * Which vectors have the most bits in common with these: `most` where there are so many, and those that tie with the last
 * of them, the first ones up to as many again. Ascending. A look at all, which for 100,000 takes some milliseconds.
 */
export function nearestByBits({ bits, allowed }: BitTable, wanted: Uint32Array, most: number): number[] {
  const words = wanted.length
  const count = words === 0 ? 0 : bits.length / words
  const distances = new Uint16Array(count)
  /** How many vectors are so far away. */
  const byDistance = new Uint32Array(32 * words + 1)
  for (let at = 0; at < count; at++) {
    const distance = isAllowed(allowed, at) ? distanceAt(bits, at * words, wanted) : FAR
    distances[at] = distance
    if (distance !== FAR) byDistance[distance] = (byDistance[distance] ?? 0) + 1
  }
  const { limit, nearer } = cutoffDistance(byDistance, most)
  let ties = 2 * most - nearer
  const near: number[] = []
  for (let at = 0; at < count; at++) {
    const distance = distances[at] ?? FAR
    if (distance < limit || (distance === limit && ties-- > 0)) near.push(at)
  }
  return near
}

const FAR = 0xffff

function isAllowed(allowed: Uint8Array | undefined, at: number): boolean {
  return allowed === undefined || ((allowed[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
}

function distanceAt(bits: Uint32Array, from: number, wanted: Uint32Array): number {
  let distance = 0
  for (let at = 0; at < wanted.length; at++) distance += ones((bits[from + at] ?? 0) ^ (wanted[at] ?? 0))
  return distance
}

/** How many bits are 1: in pairs, in fours, in bytes, and then all bytes summed by a product. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The distance within which so many lie, or all; and how many are nearer than that. */
function cutoffDistance(byDistance: Uint32Array, most: number): { readonly limit: number; readonly nearer: number } {
  let nearer = 0
  for (const [limit, number] of byDistance.entries()) {
    if (nearer + number >= most) return { limit, nearer }
    nearer += number
  }
  return { limit: byDistance.length, nearer }
}
