import { type AnswerOf, array, count, object, text } from '../core/answer.ts'

/** The port of models that turn texts into vectors, whose angles tell how near in meaning the texts are. */
export interface EmbeddingModel {
  /** Its name at its service. */
  readonly name: string
  /** Names the model and how it is asked: vectors of another are not to be compared with its own. */
  readonly fingerprint: string
  /** Whether it sends texts nowhere: a search may then have it read passages that have no vectors yet. */
  readonly isInProcess?: boolean
  /**
   * The vectors of what is to be found, in the order of the texts: of one length, each with a direction. What fails for a
   * moment is tried again, in the first request only once: it may be that nobody is there.
   *
   * @throws ContextError `invalid-input` for texts that the model refuses or makes nothing of; `unavailable`; `denied`;
   * `cancelled`.
   */
  documents(texts: readonly string[], signal?: AbortSignal, isFirst?: boolean): Promise<Float32Array[]>
  /** The vector of what is looked for; tried once, since somebody waits. @throws ContextError as above. */
  query(text: string, signal?: AbortSignal): Promise<Float32Array>
}

/** A model that was downloaded, to be used in this process. `revision`: the commit that the files are of. */
export const gotModel = () =>
  object({
    model: text,
    revision: text,
    folder: text,
    files: array(object({ path: text, bytes: count, checksum: text })),
  })
export type GotModel = AnswerOf<typeof gotModel>

/** Counts of contents: equal texts in two places are one. */
export const embedAnswer = () =>
  object({
    model: text,
    embedded: count,
    chunks: count,
    failed: count,
    left: array(object({ collection: text, path: text, detail: text })),
  })
export type EmbedAnswer = AnswerOf<typeof embedAnswer>

/** The model, and its service. */
export interface EmbeddingSettings {
  /** As its service calls it. */
  readonly model: string
  /** Base URL of a service that speaks as OpenAI's does: `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly key?: string
  /** Asked for where a model can give fewer than it has. */
  readonly dimensions?: number
  /** Put before what is looked for, and before what is to be found. Default: what the model was trained with, if known. */
  readonly queryPrefix?: string
  readonly documentPrefix?: string
}

interface Prefixes {
  readonly query: string
  readonly document: string
}

const NONE: Prefixes = { query: '', document: '' }

/** Prefixes that well-known models were trained with, by a part of their names. Without them they find clearly less. */
const TRAINED_WITH: readonly (readonly [RegExp, Prefixes])[] = [
  [/nomic-embed/, { query: 'search_query: ', document: 'search_document: ' }],
  [/embeddinggemma/, { query: 'task: search result | query: ', document: 'title: none | text: ' }],
  [/(^|[^a-z])(multilingual-)?e5-(?!mistral)/, { query: 'query: ', document: 'passage: ' }],
  [/arctic-embed.*(2|v2)/, { query: 'query: ', document: '' }],
  [
    /mxbai-embed|arctic-embed|bge-(small|base|large)-en/,
    { query: 'Represent this sentence for searching relevant passages: ', document: '' },
  ],
  [
    /qwen3-embedding/,
    {
      query: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
      document: '',
    },
  ],
]

/** Prefixes of queries and documents. */
export function prefixesOf({ model, queryPrefix, documentPrefix }: EmbeddingSettings): Prefixes {
  const known = TRAINED_WITH.find(([name]) => name.test(model.toLowerCase()))?.[1] ?? NONE
  return { query: queryPrefix ?? known.query, document: documentPrefix ?? known.document }
}
