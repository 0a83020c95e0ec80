import { type AnswerOf, array, count, object, text } from '../core/answer.ts'

/** The interface of embedding models: the angle between two vectors measures how near the texts are in meaning. */
export interface EmbeddingModel {
  /** The name by which its service knows the model. */
  readonly name: string
  /** Identifies the model and its prefixes. Vectors of different fingerprints must not be compared. */
  readonly fingerprint: string
  /** Whether it runs in this process. A search may then embed passages that have no vectors yet. */
  readonly isInProcess?: boolean
  /**
   * The vectors of documents, in the order of the texts. All have the same length, and none is zero. Temporary failures
   * are retried; only once with `isFirst` (the first request of a run), because the service may not run at all.
   * @throws ContextError `invalid-input` for texts that the model refuses or has no vector for; `unavailable`; `denied`;
   * `cancelled`.
   */
  documents(texts: readonly string[], signal?: AbortSignal, isFirst?: boolean): Promise<Float32Array[]>
  /** The vector of a query. Tries once, because a caller waits. @throws ContextError as above. */
  query(text: string, signal?: AbortSignal): Promise<Float32Array>
}

const modelFile = () => object({ path: text, bytes: count, checksum: text })
const leftFile = () => object({ collection: text, path: text, detail: text })

/** A downloaded model, which runs in this process. `revision`: the commit of its files. */
export const modelDownloadAnswer = () =>
  object({ model: text, revision: text, folder: text, files: array(modelFile()) })
export type ModelDownload = AnswerOf<typeof modelDownloadAnswer>

/** Counts of embedded texts. Equal texts at two places count once. */
export const embedAnswer = () =>
  object({ model: text, embedded: count, chunks: count, failed: count, left: array(leftFile()) })
export type EmbedAnswer = AnswerOf<typeof embedAnswer>

/** The model, and its service. */
export interface EmbeddingSettings {
  /** The name by which the service knows the model. */
  readonly model: string
  /** Base URL of a service with OpenAI's API: `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly key?: string
  /** Number of dimensions to request, from a model that can return fewer dimensions than it has. */
  readonly dimensions?: number
  /** Prefixes of queries and of documents. Default: the prefixes that the model was trained with, if known. */
  readonly queryPrefix?: string
  readonly documentPrefix?: string
}

type Prefixes = Readonly<Record<'query' | 'document', string>>

const BGE_QUERY = 'Represent this sentence for searching relevant passages: '
const QWEN_QUERY = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'

/** Prefixes that well-known models were trained with, by a part of their names. Without them recall is clearly lower. */
const KNOWN_PREFIXES: readonly (readonly [RegExp, Prefixes])[] = [
  [/nomic-embed/, { query: 'search_query: ', document: 'search_document: ' }],
  [/embeddinggemma/, { query: 'task: search result | query: ', document: 'title: none | text: ' }],
  [/(^|[^a-z])(multilingual-)?e5-(?!mistral)/, { query: 'query: ', document: 'passage: ' }],
  [/arctic-embed.*(2|v2)/, { query: 'query: ', document: '' }],
  [/mxbai-embed|arctic-embed|bge-(small|base|large)-en/, { query: BGE_QUERY, document: '' }],
  [/qwen3-embedding/, { query: QWEN_QUERY, document: '' }],
]

export function prefixesOf({ model, queryPrefix, documentPrefix }: EmbeddingSettings): Prefixes {
  const prefixes = KNOWN_PREFIXES.find(([name]) => name.test(model.toLowerCase()))?.[1]
  return { query: queryPrefix ?? prefixes?.query ?? '', document: documentPrefix ?? prefixes?.document ?? '' }
}
