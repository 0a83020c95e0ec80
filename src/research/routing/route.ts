import { PassageIndex } from '../../retrieval/passages.ts'
import type { DigestItem } from '../run/evidence.ts'

/** A question that a node was divided into. */
export interface Child {
  readonly id: string
  readonly question: string
}

/** An item goes to the question that it fits best, and to those that it fits nearly as well: this share of the best. */
const NEARLY = 0.75

/** Share of the best of its own that an item has at least: what hardly speaks of anything that is asked stays behind. */
const LEAST = 0.05

/**
 * Divides what a node knows among the questions that it was divided into: for each the ids of its items, in the order in
 * which they are given. An item that no question asks for goes to none. The same input gives the same answer. `headingsOf`:
 * what a source stands under.
 */
export function route(
  items: readonly DigestItem[],
  children: readonly Child[],
  headingsOf: (ref: string) => readonly string[] = () => [],
): ReadonlyMap<string, readonly string[]> {
  const index = new PassageIndex(items.map((item) => unitOf(item, headingsOf)))
  const scores = children.map(({ question }) => relativeScores(index.rank(question).map(({ score }) => score)))
  const best = items.map((_, at) => Math.max(0, ...scores.map((row) => row[at] ?? 0)))
  return new Map(
    children.map(({ id }, child) => {
      const fits = (at: number) => {
        const score = scores[child]?.[at] ?? 0
        return score >= LEAST && score >= NEARLY * (best[at] ?? 0)
      }
      return [id, items.filter((_, at) => fits(at)).map((item) => item.id)]
    }),
  )
}

function unitOf({ text, sources: [ref = ''] }: DigestItem, headingsOf: (ref: string) => readonly string[]) {
  const title = ref.replace(/(?:\.\w+)?::.*$/s, '')
  const place = { start: 0, end: text.length, line: 1, trail: headingsOf(ref), lead: '', block: '' }
  return { kind: 'paragraph', text, title, ...place } as const
}

/** So that the best item of each question has 1: a long question is not worth more than a short one. */
function relativeScores(scores: readonly number[]): readonly number[] {
  const most = Math.max(0, ...scores)
  return most === 0 ? scores : scores.map((score) => score / most)
}
