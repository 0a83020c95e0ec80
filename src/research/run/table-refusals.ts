/** What a question asks of a table that none of its figures answers, by the words of the question alone. */

import { trimEnd } from '../../text/trim.ts'
import { findWord } from './plain-words.ts'

/** What turns a condition around, or asks for another place in the order than the first. */
const OTHERWISE =
  /\b(?:not|no|non|without|except|excluding|excludes?|besides|other than|apart from|second|third|fourth|fifth|\d(?:nd|rd|th)|median)\b|n['’]t\b/i

/** The same, unless the table has a column of that name or a cell that is meant. */
const ELSEWHERE =
  /\b(?:outside|save|but|rather|instead|unlike|versus|vs|differences?|shares?|percent|percentage|proportion|fraction|ratio|latest|last|first|previous|next|recent|earliest|ago|squares?|squared|growth|changed?|grew|times|twice|double|half|minus|plus|multiplied|divided)\b/gi

/** What begins a question that wants a reason, or yes or no. */
const NO_FIGURE = /^\W*(?:why|how come|do|does|did|is|are|was|were|can|could|should|would|has|have)\b/i

/** What is compared with something else than a number that is written in digits: `more boats than Hull`. */
const THAN_NO_NUMBER = /\bthan\s+(?!\d)/i

const BEYOND_NUMBER =
  'more|fewer|less|above|below|over|under|higher|lower|later|earlier|older|younger|longer|shorter|larger|smaller|greater'

/** Two conditions of which one holds; not `80 or more`. */
const EITHER = new RegExp(`\\bor\\b(?!\\s+(?:${BEYOND_NUMBER})\\b)`, 'i')

/** Abbreviated and approximate numbers, comparisons with an average, and questions for the meaning of a word. */
const NOT_PLAIN =
  /\d\s*(?:k|thousand|millions?|mio|mn|billions?|bn)\b|[~≈±]\s*\d|\b(?:above|below)[- ]average\b|\bdo(?:es)?\b.*\bmean\b/i

const FIGURES_FOR_MANY = /\b(?:per|by|(?:for|in|of) (?:each|every))\s+[\p{L}\p{M}-]+\s+and\b/iu

/** Whether no one figure of a table can be meant. */
export function asksForNoFigure(question: string): boolean {
  return [OTHERWISE, NO_FIGURE, THAN_NO_NUMBER, EITHER, NOT_PLAIN, FIGURES_FOR_MANY].some((pattern) =>
    pattern.test(question),
  )
}

/** Whether a word leads away from the rows that are named; `held`: words of the table that account for it. */
export function asksElsewhere(question: string, held: readonly string[]): boolean {
  return (question.match(ELSEWHERE) ?? []).some((word) => !held.includes(word.toLowerCase()))
}

const NUMBER = String.raw`(\d[\d.,]{0,30})`
const RANGES = new RegExp(
  [
    `\\b(?:through|as of|since|until|till|by|from|to|before|after|about|around|approximately|roughly|nearly|almost|within|over|under|above|below|than|at least|at most|between)\\s+${NUMBER}`,
    `${NUMBER}\\s+(?:or|and)\\s+(?:${BEYOND_NUMBER})\\b`,
    `${NUMBER}\\s+on(?:wards?)?\\b`,
    `(?:[<>≤≥~±]=?|\\bexceed(?:s|ing)?)\\s*${NUMBER}`,
    `${NUMBER}(?:\\s*\\+|\\s+(?:and|or)\\s+up\\b)`,
  ].join('|'),
  'gi',
)

/** Numbers that are the end of a range, or near what is meant: what equals them is not what is asked for. */
export function rangeNumbers(question: string): ReadonlySet<string> {
  const found = [...question.matchAll(RANGES)].flatMap((match) => match.slice(1).filter((one) => one !== undefined))
  return new Set(found.map((number) => trimEnd(number, '.,')))
}

const LEADS =
  /\b(?:of|in|for|from|with|at|on|by|among|about|like|ignoring|leaving out)\s+(?:(?:the|all|any|our|its)\s+)?(?:[\p{L}\p{N}-]+\s+and\s+)?$/iu

/** Whether a word limits the rows that are meant: `of women`. */
export function isCondition(word: string, question: string): boolean {
  const at = findWord(question, word)
  return at >= 0 && LEADS.test(question.slice(0, at))
}
