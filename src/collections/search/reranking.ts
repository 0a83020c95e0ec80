/** Has the best hits of a search judged by a model that reads them. */

import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { RerankingModel } from '../../models/reranking.ts'
import type { FusedHit } from './fusion.ts'

export interface Reranked {
  readonly hits: readonly FusedHit[]
  /** `rerank` where the model did not answer: the hits are as they were. */
  readonly degraded: readonly string[]
  readonly notices: readonly string[]
}

/** Puts hits, the best first, into another order. `plain`: what is looked for. `passageOf`: what the model reads of a hit. */
export type Reranker = (
  plain: string,
  hits: readonly FusedHit[],
  passageOf: (hit: FusedHit) => string,
) => Promise<Reranked>

/**
 * Hits that are judged: 40, or as many as are wanted, up to 100. The further down, the less there is to be found, and the
 * time grows with each.
 */
const LEAST_JUDGED = 40
const MOST_JUDGED = 100

/** UTF-16 units of what is looked for that are sent: the passage must have room beside it. */
const MOST_SENT = 1_000

/** Milliseconds that a model is waited for, however often a search is done again. */
const WAIT_MS = 10_000

/** Hits that are to be found where some are judged. */
export function foundFor(limit: number): number {
  return Math.max(limit, LEAST_JUDGED)
}

/** One for one search. Where the model cannot judge, hits stay as they are, and that is said. */
export function rerankerOf(model: RerankingModel | undefined, { signal }: Run, waitMs: number = WAIT_MS): Reranker {
  const patience = AbortSignal.timeout(waitMs)
  const either = AbortSignal.any([patience, ...(signal ? [signal] : [])])
  return async (plain, hits, passageOf) => {
    const asTheyWere = (why: string) => ({ hits, degraded: ['rerank'], notices: [`Not reranked: ${why}`] })
    if (!model) return asTheyWere('no reranking model is set: see AMBIT_RERANK_URL and AMBIT_RERANK_MODEL.')
    if (plain === '' || hits.length === 0) return { hits, degraded: [], notices: [] }
    try {
      const passages = hits.slice(0, MOST_JUDGED).map(passageOf)
      const scores = await model.rank(plain.slice(0, MOST_SENT), passages, either)
      return { hits: reorderByScore(hits, scores), degraded: [], notices: [] }
    } catch (error) {
      if (signal?.aborted || !(error instanceof ContextError)) throw error
      return asTheyWere(patience.aborted ? tooSlow(waitMs) : `${error.message} ${error.hint ?? ''}`.trim())
    }
  }
}

function tooSlow(waitMs: number): string {
  return `the reranking service took longer than ${waitMs / 1000} seconds. A smaller model may be fast enough.`
}

/**
 * Hits in the order of what a model gave the first of them; the same score keeps their order. The others stay behind, in
 * their order.
 *
 * Scores from 0 to 1 are kept. Where one lies outside, they are raw numbers of a model, as some services give them: all are
 * brought between 0 and 1 by the logistic function, as those who make such models advise. What stays behind scores its part
 * of the least of them, so that scores fall with the order.
 */
function reorderByScore(hits: readonly FusedHit[], scores: readonly number[]): FusedHit[] {
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
