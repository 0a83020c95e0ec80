/** How well each item of a digest fits each question, by the words of both and by where the items stand. */

import { RankedTexts } from '../../retrieval/passages.ts'
import { composeText, isStopWord, mainTerms } from '../../retrieval/terms.ts'
import type { DigestItem } from '../run/evidence.ts'

/** Items of a question's first look whose words are looked for, too; and how many of those words. */
const HEARD_ITEMS = 3
const HEARD_TERMS = 12
/** What such a word weighs beside one of the question. */
const HEARD_WEIGHT = 0.3

/** What an item takes over from one in the same span, and from one in the span before or after. */
const SAME_SPAN = 0.8
const NEXT_SPAN = 0.5

/** A score for each item. */
export type Scores = readonly number[]

type Weights = ReadonlyMap<string, number>

/** For each question the scores of all items, comparable between the questions. 0: nothing speaks for it. */
export function affinities(items: readonly DigestItem[], questions: readonly string[]): Scores[] {
  const texts = new RankedTexts(items.map(({ text }) => termsIn(text)))
  const neighbours = neighboursOf(items)
  const asked = questions.map(termsIn)
  return asked.map((terms) => {
    const wanted = weightsOf(terms, asked)
    const first = texts.scores(wanted)
    const second = texts.scores(expandByFeedback(texts, spread(first, neighbours), wanted))
    return normal(spread(second, neighbours))
  })
}

/** A word that every question holds tells none of them apart, and weighs least. */
function weightsOf(terms: readonly string[], asked: readonly (readonly string[])[]): Weights {
  const share = (term: string) => asked.filter((other) => other.includes(term)).length / asked.length
  return new Map(terms.map((term) => [term, 1 / (1 + 3 * (share(term) - 1 / asked.length))]))
}

/** The words of a question, and some of what the items that fit best have in common with it. */
function expandByFeedback(texts: RankedTexts, scores: Scores, wanted: Weights): Weights {
  const best = rankScores(scores).slice(0, HEARD_ITEMS)
  const found = new Map<string, number>()
  for (const at of best) {
    for (const term of new Set(texts.terms(at))) found.set(term, (found.get(term) ?? 0) + texts.idf(term))
  }
  const more = [...found]
    .filter(([term]) => !wanted.has(term))
    .sort(byWeight)
    .slice(0, HEARD_TERMS)
  return new Map([...wanted, ...more.map(([term]) => [term, HEARD_WEIGHT] as const)])
}

function byWeight([a, x]: readonly [string, number], [b, y]: readonly [string, number]): number {
  return y - x || (a < b ? -1 : 1)
}

/** Places of the items that score at all, the best first. */
function rankScores(scores: Scores): number[] {
  const places = scores.flatMap((score, at) => (score > 0 ? [at] : []))
  return places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}

/** Terms of a text that say something. */
function termsIn(text: string): string[] {
  return mainTerms(composeText(text)).filter((term) => !isStopWord(term))
}

/** So that the best item of each question has 1: a long question is not worth more than a short one. */
function normal(scores: Scores): Scores {
  const most = Math.max(0, ...scores)
  return most === 0 ? scores : scores.map((score) => score / most)
}

interface Neighbour {
  readonly at: number
  /** What is taken over of its score. */
  readonly share: number
}

type Neighbours = readonly (readonly Neighbour[])[]

/** With what stands beside an item: what a passage is about, each of its sentences is, but not each says so. */
function spread(scores: Scores, neighbours: Neighbours): Scores {
  return scores.map((score, at) => {
    const near = neighbours[at] ?? []
    return score + near.reduce((most, { at: other, share }) => Math.max(most, share * (scores[other] ?? 0)), 0)
  })
}

/** Which items stand in the same span, or in the one before or after. */
function neighboursOf(items: readonly DigestItem[]): Neighbours {
  const holders = new Map<string, number[]>()
  for (const [at, { sources }] of items.entries()) {
    for (const source of sources) holders.set(source, [...(holders.get(source) ?? []), at])
  }
  return items.map(({ sources }, own) => {
    const near = new Map<number, number>()
    for (const source of sources) {
      for (const [place, share] of around(source)) {
        for (const at of holders.get(place) ?? []) if (at !== own) near.set(at, Math.max(share, near.get(at) ?? 0))
      }
    }
    return [...near].map(([at, share]) => ({ at, share }))
  })
}

/** `a.md::S3`: itself, `a.md::S2` and `a.md::S4`. */
function around(source: string): (readonly [string, number])[] {
  const [, alias = '', number = ''] = /^(.*)::S(\d+)$/s.exec(source) ?? []
  if (number === '') return [[source, SAME_SPAN]]
  const span = Number(number)
  const next = [span - 1, span + 1].map((other) => [`${alias}::S${other}`, NEXT_SPAN] as const)
  return [[source, SAME_SPAN], ...next]
}
