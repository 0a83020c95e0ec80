/**
 * Encodes postings: the documents that contain a term, with the numbers of its occurrences. The bytes hold the postings
 * of the body, then of the title. Each of the two begins with its number of documents. For each document follows twice
 * the distance from the previous document, plus 1 if the term occurs more than once; in this case, the number of
 * occurrences follows. All numbers are varints. Documents are numbered from 0 within a segment (a part of the index).
 */

/** The postings of one term. */
export interface DecodedPostings {
  /** Number of entries of the body in `docs` and `counts`; entries of the title follow. */
  body: number
  title: number
  docs: Uint32Array
  /** Number of occurrences in the document at the same index. */
  counts: Uint32Array
}

/** The documents of one field, ascending, with the number of occurrences in each. */
export interface FieldPostings {
  readonly docs: ArrayLike<number>
  readonly counts: ArrayLike<number>
  /** Indices in `docs` and `counts`: the first, and the one after the last. */
  readonly from: number
  readonly to: number
}

/** A buffer that grows as numbers are written to it. */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  writeVarint(value: number): void {
    if (this.#length + 5 > this.#bytes.length)
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(this.#bytes.length * 2))
    let remaining = value
    while (remaining > 127) {
      this.#bytes[this.#length++] = (remaining & 127) | 128
      remaining >>>= 7
    }
    this.#bytes[this.#length++] = remaining
  }

  /** Returns the written bytes, and empties the buffer. */
  takeBytes(): Uint8Array {
    // `Buffer.from` takes small buffers from a shared pool, which saves memory: there are very many terms, and most are rare.
    const written = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    return written
  }
}

export function writePostings(body: FieldPostings, title: FieldPostings, output: ByteWriter): void {
  writeField(body, output)
  writeField(title, output)
}

export function encodePostings(body: FieldPostings, title: FieldPostings, output: ByteWriter): Uint8Array {
  writePostings(body, title, output)
  return output.takeBytes()
}

function writeField({ docs, counts, from, to }: FieldPostings, output: ByteWriter): void {
  output.writeVarint(to - from)
  let last = 0
  for (let at = from; at < to; at++) {
    const doc = docs[at] ?? 0
    const count = counts[at] ?? 1
    // `* 2`, because a shift would make a large number negative.
    output.writeVarint((doc - last) * 2 + (count > 1 ? 1 : 0))
    if (count > 1) output.writeVarint(count)
    last = doc
  }
}

/** Reads the numbers that `ByteWriter` wrote; after the end, each number is 0. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, start = 0) {
    this.#bytes = bytes
    this.#at = start
  }

  readVarint(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] ?? 0
      if (byte < 128) return (value | (byte << shift)) >>> 0
      value |= (byte & 127) << shift
    }
  }
}

export function decodePostings(bytes: Uint8Array): DecodedPostings {
  // A posting takes at least one byte, so there are no more postings than bytes.
  const decoded = { body: 0, title: 0, docs: new Uint32Array(bytes.length), counts: new Uint32Array(bytes.length) }
  let at = 0
  let entryCount = 0
  for (const field of ['body', 'title'] as const) {
    let count = 0
    for (let [shift, byte] = [0, 128]; byte & 128; shift += 7) {
      byte = bytes[at++] ?? 0
      count |= (byte & 127) << shift
    }
    // Damaged bytes must not be read past their end.
    count = Math.max(0, Math.min(count >>> 0, bytes.length - at))
    decoded[field] = count
    at = decodeField(bytes, at, { decoded, from: entryCount, to: entryCount + count })
    entryCount += count
  }
  return decoded
}

function decodeField(bytes: Uint8Array, start: number, range: { decoded: DecodedPostings; from: number; to: number }) {
  const { docs, counts } = range.decoded
  let at = start
  let doc = 0
  for (let index = range.from; index < range.to; index++) {
    let byte = bytes[at++] ?? 0
    let value = byte & 127
    for (let shift = 7; byte & 128; shift += 7) {
      byte = bytes[at++] ?? 0
      value |= (byte & 127) << shift
    }
    doc += value >>> 1
    let count = 1
    if (value & 1) {
      byte = bytes[at++] ?? 0
      count = byte & 127
      for (let shift = 7; byte & 128; shift += 7) {
        byte = bytes[at++] ?? 0
        count |= (byte & 127) << shift
      }
    }
    docs[index] = doc
    counts[index] = count
  }
  return at
}
