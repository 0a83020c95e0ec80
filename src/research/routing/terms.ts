/** Words of questions and texts, as the extractive stages compare them. */

import { RankedTexts } from '../../retrieval/passages.ts'
import { composeText, isStopWord, mainTerms } from '../../retrieval/terms.ts'

/** Words that ask, and tell nothing of what is asked. */
const ASKING = new Set(
  (
    'what which who whom whose when where why how many much long often does do did is are was were will would can could ' +
    'should may might have has had be been know known say said tell describe explain list give show compare find'
  ).split(' '),
)

/** The terms of a text that say something, in order, again as often as they stand there. */
export function termsIn(text: string): string[] {
  return mainTerms(composeText(text)).filter((term) => !isStopWord(term) && !ASKING.has(term))
}

/** BM25 of texts among themselves. 0: the text holds no term. */
export function relevance(texts: readonly string[], question: string): number[] {
  const wanted = new Map(termsIn(question).map((term) => [term, 1]))
  return new RankedTexts(texts.map(termsIn)).scores(wanted)
}

/** Places of the scores above 0, the highest first; of equal ones the first. */
export function rankPlaces(scores: readonly number[]): number[] {
  const places = scores.flatMap((score, at) => (score > 0 ? [at] : []))
  return places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}

/** The paragraphs of a text that are nearest to a question, in their order, within so many characters. */
export function nearestParagraphs(text: string, question: string, most: number): string {
  if (text.length <= most) return text
  const paragraphs = text.split(/\n\s*\n/)
  const chosen: number[] = []
  let length = 0
  for (const at of rankPlaces(relevance(paragraphs, question))) {
    length += paragraphs[at]?.length ?? 0
    if (length > most && chosen.length > 0) break
    chosen.push(at)
  }
  const kept = chosen.sort((a, b) => a - b).map((at) => paragraphs[at] ?? '')
  return (kept.length > 0 ? kept.join('\n\n') : text).slice(0, most).toWellFormed()
}
