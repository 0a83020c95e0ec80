/** Ranks paths for typed letters, as editors do to open files: `usrctl` matches `user-controller.ts`. */

import { byCodeUnit } from '../../text/paths.ts'

/** Maximum number of characters of a query, characters of a path, and words of a query. */
const LIMITS = { query: 128, path: 1_024, words: 8 }

/** Score of a letter in a substring. */
const SUBSTRING_LETTER_SCORE = 24
/** Score of a letter in an abbreviation. */
const LETTER_SCORE = 16
/** Bonus of a letter that begins a word. */
const WORD_START_BONUS = 12
/** Bonus of a word that is the whole file name. */
const WHOLE_NAME_BONUS = 48
/** Bonus of a word that matches in the file name. */
const IN_NAME_BONUS = 64
/** Penalty for each unmatched character between the matched letters. */
const GAP_PENALTY = 2

/**
 * The paths that contain the letters of each word in order, the best first. The order prefers matches in the file name, then substrings and
 * beginnings of words, then short names, then short paths. Takes linear time.
 */
export function rankPaths<Item extends { path: string }>(items: readonly Item[], query: string, limit: number): Item[] {
  const words = readWords(query)
  if (words.length === 0) return []
  const scored = items.flatMap((item) => {
    const score = scorePath(item.path, words)
    return score === undefined ? [] : [{ item, score }]
  })
  scored.sort(
    (a, b) =>
      b.score - a.score ||
      nameLength(a.item) - nameLength(b.item) ||
      a.item.path.length - b.item.path.length ||
      byCodeUnit(a.item.path, b.item.path),
  )
  return scored.slice(0, limit).map(({ item }) => item)
}

function nameLength({ path }: { readonly path: string }): number {
  return path.length - path.lastIndexOf('/')
}

function readWords(query: string): string[] {
  const folded = query.slice(0, LIMITS.query).normalize('NFC').toLowerCase()
  return folded.split(/\s+/).filter(Boolean).slice(0, LIMITS.words)
}

/** Score of a path; undefined if a word does not match. */
function scorePath(wholePath: string, words: readonly string[]): number | undefined {
  const path = wholePath.normalize('NFC').slice(-LIMITS.path)
  const name = path.slice(path.lastIndexOf('/') + 1)
  let sum = 0
  for (const word of words) {
    const score = scoreName(name, word) ?? scoreText(path, word)
    if (score === undefined) return undefined
    sum += score
  }
  return sum
}

function scoreName(name: string, word: string): number | undefined {
  const score = scoreText(name, word)
  if (score === undefined) return undefined
  const lower = name.toLowerCase()
  const isWhole = lower === word || lower.startsWith(`${word}.`)
  return score + IN_NAME_BONUS + (isWhole ? WHOLE_NAME_BONUS : 0)
}

/** Score of a word: as a substring, else as letters in order. Undefined if the text lacks a letter, or the letters are far apart. */
function scoreText(text: string, word: string): number | undefined {
  const lower = text.toLowerCase()
  const matchStart = lower.indexOf(word)
  const startBonus = (position: number) => (isWordStart(text, position) ? WORD_START_BONUS : 0)
  if (matchStart !== -1) return word.length * SUBSTRING_LETTER_SCORE + startBonus(matchStart)
  const span = spanOfLetters(lower, word)
  // Too far apart for an abbreviation.
  if (!span || span.length > word.length * 6 + 8) return undefined
  const bonus = span.letters.reduce((sum, position) => sum + startBonus(position), 0)
  return word.length * LETTER_SCORE + bonus - (span.length - word.length) * GAP_PENALTY
}

/**
 * `letters`: positions of the word's letters in the text; `length`: of the shortest match that ends at the first
 * possible end.
 */
function spanOfLetters(lower: string, word: string) {
  let end = -1
  for (const letter of word) {
    end = lower.indexOf(letter, end + 1)
    if (end === -1) return undefined
  }
  let start = end + 1
  const letters: number[] = []
  for (const letter of [...word].reverse()) {
    start = lower.lastIndexOf(letter, start - 1)
    letters.push(start)
  }
  return { letters, length: end - start + 1 }
}

/**
 * Whether a word begins at a position: after a character other than a letter or digit, or with a capital after a small
 * letter.
 */
function isWordStart(text: string, at: number): boolean {
  const [before = '/', here = ''] = [text[at - 1], text[at]]
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here))
}
