/** Turns source text into the terms of a code index, as hashes: stems of the parts of identifiers, and whole identifiers. */

import { foldWord, stemOf } from '../../retrieval/terms.ts'

/** Words without meaning in code, and in tasks about code. */
const COMMON_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does doing for from had has have how i if in into is it its me my no not of on ' +
    'or our should so some such than that the their them then there these they this those to too up use used using was we were what when ' +
    'where which while who why will with would you your also any because being both each few here just like more most only other ' +
    'own same very via etc e g ie eg please thanks hi hello'
  ).split(' '),
)

/** Maximum characters of a word. A longer word is data, and is ignored. */
const MAX_WORD_LENGTH = 80
/** Maximum cached words, which take about 20 MB. */
const MAX_CACHED_WORDS = 50_000
const ASCII = /^[\0-\x7f]*$/
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu
const WORD_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** The terms of a word: its parts, and the whole word if it is ASCII and has several parts. */
export interface WordTerms {
  /** The hashes of the parts: distinct numbers of 32 bits. */
  readonly parts: readonly number[]
  /** The hash of the whole word, if it has several parts. */
  readonly whole: number | undefined
}

const NO_TERMS: WordTerms = { parts: [], whole: undefined }
const cachedTerms = new Map<string, WordTerms>()

/** The terms of a written word: `parseHTTP_request` gives pars, http, request and the whole name. */
export function termsOfWord(word: string): WordTerms {
  const cached = cachedTerms.get(word)
  if (cached) return cached
  if (cachedTerms.size >= MAX_CACHED_WORDS) cachedTerms.clear()
  const terms =
    word.length > MAX_WORD_LENGTH
      ? NO_TERMS
      : ASCII.test(word)
        ? asciiTerms(word)
        : { parts: [...new Set(nonAsciiParts(word).map(({ term }) => hashOf(term)))], whole: undefined }
  // The key is a copy: a slice of 13 characters or more is a view that keeps the whole text in memory.
  cachedTerms.set(word.length < 13 ? word : Buffer.from(word).toString(), terms)
  return terms
}

function asciiTerms(word: string): WordTerms {
  const parts = word.match(WORD_PART) ?? []
  const words = parts.map((part) => part.toLowerCase()).filter(isInformative)
  const whole = parts.length > 1 ? hashOf(foldName(word)) : undefined
  return { parts: [...new Set(words.map((part) => hashOf(stemOf(part))))], whole }
}

/** The parts of a word as they are spelled, each with the hash of its term. */
export function writtenParts(word: string): (readonly [term: number, part: string])[] {
  if (!ASCII.test(word)) return nonAsciiParts(word).map(({ term, part }) => [hashOf(term), part] as const)
  const parts = word.match(WORD_PART) ?? []
  return parts.map((part) => [hashOf(stemOf(part.toLowerCase())), part] as const)
}

/** Whether a part says something: it is not a common word, a single letter or a number of at most two digits. */
function isInformative(part: string): boolean {
  return part.length > 1 && !COMMON_WORDS.has(part) && !/^\d{1,2}$/.test(part)
}

/** Folds a name, so that `parse_request` and `parseRequest` become equal. */
export function foldName(word: string): string {
  return word.replaceAll(/[_$]/g, '').toLowerCase()
}

/** The parts of a word with non-ASCII characters: pairs of characters in a script without spaces, else words and their stems. */
function nonAsciiParts(word: string): { readonly term: string; readonly part: string }[] {
  const text = foldWord(word)
  const pairs = [...text.matchAll(CJK)].flatMap(([run]) => pairsOf([...run]))
  const otherWords = text.replace(CJK, ' ').split(/[^\p{L}\p{N}]+/u)
  const words = otherWords.filter(isInformative)
  return [...pairs.map((part) => ({ term: part, part })), ...words.map((part) => ({ term: stemOf(part), part }))]
}

function pairsOf(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** A hash of 32 bits: FNV-1a over UTF-16 units, with its upper bits mixed into its lower bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** The distinct terms of a text. */
export function termsOfText(text: string): Set<number> {
  const terms = new Set<number>()
  scanIdentifiers(text, (word) => {
    const { parts, whole } = termsOfWord(word)
    for (const part of parts) terms.add(part)
    if (whole !== undefined) terms.add(whole)
  })
  return terms
}

const ASCII_WORD = /[A-Za-z_$][\w$]*|\d{3,}/g
const ANY_WORD = /[\p{Script=Latin}\d_$]+|(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu

/** Calls `visit` with every word of a text, and its position. */
export function scanIdentifiers(text: string, visit: (word: string, at: number) => void): void {
  for (const match of text.matchAll(ASCII.test(text) ? ASCII_WORD : ANY_WORD)) visit(match[0], match.index)
}
