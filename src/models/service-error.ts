/** What went wrong with a service, in words that say what to do; never with the key, nor with texts that were sent. */

import { ContextError, type ErrorCode, throwIfAborted } from '../core/errors.ts'
import { oneLine, stripControls } from '../text/controls.ts'

/** What a service is for. */
export interface ServiceKind {
  readonly name: 'embedding' | 'reranking'
  /** What the variables begin with that set it. */
  readonly variable: string
}

export const EMBEDDING: ServiceKind = { name: 'embedding', variable: 'AMBIT_EMBEDDING' }
export const RERANKING: ServiceKind = { name: 'reranking', variable: 'AMBIT_RERANK' }

export interface Service {
  /** What it is called. */
  readonly where: string
  readonly key: string | undefined
  /** Default: one for embeddings. */
  readonly kind?: ServiceKind
}

/** Does what a service is needed for. @throws ContextError `cancelled`; or what went wrong, in words that say what to do. */
export async function told<Value>(service: Service, signal: AbortSignal | undefined, work: () => Promise<Value>) {
  try {
    return await work()
  } catch (cause) {
    throwIfAborted(signal)
    throw problemOf(service, cause)
  }
}

/** As an error of the SDK is. */
export function failure(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode })
}

/**
 * What an error of the SDK means, or another with the `statusCode` of an answer. It is not the cause: it holds the texts
 * that were sent, and the whole answer.
 */
function problemOf(service: Service, error: unknown): ContextError {
  const own = ownIn(error)
  if (own) return own
  const cause = lastOf(error)
  const status = statusOf(cause)
  const detail = detailOf(cause, service)
  const { name, variable } = service.kind ?? EMBEDDING
  const look = `Look at ${variable}_URL and ${variable}_MODEL, and see that the service runs.`
  const say = (code: ErrorCode, problem: string, hint: string) =>
    new ContextError(code, `The ${name} service at ${service.where} ${problem}`, { hint })
  if (status === 401 || status === 403) return say('denied', 'refused the key.', `Set ${variable}_KEY.`)
  if (status === 404) return say('unavailable', `does not know the model or the path: ${detail}`, look)
  if (status === 400 || status === 413 || status === 422) {
    return say('invalid-input', `refused the text: ${detail}`, 'It may be longer than the model can read.')
  }
  if (status === 200 && isWithoutNumbers(cause)) {
    return say('invalid-input', 'gave no numbers for the text.', 'Another model may be able to read it.')
  }
  if (status === 200) return say('unavailable', `gave an answer that is none: ${detail}`, look)
  if (Number.isNaN(status)) return say('unavailable', `did not answer: ${detail}`, look)
  return say('unavailable', `failed (${status}): ${detail}`, 'Try again in a moment.')
}

/** NaN where there was no answer. What the SDK itself finds wrong in one has no status. */
function statusOf(error: unknown): number {
  if (error instanceof Error && 'statusCode' in error) return Number(error.statusCode)
  return error instanceof Error && error.name === 'AI_InvalidResponseDataError' ? 200 : Number.NaN
}

/** After several tries the SDK throws an error about them, with that of the last one in it. */
function lastOf(error: unknown): unknown {
  return error instanceof Error && 'lastError' in error ? error.lastError : error
}

/** What was told already, whatever the SDK wrapped it in. */
function ownIn(error: unknown): ContextError | undefined {
  for (let one = lastOf(error); one instanceof Error; one = one.cause) if (one instanceof ContextError) return one
  return undefined
}

/** One short line. */
function detailOf(cause: unknown, { key }: Service): string {
  const line = cause instanceof Error ? (stripControls(cause.message).trim().split('\n')[0] ?? '') : ''
  const safe = key ? line.replaceAll(key, '…') : line
  return oneLine(safe.slice(0, 300).toWellFormed())
}

/** Numbers that JSON cannot hold are sent as null. */
function isWithoutNumbers(cause: unknown): boolean {
  const body = cause instanceof Error && 'responseBody' in cause ? String(cause.responseBody) : ''
  return /"embedding"\s*:\s*(?:null|\[[^\]"]*\bnull\b)/.test(body)
}
