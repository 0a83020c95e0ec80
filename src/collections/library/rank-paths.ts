/** Finds files by letters of their names: `usrctl` matches `user-controller.ts`. */

import { byCodeUnit } from '../../text/paths.ts'

/** Maximum characters of a query and of a path, and words of a query. */
const LIMITS = { query: 128, path: 1_024, words: 8 }

/** Scores of a letter in a substring, and in an abbreviation; bonuses of a word start, a whole name, and any match in a name. */
const SUBSTRING_LETTER_SCORE = 24
const LETTER_SCORE = 16
const WORD_START_BONUS = 12
const WHOLE_NAME_BONUS = 48
const IN_NAME_BONUS = 64
/** Penalty for each letter between the matched ones. */
const GAP_PENALTY = 2

/**
 * The paths that contain the letters of each word in order, the best first: matches in the name before those in folders, substrings and beginnings of
 * words before others, short names before long ones, then short paths. Takes linear time.
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

/** Score of a word: as a substring, else as letters in their order; undefined if the text lacks one, or they are far apart. */
function scoreText(text: string, word: string): number | undefined {
  const lower = text.toLowerCase()
  const at = lower.indexOf(word)
  const startBonus = (position: number) => (isWordStart(text, position) ? WORD_START_BONUS : 0)
  if (at !== -1) return word.length * SUBSTRING_LETTER_SCORE + startBonus(at)
  const span = spanOfLetters(lower, word)
  // Too far apart for an abbreviation.
  if (!span || span.length > word.length * 6 + 8) return undefined
  const bonus = span.letters.reduce((sum, position) => sum + startBonus(position), 0)
  return word.length * LETTER_SCORE + bonus - (span.length - word.length) * GAP_PENALTY
}

/** Positions of the letters, and the length of their span: the shortest one that ends where the earliest match ends. */
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

/** Whether a word begins here: after a sign, or by a capital after a small letter. */
function isWordStart(text: string, at: number): boolean {
  const [before = '/', here = ''] = [text[at - 1], text[at]]
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here))
}
