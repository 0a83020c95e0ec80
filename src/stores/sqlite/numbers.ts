/** Whole numbers of 32 bits as they lie in memory: read without a look at each. */
export function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

export function numbersOf(bytes: Uint8Array | null): Uint32Array {
  // A view needs an address that is a multiple of four.
  return bytes ? new Uint32Array(bytes.slice().buffer) : new Uint32Array()
}

/** The bits, with some more set. `size`: how many there are in all. */
export function withBits(bits: Uint8Array | null, indices: readonly number[], size: number): Uint8Array {
  const all = new Uint8Array((size + 7) >> 3)
  if (bits) all.set(bits)
  for (const index of indices) all[index >> 3] = (all[index >> 3] ?? 0) | (1 << (index & 7))
  return all
}

export function hasBit(bits: Uint8Array | null, index: number): boolean {
  return ((bits?.[index >> 3] ?? 0) & (1 << (index & 7))) !== 0
}
