/** Finds the words of a text, in any script. */

import { laterPattern } from '../../text/wildcards.ts'

/** Classes of characters in a scan for words. */
const OTHER = 0
const LETTER = 1
const DIGIT = 2
/**
 * Character of a script without spaces (Han, kana, Thai, Lao, Khmer, Myanmar), or of Hangul, which is searched the same way. Pairs
 * of characters find Thai as well as words of a dictionary do (nDCG .97 on XQuAD), and need no dictionary.
 */
const CJK = 3
/** Half of a character beyond the basic plane. */
const SURROGATE = 4
const UNKNOWN = 255

const letter = laterPattern(String.raw`[\p{L}\p{M}]`, 'u')
const digit = laterPattern(String.raw`\p{N}`, 'u')
const cjk = laterPattern(String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]`, 'u')
const southEastAsian = laterPattern(
  String.raw`[[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]&&[\p{L}\p{M}]]`,
  'v',
)

/** Class of each UTF-16 unit; computed on first need. */
const kinds = new Uint8Array(0x10000).fill(UNKNOWN)
for (let code = 0; code < 128; code++) kinds[code] = asciiKind(code)
kinds.fill(SURROGATE, 0xd800, 0xe000)
// The soft hyphen, which shows only at a line break within a word.
kinds[0xad] = LETTER

function asciiKind(code: number): number {
  if (code >= 0x30 && code <= 0x39) return DIGIT
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) ? LETTER : OTHER
}

function charKind(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const known = kinds[code] ?? OTHER
  if (known === SURROGATE) return learnCharacter(String.fromCodePoint(text.codePointAt(at) ?? 0))
  if (known !== UNKNOWN) return known
  const kind = learnCharacter(String.fromCharCode(code))
  kinds[code] = kind
  return kind
}

function learnCharacter(character: string): number {
  if (cjk().test(character) || southEastAsian().test(character)) return CJK
  if (letter().test(character)) return LETTER
  return digit().test(character) ? DIGIT : OTHER
}

function widthAt(text: string, at: number): number {
  return (kinds[text.charCodeAt(at)] ?? OTHER) === SURROGATE && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

/** Receives the words of a text, in order. Offsets are in UTF-16 units. */
export interface WordListener {
  /** Letters and digits in a row. */
  word(start: number, end: number): void
  /** Characters of a script without spaces in a row. */
  run(start: number, end: number): void
  /**
   * A name that is written as several words: `1.0.21`, `snake_case`, `C++`. It follows the calls for its words.
   */
  compound(start: number, end: number): void
}

const DOT = 0x2e
const UNDERSCORE = 0x5f
const PLUS = 0x2b
const HASH = 0x23

/** Passes the words of a text between two offsets to a listener. */
export function scanWords(text: string, listener: WordListener, from = 0, to = text.length): void {
  let at = from
  let joined = -1
  while (at < to) {
    const kind = charKind(text, at)
    if (kind === OTHER) {
      at += widthAt(text, at)
      continue
    }
    const start = at
    at = kind === CJK ? endOfRun(text, at, to) : endOfWord(text, at, to)
    if (kind === CJK) {
      listener.run(start, at)
      continue
    }
    listener.word(start, at)
    if (joins(text, at, to)) {
      if (joined < 0) joined = start
      at++
      continue
    }
    if (joined >= 0) listener.compound(joined, at)
    joined = -1
    if (at - start <= 2 && isSuffixed(text, at))
      listener.compound(start, text.charCodeAt(at) === HASH ? at + 1 : at + 2)
  }
}

function endOfWord(text: string, start: number, to: number): number {
  let at = start
  for (; at < to; at += widthAt(text, at)) {
    const kind = charKind(text, at)
    if (kind !== LETTER && kind !== DIGIT) break
  }
  return at
}

/** Span of the letters and digits around an offset; empty if there are none. */
export function wordAround(text: string, at: number): { readonly start: number; readonly end: number } {
  const isOf = (index: number) => {
    const kind = charKind(text, index)
    return kind === LETTER || kind === DIGIT
  }
  const end = endOfWord(text, at, text.length)
  let start = at
  while (end > at && start > 0 && isOf(start - 1)) start--
  return { start, end }
}

/** Whether the character at an offset is of a script without spaces. */
export function isOfRun(text: string, at: number): boolean {
  return charKind(text, at) === CJK
}

function endOfRun(text: string, start: number, to: number): number {
  let at = start
  while (at < to && charKind(text, at) === CJK) at += widthAt(text, at)
  return at
}

/** Whether a name continues at this offset: after an underscore, or for a number after a dot. */
function joins(text: string, at: number, to: number): boolean {
  const code = text.charCodeAt(at)
  if (at + 1 >= to || (code !== DOT && code !== UNDERSCORE)) return false
  const next = charKind(text, at + 1)
  if (code === UNDERSCORE) return next === LETTER || next === DIGIT
  return next === DIGIT && charKind(text, at - 1) === DIGIT
}

/** Whether a short name ends with its marks here: `C++`, `C#`. */
function isSuffixed(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code !== PLUS && code !== HASH) return false
  const after = code === HASH ? at + 1 : at + 2
  if (code === PLUS && text.charCodeAt(at + 1) !== PLUS) return false
  return after >= text.length || charKind(text, after) === OTHER
}
