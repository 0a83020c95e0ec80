/** Corrections for a word that no document contains: a misspelling, a compound, or a part of compounds. */

import { countEdits, editRow } from '../text/nearest.ts'
import { ENDINGS } from './query.ts'
import { foldWord, isStopWord, scanTerms, stemOf } from './terms.ts'

/** A term of the index, and its word that is near to the typed one. */
export interface NearTerm {
  readonly term: string
  readonly word: string
  /** Number of insertions, deletions, substitutions and swaps of neighbours. */
  readonly edits: number
}

/** Minimum letters of a word to correct, and of a word that may have two errors. */
const SHORTEST = 3
const LONG = 8

/** Maximum letters of an ending. */
const LONGEST_ENDING = 9

/** Maximum number of errors to correct in a word. */
export function slipsOf(word: string): number {
  return word.length < SHORTEST || /\d/.test(word) ? 0 : word.length < LONG ? 1 : 2
}

/** For each term within `most` edits of a word, its nearest word; the nearest first. A term stands for all words with its stem. */
export function nearTerms(word: string, terms: readonly string[], most: number): NearTerm[] {
  const meant: MisspeltWord = { word, most, stem: stemOf(word), tails: tailsOf(word, most) }
  const around = lettersAround(word, most)
  const near = terms.flatMap((term) => {
    const isFar = term.length > word.length + most || term.length + LONGEST_ENDING + most < word.length
    if (isFar || term === meant.stem || countStrays(term, around, most) > most) return []
    return beginsNear(word, term, most) ? (nearestForm(term, meant) ?? []) : []
  })
  return near.sort((a, b) => a.edits - b.edits || (a.term < b.term ? -1 : 1))
}

/** The word in the texts that has this term and is nearest to a word; undefined if there is none. */
export function nearestWord(word: string, term: string, texts: readonly string[]): string | undefined {
  const words = new Map<string, number>()
  for (const text of texts) {
    scanTerms(text, {
      main: (main, start, end) => {
        const found = main === term ? foldWord(text.slice(start, end)) : ''
        if (found !== '' && !words.has(found)) words.set(found, countEdits(word, found, word.length))
      },
      extra: () => {},
    })
  }
  return [...words].sort(([one, a], [other, b]) => a - b || (one < other ? -1 : 1))[0]?.[0]
}

/** For each position in a word and up to `most` after it, the letters at most `most` positions away, as bits. */
function lettersAround(word: string, most: number): Uint32Array {
  return Uint32Array.from({ length: word.length + most }, (_, at) => {
    let bits = 0
    for (let near = Math.max(0, at - most); near <= Math.min(at + most, word.length - 1); near++)
      bits |= 1 << (word.charCodeAt(near) & 31)
    return bits
  })
}

/** Number of letters of a term that the word lacks near the same position, up to `most` + 1. Each is an edit. */
function countStrays(term: string, around: Uint32Array, most: number): number {
  let strays = 0
  for (let at = 0; at < beginningOf(term) && strays <= most; at++) {
    if (((around[at] ?? 0) & (1 << (term.charCodeAt(at) & 31))) === 0) strays++
  }
  return strays
}

/** Number of letters of a term without the last one, which can differ in other forms. */
function beginningOf(term: string): number {
  return term.length > SHORTEST ? term.length - 1 : term.length
}

/** A possibly misspelt word, prepared for the search. */
interface MisspeltWord {
  readonly word: string
  readonly stem: string
  /** Maximum edits. */
  readonly most: number
  /** For each position in the word, the endings near to the rest. */
  readonly tails: readonly (readonly NearEnding[])[]
}

interface NearEnding {
  readonly ending: string
  readonly edits: number
}

/** Endings of English words, including those of derived verbs and adverbs. */
const FORMS = [
  ...new Set(
    ['', ...ENDINGS, 'ize', 'ify'].flatMap((ending) => [
      ...[ending, `${ending}s`, `${ending}ly`],
      ...(/[ey]$/.test(ending) ? ['ed', 'es', 'ing', 'ied', 'ies'].map((end) => ending.slice(0, -1) + end) : []),
    ]),
  ),
]

function tailsOf(word: string, most: number): NearEnding[][] {
  return Array.from({ length: word.length + 1 }, (_, from) => {
    const tail = word.slice(from)
    const near = FORMS.map((ending) => ({ ending, edits: countEdits(ending, tail, most) }))
    return near.filter(({ edits }) => edits <= most)
  })
}

/** The form of a stem that is nearest to a word. A stem lacks a final e and doubled letters, and has i for y. */
function nearestForm(term: string, { word, most, tails }: MisspeltWord): NearTerm | undefined {
  const isEnglish = /^[a-z]{2,}$/.test(term)
  const others = [`${term}e`, `${term}${term.at(-1)}`, ...(term.endsWith('i') ? [term.slice(0, -1)] : [])]
  let nearest: NearTerm | undefined
  for (const base of [term, ...(isEnglish ? others : [])]) {
    const row = editRow(base, word, most)
    for (const [at, before] of row.entries()) {
      if (before > most) continue
      for (const { ending, edits: behind } of tails[at] ?? []) {
        const limit = nearest ? nearest.edits - 1 : most
        // A swap across the start of the ending is one edit, not one on either side.
        const isSwapped = ending !== '' && base.at(-1) === word[at] && ending[0] === word[at - 1]
        if (before + behind - (isSwapped ? 1 : 0) > limit || (ending !== '' && !isEnglish)) continue
        const form = base + ending
        const edits = countEdits(word, form, limit)
        if (edits > 0 && edits <= limit && (form === term || stemOf(form) === term))
          nearest = { term, word: form, edits }
      }
    }
  }
  return nearest
}

/** Whether a word has a prefix within `most` edits of the beginning of a term. */
function beginsNear(word: string, term: string, most: number): boolean {
  return editRow(term.slice(0, beginningOf(term)), word, most).some((edits) => edits <= most)
}

/** First and last letter of alphabets, to search all terms by their first letter. */
const ALPHABETS = ['az', 'αω', 'ая', 'את', 'ءي', 'अह'] as const

export function firstLetters(word: string): string[] {
  const [first = ''] = word
  const found = ALPHABETS.find(([from = '', to = '']) => first >= from && first <= to)
  const [from = 0, to = -1] = [...(found ?? '')].map((letter) => letter.charCodeAt(0))
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
}

/** Minimum letters of a part of a compound, and of a part next to unknown parts. */
const SHORTEST_PART = 3
const LONG_PART = 5

/** Linking letters between parts of a compound in German, Dutch and Nordic languages. */
const LINKS = ['', 's', 'es', 'n', 'en', 'e', 'er', 'ns', '-'] as const

/** The possible parts of a compound, as terms. */
export function possibleParts(word: string): string[] {
  const parts = new Set<string>()
  for (let from = 0; from + SHORTEST_PART <= word.length; from++) {
    for (let to = from + SHORTEST_PART; to <= word.length; to++)
      if (to - from < word.length) parts.add(stemOf(word.slice(from, to)))
  }
  return [...parts]
}

/**
 * The terms of a compound: the fewest that make up all of it, with linking letters; else the longest one at its start or end;
 * else none.
 */
export function partsOfCompound(word: string, isKnown: (term: string) => boolean): string[] {
  const known = (from: number, to: number) => {
    const term = stemOf(word.slice(from, to))
    return to - from >= SHORTEST_PART && to - from < word.length && !isStopWord(term) && isKnown(term)
      ? term
      : undefined
  }
  /** The fewest parts for each prefix of the word. */
  const made: (readonly string[] | undefined)[] = [[]]
  for (let to = SHORTEST_PART; to <= word.length; to++) {
    for (let end = 0; end <= to - SHORTEST_PART; end++) {
      const before = made[end]
      if (!before) continue
      for (const link of end === 0 ? [''] : LINKS) {
        const part = word.startsWith(link, end) ? known(end + link.length, to) : undefined
        if (part !== undefined && before.length + 1 < (made[to]?.length ?? Number.POSITIVE_INFINITY))
          made[to] = [...before, part]
      }
    }
  }
  const whole = made[word.length]
  if (whole && whole.length > 1) return [...whole]
  for (let length = word.length - 1; length >= LONG_PART; length--) {
    const part = known(0, length) ?? known(word.length - length, word.length)
    if (part !== undefined) return [part]
  }
  return []
}

/** Terms that contain a word: its compounds. */
export function compoundsWith(word: string, terms: readonly string[]): string[] {
  const part = word.length > LONG_PART ? stemOf(word) : word
  return part.length < LONG_PART ? [] : terms.filter((term) => term !== part && term.includes(part))
}
