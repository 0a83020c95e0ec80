import type { Query } from '../../retrieval/query.ts'
import { isStopWord, mainTerms } from '../../retrieval/terms.ts'
import type { Document } from '../../stores/document-store.ts'

/** What a title adds to a score. */
export interface Boost {
  readonly factor: number
  /** The title is what was asked for, word by word. */
  readonly isExact: boolean
  /** Pairs of words of the query that stand together in the title; a share. */
  readonly pairs: number
}

const PAIRS_WEIGHT = 0.1
const EXACT_WEIGHT = 0.1

/** The factor of a title that has all of it. */
export const HIGHEST_BOOST = 1 + PAIRS_WEIGHT + EXACT_WEIGHT

/** Looks whether the words of the query stand in the title as they do in the query. */
export function boostOf({ title }: Pick<Document, 'title'>, query: Query): Boost {
  const asked = query.terms.filter(({ kind, isPrefix }) => kind === 'word' && !isPrefix).map(({ term }) => term)
  if (asked.length === 0) return { factor: 1, isExact: false, pairs: 0 }
  const said = mainTerms(title)
  const telling = said.filter((term) => !isStopWord(term))
  const isExact = areSameTerms(asked, telling) || areSameTerms(asked, said)
  const wanted = pairsOf(asked)
  const there = new Set(pairsOf(telling))
  const pairs = wanted.length === 0 ? 0 : wanted.filter((pair) => there.has(pair)).length / wanted.length
  return { factor: 1 + PAIRS_WEIGHT * pairs + (isExact ? EXACT_WEIGHT : 0), isExact, pairs }
}

function areSameTerms(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((term, index) => term === other[index])
}

function pairsOf(terms: readonly string[]): string[] {
  return terms.slice(1).map((term, index) => `${terms[index]} ${term}`)
}
