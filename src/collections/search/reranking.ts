/** Sorts the best hits of a search by the scores of a reranking model. */

import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { RerankingModel } from '../../models/reranking.ts'
import type { FusedHit } from './fusion.ts'

export type Reranker = ReturnType<typeof createReranker>

/** Minimum and maximum hits that the model scores: each hit takes time, and later hits are seldom relevant. */
export const MIN_RANKED = 40
export const MAX_RANKED = 100

/** Maximum UTF-16 units of the query, so that the input of the model has room for the passage. */
const MAX_QUERY_LENGTH = 1_000

/** Time limit of the model in milliseconds, over all repetitions of a search. */
const WAIT_MS = 20_000

/**
 * The reranker of one search: a function that sorts hits by the scores of the model. `plain`: the query. `passageOf`:
 * the passage of a hit for the model. If the model fails, hits keep their order, with a notice, and `rerank` is
 * degraded.
 */
export function createReranker(model: RerankingModel | undefined, { signal }: Run, waitMs: number = WAIT_MS) {
  const timeout = AbortSignal.timeout(waitMs)
  const signals = AbortSignal.any([timeout, ...(signal ? [signal] : [])])
  return async (plain: string, hits: readonly FusedHit[], passageOf: (hit: FusedHit) => string) => {
    const keepOrder = (why: string) => ({ hits, degraded: ['rerank'], notices: [`Not reranked: ${why}`] })
    if (!model) return keepOrder('no reranking model is set: see AMBIT_RERANK_MODEL.')
    if (plain === '' || hits.length === 0) return { hits, degraded: [], notices: [] }
    try {
      const passages = hits.slice(0, MAX_RANKED).map(passageOf)
      const scores = await model.rank(plain.slice(0, MAX_QUERY_LENGTH), passages, signals)
      return { hits: reorderByScore(hits, scores), degraded: [], notices: [] }
    } catch (error) {
      if (signal?.aborted || !(error instanceof ContextError)) throw error
      if (!timeout.aborted) return keepOrder(`${error.message} ${error.hint ?? ''}`.trim())
      const limit = `${waitMs / 1000} seconds`
      return keepOrder(`the reranking service took longer than ${limit}. A smaller model may be fast enough.`)
    }
  }
}

/**
 * Sorts the first hits by the scores of a model; equal scores keep their order. The other hits follow in their order.
 *
 * Scores from 0 to 1 are unchanged. If a score is outside this range, all scores are raw outputs of a model, and the logistic function maps them
 * to 0 to 1. The scores of hits that the model did not score are multiplied by the lowest score of the model, so that
 * scores fall with the order.
 */
function reorderByScore(hits: readonly FusedHit[], scores: readonly number[]): FusedHit[] {
  const isShare = scores.every((score) => score >= 0 && score <= 1)
  const scoredHits = hits.slice(0, scores.length).map((hit, index) => ({ hit, score: scores[index] ?? 0 }))
  scoredHits.sort((a, b) => b.score - a.score)
  const rankedHits = scoredHits.map(({ hit, score }, index): FusedHit => {
    return { ...hit, score: isShare ? score : logistic(score), rerank: { rank: index + 1, score } }
  })
  const lowestScore = Math.min(...rankedHits.map(({ score }) => score))
  return [...rankedHits, ...hits.slice(scores.length).map((hit) => ({ ...hit, score: hit.score * lowestScore }))]
}

function logistic(score: number): number {
  return 1 / (1 + Math.exp(-score))
}
