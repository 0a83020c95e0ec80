/** Embedding models behind any service that speaks as OpenAI's does: Ollama, llama.cpp, vLLM, LM Studio, hosted ones. */

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ContextError, throwIfAborted } from '../core/errors.ts'
import { type EmbeddingModel, type EmbeddingSettings, prefixesOf } from './embedding.ts'

/** Times that a request is sent again when the service is busy or out of reach: after 2, 4, 8 … seconds, or as it says. */
const RETRIES = 4

/** Milliseconds that some texts may take, all tries together: a model on a slow machine needs a while. */
const PATIENCE_MS = 600_000

export function openaiCompatible(settings: EmbeddingSettings): EmbeddingModel {
  const { model: name, url, key, dimensions } = settings
  const prefixes = prefixesOf(settings)
  const provider = createOpenAICompatible({
    name: 'embeddings',
    baseURL: baseUrlOf(url),
    ...(key !== undefined && { apiKey: key }),
    // A key must not follow to another place.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
  })
  const model = provider.embeddingModel(name)
  const asked = dimensions === undefined ? {} : { dimensions }
  const within = (signal?: AbortSignal) =>
    AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])])
  return {
    name,
    fingerprint: JSON.stringify([name, dimensions ?? null, prefixes.query, prefixes.document]),
    documents: (texts, signal, isFirst = false) =>
      told(url, signal, async () => {
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
      told(url, signal, async () => {
        const values = [prefixes.query + text]
        const { embeddings } = await model.doEmbed({ values, abortSignal: within(signal), ...asked })
        const [vector] = vectorsOf(embeddings, 1)
        return vector ?? new Float32Array()
      }),
  }
}

/** As people write it: with or without `/v1`, with or without the end of the path. */
function baseUrlOf(url: string): string {
  const base = url.replace(/\/+$/, '').replace(/\/embeddings$/, '')
  return /^https?:\/\/[^/]+$/.test(base) ? `${base}/v1` : base
}

function vectorsOf(embeddings: readonly (readonly number[])[], expected: number): Float32Array[] {
  const [first = []] = embeddings
  const isRight = embeddings.length === expected && embeddings.every(({ length }) => length === first.length)
  if (isRight && first.length > 0) return embeddings.map((numbers) => Float32Array.from(numbers))
  const hint = 'See that the model is one for embeddings.'
  throw new ContextError('unavailable', 'The embedding service gave no vector for some text.', { hint })
}

/** What goes wrong, in words that say what to do; never with the key. */
async function told<Value>(url: string, signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (cause) {
    throwIfAborted(signal)
    throw cause instanceof ContextError ? cause : problemOf(url, lastOf(cause))
  }
}

/** After several tries the SDK throws an error about them, with that of the last one in it. */
function lastOf(error: unknown): unknown {
  return error instanceof Error && 'lastError' in error ? error.lastError : error
}

function problemOf(url: string, cause: unknown): ContextError {
  const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : Number.NaN
  const detail = cause instanceof Error ? (cause.message.split('\n')[0] ?? '').slice(0, 300) : ''
  const say = (code: 'denied' | 'invalid-input' | 'unavailable', problem: string, hint: string) =>
    new ContextError(code, `The embedding service at ${placeOf(url)} ${problem}`, { hint, cause })
  if (status === 401 || status === 403) return say('denied', 'refused the key.', 'Set AMBIT_EMBEDDING_KEY.')
  if (status === 404) return say('unavailable', `does not know the model or the path: ${detail}`, WHERE)
  if (status === 400 || status === 413 || status === 422) {
    return say('invalid-input', `refused the text: ${detail}`, 'It may be longer than the model can read.')
  }
  if (Number.isNaN(status)) return say('unavailable', `did not answer: ${detail}`, WHERE)
  return say('unavailable', `failed (${status}): ${detail}`, 'Try again in a moment.')
}

const WHERE = 'Look at AMBIT_EMBEDDING_URL and AMBIT_EMBEDDING_MODEL, and see that the service runs.'

/** Without what may be secret in it. */
function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'the URL that is set'
}
