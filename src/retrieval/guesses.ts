/** Words that one may stand for which no document holds: misspelt, a compound of others, or a part of compounds. */

import { countEdits, editRow } from '../text/nearest.ts'
import { ENDINGS } from './query.ts'
import { foldWord, isStopWord, scanTerms, stemOf } from './terms.ts'

/** A term of the index, and the word that it was taken for. */
export interface NearTerm {
  readonly term: string
  readonly word: string
  /** Letters put in, left out, exchanged, or two beside each other swapped. */
  readonly edits: number
}

/** Letters of the shortest word that is compared, and of one that may have two slips. */
const SHORTEST = 3
const LONG = 8

/** Letters that an ending has at most. */
const LONGEST_ENDING = 9

/** Slips that a word may have. */
export function slipsOf(word: string): number {
  return word.length < SHORTEST || /\d/.test(word) ? 0 : word.length < LONG ? 1 : 2
}

/** The words of these terms that are so few edits away, the nearest first. A term stands for all words of its stem. */
export function nearTerms(word: string, terms: readonly string[], most: number): NearTerm[] {
  const meant: MisspeltWord = { word, most, stem: stemOf(word), tails: tailsOf(word, most) }
  const letters = lettersOf(word)
  const near = terms.flatMap((term) => {
    const isFar = term.length > word.length + most || term.length + LONGEST_ENDING + most < word.length
    // Each other letter is an edit; the last of a stem may be another in other forms.
    if (isFar || term === meant.stem || countBits(lettersOf(term) & ~letters) > most + 1) return []
    return beginsNear(word, term, most) ? (nearestForm(term, meant) ?? []) : []
  })
  return near.sort((a, b) => a.edits - b.edits || (a.term < b.term ? -1 : 1))
}

/** The word of a term in some texts that is nearest to a word; undefined where they hold none. */
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

/** A bit for each letter that a word has. */
function lettersOf(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

/** A word that may be misspelt, and what its forms are looked for with. */
interface MisspeltWord {
  readonly word: string
  readonly stem: string
  /** Edits that a form may be away. */
  readonly most: number
  /** For each place in the word, the endings that are near to what stands from there on. */
  readonly tails: readonly (readonly NearEnding[])[]
}

interface NearEnding {
  readonly ending: string
  readonly edits: number
}

/** Endings of English words, also of verbs and adverbs that are made of others. */
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

/** The form of a stem that is nearest to a word: a stem loses an e, doubled letters, and y becomes i. */
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
        // Two letters may be swapped where the ending begins: that is one edit, and not one on either side.
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

/** Whether a word begins with nearly all of a term: its last letter may be another in other forms. */
function beginsNear(word: string, term: string, most: number): boolean {
  const stem = term.length > SHORTEST ? term.slice(0, -1) : term
  return editRow(stem, word, most).some((edits) => edits <= most)
}

/** First letters of all words in the script of a word, for a search of all terms. */
const ALPHABETS = ['az', 'αω', 'ая', 'את', 'ءي', 'अह'] as const

export function firstLetters(word: string): string[] {
  const [first = ''] = word
  const found = ALPHABETS.find(([from = '', to = '']) => first >= from && first <= to)
  const [from = 0, to = -1] = [...(found ?? '')].map((letter) => letter.charCodeAt(0))
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
}

/** Letters of the shortest part of a compound, and of one that may stand with parts that are unknown. */
const SHORTEST_PART = 3
const LONG_PART = 5

/** Linking letters between the parts of a compound in German, Dutch and Nordic languages. */
const LINKS = ['', 's', 'es', 'n', 'en', 'e', 'er', 'ns', '-'] as const

/** Parts that a compound may have, as terms. */
export function possibleParts(word: string): string[] {
  const parts = new Set<string>()
  for (let from = 0; from + SHORTEST_PART <= word.length; from++) {
    for (let to = from + SHORTEST_PART; to <= word.length; to++)
      if (to - from < word.length) parts.add(stemOf(word.slice(from, to)))
  }
  return [...parts]
}

/**
 * The terms that make a compound: all of it, with what links them, in as few as may be; else the longest with which it begins
 * or ends. None where nothing fits.
 */
export function partsOfCompound(word: string, isKnown: (term: string) => boolean): string[] {
  const known = (from: number, to: number) => {
    const term = stemOf(word.slice(from, to))
    return to - from >= SHORTEST_PART && to - from < word.length && !isStopWord(term) && isKnown(term)
      ? term
      : undefined
  }
  /** The fewest parts that each beginning of the word is made of. */
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

/** Terms that hold a word as a part: compounds of it. */
export function compoundsWith(word: string, terms: readonly string[]): string[] {
  const part = word.length > LONG_PART ? stemOf(word) : word
  return part.length < LONG_PART ? [] : terms.filter((term) => term !== part && term.includes(part))
}
