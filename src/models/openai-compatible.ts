/** Embedding models behind any service that speaks as OpenAI's does: Ollama, llama.cpp, vLLM, LM Studio, hosted ones. */

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ContextError } from '../core/errors.ts'
import { type EmbeddingModel, type EmbeddingSettings, prefixesOf } from './embedding.ts'
import { addressOf } from './service-address.ts'
import { type Service, told } from './service-error.ts'
import { serviceFetch } from './service-fetch.ts'

/** Times that a request is sent again when the service is busy or out of reach: after 2, 4, 8 … seconds, or as it says. */
const RETRIES = 4

/** Milliseconds that some texts may take, all tries together: a model on a slow machine needs a while. */
const PATIENCE_MS = 600_000

export function openaiCompatible(settings: EmbeddingSettings): EmbeddingModel {
  const { model: name, key, dimensions } = settings
  const { where, ...address } = addressOf(settings.url, 'embeddings')
  const service: Service = { where, key }
  const prefixes = prefixesOf(settings)
  const provider = createOpenAICompatible({
    name: 'embeddings',
    ...address,
    ...(key !== undefined && { apiKey: key }),
    fetch: serviceFetch(where),
  })
  const model = provider.embeddingModel(name)
  const asked = dimensions === undefined ? {} : { dimensions }
  const within = (signal?: AbortSignal) =>
    AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])])
  return {
    name,
    fingerprint: JSON.stringify([name, dimensions ?? null, prefixes.query, prefixes.document]),
    documents: (texts, signal, isFirst = false) =>
      told(service, signal, async () => {
        // The retrying is in the larger part of the SDK, which a search need not load.
        const { embedMany } = await import('ai')
        const values = texts.map((text) => prefixes.document + text)
        const { embeddings } = await embedMany({
          model,
          values,
          maxRetries: isFirst ? 1 : RETRIES,
          abortSignal: within(signal),
          ...asked,
        })
        return vectorsOf(embeddings, texts.length)
      }),
    query: (text, signal) =>
      told(service, signal, async () => {
        const values = [prefixes.query + text]
        const { embeddings } = await model.doEmbed({ values, abortSignal: within(signal), ...asked })
        const [vector] = vectorsOf(embeddings, 1)
        return vector ?? new Float32Array()
      }),
  }
}

function vectorsOf(embeddings: readonly (readonly number[])[], expected: number): Float32Array[] {
  const [first = []] = embeddings
  const isRight = embeddings.length === expected && embeddings.every(({ length }) => length === first.length)
  if (isRight && first.length > 0) return embeddings.map((numbers) => Float32Array.from(numbers))
  const hint = 'See that the model is one for embeddings.'
  throw new ContextError('unavailable', 'The embedding service gave no vector for some text.', { hint })
}
