/** Guesses index terms for a word that no document contains: a misspelling, a compound, or a part of compounds. */

import { countEdits, editRow } from '../text/nearest.ts'
import { byCodeUnit } from '../text/paths.ts'
import { ENDINGS } from './query.ts'
import { foldWord, isStopWord, scanTerms, stemOf } from './terms.ts'

/** A term of the index, and its form that is nearest to the typed word. */
export interface NearTerm {
  readonly term: string
  readonly word: string
  /** Number of insertions, deletions, substitutions and swaps of neighbours. */
  readonly edits: number
}

/** Minimum letters of a word to correct, and of a word that may have two errors. */
const MIN_LETTERS = 3
const MIN_LETTERS_FOR_TWO_EDITS = 8

/**
 * Maximum terms whose forms are compared with a word: each takes 50 µs, and hostile documents may have many such terms.
 */
const MAX_COMPARED_FORMS = 2000

/** Maximum letters of an ending that a stem lacks. */
const MAX_ENDING_LENGTH = 9

/** Maximum unknown words of a query to guess, because each takes milliseconds; and maximum guesses for one word. */
export const MAX_GUESSED_WORDS = 12
export const MAX_GUESSES = 5

/** Weight of guessed terms, relative to terms that were typed. */
export const GUESS_SHARE = 0.7

/** Maximum number of errors to correct in a word. */
export function maxEditsOf(word: string): number {
  return word.length < MIN_LETTERS || /\d/.test(word) ? 0 : word.length < MIN_LETTERS_FOR_TWO_EDITS ? 1 : 2
}

/**
 * Finds terms with a form that is at most `maxEdits` edits from a word. The forms of a term are the words with its
 * stem. Each result has the form with the fewest edits; the results are sorted by edits, the fewest first.
 */
export function nearTerms(word: string, terms: readonly string[], maxEdits: number): NearTerm[] {
  if (maxEdits === 0) return []
  const [stem, endings] = [stemOf(word), nearEndingsByPosition(word, maxEdits)]
  const letters = lettersByPosition(word, maxEdits)
  const likely = terms.flatMap((term) => {
    const isOtherLength =
      term.length > word.length + maxEdits || term.length + MAX_ENDING_LENGTH + maxEdits < word.length
    if (isOtherLength || term === stem || countMissingLetters(term, letters, maxEdits) > maxEdits) return []
    const edits = editsOfPrefix(word, term, maxEdits)
    return edits > maxEdits ? [] : [{ term, edits }]
  })
  // Terms with few edits come first, then long terms: nearly every short term is near to some prefix of the word.
  if (likely.length > MAX_COMPARED_FORMS) likely.sort((a, b) => a.edits - b.edits || b.term.length - a.term.length)
  const near = likely
    .slice(0, MAX_COMPARED_FORMS)
    .flatMap(({ term }) => nearestForm(term, { word, maxEdits, endings }) ?? [])
  return near.sort((a, b) => a.edits - b.edits || byCodeUnit(a.term, b.term))
}

/** The word nearest to `word` among the words of the texts with the stem `term`; undefined without such a word. */
export function nearestWord(word: string, term: string, texts: readonly string[]): string | undefined {
  const words = new Map<string, number>()
  for (const text of texts) {
    scanTerms(text, {
      main: (main, start, end) => {
        const folded = main === term ? foldWord(text.slice(start, end)) : ''
        if (folded !== '' && !words.has(folded)) words.set(folded, countEdits(word, folded, word.length))
      },
    })
  }
  return [...words].sort(([a, aEdits], [b, bEdits]) => aEdits - bEdits || byCodeUnit(a, b))[0]?.[0]
}

/**
 * For each position, the letters of the word that are at most `maxEdits` positions away, as a bit mask. Positions go up
 * to `maxEdits` after the end of the word.
 */
function lettersByPosition(word: string, maxEdits: number): Uint32Array {
  return Uint32Array.from({ length: word.length + maxEdits }, (_, at) => {
    let bits = 0
    for (let position = Math.max(0, at - maxEdits); position <= Math.min(at + maxEdits, word.length - 1); position++)
      bits |= 1 << (word.charCodeAt(position) & 31)
    return bits
  })
}

/** Number of letters of a term that the word lacks near their position, up to `maxEdits` + 1. Each takes an edit. */
function countMissingLetters(term: string, letters: Uint32Array, maxEdits: number): number {
  let missing = 0
  for (let at = 0; at < stableLength(term) && missing <= maxEdits; at++) {
    if (((letters[at] ?? 0) & (1 << (term.charCodeAt(at) & 31))) === 0) missing++
  }
  return missing
}

/** Number of letters that all forms of a term share: all letters except the last of a longer term. */
function stableLength(term: string): number {
  return term.length > MIN_LETTERS ? term.length - 1 : term.length
}

/** Endings of English words, with the endings of derived verbs and adverbs. */
const ENDING_FORMS = [
  ...new Set(
    ['', ...ENDINGS, 'ize', 'ify'].flatMap((ending) => [
      ...[ending, `${ending}s`, `${ending}ly`],
      ...(/[ey]$/.test(ending) ? ['ed', 'es', 'ing', 'ied', 'ies'].map((end) => ending.slice(0, -1) + end) : []),
    ]),
  ),
]

/** For each position in a word, the endings that are similar to the letters from that position on. */
function nearEndingsByPosition(word: string, maxEdits: number) {
  return Array.from({ length: word.length + 1 }, (_, from) => {
    const suffix = word.slice(from)
    const endings = ENDING_FORMS.map((ending) => ({ ending, edits: countEdits(ending, suffix, maxEdits) }))
    return endings.filter(({ edits }) => edits <= maxEdits)
  })
}

/** Matches the end of a stem that some forms lack: `typing` lacks e of `type`, `reliability` lacks abl of `reliabl`. */
const STEM_END = /(?:[ei]|[ai]bl)$/

/** The form of a stem that is nearest to a word. Tries a final e and a doubled letter, which stems lack. */
function nearestForm(
  term: string,
  { word, maxEdits, endings }: { word: string; maxEdits: number; endings: ReturnType<typeof nearEndingsByPosition> },
): NearTerm | undefined {
  const isEnglish = /^[a-z]{2,}$/.test(term)
  const bases = [`${term}e`, `${term}${term.at(-1)}`, ...(STEM_END.test(term) ? [term.replace(STEM_END, '')] : [])]
  let nearest: NearTerm | undefined
  for (const base of [term, ...(isEnglish ? bases : [])]) {
    const row = editRow(base, word, maxEdits)
    for (const [at, baseEdits] of row.entries()) {
      if (baseEdits > maxEdits) continue
      for (const { ending, edits: endingEdits } of endings[at] ?? []) {
        const limit = nearest ? nearest.edits - 1 : maxEdits
        // A swap of the last letter of the base and the first letter of the ending is one edit, but was counted twice.
        const isSwapped = ending !== '' && base.at(-1) === word[at] && ending[0] === word[at - 1]
        if (baseEdits + endingEdits - (isSwapped ? 1 : 0) > limit || (ending !== '' && !isEnglish)) continue
        const form = base + ending
        const edits = countEdits(word, form, limit)
        if (edits > 0 && edits <= limit && (form === term || stemOf(form) === term))
          nearest = { term, word: form, edits }
      }
    }
  }
  return nearest
}

/** The fewest edits between the beginning of a term and a prefix of a word, or a number above `maxEdits`. */
function editsOfPrefix(word: string, term: string, maxEdits: number): number {
  return Math.min(...editRow(term.slice(0, stableLength(term)), word, maxEdits))
}

/** First and last letter of each alphabet. */
const ALPHABETS = ['az', 'αω', 'ая', 'את', 'ءي', 'अह'] as const

/** The letters of the alphabet of a word's first letter: the first letters of all terms that could be meant. */
export function lettersOfAlphabet(word: string): string[] {
  const [first = ''] = word
  const alphabet = ALPHABETS.find(([from = '', to = '']) => first >= from && first <= to) ?? ''
  const [from, to] = [alphabet.charCodeAt(0), alphabet.charCodeAt(1)]
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
}

/** Minimum letters of a part of a compound, and of a part next to unknown parts. */
const MIN_PART_LETTERS = 3
const MIN_LONE_PART_LETTERS = 5

/** Linking letters between parts of a compound in German, Dutch and Nordic languages. */
const LINKING_LETTERS = ['', 's', 'es', 'n', 'en', 'e', 'er', 'ns', '-'] as const

/** The stems of all substrings that may be parts of a compound. */
export function possibleParts(word: string): string[] {
  const parts = new Set<string>()
  for (let from = 0; from + MIN_PART_LETTERS <= word.length; from++) {
    for (let to = from + MIN_PART_LETTERS; to <= word.length; to++) parts.add(stemOf(word.slice(from, to)))
  }
  return [...parts]
}

/**
 * Splits a compound into known terms, with linking letters between them. Returns the fewest terms that cover the whole
 * word; else the longest term at its start or end; else no term.
 */
export function partsOfCompound(word: string, isKnown: (term: string) => boolean): string[] {
  const knownTerm = (from: number, to: number) => {
    const term = stemOf(word.slice(from, to))
    return to - from >= MIN_PART_LETTERS && !isStopWord(term) && isKnown(term) ? term : undefined
  }
  /** The fewest parts for each prefix of the word. */
  const partsByEnd: (readonly string[] | undefined)[] = [[]]
  for (let to = MIN_PART_LETTERS; to <= word.length; to++) {
    for (let end = 0; end <= to - MIN_PART_LETTERS; end++) {
      const before = partsByEnd[end]
      if (!before) continue
      for (const link of end === 0 ? [''] : LINKING_LETTERS) {
        const part = word.startsWith(link, end) ? knownTerm(end + link.length, to) : undefined
        if (part !== undefined && before.length + 1 < (partsByEnd[to]?.length ?? Number.POSITIVE_INFINITY))
          partsByEnd[to] = [...before, part]
      }
    }
  }
  const allParts = partsByEnd[word.length]
  if (allParts) return [...allParts]
  for (let length = word.length - 1; length >= MIN_LONE_PART_LETTERS; length--) {
    const part = knownTerm(0, length) ?? knownTerm(word.length - length, word.length)
    if (part !== undefined) return [part]
  }
  return []
}

/** Terms that contain a word: its compounds. */
export function termsContaining(word: string, terms: readonly string[]): string[] {
  const part = word.length > MIN_LONE_PART_LETTERS ? stemOf(word) : word
  return part.length < MIN_LONE_PART_LETTERS ? [] : terms.filter((term) => term !== part && term.includes(part))
}
