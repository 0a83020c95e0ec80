/** Finds the windows (a few lines) of a text with wanted words, without reading the text word by word. */

import { lineAt } from '../../text/lines.ts'
import { isUnspaced, wordAround } from '../index/words.ts'
import { withoutCase } from '../substrings.ts'
import { foldWord, scanTerms, termsOf } from '../terms.ts'

/** A text by lines, from its first line after the front matter. Lines are counted from 0. */
export interface TextLines {
  readonly text: string
  readonly starts: readonly number[]
  readonly first: number
}

/** Maximum lines of a window. */
export const WINDOW_LINES = 4

/** Number of windows to read for each requested window. */
const CANDIDATES_PER_WINDOW = 3

/** Maximum number of terms, the most informative first; and of lines for each term. */
const MAX_TERMS = 5
const MAX_LINES = 1000

/** Maximum characters to search, over all terms. */
const MAX_SEARCHED_CHARACTERS = 16 * 1024 * 1024

/** Bonus of a word in a heading, because the section is about the word. */
export const HEADING_WEIGHT = 0.1

/** Whether a line is a heading of Markdown. */
export function isHeading({ text, starts }: TextLines, line: number): boolean {
  return text.charCodeAt(starts[line] ?? text.length) === 0x23
}

/** A line without its end. */
export function lineText({ text, starts }: TextLines, line: number): string {
  const start = starts[line] ?? text.length
  let end = starts[line + 1] ?? text.length
  while (end > start && (text.charCodeAt(end - 1) === 0x0a || text.charCodeAt(end - 1) === 0x0d)) end--
  return text.slice(start, end)
}

/** The last line of the window that begins at `line`. A window ends before a blank line, except a blank second line. */
export function lastLineOf(body: TextLines, line: number): number {
  const hasText = (at: number) => at < body.starts.length && lineText(body, at).trim() !== ''
  let lastLine = line
  while (lastLine + 1 < line + WINDOW_LINES && hasText(lastLine + 1)) lastLine++
  return lastLine === line && hasText(line + 2) ? line + 2 : lastLine
}

/**
 * The first lines of the windows with the most terms, the best first, without overlaps. Searches terms as substrings,
 * which is many times faster than reading all words.
 */
export function likelyWindows(body: TextLines, terms: ReadonlyMap<string, number>, limit: number): number[] {
  const termsOfLines = termsByLine(body, terms)
  const weights = [...termsOfLines.weights]
  const weigh = (line: number, ownBits: number) => {
    let bits = 0
    for (let at = line, last = lastLineOf(body, line); at <= last; at++) bits |= termsOfLines.lines.get(at) ?? 0
    const sumWeights = (mask: number) => weights.reduce((sum, weight, at) => (mask & (1 << at) ? sum + weight : sum), 0)
    return sumWeights(bits) + (isHeading(body, line) ? HEADING_WEIGHT * sumWeights(ownBits) : 0)
  }
  const windows = [...termsOfLines.lines].map(([line, bits]) => ({ line, weight: weigh(line, bits) }))
  const chosen: number[] = []
  for (const { line } of windows.sort((a, b) => b.weight - a.weight || a.line - b.line)) {
    if (chosen.length === limit * CANDIDATES_PER_WINDOW) break
    if (chosen.every((other) => Math.abs(other - line) >= WINDOW_LINES)) chosen.push(line)
  }
  return chosen
}

/** `lines`: the terms in each line, as a bit mask. `weights`: the weight of each bit. */
interface TermsByLine {
  readonly lines: Map<number, number>
  readonly weights: number[]
}

function termsByLine(body: TextLines, terms: ReadonlyMap<string, number>): TermsByLine {
  const termsOfLines: TermsByLine = { lines: new Map(), weights: [] }
  const plain = foldText(body.text)
  let remaining = MAX_SEARCHED_CHARACTERS
  for (const [term, weight] of [...terms].sort(([, a], [, b]) => b - a)) {
    if (termsOfLines.weights.length === MAX_TERMS || remaining < 0) break
    remaining -= plain.length
    const positionFrom = (from: number) => positionOfTerm(term, { text: body.text, plain }, from)
    addLines(termsOfLines, piecesWithMatch(body.starts, positionFrom, { limit: MAX_LINES, first: body.first }), weight)
  }
  for (const line of linesWithUnevenFolding(body)) readLine(body, line, { termsOfLines, terms })
  return termsOfLines
}

function addLines({ lines, weights }: TermsByLine, lineNumbers: readonly number[], weight: number): void {
  if (lineNumbers.length === 0) return
  const bit = 1 << (weights.push(weight) - 1)
  for (const line of lineNumbers) lines.set(line, (lines.get(line) ?? 0) | bit)
}

/**
 * Indices of the pieces (lines or blocks) with a match of `positionFrom`. `starts`: offset of each. `limit`: maximum.
 */
export function piecesWithMatch(
  starts: readonly number[],
  positionFrom: (from: number) => number,
  { limit, first = 0 }: { readonly limit: number; readonly first?: number },
): number[] {
  const pieces: number[] = []
  for (let from = starts[first]; from !== undefined && pieces.length < limit; ) {
    const at = positionFrom(from)
    if (at < 0) break
    const piece = lineAt(starts, at)
    pieces.push(piece)
    from = starts[piece + 1]
  }
  return pieces
}

/** A text, and the result of `foldText` for it. */
export type SearchedText = Readonly<Record<'text' | 'plain', string>>

/** The next position, from an offset, of a word with a term; -1 for none. */
export function positionOfTerm(term: string, searched: SearchedText, from: number): number {
  const needle = searchTextOf(term)
  for (let at = searched.plain.indexOf(needle, from); at >= 0; ) {
    const end = endOfOtherWord(searched.text, at, term)
    if (end === undefined) return at
    at = searched.plain.indexOf(needle, Math.max(end, at + 1))
  }
  return -1
}

/** The next position, from an offset, of a word with a prefix; -1 for none. */
export function positionOfPrefix(prefix: string, { text, plain }: SearchedText, from: number): number {
  if (prefix === '') return -1
  let at = plain.indexOf(prefix, from)
  while (at >= 0 && !isWordStart(text, at)) at = plain.indexOf(prefix, at + 1)
  return at
}

/**
 * Whether a word, or a part of a name, begins at an offset. In texts without spaces, any character may begin a word.
 */
function isWordStart(text: string, at: number): boolean {
  return isUnspaced(text, at) || !/\p{L}/u.test(text.charAt(at - 1)) || /\p{Lu}/u.test(text.charAt(at))
}

/** The prefix that all words with a stem share: the stem without a last letter that may stand for other letters. */
function searchTextOf(term: string): string {
  return term.length > 2 && /[a-z][iel]$/.test(term) ? term.slice(0, -1) : term
}

/** The end of the word at `at` if it has another term; undefined for the term, names of several words, and no word. */
function endOfOtherWord(text: string, at: number, term: string): number | undefined {
  if (/[._+#]/.test(term)) return undefined
  const { start, end } = wordAround(text, at)
  if (end === start) return undefined
  if (isInsideWord(text, at)) return end
  const { main, parts } = termsOf(text.slice(start, end))
  return main === term || parts.includes(term) ? undefined : end
}

/** Whether a small letter follows a letter at an offset, so that no word and no part of a name begins there. */
function isInsideWord(text: string, at: number): boolean {
  const [before, code] = [text.charCodeAt(at - 1) | 32, text.charCodeAt(at)]
  return code >= 0x61 && code <= 0x7a && before >= 0x61 && before <= 0x7a
}

const ASCII = /^[\0-\x7f]*$/

/** Lower-case letters that fold to a single other letter. */
const FOLDING_LETTERS =
  /[\u00aa\u00b5\u00ba\u00e0-\u02af\u0390\u03ac-\u03b0\u03c2\u03ca-\u03ce\u0439\u0450-\u045f\u0477\u04c2\u04d1-\u04f9\u1e00-\u1fff\uff01-\uff5e]/g

/** The text with its letters folded as in the index (small, without accents). The length stays the same. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return withoutCase(text).replace(FOLDING_LETTERS, foldLetter)
}

const foldedLetters = new Map<string, string>()

function foldLetter(letter: string): string {
  const cached = foldedLetters.get(letter)
  if (cached !== undefined) return cached
  const word = foldWord(letter)
  const folded = word.length === 1 ? word : letter
  foldedLetters.set(letter, folded)
  return folded
}

/** Matches characters that the index folds to nothing, or to more than one letter, so that `foldText` keeps them. */
const UNEVEN_FOLDING = /\u00ad|[\u00bc-\u00be\u00df\u0132\u0133\u0149\u01c4-\u01cc\u1e9e\ufb00-\ufb06]|[\u0300-\u036f]/

function linesWithUnevenFolding(body: TextLines): number[] {
  if (ASCII.test(body.text) || !UNEVEN_FOLDING.test(body.text)) return []
  return [...body.starts.keys()].filter((line) => line >= body.first && UNEVEN_FOLDING.test(lineText(body, line)))
}

/** Reads a line word by word, and adds its term with the highest weight. */
function readLine(
  body: TextLines,
  line: number,
  { termsOfLines, terms }: { readonly termsOfLines: TermsByLine; readonly terms: ReadonlyMap<string, number> },
) {
  let weight = 0
  const add = (term: string) => {
    weight = Math.max(weight, terms.get(term) ?? 0)
  }
  const start = body.starts[line] ?? 0
  scanTerms(body.text, { main: add, extra: add }, start, body.starts[line + 1] ?? body.text.length)
  if (weight === 0) return
  const bit = termsOfLines.weights.indexOf(weight)
  if (bit >= 0) termsOfLines.lines.set(line, (termsOfLines.lines.get(line) ?? 0) | (1 << bit))
  else if (termsOfLines.weights.length < 31) addLines(termsOfLines, [line], weight)
}
