/** Converts words to terms of the index. A term is the stem of a word. */

import { stemmer } from 'stemmer'
import { lazyPattern } from '../text/wildcards.ts'
import { scanWords } from './index/words.ts'

export interface TermsOfWord {
  /** The stem of the word in lower case, without accents. */
  readonly main: string
  /** The stems of the parts of a word like `camelCase`, which do not count as words of the text. */
  readonly parts: readonly string[]
  /** A small number, unique among the cached words while `wordsEpoch` is the same; -1 for a word that is not cached. */
  readonly number: number
}

const NO_PARTS: readonly string[] = []
/** Maximum characters of a term. */
export const MAX_TERM_LENGTH = 64
/** Maximum cached words, for a large library: about 30 MB. */
const MAX_CACHED_WORDS = 200_000

const cachedTerms = new Map<string, TermsOfWord>()
let epoch = 0

/** The epoch: a number that changes when the cache of words is cleared, and words get new numbers. */
export function wordsEpoch(): number {
  return epoch
}

export function termsOf(word: string): TermsOfWord {
  if (word.length > MAX_TERM_LENGTH) return analyseWord(copyWord(word), -1)
  const cached = cachedTerms.get(word)
  if (cached) return cached
  if (cachedTerms.size >= MAX_CACHED_WORDS) {
    cachedTerms.clear()
    epoch++
  }
  const copy = copyWord(word)
  const terms = analyseWord(copy, cachedTerms.size)
  cachedTerms.set(copy, terms)
  return terms
}

function analyseWord(word: string, number: number): TermsOfWord {
  return { main: stemOf(foldWord(word)), parts: identifierParts(truncateTerm(word)), number }
}

/** Copies a word, because a slice of a text would keep the whole text in memory. */
function copyWord(word: string): string {
  return word.length < 13 ? word : Buffer.from(word).toString()
}

/** Truncates a word between characters, because a database would confuse terms that end in half of a character. */
function truncateTerm(word: string): string {
  return word.length > MAX_TERM_LENGTH ? word.slice(0, MAX_TERM_LENGTH).replace(/[\ud800-\udbff]$/, '') : word
}

const ASCII = /^[\0-\x7f]*$/

/** Accents, variation selectors, and the soft hyphen. */
const SILENT_MARKS = /\u00ad|[\u0300-\u036f\u20e3]|[\ufe00-\ufe0f]/g

/** Letters that Unicode does not decompose, with the letters that people type instead. */
const LETTER_FOLDS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ŧ: 't', ı: 'i', ŋ: 'n', ς: 'σ' },
  ...{ ى: 'ي', ة: 'ه', ٱ: 'ا', ک: 'ك', ی: 'ي', ـ: '' },
}
const FOLDABLE_LETTER = new RegExp(`[${Object.keys(LETTER_FOLDS).join('')}]`, 'g')

/** Vowels and other marks of Arabic. */
const ARABIC_MARKS = /[\u064b-\u065f\u0670]/g

/** Folds a word to lower case, compatible forms, and no accents. */
export function foldWord(word: string): string {
  const truncated = truncateTerm(word)
  if (ASCII.test(truncated)) return truncated.toLowerCase()
  return truncated
    .normalize('NFKD')
    .toLowerCase()
    .replace(SILENT_MARKS, '')
    .normalize('NFKC')
    .replace(FOLDABLE_LETTER, (letter) => LETTER_FOLDS[letter] ?? letter)
    .normalize('NFKD')
    .replace(ARABIC_MARKS, '')
    .normalize('NFKC')
}

/** Parts of characters of Korean and Japanese. */
const SEPARATE_PARTS = /[\u1100-\u11ff\u3099\u309a]/

/** Composes characters of Korean and Japanese from their parts, because texts are split between characters. */
export function composeText(text: string): string {
  return SEPARATE_PARTS.test(text) ? text.normalize('NFC') : text
}

const ENGLISH_WORD = /^[a-z]{3,}$/

/** The Arabic article with its prefixes, before a word of two letters or more. */
const ARABIC_ARTICLE = /^(?:[وبكف]?ال|لل)(?=\p{L}{2})/u

/** A folded word without its English endings, or without its Arabic article. */
export function stemOf(word: string): string {
  return ENGLISH_WORD.test(word) ? stemmer(word) : word.replace(ARABIC_ARTICLE, '')
}

const CAMEL_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

/** The stems of the parts of an identifier: pars, http and request for `parseHTTPRequest`. */
function identifierParts(word: string): readonly string[] {
  if (!/[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]/.test(word)) return NO_PARTS
  const parts = word.match(CAMEL_PART)?.filter((part) => part.length > 1) ?? []
  return parts.length > 1 || parts[0]?.length !== word.length ? parts.map((part) => stemOf(foldWord(part))) : NO_PARTS
}

/** Receives the terms of a text in order. `start` and `end`: the position of the word, in UTF-16 units. */
export interface TermListener {
  /** A term that is counted as a word of the text. `terms`: all terms of the word. */
  main(term: string, start: number, end: number, terms?: TermsOfWord): void
  /** A term that the previous words form together, such as `snake_case`. */
  extra?(term: string, start: number, end: number): void
  /** A part of the previous word. Default: `extra`. */
  part?(term: string, start: number, end: number): void
  /** The last character of a run of a script without spaces, after its pairs. Default: `extra`. */
  tail?(term: string, start: number, end: number): void
}

/** Scans a text from `from` up to `to` for terms. */
export function scanTerms(text: string, listener: TermListener, from = 0, to = text.length): void {
  scanWords(
    text,
    {
      word(start, end) {
        const terms = termsOf(text.slice(start, end))
        // The word consists only of marks.
        if (terms.main === '') return
        listener.main(terms.main, start, end, terms)
        for (const part of terms.parts) (listener.part ?? listener.extra)?.call(listener, part, start, end)
      },
      unspacedRun(start, end) {
        scanBigrams(text, { start, end }, listener)
      },
      compound(start, end) {
        // A version is the same with and without `v`.
        listener.extra?.(foldWord(text.slice(start, end)).replace(/^v(?=\d)/, ''), start, end)
      },
    },
    from,
    to,
  )
}

/** All pairs of neighbouring characters, and the last character alone, so that a prefix search finds single characters. */
function scanBigrams(text: string, { start, end }: { start: number; end: number }, listener: TermListener): void {
  const run = text.slice(start, end)
  const characters = COMBINING_MARK().test(run) ? (run.match(CHARACTER_WITH_MARKS()) ?? []) : [...run]
  let at = start
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1]
    const characterEnd = at + character.length
    if (next === undefined) {
      const report = characters.length === 1 ? listener.main : (listener.tail ?? listener.extra)
      report?.call(listener, foldWord(character), at, characterEnd)
    } else listener.main(foldWord(character + next), at, characterEnd + next.length)
    at = characterEnd
  }
}

/** Matches a character with its combining marks. */
const CHARACTER_WITH_MARKS = lazyPattern(String.raw`\P{M}\p{M}*|\p{M}+`, 'gu')

const COMBINING_MARK = lazyPattern(String.raw`\p{M}`, 'u')

/** Whether a term is two characters of a text without spaces, with their marks. */
export function isCharacterPair(term: string): boolean {
  return CHARACTER_PAIR().test(term)
}

const CHARACTER_PAIR = lazyPattern(
  String.raw`^(?:(?!\p{M})[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]\p{M}*){2}$`,
  'u',
)

export function mainTerms(text: string): string[] {
  const terms: string[] = []
  scanTerms(text, { main: (term) => terms.push(term) })
  return terms
}

/** Those of `terms` that are in one of the texts. */
export function termsAmong(texts: readonly string[], terms: ReadonlySet<string>): ReadonlySet<string> {
  const matches = new Set<string>()
  const add = (term: string) => {
    if (terms.has(term)) matches.add(term)
  }
  for (const text of texts) scanTerms(composeText(text), { main: add, extra: add })
  return matches
}

/** English stop words, by their stems. Dropped from queries with other words. */
const STOP_WORDS = new Set(
  `a about above after again against all am an and any are as at be because been before being below between both but by
  can could did do does doing down during each few for from further had has have having he her here hers herself him
  himself his how i if in into is it its itself just let me more most my myself no nor not now of off on once only or
  other ought our ours ourselves out over own same shall she should so some such than that the their theirs them
  themselves then there these they this those through to too under until up upon us very was we were what when where
  which while who whom why will with would you your yours yourself yourselves may might must also using use used via
  within without whose`
    .split(/\s+/)
    .map((word) => stemOf(word)),
)

export function isStopWord(term: string): boolean {
  return STOP_WORDS.has(term)
}
