/** Builds a segment: an immutable part of the index, for some documents. */

import { byCodeUnit } from '../text/paths.ts'
import { ByteWriter, writePostings } from './postings.ts'
import { createTrigramScanner, INDEXED } from './substrings.ts'
import { composeText, scanTerms, type TermListener, type TermsOfWord, wordsEpoch } from './terms.ts'

/** The texts of a document to index. */
export interface IndexedDocument {
  readonly title: string
  /** Relative to its collection. */
  readonly path: string
  readonly body: string
  /** Further names, which are indexed like the title, but do not count in its length. Default: none. */
  readonly names?: readonly string[] | undefined
  /** Whether substrings of the body are indexed. Default: false. */
  readonly hasSubstrings?: boolean | undefined
}

/** A segment before it is stored. Its documents are counted from 0, in the order of their addition. */
export interface NewSegment {
  readonly docs: number
  /** By document: number of words in the body, and in title and path together. */
  readonly bodyLengths: Uint32Array
  readonly titleLengths: Uint32Array
  /** The terms, ascending by code unit. */
  readonly terms: readonly string[]
  /** Postings of all terms in one buffer, which can be transferred to another thread. */
  readonly postings: Uint8Array<ArrayBuffer>
  /** For each term: the offset after its postings. */
  readonly ends: Uint32Array
}

export function* postingsIn({ terms, postings, ends }: NewSegment) {
  for (const [index, term] of terms.entries())
    yield [term, postings.subarray(ends[index - 1] ?? 0, ends[index])] as const
}

const BODY = 0
const TITLE = 1

export class SegmentBuilder {
  readonly #ids = new Map<string, number>()
  /** By the number of a cached word (`TermsOfWord.number`): the id of its main term + 1; 0 if unknown. */
  #idsByWord = new Uint32Array(65_536)
  #epoch = wordsEpoch()
  /**
   * The postings in the order of the documents, three numbers each: the id of the term; twice the number of the
   * document, plus 1 for a title; and the count.
   */
  #log = new Uint32Array(3 * 65_536)
  #logLength = 0
  readonly #lengths: [body: number[], title: number[]] = [[], []]
  /** Count of each term in the current field. */
  #counts = new Uint32Array(65_536)
  /** The terms of the current field, by their ids. */
  readonly #fieldTerms: number[] = []
  /** Number of words in the current field. */
  #fieldLength = 0
  #scanTrigrams: ReturnType<typeof createTrigramScanner> | undefined
  readonly #listener: TermListener = {
    main: (term, _start, _end, terms) => {
      this.#fieldLength++
      this.#count(terms ? this.#idOfTerms(terms) : this.#idOf(term))
    },
    extra: (term) => this.#count(this.#idOf(term)),
  }

  get docs(): number {
    return this.#lengths[BODY].length
  }

  /** Adds a document. Documents are numbered from 0. */
  add({ title, path, body, names = [], hasSubstrings }: IndexedDocument): void {
    const doc = this.docs
    scanTerms(composeText(body), this.#listener)
    if (hasSubstrings) this.#addTrigrams(body)
    this.#finishField(doc, BODY)
    scanTerms(composeText(title), this.#listener)
    scanTerms(composeText(path), this.#listener)
    const titleLength = this.#fieldLength
    for (const name of names) scanTerms(composeText(name), this.#listener)
    this.#fieldLength = titleLength
    this.#finishField(doc, TITLE)
  }

  #addTrigrams(body: string): void {
    this.#scanTrigrams ??= createTrigramScanner((term) => this.#idOf(term))
    this.#countOnce(this.#idOf(INDEXED))
    this.#scanTrigrams(body, (id) => this.#countOnce(id))
  }

  #idOfTerms({ main, number }: TermsOfWord): number {
    if (number < 0) return this.#idOf(main)
    if (this.#epoch !== wordsEpoch()) {
      this.#idsByWord.fill(0)
      this.#epoch = wordsEpoch()
    }
    const known = this.#idsByWord[number] ?? 0
    if (known > 0) return known - 1
    while (number >= this.#idsByWord.length) this.#idsByWord = enlargeArray(this.#idsByWord)
    const id = this.#idOf(main)
    this.#idsByWord[number] = id + 1
    return id
  }

  #idOf(term: string): number {
    const known = this.#ids.get(term)
    if (known !== undefined) return known
    const id = this.#ids.size
    this.#ids.set(term, id)
    if (id >= this.#counts.length) this.#counts = enlargeArray(this.#counts)
    return id
  }

  #count(id: number): void {
    const count = this.#counts[id] ?? 0
    if (count === 0) this.#fieldTerms.push(id)
    this.#counts[id] = count + 1
  }

  /** Counts a term at most once in a field. */
  #countOnce(id: number): void {
    if ((this.#counts[id] ?? 0) === 0) this.#count(id)
  }

  #finishField(doc: number, field: 0 | 1): void {
    this.#lengths[field].push(this.#fieldLength)
    this.#fieldLength = 0
    while (this.#logLength + 3 * this.#fieldTerms.length > this.#log.length) this.#log = enlargeArray(this.#log)
    for (const id of this.#fieldTerms) {
      this.#log[this.#logLength++] = id
      this.#log[this.#logLength++] = doc * 2 + field
      this.#log[this.#logLength++] = this.#counts[id] ?? 0
      this.#counts[id] = 0
    }
    this.#fieldTerms.length = 0
  }

  /** The segment of the documents added since the last call. The builder keeps its memory for the next segment. */
  finish(): NewSegment {
    const sorted = sortByTerm(this.#log.subarray(0, this.#logLength), this.#ids.size)
    const ids = [...this.#ids].sort(([a], [b]) => byCodeUnit(a, b))
    const bytes = new ByteWriter()
    const ends = Uint32Array.from(ids, ([, id]) => {
      sorted.write(id, bytes)
      return bytes.length
    })
    const segment = {
      docs: this.docs,
      bodyLengths: Uint32Array.from(this.#lengths[BODY]),
      titleLengths: Uint32Array.from(this.#lengths[TITLE]),
      terms: ids.map(([term]) => term),
      postings: new Uint8Array(bytes.takeBytes()),
      ends,
    }
    this.#clear()
    return segment
  }

  #clear(): void {
    this.#ids.clear()
    this.#idsByWord.fill(0)
    this.#scanTrigrams = undefined
    this.#logLength = 0
    for (const lengths of this.#lengths) lengths.length = 0
  }
}

function enlargeArray(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  return new Uint32Array(array.buffer.transfer(array.byteLength * 2))
}

/** Sorts the log by term, with a counting sort, which does not change the order of the documents of a term. */
function sortByTerm(log: Uint32Array, terms: number) {
  const starts = new Uint32Array(2 * terms + 1)
  // The body and the title of a term are separate lists, one after the other.
  const slotAt = (at: number) => 2 * (log[at] ?? 0) + ((log[at + 1] ?? 0) & 1)
  for (let at = 0; at < log.length; at += 3) starts[slotAt(at) + 1] = (starts[slotAt(at) + 1] ?? 0) + 1
  for (let slot = 1; slot < starts.length; slot++) starts[slot] = (starts[slot] ?? 0) + (starts[slot - 1] ?? 0)
  const next = starts.slice()
  const docs = new Uint32Array(log.length / 3)
  const counts = new Uint32Array(log.length / 3)
  for (let at = 0; at < log.length; at += 3) {
    const slot = slotAt(at)
    const place = next[slot] ?? 0
    next[slot] = place + 1
    docs[place] = (log[at + 1] ?? 0) >>> 1
    counts[place] = log[at + 2] ?? 1
  }
  const field = (slot: number) => ({ docs, counts, from: starts[slot] ?? 0, to: starts[slot + 1] ?? 0 })
  return { write: (id: number, bytes: ByteWriter) => writePostings(field(2 * id), field(2 * id + 1), bytes) }
}
