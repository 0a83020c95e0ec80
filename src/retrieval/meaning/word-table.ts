/** Reads the table of word vectors that `tools/meaning/train.py` writes, and finds the rows for the words of a text. */

const MAGIC = 0x31545657
const HEADER = 16

/** Initial states of the hash (FNV-1a) of a piece at the start of a word, and of a piece inside a word. */
const WORD_START_STATE = 0x811c9dc5
const INNER_STATE = 0x9dc5811c
const FNV_PRIME = 0x01000193

/** Maximum letters of a word or piece, as in `choose_rows` of `tools/meaning/train.py`. */
const MAX_PIECE_LETTERS = 24

export class VectorTable {
  readonly dimensions: number
  /** Number of rows. */
  readonly count: number
  readonly #hashes: Uint32Array
  readonly #scales: Float32Array
  readonly #weights: Uint8Array
  /** Four signed bytes in each number, which halves the time to read them. */
  readonly #rows: Int32Array
  /** Hash table with open addressing: row + 1; 0 for a free slot. */
  readonly #slots: Uint16Array
  /** For each row: the product with the question that needed the row last, and the number of that question. */
  readonly #products: Float32Array
  readonly #questions: Float64Array
  #lastQuestion = 0
  /** Hashes of the prefixes of a word, by length - 1. */
  readonly #prefixHashes = new Int32Array(MAX_PIECE_LETTERS)

  /** @throws RangeError for bytes that are not a table. */
  constructor(bytes: Uint8Array) {
    const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
    const header = new DataView(buffer, byteOffset, byteLength)
    if (header.byteLength < HEADER || header.getUint32(0, true) !== MAGIC) throw new RangeError('Not a table of words.')
    const count = header.getUint32(4, true)
    this.count = count
    this.dimensions = header.getUint32(8, true)
    this.#products = new Float32Array(count)
    this.#questions = new Float64Array(count)
    this.#hashes = new Uint32Array(buffer, byteOffset + HEADER, count)
    this.#scales = new Float32Array(buffer, byteOffset + HEADER + 4 * count, count)
    this.#weights = new Uint8Array(buffer, byteOffset + HEADER + 8 * count, count)
    this.#rows = new Int32Array(buffer, byteOffset + HEADER + 9 * count, (count * this.dimensions) / 4)
    this.#slots = new Uint16Array(1 << 17)
    for (let row = 0; row < count; row++) {
      let slot = this.#firstSlot(this.#hashes[row] ?? 0)
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1)
      this.#slots[slot] = row + 1
    }
  }

  /** Weight of a row in a text: 0 to 1, lower for frequent words. */
  weightOf(row: number): number {
    return (this.#weights[row] ?? 0) / 255
  }

  /** Adds a row, multiplied by `factor`, to the vector at `from`. Default: its weight in a text. */
  addRow(vectors: Float64Array, from: number, row: number, factor = this.weightOf(row)): void {
    const rows = this.#rows
    const scale = (this.#scales[row] ?? 0) * factor
    let next = (row * this.dimensions) >> 2
    for (let at = from; at < from + this.dimensions; at += 4) {
      const four = rows[next++] ?? 0
      vectors[at] = (vectors[at] ?? 0) + scale * ((four << 24) >> 24)
      vectors[at + 1] = (vectors[at + 1] ?? 0) + scale * ((four << 16) >> 24)
      vectors[at + 2] = (vectors[at + 2] ?? 0) + scale * ((four << 8) >> 24)
      vectors[at + 3] = (vectors[at + 3] ?? 0) + scale * (four >> 24)
    }
  }

  /**
   * Returns a function that multiplies a question with a row, weighted as in a text. All questions share one array of
   * products, because an array for each question would be freed late. The array rounds products, so a new product is
   * read back from the array: a text has the same sum at each visit.
   */
  productsWith(question: Float64Array): (row: number) => number {
    const number = ++this.#lastQuestion
    return (row) => {
      if (this.#questions[row] !== number) {
        this.#questions[row] = number
        this.#products[row] = this.#productOf(question, row)
      }
      return this.#products[row] ?? 0
    }
  }

  #productOf(vector: Float64Array, row: number): number {
    const rows = this.#rows
    let next = (row * this.dimensions) >> 2
    let sum = 0
    for (let at = 0; at < this.dimensions; at += 4) {
      const four = rows[next++] ?? 0
      sum += (vector[at] ?? 0) * ((four << 24) >> 24) + (vector[at + 1] ?? 0) * ((four << 16) >> 24)
      sum += (vector[at + 2] ?? 0) * ((four << 8) >> 24) + (vector[at + 3] ?? 0) * (four >> 24)
    }
    return sum * (this.#scales[row] ?? 0) * this.weightOf(row)
  }

  /** Appends to `rows` the row number of a word, or those of the longest pieces of the word in the table. */
  appendRows(rows: number[], text: string, start: number, end: number): void {
    const hashes = this.#prefixHashes
    for (let at = start; at < end; ) {
      const maxLength = Math.min(end - at, MAX_PIECE_LETTERS)
      let hash = at === start ? WORD_START_STATE : INNER_STATE
      for (let letter = 0; letter < maxLength; letter++) {
        // Converts a letter to lower case, and does not change a digit.
        hash = Math.imul(hash ^ (text.charCodeAt(at + letter) | 32), FNV_PRIME)
        hashes[letter] = hash
      }
      let length = maxLength
      let row = -1
      while (length > 0 && row < 0) row = this.#find((hashes[--length] ?? 0) >>> 0)
      if (row >= 0) rows.push(row)
      at += length + 1
    }
  }

  /** Whether a word of small letters has a row of its own. */
  hasWord(word: string): boolean {
    const rows: number[] = []
    if (/^[a-z]{1,24}$/.test(word)) this.appendRows(rows, word, 0, word.length)
    return rows.length === 1
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

// Words are Latin letters or digits, with camelCase split, as in `words_of` of `tools/meaning/train.py`.

/** The text with letters without their accents. */
export function plainLetters(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFD').replaceAll(/\p{M}+/gu, '')
}

const NONE = 0
const LOWER = 1
const UPPER = 2
const DIGIT = 3
const FOREIGN = 4

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code)
  if (/[a-z]/.test(letter)) return LOWER
  if (/[A-Z]/.test(letter)) return UPPER
  return /\d/.test(letter) ? DIGIT : NONE
})

/** Visits each word of a text of plain letters. Skips words with other letters than a–z. */
export function visitWords(text: string, visit: (start: number, end: number) => void): void {
  let start = -1
  let isForeign = false
  let before = NONE
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? kindOf(text.charCodeAt(at)) : NONE
    const isCut =
      kind === NONE || (kind === DIGIT) !== (before === DIGIT) || (kind === UPPER && startsCamelPart(text, at, before))
    if (isCut) {
      if (start >= 0 && !isForeign) visit(start, at)
      start = -1
    }
    if (kind !== NONE && start < 0) {
      start = at
      isForeign = false
    }
    isForeign ||= kind === FOREIGN
    before = kind
  }
}

/** Whether a capital letter begins a new part of a camelCase name: `fileName`, `XMLFile`. */
function startsCamelPart(text: string, at: number, before: number): boolean {
  return before === LOWER || (before === UPPER && kindOf(text.charCodeAt(at + 1)) === LOWER)
}

function kindOf(code: number): number {
  if (code < ASCII.length) return ASCII[code] ?? NONE
  if (!(code >= 0xc0)) return NONE
  return (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) ? NONE : FOREIGN
}
