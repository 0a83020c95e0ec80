import type { DigestItem } from '../run/evidence.ts'
import { affinities } from './affinity.ts'
import { rankPlaces, relevance } from './terms.ts'

/** A question that a node was divided into. */
export interface Child {
  readonly id: string
  readonly question: string
}

/** An item goes to the question that it fits best, and to those that it fits nearly as well: this share of the best. */
const NEARLY = 0.75

/** Share of the best of its own that an item has at least: what hardly speaks of anything that is asked stays behind. */
const LEAST = 0.05

/** What limits an answer, and what its words mean: it follows each question that it has words of, so many of them at most. */
const FOLLOWING: readonly DigestItem['kind'][] = ['constraint', 'definition']
const MOST_FOLLOWING = 5

/** Ids of the constraints and definitions that have words of a question, those with most of them first. */
export function followingItems(items: readonly DigestItem[], question: string): string[] {
  const following = items.filter(({ kind }) => FOLLOWING.includes(kind))
  const scores = relevance(
    following.map(({ text }) => text),
    question,
  )
  return rankPlaces(scores)
    .slice(0, MOST_FOLLOWING)
    .flatMap((at) => following[at]?.id ?? [])
}

/**
 * Divides what a node knows among the questions that it was divided into: for each the ids of its items, in the order in
 * which they are given, with the constraints and definitions that have words of it. An item that no question asks for goes to none. The same
 * input gives the same answer. `headingsOf`: what a source stands under.
 */
export function route(
  items: readonly DigestItem[],
  children: readonly Child[],
  headingsOf: (ref: string) => readonly string[] = () => [],
): ReadonlyMap<string, readonly string[]> {
  const scores = affinities(
    items,
    children.map(({ question }) => question),
    headingsOf,
  )
  const best = items.map((_, at) => Math.max(0, ...scores.map((row) => row[at] ?? 0)))
  const fits = (child: number, at: number) => {
    const score = scores[child]?.[at] ?? 0
    return score >= LEAST && score >= NEARLY * (best[at] ?? 0)
  }
  return new Map(
    children.map(({ id, question }, child) => {
      const following = new Set(followingItems(items, question))
      return [id, items.filter((item, at) => following.has(item.id) || fits(child, at)).map((item) => item.id)]
    }),
  )
}
