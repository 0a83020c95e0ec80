/** Whether the bit at an index is set, the first of a byte being its lowest. Where there are no bits, none is. */
export function hasBit(bits: Uint8Array | null | undefined, at: number): boolean {
  return bits ? ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0 : false
}

/** The bits, with some more set. `size`: how many there are in all. */
export function withBits(bits: Uint8Array | null | undefined, indices: Iterable<number>, size: number): Uint8Array {
  const all = new Uint8Array((size + 7) >> 3)
  if (bits) all.set(bits)
  for (const index of indices) all[index >> 3] = (all[index >> 3] ?? 0) | (1 << (index & 7))
  return all
}
