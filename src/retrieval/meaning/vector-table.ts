/** The table of word vectors: rows of bytes, found by the hash of a word. `tools/meaning/train.py` writes it. */

const MAGIC = 0x31545657
const HEADER = 16

/** States that a hash begins with (FNV-1a): of a whole word, and of a piece inside one. */
const WHOLE = 0x811c9dc5
const INNER = 0x9dc5811c
const PRIME = 0x01000193

export class VectorTable {
  readonly dimensions: number
  readonly #hashes: Uint32Array
  readonly #scales: Float32Array
  readonly #weights: Uint8Array
  readonly #rows: Int8Array
  /** Row + 1 by hash, open addressing; 0 is free. */
  readonly #slots: Uint16Array

  /** @throws RangeError for bytes that are not a table. */
  constructor(bytes: Uint8Array) {
    const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
    const header = new DataView(buffer, byteOffset, byteLength)
    if (header.byteLength < HEADER || header.getUint32(0, true) !== MAGIC) throw new RangeError('Not a table of words.')
    const count = header.getUint32(4, true)
    this.dimensions = header.getUint32(8, true)
    this.#hashes = new Uint32Array(buffer, byteOffset + HEADER, count)
    this.#scales = new Float32Array(buffer, byteOffset + HEADER + 4 * count, count)
    this.#weights = new Uint8Array(buffer, byteOffset + HEADER + 8 * count, count)
    this.#rows = new Int8Array(buffer, byteOffset + HEADER + 9 * count, count * this.dimensions)
    this.#slots = new Uint16Array(1 << 17)
    for (let row = 0; row < count; row++) {
      let slot = this.#firstSlot(this.#hashes[row] ?? 0)
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1)
      this.#slots[slot] = row + 1
    }
  }

  /** How much a row counts in a text: 0 to 1, less for frequent words. */
  weightOf(row: number): number {
    return (this.#weights[row] ?? 0) / 255
  }

  /** Adds a row so many times to a sum. */
  add(sum: Float32Array, row: number, weight: number): void {
    const scale = (this.#scales[row] ?? 0) * weight
    const from = row * this.dimensions
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + scale * (this.#rows[from + at] ?? 0)
  }

  /** Rows of a word of a text: its own, or those of its longest pieces; none where a piece is unknown. */
  rowsOf(text: string, start: number, end: number): readonly number[] {
    const rows: number[] = []
    for (let at = start; at < end; ) {
      let [state, longest, row] = [at === start ? WHOLE : INNER, at, -1]
      for (let next = at; next < end; next++) {
        state = Math.imul(state ^ lowerCode(text.charCodeAt(next)), PRIME)
        const found = this.#find(state >>> 0)
        if (found >= 0) [longest, row] = [next + 1, found]
      }
      if (row < 0) return []
      rows.push(row)
      at = longest
    }
    return rows
  }

  #find(hash: number): number {
    for (let slot = this.#firstSlot(hash); ; slot = (slot + 1) & (this.#slots.length - 1)) {
      const row = (this.#slots[slot] ?? 0) - 1
      if (row < 0 || this.#hashes[row] === hash) return row
    }
  }

  #firstSlot(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1)
  }
}

function lowerCode(code: number): number {
  return code >= 65 && code <= 90 ? code | 32 : code
}
