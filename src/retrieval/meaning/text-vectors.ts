/**
 * Vectors of passages and of questions, whose cosine tells how near in meaning they are: sums of rows of a table, which are found by
 * the hash of a word. `tools/meaning/train.py` writes the table.
 */

/** Characters of a passage: about 150 words. */
const LEAST_PASSAGE = 500
const MOST_PASSAGE = 900

/** Weight of a whole passage in the vectors of its sentences, which may not say what they are about. */
const CONTEXT = 0.1

const SENTENCE_END = /(?<=[.!?;:])\s+|\n+/

/** Says how much a word of a question tells; undefined where nobody knows, as of a common one. */
export type WordTells = (word: string) => number | undefined

/**
 * The vectors of a passage under its title, one after the other, in bytes of length 127: of the whole, and of each sentence. They
 * depend on the text alone. None where it has no word of the table.
 */
export function passageVectors(table: VectorTable, title: string, text: string): Int8Array {
  const heading = sumOfWords(table, title)
  const said = text.split(SENTENCE_END).map((sentence) => sumOfWords(table, sentence))
  const sentences = said.filter((sum) => sum.some((value) => value !== 0))
  const whole = heading.slice()
  for (const sum of sentences) addTo(whole, sum, 1)
  if (lengthOf(whole) === 0) return new Int8Array(0)
  const around = heading.slice()
  addTo(around, whole, CONTEXT / (1 - CONTEXT))
  const { dimensions } = table
  const bytes = new Int8Array((sentences.length > 1 ? 1 + sentences.length : 1) * dimensions)
  writeUnit(bytes, 0, whole)
  for (let from = dimensions; from < bytes.length; from += dimensions) {
    const sum = sentences[from / dimensions - 1] ?? whole
    addTo(sum, around, 1)
    writeUnit(bytes, from, sum)
  }
  return bytes
}

function writeUnit(bytes: Int8Array, from: number, sum: Float32Array): void {
  const scale = 127 / (lengthOf(sum) || 1)
  for (let at = 0; at < sum.length; at++) bytes[from + at] = Math.round(scale * (sum[at] ?? 0))
}

/** The vector of a question, of length 1; undefined where it has no word of the table. */
export function questionVector(table: VectorTable, question: string, tells: WordTells): Float32Array | undefined {
  const sum = sumOfWords(table, question, tells)
  const length = lengthOf(sum)
  return length === 0 ? undefined : sum.map((value) => value / length)
}

function sumOfWords(table: VectorTable, words: string, tells?: WordTells): Float32Array {
  const sum = new Float32Array(table.dimensions)
  const text = plainLetters(words)
  visitWords(text, (start, end) => {
    const known = tells?.(text.slice(start, end))
    for (const row of table.rowsOf(text, start, end)) table.add(sum, row, known ?? table.weightOf(row))
  })
  return sum
}

function addTo(sum: Float32Array, other: Float32Array, weight: number): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (other[at] ?? 0)
}

function lengthOf(sum: Float32Array): number {
  let squares = 0
  for (let at = 0; at < sum.length; at++) squares += (sum[at] ?? 0) ** 2
  return Math.sqrt(squares)
}

/** Cosine of a question with a whole passage, below which its sentences are not compared. */
const FAR = 0.05

/** The highest cosine of a question with vectors of a passage: 0 to 1. */
export function cosineTo(question: Float32Array, vectors: Int8Array): number {
  let best = 0
  for (let from = 0; from < vectors.length; from += question.length) {
    let sum = 0
    for (let at = 0; at < question.length; at++) sum += (question[at] ?? 0) * (vectors[from + at] ?? 0)
    best = Math.max(best, sum / 127)
    if (best < FAR) break
  }
  return best
}

/** Spans of the passages of a text: cut at the last line end in range, else at a space. */
export function passageCuts(text: string): readonly { readonly start: number; readonly end: number }[] {
  const cuts: { start: number; end: number }[] = []
  for (let start = 0; start < text.length; ) {
    const most = start + MOST_PASSAGE
    let end = text.length
    if (most < text.length) {
      // Only here: to look back further would take time that grows with the square of the text.
      const window = text.slice(start + LEAST_PASSAGE, most + 1)
      const line = window.lastIndexOf('\n')
      const at = line > 0 ? line : window.lastIndexOf(' ')
      end = at > 0 ? start + LEAST_PASSAGE + at : most
    }
    cuts.push({ start, end })
    start = end
  }
  return cuts
}

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

// Words: Latin letters or digits, with camelCase split. As `words_of` of `tools/meaning/train.py`.

type Kind = 'lower' | 'upper' | 'digit' | 'foreign' | 'none'

/** Letters without their accents. */
function plainLetters(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFD').replaceAll(/\p{M}+/gu, '')
}

/** Visits each word of a text of plain letters; a word with other letters than a–z is none. */
export function visitWords(text: string, visit: (start: number, end: number) => void): void {
  let [start, isForeign] = [-1, false]
  let before: Kind = 'none'
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? kindOf(text.charCodeAt(at)) : 'none'
    const isCut =
      kind === 'none' || (kind === 'digit') !== (before === 'digit') || (kind === 'upper' && isCamel(text, at, before))
    if (isCut) {
      if (start >= 0 && !isForeign) visit(start, at)
      start = -1
    }
    if (kind !== 'none' && start < 0) [start, isForeign] = [at, false]
    isForeign ||= kind === 'foreign'
    before = kind
  }
}

/** Whether a capital letter begins a new part of a camelCase name: `fileName`, `XMLFile`. */
function isCamel(text: string, at: number, before: Kind): boolean {
  return before === 'lower' || (before === 'upper' && kindOf(text.charCodeAt(at + 1)) === 'lower')
}

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return 'lower'
  if (code >= 65 && code <= 90) return 'upper'
  if (code >= 48 && code <= 57) return 'digit'
  if (!(code >= 0xc0)) return 'none'
  return (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) ? 'none' : 'foreign'
}
