/** How well each item of a digest fits each question, by the words of both and by where the items stand. */

import {
  PassageIndex,
  type PassageWeights,
  type Question,
  readQuestion,
  type WantedTerm,
} from '../../retrieval/passages.ts'
import type { TextUnit } from '../../retrieval/units.ts'
import type { DigestItem } from '../run/evidence.ts'

/** What a person would look for in headings counts there most. Tuning half of the sets of `bench/research/linked.ts`. */
const ROUTING_WEIGHTS: PassageWeights = {
  heading: 3,
  trail: 1.5,
  lead: 0,
  title: 0.2,
  block: 0,
  coverageGain: 0.3,
  cueGain: 0,
}

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

/** For each question the scores of all items, comparable between the questions. 0: nothing speaks for it. */
export function affinities(
  items: readonly DigestItem[],
  questions: readonly string[],
  headingsOf: (ref: string) => readonly string[],
): Scores[] {
  const index = new PassageIndex(items.map((item) => unitOf(item, headingsOf)))
  const neighbours = neighboursOf(items)
  const asked = questions.map(readQuestion)
  return asked.map((question) => {
    const wanted = index.resolve(question)
    const terms = wanted.terms.map((term, at) => weighByShare(term, question.words[at]?.term ?? '', asked))
    const first = scoresOf(index, terms)
    return normal(spread(scoresOf(index, expandByFeedback(index, spread(first, neighbours), terms)), neighbours))
  })
}

function unitOf({ text, sources: [ref = ''] }: DigestItem, headingsOf: (ref: string) => readonly string[]): TextUnit {
  const title = ref.replace(/(?:\.\w+)?::.*/s, '')
  return {
    kind: 'paragraph',
    text,
    start: 0,
    end: text.length,
    line: 1,
    trail: headingsOf(ref),
    lead: '',
    block: '',
    title,
  }
}

function scoresOf(index: PassageIndex, terms: readonly WantedTerm[]): Scores {
  return index.score({ kind: 'other', terms }, ROUTING_WEIGHTS).map(({ score }) => score)
}

/** A word that every question holds tells none of them apart, and weighs least. */
function weighByShare(wanted: WantedTerm, term: string, asked: readonly Question[]): WantedTerm {
  const share = asked.filter(({ words }) => words.some((word) => word.term === term)).length / asked.length
  return { ...wanted, weight: wanted.weight / (1 + 3 * (share - 1 / asked.length)) }
}

/** The words of a question, and some of what the items that fit best have in common with it. */
function expandByFeedback(index: PassageIndex, scores: Scores, terms: readonly WantedTerm[]): readonly WantedTerm[] {
  const known = new Set(terms.flatMap(({ forms }) => forms))
  const found = new Map<string, number>()
  for (const at of rankScores(scores).slice(0, HEARD_ITEMS)) {
    for (const term of index.termsAt(at)) {
      if (!known.has(term)) found.set(term, (found.get(term) ?? 0) + index.idf(term))
    }
  }
  const more = [...found].sort(byWeight).slice(0, HEARD_TERMS)
  return [...terms, ...more.map(([term]) => ({ forms: [term], weight: HEARD_WEIGHT, idf: index.idf(term), cover: 0 }))]
}

function byWeight([a, x]: readonly [string, number], [b, y]: readonly [string, number]): number {
  return y - x || (a < b ? -1 : 1)
}

/** Places of the items that score at all, the best first. */
function rankScores(scores: Scores): number[] {
  const places = scores.flatMap((score, at) => (score > 0 ? [at] : []))
  return places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
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
