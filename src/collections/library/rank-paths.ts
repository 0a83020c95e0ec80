/** Finds files by letters of their names: `usrctl` matches `user-controller.ts`. */

import { byCodeUnit } from '../../text/paths.ts'

/** Maximum characters of a query and of a path, and words of a query. */
const LIMITS = { query: 128, path: 1_024, words: 8 }

/** Score of a letter, and its bonuses. */
const LETTER_SCORE = 16
const CONSECUTIVE_BONUS = 8
const WORD_START_BONUS = 12
const WHOLE_NAME_BONUS = 48
const IN_NAME_BONUS = 64
/** Penalty for each letter between two matched ones. */
const GAP_PENALTY = 2

/**
 * The paths that contain the letters of each word in order, the best first: matches in the name before those in folders, consecutive letters and
 * beginnings of words before others, short paths before long ones. Takes linear time.
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

/** Score of a word: as a substring, else as letters in order, in the shortest span up to their first end. */
function scoreText(text: string, word: string): number | undefined {
  const lower = text.toLowerCase()
  const at = lower.indexOf(word)
  if (at !== -1)
    return word.length * (LETTER_SCORE + CONSECUTIVE_BONUS) + (isWordStart(text, at) ? WORD_START_BONUS : 0)
  const end = endOfEarliestMatch(lower, word)
  if (end === undefined) return undefined
  const positions = latestPositions(lower, word, end)
  const [first = 0] = positions
  // Too far apart for an abbreviation.
  if (end - first + 1 > word.length * 6 + 8) return undefined
  return positions.reduce((sum, position, index) => sum + scoreLetter(text, position, positions[index - 1]), 0)
}

function scoreLetter(text: string, position: number, previous: number | undefined): number {
  const gap = previous === undefined ? 0 : position - previous - 1
  return (
    LETTER_SCORE +
    (previous !== undefined && gap === 0 ? CONSECUTIVE_BONUS : 0) +
    (isWordStart(text, position) ? WORD_START_BONUS : 0) -
    gap * GAP_PENALTY
  )
}

/** Position of the last letter, when each is matched as early as possible. */
function endOfEarliestMatch(lower: string, word: string): number | undefined {
  let at = -1
  for (const letter of word) {
    at = lower.indexOf(letter, at + 1)
    if (at === -1) return undefined
  }
  return at
}

/** Positions of the letters, each matched as late as possible before `end`. */
function latestPositions(lower: string, word: string, end: number): number[] {
  const positions: number[] = []
  let at = end + 1
  for (const letter of [...word].reverse()) {
    at = lower.lastIndexOf(letter, at - 1)
    positions.push(at)
  }
  return positions.reverse()
}

/** Whether a word begins here: after a sign, or by a capital after a small letter. */
function isWordStart(text: string, at: number): boolean {
  const [before = '/', here = ''] = [text[at - 1], text[at]]
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here))
}
