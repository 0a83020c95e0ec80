/** Finds files by letters of their names: `usrctl` matches `user-controller.ts`. */

import { byCodeUnit } from '../../text/paths.ts'

/** Maximum characters of a query and of a path, and words of a query. */
const MOST = { query: 128, path: 1_024, words: 8 }

/** Score of a letter, and its bonuses. */
const LETTER = 16
const FOLLOWS = 8
const BEGINS = 12
const WHOLE = 48
const IN_NAME = 64
/** Penalty for each letter between two matched ones. */
const GAP = 2

/**
 * The paths that contain the letters of each word in order, the best first: matches in the name before those in folders, consecutive letters and
 * beginnings of words before others, short paths before long ones. Takes linear time.
 */
export function rankPaths<One extends { readonly path: string }>(
  all: readonly One[],
  query: string,
  limit: number,
): One[] {
  const words = readWords(query)
  if (words.length === 0) return []
  const scored = all.flatMap((one) => {
    const score = scorePath(one.path, words)
    return score === undefined ? [] : [{ one, score }]
  })
  scored.sort(
    (a, b) =>
      b.score - a.score ||
      nameLength(a.one) - nameLength(b.one) ||
      a.one.path.length - b.one.path.length ||
      byCodeUnit(a.one.path, b.one.path),
  )
  return scored.slice(0, limit).map(({ one }) => one)
}

function nameLength({ path }: { readonly path: string }): number {
  return path.length - path.lastIndexOf('/')
}

function readWords(query: string): string[] {
  return foldLetters(query.slice(0, MOST.query)).split(/\s+/).filter(Boolean).slice(0, MOST.words)
}

function foldLetters(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Score of a path; undefined if a word does not match. */
function scorePath(whole: string, words: readonly string[]): number | undefined {
  const path = whole.normalize('NFC').slice(-MOST.path)
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
  return score + IN_NAME + (isWhole ? WHOLE : 0)
}

/** Score of a word: as a substring, else as letters in order, in the shortest span up to their first end. */
function scoreText(text: string, word: string): number | undefined {
  const lower = text.toLowerCase()
  const at = lower.indexOf(word)
  if (at !== -1) return word.length * (LETTER + FOLLOWS) + (isBeginning(text, at) ? BEGINS : 0)
  const end = endOfLetters(lower, word)
  if (end === undefined) return undefined
  const places = placesBackwards(lower, word, end)
  const [first = 0] = places
  // Too far apart for an abbreviation.
  if (end - first + 1 > word.length * 6 + 8) return undefined
  return places.reduce((sum, place, index) => sum + worthOf(text, place, places[index - 1]), 0)
}

function worthOf(text: string, place: number, before: number | undefined): number {
  const gap = before === undefined ? 0 : place - before - 1
  return (
    LETTER + (before !== undefined && gap === 0 ? FOLLOWS : 0) + (isBeginning(text, place) ? BEGINS : 0) - gap * GAP
  )
}

/** Position of the last letter, when each is matched as early as possible. */
function endOfLetters(lower: string, word: string): number | undefined {
  let at = -1
  for (const letter of word) {
    at = lower.indexOf(letter, at + 1)
    if (at === -1) return undefined
  }
  return at
}

/** Positions of the letters, each matched as late as possible before `end`. */
function placesBackwards(lower: string, word: string, end: number): number[] {
  const places: number[] = []
  let at = end + 1
  for (const letter of [...word].reverse()) {
    at = lower.lastIndexOf(letter, at - 1)
    places.push(at)
  }
  return places.reverse()
}

/** Whether a word begins here: after a sign, or by a capital after a small letter. */
function isBeginning(text: string, at: number): boolean {
  const [before = '/', here = ''] = [text[at - 1], text[at]]
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here))
}
