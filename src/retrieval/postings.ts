/**
 * The documents with one term, as bytes. For the body and then for the title: the number of documents, and for each the
 * distance from the one before, doubled, plus one if the term occurs more than once; then the count. All numbers are varints.
 * Documents are counted from 0 within their segment.
 */

/** The documents of one term. */
export interface DecodedPostings {
  /** Number of entries of the body in `docs` and `counts`; entries of the title follow. */
  body: number
  title: number
  docs: Uint32Array
  /** Number of occurrences in the document at the same index. */
  counts: Uint32Array
}

/** The documents of one field, ascending, with the number of occurrences in each. */
export interface Field {
  readonly docs: ArrayLike<number>
  readonly counts: ArrayLike<number>
  readonly from: number
  readonly to: number
}

/** A growing buffer for writing. */
export class Bytes {
  #bytes = new Uint8Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  varint(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow()
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2)
    larger.set(this.#bytes)
    this.#bytes = larger
  }

  /** Returns the written bytes, and empties the buffer. */
  taken(): Uint8Array {
    // Small buffers share memory: most of the very many terms are rare.
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    return taken
  }
}

export function writePostings(body: Field, title: Field, into: Bytes): void {
  writeField(body, into)
  writeField(title, into)
}

export function encodePostings(body: Field, title: Field, into: Bytes): Uint8Array {
  writePostings(body, title, into)
  return into.taken()
}

function writeField({ docs, counts, from, to }: Field, into: Bytes): void {
  into.varint(to - from)
  let last = 0
  for (let at = from; at < to; at++) {
    const doc = docs[at] ?? 0
    const count = counts[at] ?? 1
    // Multiplied, not shifted, because an overflow of the sign would be silent.
    into.varint((doc - last) * 2 + (count > 1 ? 1 : 0))
    if (count > 1) into.varint(count)
    last = doc
  }
}

export function decodePostings(bytes: Uint8Array): DecodedPostings {
  // A posting takes at least one byte.
  const into = { body: 0, title: 0, docs: new Uint32Array(bytes.length), counts: new Uint32Array(bytes.length) }
  let at = 0
  let filled = 0
  for (const name of ['body', 'title'] as const) {
    let number = 0
    let shift = 0
    let byte = 128
    while (byte & 128) {
      byte = bytes[at++] ?? 0
      number |= (byte & 127) << shift
      shift += 7
    }
    // Damaged bytes must not be read past their end.
    number = Math.max(0, Math.min(number >>> 0, bytes.length - at))
    into[name] = number
    at = decodeField(bytes, at, { into, from: filled, to: filled + number })
    filled += number
  }
  return into
}

function decodeField(
  bytes: Uint8Array,
  start: number,
  range: { into: DecodedPostings; from: number; to: number },
): number {
  const { docs, counts } = range.into
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
