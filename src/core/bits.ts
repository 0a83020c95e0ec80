/** Whether the bit at an index is set; false without bits. Bit 0 is the lowest of the first byte. */
export function hasBit(bits: Uint8Array | null | undefined, index: number): boolean {
  return bits ? ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0 : false
}

/** A copy of the bits with the bits at `indices` set. `size`: number of bits. */
export function withBits(bits: Uint8Array | null | undefined, indices: Iterable<number>, size: number): Uint8Array {
  const all = new Uint8Array(Math.ceil(size / 8))
  if (bits) all.set(bits)
  for (const index of indices) all[index >> 3] = (all[index >> 3] ?? 0) | (1 << (index & 7))
  return all
}
