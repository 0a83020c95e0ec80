import { readWordVectors } from '../files/home.ts'
import { NearestPassages } from '../retrieval/nearest-passages.ts'
import { paragraphOf } from '../retrieval/units.ts'
import type { EmbeddingSettings } from './embedding.ts'

/**
 * The interface of reranking models. Such a model reads a query together with each text, and scores how well the text
 * answers the query.
 */
export interface RerankingModel {
  /** The name by which its service knows the model. */
  readonly name: string
  /**
   * A score for each text, in the order of the texts: any finite number; a higher score is better. Requests are not
   * retried, because a caller waits. The signal limits the time.
   *
   * @throws ContextError `invalid-input` for texts that the model refuses; `unavailable`; `denied`; `cancelled`.
   */
  rank(query: string, documents: readonly string[], signal?: AbortSignal): Promise<number[]>
}

/** The model, and its service. The service has `/rerank` below its base URL, such as `http://127.0.0.1:8080/v1`. */
export type RerankingSettings = Pick<EmbeddingSettings, 'model' | 'url' | 'key'>

/** A language model, by its name `provider/model`. */
export interface LanguageRerankerName {
  readonly model: string
  readonly url?: never
}

/** The indexes of the texts that are related to a query, the nearest first, by words and by meaning. */
export function nearestTexts(query: string, texts: readonly string[]): number[] {
  const units = texts.map((text) => paragraphOf(text))
  return new NearestPassages(units, readWordVectors).rank(query).map(({ at }) => at)
}
