/**
 * Reranking models behind `POST …/rerank` as Cohere began it and others speak it: Jina, llama.cpp, vLLM, LocalAI,
 * Infinity. Not Text Embeddings Inference, which wants `texts` and gives another form.
 */

import type { RerankingModel as AnyModel } from 'ai'
import type { RerankingModel, RerankingSettings } from './reranking.ts'
import { RERANKING, type Service, statusError, withServiceErrors } from './service/errors.ts'
import { serviceAddress, serviceFetch } from './service/fetch.ts'

/** As the SDK has it. Its function `rerank` is not used: it adds trying again, while somebody waits, and all of the SDK. */
type SdkModel = Extract<AnyModel, { readonly specificationVersion: 'v4' }>
type Ranking = Awaited<ReturnType<SdkModel['doRerank']>>['ranking']

/** @throws ContextError `invalid-input` for a URL that is none. */
export function rerankService(settings: RerankingSettings): RerankingModel {
  const { where, baseURL, queryParams } = serviceAddress(settings.url, 'rerank', RERANKING)
  const service: Service = { where, key: settings.key, kind: RERANKING }
  const parameters = queryParams ? `?${new URLSearchParams(queryParams)}` : ''
  const model = sdkModel(settings, `${baseURL}/rerank${parameters}`, serviceFetch(where, RERANKING))
  return {
    name: settings.model,
    rank: (query, documents, signal) =>
      withServiceErrors(service, signal, async () => {
        const { ranking } = await model.doRerank({
          query: query.toWellFormed(),
          documents: { type: 'text', values: documents.map((text) => text.toWellFormed()) },
          // Some give nothing where it is not said.
          topN: documents.length,
          ...(signal && { abortSignal: signal }),
        })
        return scoresOf(ranking, documents.length)
      }),
  }
}

function sdkModel({ model, key }: RerankingSettings, endpoint: string, ask: typeof fetch): SdkModel {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) }
  return {
    specificationVersion: 'v4',
    provider: 'rerank',
    modelId: model,
    async doRerank({ query, documents, topN, abortSignal: signal }) {
      const body = JSON.stringify({ model, query, documents: documents.values, top_n: topN })
      const response = await ask(endpoint, { method: 'POST', headers, body, ...(signal && { signal }) })
      const answer = await jsonOf(response)
      if (!response.ok) throw statusError(response.status, String(valueIn(valueIn(answer, 'error'), 'message')))
      return { ranking: rankingIn(answer) }
    },
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    throw error instanceof SyntaxError ? statusError(200, 'it is not JSON') : error
  }
}

/** Voyage and some proxies call the list `data`. What is not a number is found out where the scores are put in order. */
function rankingIn(answer: unknown): Ranking {
  const results = valueIn(answer, 'results') ?? valueIn(answer, 'data')
  if (!Array.isArray(results)) throw statusError(200, 'it holds no list of results')
  return results.map((one) => ({ index: numberIn(one, 'index'), relevanceScore: numberIn(one, 'relevance_score') }))
}

/** They come in any order. A score for each text, or none can be relied on. */
function scoresOf(ranking: Ranking, count: number): number[] {
  if (ranking.length !== count) throw statusError(200, `it has ${ranking.length} scores for ${count} texts`)
  const scores = new Map<number, number>()
  for (const { index, relevanceScore: score } of ranking) {
    if (!Number.isInteger(index) || index < 0 || index >= count) throw statusError(200, 'it has a score for no text')
    if (scores.has(index)) throw statusError(200, 'it has two scores for one text')
    if (!Number.isFinite(score)) throw statusError(200, 'it has a score that is not a number')
    scores.set(index, score)
  }
  return Array.from({ length: count }, (_, index) => scores.get(index) ?? Number.NaN)
}

function valueIn(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined
  return (holder as Readonly<Record<string, unknown>>)[name]
}

function numberIn(holder: unknown, name: string): number {
  const value = valueIn(holder, name)
  return typeof value === 'number' ? value : Number.NaN
}
