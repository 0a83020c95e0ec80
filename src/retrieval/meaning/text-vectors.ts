/**
 * Compares passages with a question by the cosine of sums of word vectors. A text is stored as row numbers of the table
 * of word vectors, so that the vector of a question is multiplied once with each row instead of with each passage.
 */

import { plainLetters, type VectorTable, visitWords } from './word-table.ts'

/** Minimum and maximum characters of a passage: about 150 words. */
const MIN_PASSAGE = 500
const MAX_PASSAGE = 900

/** Weight of the whole passage in the vector of each sentence, because a sentence may not name its subject. */
const CONTEXT_WEIGHT = 0.1 / 0.9

/** Below this cosine of a question with a whole passage, its sentences are not compared. */
const MIN_PASSAGE_COSINE = 0.05

/** The weight of a word of a question; undefined for a word without a weight, such as a stop word. */
export type IdfOf = (word: string) => number | undefined

/** The position of a passage in its text, in UTF-16 units. */
export type PassageSpan = Readonly<Record<'start' | 'end', number>>

/** A passage. `from`, `to`: its first sentence, and the sentence after its last. `firstLength`: index in `lengths`. */
interface PassageRows extends PassageSpan {
  readonly from: number
  readonly to: number
  readonly firstLength: number
}

export type PassageTest = (passage: PassageSpan) => boolean

/** A text as row numbers of the table. The rows depend only on the text and its title. */
export interface TextRows {
  /** Rows of the title, then of all sentences. Sentences without a row are left out. */
  readonly rows: Uint16Array
  /**
   * The start of each sentence in `rows`, and the end of the last sentence; then `PASSAGE_SIZE` numbers for each
   * passage. One array takes less memory than two.
   */
  readonly positions: Uint32Array
  /** Number of sentences. */
  readonly sentences: number
  /** Lengths of the vectors of each passage: of the whole passage, then of each sentence. Computed when first needed; 0 before. */
  readonly lengths: Float32Array
}

/** A passage in `positions`: its start and end in the text, the index of its first sentence, and the index after its last sentence. */
const PASSAGE_SIZE = 4

/** The rows of a title and a text. `cuts`: the passages to read. Default: all passages of the text. */
export function readRows(table: VectorTable, title: string, text: string, cuts = passageCuts(text)): TextRows {
  const rows: number[] = []
  readSentences(table, title, { rows, bounds: [] })
  const bounds = [rows.length]
  const passages = cuts.flatMap(({ start, end }) => {
    const from = bounds.length - 1
    readSentences(table, text.slice(start, end), { rows, bounds })
    return [start, end, from, bounds.length - 1]
  })
  const sentences = bounds.length - 1
  return {
    rows: new Uint16Array(rows),
    positions: new Uint32Array([...bounds, ...passages]),
    sentences,
    lengths: new Float32Array(cuts.length + sentences),
  }
}

/** The passages of a text. */
export function spansOfRows({ positions, sentences }: TextRows): PassageRows[] {
  const passages: PassageRows[] = []
  for (let at = sentences + 1; at < positions.length; at += PASSAGE_SIZE) {
    const from = positions[at + 2] ?? 0
    const span = { start: positions[at] ?? 0, end: positions[at + 1] ?? 0, from, to: positions[at + 3] ?? 0 }
    passages.push({ ...span, firstLength: from + passages.length })
  }
  return passages
}

interface SentenceRows {
  readonly rows: number[]
  readonly bounds: number[]
}

function readSentences(table: VectorTable, text: string, { rows, bounds }: SentenceRows): void {
  const plain = plainLetters(text)
  let lastEnd = 0
  const endSentence = () => {
    if (rows.length > (bounds.at(-1) ?? 0)) bounds.push(rows.length)
  }
  visitWords(plain, (start, end) => {
    if (endsSentence(plain, lastEnd, start)) endSentence()
    table.appendRows(rows, plain, start, end)
    lastEnd = end
  })
  endSentence()
}

/** Whether a line or a sentence ends between two words. */
function endsSentence(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (at + 1 < to && '.!?;:'.includes(text.charAt(at)) && text.charCodeAt(at + 1) <= 32)) return true
  }
  return false
}

/** Minimum share of English letters and digits in a question. The table has too few words of other languages. */
const MIN_ENGLISH_LETTERS = 0.8

/** The vector of a question, of length 1; undefined if no word is in the table, or if too few letters are English. */
export function questionVector(table: VectorTable, question: string, idfOf: IdfOf): Float64Array | undefined {
  const letters = question.match(/[\p{L}\p{N}]/gu)?.join('') ?? ''
  if (letters.replaceAll(/[^a-z0-9]/gi, '').length < MIN_ENGLISH_LETTERS * letters.length) return undefined
  const sum = new Float64Array(table.dimensions)
  const text = plainLetters(question)
  visitWords(text, (start, end) => {
    const idf = idfOf(text.slice(start, end))
    const rows: number[] = []
    table.appendRows(rows, text, start, end)
    for (const row of rows) table.addRow(sum, 0, row, idf ?? table.weightOf(row))
  })
  const length = Math.hypot(...sum)
  return length === 0 ? undefined : sum.map((value) => value / length)
}

/**
 * Returns a function that calls `visit` for each wanted passage of a text, with a cosine from 0 to 1: the highest
 * cosine of the whole passage and of its sentences.
 */
export function createPassageComparison(table: VectorTable, question: Float64Array) {
  const productWith = table.productsWith(question)
  /** Products of the question and each sentence of a passage. A passage has at most as many sentences as characters. */
  const sentences = new Float64Array(MAX_PASSAGE + 1)
  const productOf = (rows: Uint16Array, from: number, to: number): number => {
    let sum = 0
    for (let at = from; at < to; at++) sum += productWith(rows[at] ?? 0)
    return sum
  }
  const lengthsOf = lengthComputer(table)
  const cosineOfPassage = (text: TextRows, passage: PassageRows, title: number): number => {
    const { rows, positions, lengths } = text
    const { from, to, firstLength: first } = passage
    let wholeProduct = title
    for (let at = from; at < to; at++) {
      const product = productOf(rows, positions[at] ?? 0, positions[at + 1] ?? 0)
      sentences[at - from] = product
      wholeProduct += product
    }
    if (wholeProduct <= 0) return 0
    if (lengths[first] === 0) lengthsOf(text, passage)
    let best = wholeProduct / (lengths[first] ?? 1)
    if (best < MIN_PASSAGE_COSINE || to - from < 2) return best
    const contextProduct = title + CONTEXT_WEIGHT * wholeProduct
    for (let at = 0; at < to - from; at++) {
      best = Math.max(best, ((sentences[at] ?? 0) + contextProduct) / (lengths[first + at + 1] ?? 1))
    }
    return best
  }
  return (text: TextRows, visit: (cosine: number, passage: PassageRows) => void, isWanted?: PassageTest): void => {
    const title = productOf(text.rows, 0, text.positions[0] ?? 0)
    for (const passage of spansOfRows(text))
      if (!isWanted || isWanted(passage)) visit(cosineOfPassage(text, passage, title), passage)
  }
}

/**
 * Returns a function that computes `lengths` of a passage. Adds the title, and a share of the passage, to sentences.
 */
function lengthComputer(table: VectorTable) {
  const size = table.dimensions
  // The vector of all sentences, then of each sentence. Reused, because memory for each passage would be freed late.
  let sums = new Float64Array(0)
  return ({ rows, positions, lengths }: TextRows, { from, to, firstLength: first }: PassageRows): void => {
    const context = new Float64Array(size)
    const titleEnd = positions[0] ?? 0
    for (let place = 0; place < titleEnd; place++) table.addRow(context, 0, rows[place] ?? 0)
    const used = (1 + to - from) * size
    if (sums.length < used) sums = new Float64Array(used)
    sums.fill(0, 0, used)
    for (let at = from; at < to; at++) {
      const sum = (1 + at - from) * size
      for (let place = positions[at] ?? 0; place < (positions[at + 1] ?? 0); place++)
        table.addRow(sums, sum, rows[place] ?? 0)
      for (let dimension = 0; dimension < size; dimension++)
        sums[dimension] = (sums[dimension] ?? 0) + (sums[sum + dimension] ?? 0)
    }
    lengths[first] = lengthOf(sums, 0, context)
    for (let dimension = 0; dimension < size; dimension++)
      context[dimension] =
        (context[dimension] ?? 0) + CONTEXT_WEIGHT * ((context[dimension] ?? 0) + (sums[dimension] ?? 0))
    for (let at = 1; at <= to - from; at++) lengths[first + at] = lengthOf(sums, at * size, context)
  }
}

/** The length of the vector at `from`, with another vector added. */
function lengthOf(vectors: Float64Array, from: number, other: Float64Array): number {
  let squares = 0
  for (let at = 0; at < other.length; at++) squares += ((vectors[from + at] ?? 0) + (other[at] ?? 0)) ** 2
  return Math.sqrt(squares) || 1
}

/** The passages of a text that begin before `until`: cut at the last line end in the allowed range, else at a space. */
export function passageCuts(text: string, until = text.length): readonly PassageSpan[] {
  const cuts: PassageSpan[] = []
  for (let start = 0; start < Math.min(until, text.length); ) {
    const latestEnd = start + MAX_PASSAGE
    let end = text.length
    if (latestEnd < text.length) {
      // Searches only this window: to search further back would take quadratic time.
      const window = text.slice(start + MIN_PASSAGE, latestEnd + 1)
      const lineEnd = window.lastIndexOf('\n')
      const cut = lineEnd > 0 ? lineEnd : window.lastIndexOf(' ')
      end = cut > 0 ? start + MIN_PASSAGE + cut : latestEnd
    }
    cuts.push({ start, end })
    start = end
  }
  return cuts
}
