import type { FusedHit } from './fusion.ts'

/**
 * Hits in the order of what a model gave the first of them; the same score keeps their order. The others stay behind, in
 * their order.
 *
 * Scores from 0 to 1 are kept. Where one lies outside, they are raw numbers of a model, as some services give them: all are
 * brought between 0 and 1 by the logistic function, as those who make such models advise. What stays behind scores its part
 * of the least of them, so that scores fall with the order.
 */
export function reordered(hits: readonly FusedHit[], scores: readonly number[]): FusedHit[] {
  const isShare = scores.every((score) => score >= 0 && score <= 1)
  const judged = hits.slice(0, scores.length).map((hit, index) => ({ hit, score: scores[index] ?? 0 }))
  judged.sort((a, b) => b.score - a.score)
  const first = judged.map(({ hit, score }, index): FusedHit => {
    return { ...hit, score: isShare ? score : logistic(score), rerank: { rank: index + 1, score } }
  })
  const least = first.at(-1)?.score ?? 1
  return [...first, ...hits.slice(scores.length).map((hit) => ({ ...hit, score: hit.score * least }))]
}

function logistic(score: number): number {
  return 1 / (1 + Math.exp(-score))
}
