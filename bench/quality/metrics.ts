/**
 * The figures of a ranking, as trec_eval defines them. A ranking is document ids, best first; the gain of a document is
 * its relevance, and 0 when nobody judged it.
 */

type Relevance = ReadonlyMap<string, number>

/** Discounted gain of the first `k`, over that of the best possible order; 0 where nothing is relevant. */
export function ndcg(ranking: readonly string[], relevance: Relevance, k: number): number {
  const ideal = [...relevance.values()].filter((gain) => gain > 0).sort((a, b) => b - a)
  const best = discounted(ideal.slice(0, k))
  return best === 0 ? 0 : discounted(gainsOf(ranking, relevance, k)) / best
}

/** One over the rank of the first relevant document; 0 when it is not among the first `k`. */
export function reciprocalRank(ranking: readonly string[], relevance: Relevance, k: number): number {
  const at = gainsOf(ranking, relevance, k).findIndex((gain) => gain > 0)
  return at < 0 ? 0 : 1 / (at + 1)
}

/** The share of the relevant documents that is among the first `k`; 0 where nothing is relevant. */
export function recall(ranking: readonly string[], relevance: Relevance, k: number): number {
  const relevant = [...relevance.values()].filter((gain) => gain > 0).length
  const found = gainsOf(ranking, relevance, k).filter((gain) => gain > 0).length
  return relevant === 0 ? 0 : found / relevant
}

function gainsOf(ranking: readonly string[], relevance: Relevance, k: number): number[] {
  return ranking.slice(0, k).map((doc) => relevance.get(doc) ?? 0)
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

/** Means over the queries of a set; `empty` counts the queries that nothing was found for. */
export interface Scores {
  readonly queries: number
  readonly ndcg10: number
  readonly mrr10: number
  readonly recall10: number
  readonly recall100: number
  readonly empty: number
}

/** A ranking of at least 100 documents, if there are so many, beside what is relevant. */
export interface Answer {
  readonly ranking: readonly string[]
  readonly relevance: Relevance
}

export function scoresOf(answers: readonly Answer[]): Scores {
  const mean = (metric: (ranking: readonly string[], relevance: Relevance, k: number) => number, k: number) =>
    meanOf(answers.map(({ ranking, relevance }) => metric(ranking, relevance, k)))
  return {
    queries: answers.length,
    ndcg10: mean(ndcg, 10),
    mrr10: mean(reciprocalRank, 10),
    recall10: mean(recall, 10),
    recall100: mean(recall, 100),
    empty: answers.filter(({ ranking }) => ranking.length === 0).length,
  }
}

/** Means over sets, each set counting the same whatever its size; queries and empty answers are added up. */
export function meanScores(sets: readonly Scores[]): Scores {
  const mean = (key: keyof Scores) => meanOf(sets.map((scores) => scores[key]))
  const sum = (key: keyof Scores) => sets.reduce((total, scores) => total + scores[key], 0)
  return {
    queries: sum('queries'),
    ndcg10: mean('ndcg10'),
    mrr10: mean('mrr10'),
    recall10: mean('recall10'),
    recall100: mean('recall100'),
    empty: sum('empty'),
  }
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
