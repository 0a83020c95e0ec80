/** From source text to the numbers that a code index holds: parts of identifiers by their stems, and whole identifiers. */

import { foldWord, stemOf } from '../../retrieval/terms.ts'

/** Words that say nothing in code or in tasks about code. */
const COMMON = new Set(
  (
    'a an and are as at be been but by can could did do does doing for from had has have how i if in into is it its me my no not of on ' +
    'or our should so some such than that the their them then there these they this those to too up use used using was we were what when ' +
    'where which while who why will with would you your also any because being both each few here just like more most only other ' +
    'own same very via etc e g ie eg please thanks hi hello'
  ).split(' '),
)

/** Characters of the longest word; a longer one is data. */
const LONGEST = 80
/** Words kept at hand: some 20 MB. */
const MOST_KNOWN = 50_000
const ASCII = /^[\0-\x7f]*$/
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** The terms of one word: its parts, and itself where it has several. */
export interface WordTerms {
  /** Numbers of 32 bits, each once. */
  readonly parts: readonly number[]
  /** The whole, where it is more than one part. */
  readonly whole: number | undefined
}

const NOTHING: WordTerms = { parts: [], whole: undefined }
const known = new Map<string, WordTerms>()

/** The terms of a word as it is written: `parseHTTP_request` is pars, http, request and the whole. */
export function termsOfWord(word: string): WordTerms {
  const found = known.get(word)
  if (found) return found
  if (known.size >= MOST_KNOWN) known.clear()
  const terms = word.length > LONGEST ? NOTHING : ASCII.test(word) ? asciiTerms(word) : otherTerms(word)
  // A copy: a part of a text would keep the whole of it.
  known.set(word.length < 13 ? word : Buffer.from(word).toString(), terms)
  return terms
}

function asciiTerms(word: string): WordTerms {
  const parts = word.match(PART) ?? []
  const terms = parts.map((part) => part.toLowerCase()).filter((part) => isTelling(part))
  const whole = parts.length > 1 ? hashOf(wholeOf(word)) : undefined
  return { parts: [...new Set(terms.map((part) => hashOf(stemOf(part))))], whole }
}

/** The parts of a word as they are written, by their terms. */
export function writtenParts(word: string): (readonly [term: number, part: string])[] {
  if (!ASCII.test(word)) return partsOfOther(word).map(({ term, part }) => [hashOf(term), part] as const)
  const parts = word.match(PART) ?? []
  return parts.map((part) => [hashOf(stemOf(part.toLowerCase())), part] as const)
}

/** Whether a part says something: no common word, no single letter, no short number. */
function isTelling(part: string): boolean {
  return part.length > 1 && !COMMON.has(part) && !/^\d{1,2}$/.test(part)
}

/** `parse_request` and `parseRequest` are the same name. */
export function wholeOf(word: string): string {
  return word.replaceAll(/[_$]/g, '').toLowerCase()
}

function otherTerms(word: string): WordTerms {
  return { parts: [...new Set(partsOfOther(word).map(({ term }) => hashOf(term)))], whole: undefined }
}

/** Each two characters of a script without spaces; other words by their stems. */
function partsOfOther(word: string): { readonly term: string; readonly part: string }[] {
  const text = foldWord(word)
  const pairs = [...text.matchAll(CJK)].flatMap(([run]) => pairsOf([...run]))
  const rest = text.replace(CJK, ' ').split(/[^\p{L}\p{N}]+/u)
  const words = rest.filter((each) => each !== '' && isTelling(each))
  return [...pairs.map((part) => ({ term: part, part })), ...words.map((part) => ({ term: stemOf(part), part }))]
}

function pairsOf(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** The terms of a text, each once. */
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

/** Calls `each` with every word of a text, and where it begins. */
export function scanIdentifiers(text: string, each: (word: string, at: number) => void): void {
  for (const match of text.matchAll(ASCII.test(text) ? ASCII_WORD : ANY_WORD)) each(match[0], match.index)
}
