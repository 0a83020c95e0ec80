/** Embedding models of services with OpenAI's API: Ollama, llama.cpp, vLLM, LM Studio, and hosted services. */

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { invalidInput } from '../core/errors.ts'
import { Deadline } from '../core/steps.ts'
import { type EmbeddingModel, type EmbeddingSettings, prefixesOf } from './embedding.ts'
import { type Service, statusError, withServiceErrors } from './service/errors.ts'
import { serviceAddress, serviceFetch } from './service/fetch.ts'

/** Number of retries if the service is busy or unreachable: after 2, 4, 8 … seconds, or after the wait it asks for. */
const RETRIES = 4

/** Time limit of one call with all its retries, in milliseconds. A model on a slow machine takes long. */
const TIMEOUT_MS = 600_000

export function openaiCompatible(settings: EmbeddingSettings): EmbeddingModel {
  const { model: name, key, dimensions } = settings
  const { origin, ...address } = serviceAddress(settings.url, 'embeddings')
  const service: Service = { origin, key }
  const prefixes = prefixesOf(settings)
  const provider = createOpenAICompatible({
    name: 'embeddings',
    ...address,
    ...(key !== undefined && { apiKey: key }),
    fetch: serviceFetch(origin),
  })
  const model = provider.embeddingModel(name)
  const options = dimensions === undefined ? {} : { dimensions }
  return {
    name,
    fingerprint: JSON.stringify([name, dimensions ?? null, prefixes.query, prefixes.document]),
    documents: (texts, signal, isFirst = false) =>
      withServiceErrors(service, signal, async () => {
        // The package with the retries is large, and a search does not need it.
        const { embedMany } = await import('ai')
        using deadline = new Deadline(TIMEOUT_MS)
        const values = texts.map((text) => prefixes.document + text)
        const maxRetries = isFirst ? 1 : RETRIES
        const request = { model, values, maxRetries, abortSignal: deadline.or(signal), ...options }
        const { embeddings, responses } = await embedMany(request)
        return vectorsOf(embeddings, responses?.[0]?.body, texts.length)
      }),
    query: (text, signal) =>
      withServiceErrors(service, signal, async () => {
        using deadline = new Deadline(TIMEOUT_MS)
        const values = [prefixes.query + text]
        const { embeddings, response } = await model.doEmbed({ values, abortSignal: deadline.or(signal), ...options })
        const [vector] = vectorsOf(embeddings, response?.body, 1)
        return vector ?? new Float32Array()
      }),
  }
}

/** The vectors in the order of the texts. Checks that each text has one vector of numbers, all of one length. */
function vectorsOf(embeddings: readonly (readonly number[])[], body: unknown, expected: number): Float32Array[] {
  // The index of each vector's text, if the answer has it: the order of the vectors can differ from the request.
  const { data } = body as { readonly data: readonly { readonly index?: number }[] }
  const byIndex = new Map(embeddings.map((numbers, at) => [data[at]?.index ?? at, Float32Array.from(numbers)]))
  // If two vectors have the same index, another text has no vector.
  const vectors = Array.from({ length: expected }, (_, at) => byIndex.get(at) ?? new Float32Array())
  const lengths = new Set(vectors.map(({ length }) => length))
  if (embeddings.length !== expected || lengths.has(0)) throw statusError(200, 'it lacks a vector for each text')
  if (lengths.size > 1)
    throw statusError(200, `its vectors have different lengths: ${[...lengths].slice(0, 3).join(', ')}`)
  if (!vectors.every((vector) => vector.every(Number.isFinite))) throw statusError(200, 'not all values are numbers')
  if (vectors.every((vector) => vector.some((value) => value !== 0))) return vectors
  throw invalidInput('The embedding service returned only zeros for a text.', 'Another model may be able to read it.')
}
