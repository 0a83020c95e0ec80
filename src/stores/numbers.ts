/** Numbers as they lie in memory: read without a look at each. */
export function bytesOf(numbers: Uint32Array | Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** @throws Error with the code of what is damaged, as of texts, for what are no whole numbers. */
export function numbersOf(bytes: Uint8Array | null): Uint32Array {
  if (bytes && bytes.length % 4 !== 0) throw Object.assign(new Error('No whole numbers.'), { code: 'Z_DATA_ERROR' })
  // A view needs an address that is a multiple of four.
  return bytes ? new Uint32Array(bytes.slice().buffer) : new Uint32Array()
}
