/** Finds wanted words in a text without reading all of it word by word. */

import { lineAt } from '../../text/lines.ts'
import { isOfRun, wordAround } from '../index/words.ts'
import { foldWord, scanTerms, termsOf } from '../terms.ts'

/** A text by lines, from its first line after the front matter. Lines are counted from 0. */
export interface TextLines {
  readonly text: string
  readonly starts: readonly number[]
  readonly first: number
}

export const LINES = 4

/** Number of windows to read for each requested one. */
const LOOKED_AT = 3

/** Maximum number of terms, the most informative ones in the text; and of lines for each term. */
const MAX_TERMS = 5
const MAX_LINES = 1000

/** Maximum characters to search, over all terms. */
const MAX_READ = 16 * 1024 * 1024

/** Bonus of a word in a heading, because its section is about the word; a table of contents only names it. */
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

/** The last line of the window that begins at a line: at most `LINES` lines, up to a blank one. After a blank second line, it is the third. */
export function lastLineOf(body: TextLines, line: number): number {
  const isThere = (at: number) => at < body.starts.length && lineText(body, at).trim() !== ''
  let last = line
  while (last + 1 < line + LINES && isThere(last + 1)) last++
  return last === line && isThere(line + 2) ? line + 2 : last
}

/**
 * The first lines of the windows with the most terms, the best first, without overlaps. Searches terms as substrings, which is
 * many times faster than to read all words.
 */
export function likelyWindows(body: TextLines, terms: ReadonlyMap<string, number>, most: number): number[] {
  const held = termsByLine(body, terms)
  const weights = [...held.weights]
  const weigh = (line: number) => {
    let bits = 0
    for (let at = line, last = lastLineOf(body, line); at <= last; at++) bits |= held.lines.get(at) ?? 0
    const sum = (some: number) => weights.reduce((all, weight, at) => (some & (1 << at) ? all + weight : all), 0)
    return sum(bits) + (isHeading(body, line) ? HEADING_WEIGHT * sum(held.lines.get(line) ?? 0) : 0)
  }
  const windows = [...held.lines.keys()].map((line) => ({ line, weight: weigh(line) }))
  const chosen: number[] = []
  for (const { line } of windows.sort((a, b) => b.weight - a.weight || a.line - b.line)) {
    if (chosen.length === most * LOOKED_AT) break
    if (chosen.every((other) => Math.abs(other - line) >= LINES)) chosen.push(line)
  }
  return chosen
}

/** Terms of each line, as bits; and the weight of each bit. */
interface Held {
  readonly lines: Map<number, number>
  readonly weights: number[]
}

function termsByLine(body: TextLines, terms: ReadonlyMap<string, number>): Held {
  const held: Held = { lines: new Map(), weights: [] }
  const plain = plainOf(body.text)
  let left = MAX_READ
  for (const [term, weight] of [...terms].sort(([, a], [, b]) => b - a)) {
    if (held.weights.length === MAX_TERMS || left < 0) break
    left -= plain.length
    const placeFrom = (from: number) => placeOfTerm(term, { text: body.text, plain }, from)
    hold(held, holdersOf(body.starts, placeFrom, { most: MAX_LINES, first: body.first }), weight)
  }
  for (const line of doubtfulLines(body)) readLine(body, line, { held, terms })
  return held
}

function hold({ lines, weights }: Held, found: readonly number[], weight: number): void {
  if (found.length === 0) return
  const bit = 1 << (weights.push(weight) - 1)
  for (const line of found) lines.set(line, (lines.get(line) ?? 0) | bit)
}

/** Indices of the pieces of a text that contain a match of `placeFrom`. `starts`: start of each piece. `most`: maximum number. */
export function holdersOf(
  starts: readonly number[],
  placeFrom: (from: number) => number,
  { most, first = 0 }: { readonly most: number; readonly first?: number },
): number[] {
  const holders: number[] = []
  for (let from = starts[first]; from !== undefined && holders.length < most; ) {
    const at = placeFrom(from)
    if (at < 0) break
    const holder = lineAt(starts, at)
    holders.push(holder)
    from = starts[holder + 1]
  }
  return holders
}

/** A text, and the result of `plainOf` for it. */
interface SearchedText {
  readonly text: string
  readonly plain: string
}

/** Next position of a term as a word, from an offset; -1 for none. */
export function placeOfTerm(term: string, searched: SearchedText, from: number): number {
  const needle = needleOf(term)
  for (let at = searched.plain.indexOf(needle, from); at >= 0; ) {
    const end = endOfOther(searched.text, at, term)
    if (end === undefined) return at
    at = searched.plain.indexOf(needle, Math.max(end, at + 1))
  }
  return -1
}

/** Next position of a word with this prefix, from an offset; -1 for none. */
export function placeOfPrefix(prefix: string, { text, plain }: SearchedText, from: number): number {
  if (prefix === '') return -1
  let at = plain.indexOf(prefix, from)
  while (at >= 0 && !isBeginning(text, at)) at = plain.indexOf(prefix, at + 1)
  return at
}

/** Whether a word or a part of a name begins here. In texts without spaces, any character may begin one. */
function isBeginning(text: string, at: number): boolean {
  return isOfRun(text, at) || !/\p{L}/u.test(text.charAt(at - 1)) || /\p{Lu}/u.test(text.charAt(at))
}

/** The common prefix of the words of a stem: without a last letter that may have replaced others. */
function needleOf(term: string): string {
  return term.length > 2 && /[a-z][iel]$/.test(term) ? term.slice(0, -1) : term
}

/** End of the word here if it has another term; else undefined, as for names of several words and texts without spaces. */
function endOfOther(text: string, at: number, term: string): number | undefined {
  if (/[._+#]/.test(term)) return undefined
  const { start, end } = wordAround(text, at)
  if (end === start) return undefined
  if (isWithinPart(text, at)) return end
  const { main, parts } = termsOf(text.slice(start, end))
  return main === term || parts.includes(term) ? undefined : end
}

/** Whether a small letter follows another letter, so that no word and no part of a name begins here. */
function isWithinPart(text: string, at: number): boolean {
  const [before, code] = [text.charCodeAt(at - 1) | 32, text.charCodeAt(at)]
  return code >= 0x61 && code <= 0x7a && before >= 0x61 && before <= 0x7a
}

const ASCII = /^[\0-\x7f]*$/

/** Lower-case letters that fold to one other letter. */
const FOLDED =
  /[\u00aa\u00b5\u00ba\u00e0-\u02af\u0390\u03ac-\u03b0\u03c2\u03ca-\u03ce\u0439\u0450-\u045f\u0477\u04c2\u04d1-\u04f9\u1e00-\u1fff\uff01-\uff5e]/g

/** A text of the same length, with its letters folded as in the index. */
export function plainOf(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // The only character that becomes longer in lower case.
  const lower = text.replaceAll('\u0130', 'i').toLowerCase()
  return lower.replace(FOLDED, plainLetter)
}

const plainLetters = new Map<string, string>()

function plainLetter(letter: string): string {
  const known = plainLetters.get(letter)
  if (known !== undefined) return known
  const plain = foldWord(letter)
  plainLetters.set(letter, plain.length === 1 ? plain : letter)
  return plain.length === 1 ? plain : letter
}

/** Characters that fold to nothing, or to more than one letter. */
const DOUBTFUL = /\u00ad|[\u00bc-\u00be\u00df\u0132\u0133\u0149\u01c4-\u01cc\u1e9e\ufb00-\ufb06]|[\u0300-\u036f]/

function doubtfulLines(body: TextLines): number[] {
  const lines: number[] = []
  if (ASCII.test(body.text) || !DOUBTFUL.test(body.text)) return lines
  for (let line = body.first; line < body.starts.length; line++)
    if (DOUBTFUL.test(lineText(body, line))) lines.push(line)
  return lines
}

/** Reads a line word by word. */
function readLine(
  body: TextLines,
  line: number,
  into: { readonly held: Held; readonly terms: ReadonlyMap<string, number> },
) {
  const { held, terms } = into
  let weight = 0
  const add = (term: string) => {
    weight = Math.max(weight, terms.get(term) ?? 0)
  }
  const start = body.starts[line] ?? 0
  scanTerms(body.text, { main: add, extra: add }, start, body.starts[line + 1] ?? body.text.length)
  if (weight === 0) return
  const known = held.weights.indexOf(weight)
  if (known >= 0) held.lines.set(line, (held.lines.get(line) ?? 0) | (1 << known))
  else if (held.weights.length < 31) hold(held, [line], weight)
}
