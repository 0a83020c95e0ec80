/** Finds the words of a text, in any script. */

import { lazyPattern } from '../../text/wildcards.ts'

/** Classes of characters in a scan for words. */
const OTHER = 0
const LETTER = 1
const DIGIT = 2
/**
 * Character of a script without spaces (Han, kana, Thai, Lao, Khmer, Myanmar), or of Hangul, which is searched the same way. Pairs
 * of characters find Thai as well as words of a dictionary do (nDCG .97 on XQuAD), and need no dictionary.
 */
const UNSPACED = 3
/** Half of a character beyond the basic plane. */
const SURROGATE = 4
const UNKNOWN = 255

const letter = lazyPattern(String.raw`[\p{L}\p{M}]`, 'u')
const digit = lazyPattern(String.raw`\p{N}`, 'u')
const eastAsian = lazyPattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]`,
  'u',
)
const southEastAsian = lazyPattern(
  String.raw`[[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]&&[\p{L}\p{M}]]`,
  'v',
)

/** Cache: the class of each UTF-16 unit; `UNKNOWN` before it is needed. */
const charKinds = new Uint8Array(0x10000).fill(UNKNOWN)
for (let code = 0; code < 128; code++) charKinds[code] = asciiKind(code)
charKinds.fill(SURROGATE, 0xd800, 0xe000)
// The soft hyphen is a part of its word: it shows only at a line break.
charKinds[0xad] = LETTER

function asciiKind(code: number): number {
  if (code >= 0x30 && code <= 0x39) return DIGIT
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) ? LETTER : OTHER
}

function charKind(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const known = charKinds[code] ?? OTHER
  if (known === SURROGATE) return classifyCharacter(text.slice(at, at + charWidth(text, at)))
  if (known !== UNKNOWN) return known
  const kind = classifyCharacter(String.fromCharCode(code))
  charKinds[code] = kind
  return kind
}

function classifyCharacter(character: string): number {
  if (eastAsian().test(character) || southEastAsian().test(character)) return UNSPACED
  if (letter().test(character)) return LETTER
  return digit().test(character) ? DIGIT : OTHER
}

function charWidth(text: string, at: number): number {
  return charKinds[text.charCodeAt(at)] === SURROGATE && text.slice(at, at + 2).isWellFormed() ? 2 : 1
}

/** Receives the words of a text, in order. Offsets are in UTF-16 units. */
export interface WordListener {
  /** A run of letters and digits. */
  word(start: number, end: number): void
  /** A run of characters of a script without spaces. */
  unspacedRun?(start: number, end: number): void
  /**
   * A name that is written as several words: `1.0.21`, `snake_case`, `C++`. Called after the calls for its words.
   */
  compound?(start: number, end: number): void
}

const DOT = 0x2e
const UNDERSCORE = 0x5f
const PLUS = 0x2b
const HASH = 0x23

/** Passes the words of a text between two offsets to a listener. */
export function scanWords(text: string, listener: WordListener, from = 0, to = text.length): void {
  let at = from
  let compoundStart = -1
  while (at < to) {
    const kind = charKind(text, at)
    if (kind === OTHER) {
      at += charWidth(text, at)
      continue
    }
    const start = at
    at = kind === UNSPACED ? endOfUnspacedRun(text, at, to) : endOfWord(text, at, to)
    if (kind === UNSPACED) {
      listener.unspacedRun?.(start, at)
      continue
    }
    listener.word(start, at)
    if (continuesName(text, at, to)) {
      if (compoundStart < 0) compoundStart = start
      at++
      continue
    }
    if (compoundStart >= 0) listener.compound?.(compoundStart, at)
    compoundStart = -1
    if (at - start <= 2 && endsWithMarks(text, at))
      listener.compound?.(start, text.charCodeAt(at) === HASH ? at + 1 : at + 2)
  }
}

function endOfWord(text: string, start: number, to: number): number {
  let at = start
  while (at < to && isWordCharacter(text, at)) at += charWidth(text, at)
  return at
}

function isWordCharacter(text: string, at: number): boolean {
  const kind = charKind(text, at)
  return kind === LETTER || kind === DIGIT
}

/** Span of the letters and digits around an offset; empty if there are none. */
export function wordAround(text: string, at: number): { readonly start: number; readonly end: number } {
  const end = endOfWord(text, at, text.length)
  let start = at
  while (end > at && start > 0 && isWordCharacter(text, start - 1)) start--
  return { start, end }
}

/** Whether the character at an offset is of a script without spaces. */
export function isUnspaced(text: string, at: number): boolean {
  return charKind(text, at) === UNSPACED
}

function endOfUnspacedRun(text: string, start: number, to: number): number {
  let at = start
  while (at < to && charKind(text, at) === UNSPACED) at += charWidth(text, at)
  return at
}

/** Whether a name continues at an offset: with an underscore and a word, or with a dot between digits. */
function continuesName(text: string, at: number, to: number): boolean {
  const code = text.charCodeAt(at)
  if (at + 1 >= to || (code !== DOT && code !== UNDERSCORE)) return false
  if (code === UNDERSCORE) return isWordCharacter(text, at + 1)
  return charKind(text, at + 1) === DIGIT && charKind(text, at - 1) === DIGIT
}

/** Whether marks at an offset end a short name: `C++`, `C#`. */
function endsWithMarks(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code !== PLUS && code !== HASH) return false
  const after = code === HASH ? at + 1 : at + 2
  if (code === PLUS && text.charCodeAt(at + 1) !== PLUS) return false
  return after >= text.length || charKind(text, after) === OTHER
}
