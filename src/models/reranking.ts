import { readWordVectors } from '../files/home.ts'
import { NearestPassages } from '../retrieval/nearest-passages.ts'
import { paragraphOf } from '../retrieval/units.ts'
import type { EmbeddingSettings } from './embedding.ts'

/**
 * The port of reranking models. Such a model reads a query together with each text, and scores how well the text answers the
 * query.
 */
export interface RerankingModel {
  /** Its name at its service. */
  readonly name: string
  /**
   * A score for each text, in the order of the texts: any finite number; a higher score is better. Tries once, because a caller
   * waits; the signal limits the time.
   *
   * @throws ContextError `invalid-input` for texts that the model refuses; `unavailable`; `denied`; `cancelled`.
   */
  rank(query: string, documents: readonly string[], signal?: AbortSignal): Promise<number[]>
}

/** The model, and its service. The service has `/rerank` below its base URL, such as `http://127.0.0.1:8080/v1`. */
export type RerankingSettings = Pick<EmbeddingSettings, 'model' | 'url' | 'key'>

/** The indexes of the texts that are related to a query, the nearest first, by words and by meaning. */
export function nearestTexts(query: string, texts: readonly string[]): number[] {
  const units = texts.map((text) => paragraphOf(text))
  return new NearestPassages(units, readWordVectors).rank(query).map(({ at }) => at)
}
