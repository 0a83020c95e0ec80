/** Whether the bit at an index is set; false without bits. The first bit of a byte is its lowest. */
export function hasBit(bits: Uint8Array | null | undefined, at: number): boolean {
  return bits ? ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0 : false
}

/** A copy of the bits with further bits set. `size`: number of bits. */
export function withBits(bits: Uint8Array | null | undefined, indices: Iterable<number>, size: number): Uint8Array {
  const all = new Uint8Array(Math.ceil(size / 8))
  if (bits) all.set(bits)
  for (const index of indices) all[index >> 3] = (all[index >> 3] ?? 0) | (1 << (index & 7))
  return all
}
