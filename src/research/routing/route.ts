/** Compares texts with questions by words: routes items to questions, ranks texts, and shortens long texts. */

import { bestFirst, PassageIndex } from '../../retrieval/passages.ts'
import { paragraphOf } from '../../retrieval/units.ts'
import type { DigestItem, RoutingIndex } from '../run/evidence.ts'
import { aliasOf } from '../run/slices.ts'
import type { NodeState } from '../run/tree.ts'

/** A question that a node was divided into. */
export type ChildQuestion = Pick<NodeState, 'id' | 'question'>

/** An item goes to each question for which its score is at least this share of its best score. */
const MIN_SHARE_OF_BEST = 0.75

/** Minimum score of an item for a question, as a share of the score of the question's best item. */
const MIN_SCORE = 0.05

/** Share of an item's score that other items of the same span (citable piece of a text) get. */
const SAME_SPAN_SHARE = 0.8

/** Items of these kinds go to each question with which they share a word; the maximum number for a question. */
const SHARED_KINDS: readonly DigestItem['kind'][] = ['constraint', 'definition']
const MAX_SHARED_ITEMS = 5

/** Ids of the constraints and definitions that share words with a question, the best first. */
export function sharedItems(items: readonly DigestItem[], question: string): string[] {
  const shareable = items.filter(({ kind }) => SHARED_KINDS.includes(kind))
  const ranked = rankNearest(shareable, ({ text }) => text, question)
  return ranked.slice(0, MAX_SHARED_ITEMS).map(({ id }) => id)
}

/**
 * Divides the items of a node among its child questions. Returns the ids of the items of each question, in the order of
 * `items`: those that fit the question best, and constraints and definitions that share words with it. An item that
 * fits no question goes to none. The same input always gives the same result.
 */
export function route(
  items: readonly DigestItem[],
  children: readonly ChildQuestion[],
  index: RoutingIndex = { tags: {} },
): ReadonlyMap<string, readonly string[]> {
  const tagged = Object.entries(index.tags).flatMap(([heading, ids]) => ids.map((id) => ({ heading, id })))
  const tags = Map.groupBy(tagged, ({ id }) => id)
  const passages = new PassageIndex(
    items.map(({ id, text, sources: [ref = ''] }) => {
      return paragraphOf(text, { title: aliasOf(ref), trail: tags.get(id)?.map(({ heading }) => heading) ?? [] })
    }),
  )
  const scores = children.map(({ question }) => {
    const scoresOfItems = passages.rank(question).map(({ score }) => score)
    const smoothed = smoothBySpans(items, scoresOfItems)
    // Scales the scores so that the best item of each question has 1, because long questions have higher scores.
    const best = Math.max(0, ...smoothed)
    return best === 0 ? smoothed : smoothed.map((score) => score / best)
  })
  const bestOfItems = items.map((_, at) => Math.max(0, ...scores.map((row) => row[at] ?? 0)))
  return new Map(
    children.map(({ id, question }, child) => {
      const sharedIds = new Set(sharedItems(items, question))
      const ownScores = scores[child] ?? []
      const fits = (at: number) =>
        (ownScores[at] ?? 0) >= Math.max(MIN_SCORE, MIN_SHARE_OF_BEST * (bestOfItems[at] ?? 0))
      return [id, items.filter((item, at) => sharedIds.has(item.id) || fits(at)).map((item) => item.id)]
    }),
  )
}

/** Raises each score to a share of the best score in the item's span: a sentence often leaves its subject to its neighbours. */
function smoothBySpans(items: readonly DigestItem[], scores: readonly number[]): readonly number[] {
  const bySpan = new Map<string, number>()
  for (const [at, { sources }] of items.entries()) {
    for (const ref of sources) bySpan.set(ref, Math.max(bySpan.get(ref) ?? 0, SAME_SPAN_SHARE * (scores[at] ?? 0)))
  }
  return items.map(({ sources }, at) => {
    return Math.max(scores[at] ?? 0, ...sources.flatMap((ref) => bySpan.get(ref) ?? []))
  })
}

/** The values that have a word of the question in their text, the best first. */
export function rankNearest<One>(all: readonly One[], textOf: (one: One) => string, question: string): One[] {
  return textRanking(all.map(textOf))(question).flatMap((at) => all.slice(at, at + 1))
}

/** Makes a function that ranks texts: the indexes of the texts that share words with a question, the best first. */
function textRanking(texts: readonly string[]): (question: string) => number[] {
  const index = new PassageIndex(texts.map((text) => paragraphOf(text)))
  return (question) => bestFirst(index.rank(question)).map(({ at }) => at)
}

/**
 * Maximum characters of a long text that a judge reads: `all` for all statements together; at least `least` and at most `most`
 * for each.
 */
const EXCERPT_LENGTH = { all: 16_000, least: 1200, most: 4000 }

/** The excerpt of a text that a judge reads for some statements. */
export function excerptFor(text: string, statements: readonly string[]): string {
  const { all, least, most } = EXCERPT_LENGTH
  return nearestParagraphs(text, statements, Math.max(least, Math.min(most, all / statements.length)))
}

/** The paragraphs nearest to each statement, in the order of the text; up to `maxLength` characters for each statement. */
export function nearestParagraphs(text: string, statements: readonly string[], maxLength: number): string {
  if (text.length <= maxLength) return text
  const paragraphs = paragraphsOf(text)
  const rank = textRanking(paragraphs)
  const lengthAt = (at: number) => (paragraphs[at] ?? '').length
  const chosen = new Set(statements.flatMap((one) => takeWithin(rank(one), maxLength, lengthAt)))
  const shown = [...chosen]
    .sort((a, b) => a - b)
    .map((at) => {
      const paragraph = (paragraphs[at] ?? '').slice(0, maxLength).toWellFormed()
      return chosen.has(at - 1) || at === 0 ? paragraph : `${OMITTED}${paragraph}`
    })
  const end = chosen.has(paragraphs.length - 1) ? '' : `\n\n${OMITTED.trim()}`
  return shown.length > 0 ? `${shown.join('\n\n')}${end}` : text.slice(0, maxLength).toWellFormed()
}

/** Marks omitted paragraphs. The heading of the next shown paragraph may be among them. */
const OMITTED = '[…]\n\n'

/** The paragraphs of a text. A heading belongs to the paragraph below it. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = []
  for (const block of text.split(/\n\s*\n/)) {
    const last = paragraphs.at(-1)
    if (last !== undefined && /^#{1,6} /.test(last.slice(last.lastIndexOf('\n') + 1)))
      paragraphs.push(`${paragraphs.pop()}\n\n${block}`)
    else paragraphs.push(block)
  }
  return paragraphs
}

/** The first values with at most `maxLength` characters together; at least one. */
export function takeWithin<One>(all: readonly One[], maxLength: number, lengthOf: (one: One) => number): One[] {
  let sum = 0
  return all.filter((one, at) => {
    sum += lengthOf(one)
    return at === 0 || sum <= maxLength
  })
}
