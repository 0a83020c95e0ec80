import { PassageIndex } from '../../retrieval/passages.ts'
import { paragraphOf } from '../../retrieval/units.ts'
import type { DigestItem, RoutingIndex } from '../run/evidence.ts'

/** A question that a node was divided into. */
export interface Child {
  readonly id: string
  readonly question: string
}

/** An item goes to the question that it fits best, and to those that it fits nearly as well: this share of the best. */
const NEARLY = 0.75

/** Share of the best of its own that an item has at least: what hardly speaks of anything that is asked stays behind. */
const LEAST = 0.05

/** Share of a score that items of the same span pass on. */
const SAME_SPAN = 0.8

/** Kinds of items that follow each question with their words, at most so many. */
const FOLLOWING: readonly DigestItem['kind'][] = ['constraint', 'definition']
const MOST_FOLLOWING = 5

/** Ids of the constraints and definitions that have words of a question, those with most of them first. */
export function followingItems(items: readonly DigestItem[], question: string): string[] {
  const following = items.filter(({ kind }) => FOLLOWING.includes(kind))
  return rankNearest(following, ({ text }) => text, question)
    .slice(0, MOST_FOLLOWING)
    .map(({ id }) => id)
}

/**
 * Divides what a node knows among the questions that it was divided into: for each the ids of its items, in the order in
 * which they are given, with the constraints and definitions that have words of it. An item that no question asks for goes to none. The same
 * input gives the same answer.
 */
export function route(
  items: readonly DigestItem[],
  children: readonly Child[],
  index: RoutingIndex = { tags: {} },
): ReadonlyMap<string, readonly string[]> {
  const headings = headingsById(index)
  const passages = new PassageIndex(items.map((item) => unitOf(item, headings.get(item.id))))
  const scores = children.map(({ question }) => {
    const own = passages.rank(question).map(({ score }) => score)
    return relativeScores(smoothBySpans(items, own))
  })
  const best = items.map((_, at) => Math.max(0, ...scores.map((row) => row[at] ?? 0)))
  return new Map(
    children.map(({ id, question }, child) => {
      const following = new Set(followingItems(items, question))
      const fits = (at: number) => {
        const score = scores[child]?.[at] ?? 0
        return score >= LEAST && score >= NEARLY * (best[at] ?? 0)
      }
      return [id, items.filter((item, at) => following.has(item.id) || fits(at)).map((item) => item.id)]
    }),
  )
}

function headingsById({ tags }: RoutingIndex): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [heading, ids] of Object.entries(tags)) {
    for (const id of ids) found.set(id, [...(found.get(id) ?? []), heading])
  }
  return found
}

function unitOf({ text, sources: [ref = ''] }: DigestItem, trail: readonly string[] = []) {
  return paragraphOf(text, { title: ref.slice(0, Math.max(0, ref.lastIndexOf('::'))), trail })
}

/** Adds to the score of an item those of the items in its span: a sentence often does not name what it is about. */
function smoothBySpans(items: readonly DigestItem[], scores: readonly number[]): readonly number[] {
  const bySpan = new Map<string, number>()
  for (const [at, { sources }] of items.entries()) {
    for (const ref of sources) bySpan.set(ref, Math.max(bySpan.get(ref) ?? 0, scores[at] ?? 0))
  }
  return items.map(({ sources }, at) => {
    return Math.max(scores[at] ?? 0, ...sources.map((ref) => SAME_SPAN * (bySpan.get(ref) ?? 0)))
  })
}

/** So that the best item of each question has 1: a long question is not worth more than a short one. */
function relativeScores(scores: readonly number[]): readonly number[] {
  const most = Math.max(0, ...scores)
  return most === 0 ? scores : scores.map((score) => score / most)
}

/** Those whose texts hold words of a question, the best first. */
export function rankNearest<One>(all: readonly One[], textOf: (one: One) => string, question: string): One[] {
  return rankPlaces(scorer(all.map(textOf))(question)).flatMap((at) => all.slice(at, at + 1))
}

/** How well texts fit a question, among themselves. 0: the text holds no word of it. */
function scorer(texts: readonly string[]): (question: string) => number[] {
  const index = new PassageIndex(texts.map((text) => paragraphOf(text)))
  return (question) => index.rank(question).map(({ score }) => score)
}

/** Places of the scores above 0, the highest first; of equal ones the first. */
function rankPlaces(scores: readonly number[]): number[] {
  const places = scores.flatMap((score, at) => (score > 0 ? [at] : []))
  return places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}

/** Characters of a long text that a judge reads for statements: for all of them, and for each at least and at most. */
const EXCERPT = { all: 16_000, least: 1200, most: 4000 }

/** Of a text as much as a judge reads for some statements. */
export function excerptFor(text: string, near: readonly string[]): string {
  const { all, least, most } = EXCERPT
  return nearestParagraphs(text, near, Math.max(least, Math.min(most, all / near.length)))
}

/** The paragraphs of a text that are nearest to each of some statements, in their order: for each within so many characters. */
export function nearestParagraphs(text: string, near: readonly string[], most: number): string {
  if (text.length <= most) return text
  const paragraphs = paragraphsOf(text)
  const score = scorer(paragraphs)
  const chosen = new Set(near.flatMap((one) => chooseWithin(paragraphs, rankPlaces(score(one)), most)))
  const kept = [...chosen].sort((a, b) => a - b).map((at) => (paragraphs[at] ?? '').slice(0, most).toWellFormed())
  return kept.length > 0 ? kept.join('\n\n') : text.slice(0, most).toWellFormed()
}

/** A heading is one paragraph with the text under it. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = []
  for (const part of text.split(/\n\s*\n/)) {
    const last = paragraphs.at(-1)
    if (last !== undefined && /^#{1,6} /.test(last.slice(last.lastIndexOf('\n') + 1)))
      paragraphs.splice(-1, 1, `${last}\n\n${part}`)
    else paragraphs.push(part)
  }
  return paragraphs
}

/** The first of the places whose paragraphs together have so many characters; one in any case. */
function chooseWithin(paragraphs: readonly string[], places: readonly number[], most: number): readonly number[] {
  let length = 0
  const end = places.findIndex((at, index) => {
    length += paragraphs[at]?.length ?? 0
    return length > most && index > 0
  })
  return end < 0 ? places : places.slice(0, end)
}
