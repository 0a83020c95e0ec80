/**
 * Reranking models of services with Cohere's `POST …/rerank`: Jina, llama.cpp, vLLM, LocalAI, Infinity. Text Embeddings Inference
 * is not supported: it has other fields.
 */

import type { RerankingModel, RerankingSettings } from './reranking.ts'
import { RERANKING, type Service, statusError, withServiceErrors } from './service/errors.ts'
import { serviceAddress, serviceFetch } from './service/fetch.ts'

export { languageReranker } from './service/language-reranker.ts'

/** @throws ContextError `invalid-input` for an invalid URL. */
export function rerankService({ model, url, key }: RerankingSettings): RerankingModel {
  const { origin, baseURL, queryParams } = serviceAddress(url, 'rerank', RERANKING)
  const service: Service = { origin, key, kind: RERANKING }
  const ask = serviceFetch(origin, RERANKING)
  const endpoint = `${baseURL}/rerank${queryParams ? `?${new URLSearchParams(queryParams)}` : ''}`
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) }
  return {
    name: model,
    rank: (query, texts, signal) =>
      withServiceErrors(service, signal, async () => {
        const documents = texts.map((text) => text.toWellFormed())
        // Some services return no results without `top_n`.
        const body = JSON.stringify({ model, query: query.toWellFormed(), documents, top_n: texts.length })
        const response = await ask(endpoint, { method: 'POST', headers, body, ...(signal && { signal }) })
        const answer: unknown = await response.json().catch((error: unknown) => {
          throw error instanceof SyntaxError ? statusError(200, 'it is not JSON') : error
        })
        if (!response.ok) throw statusError(response.status, String(Object(Object(answer).error).message))
        return scoresOf(answer, texts.length)
      }),
  }
}

/**
 * The scores in the order of the texts. An answer without a score for each text is refused. Voyage and some proxies
 * call the results `data`.
 */
function scoresOf(answer: unknown, count: number): number[] {
  const { data, results = data } = Object(answer)
  if (!Array.isArray(results)) throw statusError(200, 'it holds no list of results')
  if (results.length !== count) throw statusError(200, `it has ${results.length} scores for ${count} texts`)
  const scores = new Array<number>(count)
  for (const { index, relevance_score: score } of results.map(Object)) {
    if (!Number.isInteger(index) || index < 0 || index >= count) throw statusError(200, 'it has a score for no text')
    if (index in scores) throw statusError(200, 'it has two scores for one text')
    if (!Number.isFinite(score)) throw statusError(200, 'it has a score that is not a number')
    scores[index] = score
  }
  return scores
}
