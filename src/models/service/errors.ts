/** Errors of services, with hints. They never contain the key or sent texts. */

import { ContextError, type ErrorCode, throwIfAborted, tryToRead } from '../../core/errors.ts'
import { oneLine, stripControls } from '../../text/controls.ts'

export interface ServiceKind {
  readonly name: 'embedding' | 'reranking' | 'language model'
  /** Prefix of the variables of its URL and its key. */
  readonly variable: string
  /** The variable that names the model. */
  readonly model: string
}

export const EMBEDDING: ServiceKind = { name: 'embedding', variable: 'AMBIT_EMBEDDING', model: 'AMBIT_EMBEDDING_MODEL' }
export const RERANKING: ServiceKind = { name: 'reranking', variable: 'AMBIT_RERANK', model: 'AMBIT_RERANK_MODEL' }
export const LANGUAGE: ServiceKind = { name: 'language model', variable: 'AMBIT_MODEL', model: 'AMBIT_MODEL' }

export interface Service {
  /** Name of the service in messages. */
  readonly origin: string
  readonly key: string | undefined
  /** Default: `EMBEDDING`. */
  readonly kind?: ServiceKind
}

/** Runs a request to a service. @throws ContextError `cancelled`; the error of the service with a hint. */
export async function withServiceErrors<Value>(
  service: Service,
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
) {
  try {
    return await work()
  } catch (cause) {
    throwIfAborted(signal)
    throw serviceError(service, cause)
  }
}

/** An error in the form of the SDK's errors. */
export function statusError(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode })
}

/**
 * Converts an error of the SDK, or another error that has the `statusCode` of an answer. The result has no cause, because the
 * original contains the sent texts and the whole answer.
 */
export function serviceError(service: Service, error: unknown): ContextError {
  const contextError = contextErrorIn(error)
  if (contextError) return contextError
  const cause = lastError(error)
  const status = httpStatus(cause)
  const detail = detailOf(cause, service)
  const { name, variable, model } = service.kind ?? EMBEDDING
  const checkHint = `Check ${variable}_URL and ${model}, and that the service runs.`
  const errorWith = (code: ErrorCode, problem: string, hint: string) =>
    new ContextError(code, `The ${name} service at ${service.origin} ${problem}`, { hint })
  if (isQuotaUsedUp(cause))
    return errorWith('over-limit', `accepts no more requests: ${detail}`, 'Check the plan and its credit.')
  if (status === 401 || status === 403) return errorWith('denied', 'refused the key.', `Set ${variable}_KEY.`)
  if (status === 404) return errorWith('unavailable', `does not know the model or the path: ${detail}`, checkHint)
  if (status === 400 || status === 413 || status === 422)
    return errorWith('invalid-input', `refused the text: ${detail}`, 'It may be longer than the model can read.')
  if (status === 200 && NULL_NUMBER.test(String(Object(cause).responseBody)))
    return errorWith('invalid-input', 'gave no numbers for the text.', 'Another model may be able to read it.')
  if (status === 200) return errorWith('unavailable', `gave an answer that is not valid: ${detail}`, checkHint)
  if (Number.isNaN(status)) return errorWith('unavailable', `did not answer: ${detail}`, checkHint)
  return errorWith('unavailable', `failed (${status}): ${detail}`, 'Try again in a moment.')
}

/** Whether the quota is used up. Services send the status of a busy service, but a retry does not help. */
export function isQuotaUsedUp(error: unknown): boolean {
  const { message, responseBody } = Object(error)
  const pattern = /insufficient[_ ]quota|exceeded your current quota|billing|credit balance/i
  return httpStatus(error) === 402 || pattern.test(`${message} ${responseBody}`)
}

const ANSWER_ERRORS = ['AI_InvalidResponseDataError', 'AI_JSONParseError', 'AI_TypeValidationError']

/** The HTTP status of an error: 200 for errors that the SDK finds in an answer, NaN without an answer. */
export function httpStatus(error: unknown): number {
  const { name, statusCode = ANSWER_ERRORS.includes(name) ? 200 : Number.NaN } = Object(error)
  return Number(statusCode)
}

/** The last error of several attempts. The SDK wraps it. */
function lastError(error: unknown): unknown {
  return Object(error).lastError ?? error
}

/** A `ContextError` within an error of the SDK. */
function contextErrorIn(error: unknown): ContextError | undefined {
  for (let one = lastError(error); one instanceof Error; one = one.cause) if (one instanceof ContextError) return one
  return undefined
}

/** The first line of the message, shortened and without the key. */
function detailOf(cause: unknown, { key }: Service): string {
  const line = stripControls(serviceMessage(cause)).trim().replace(/\n.*/s, '')
  const withoutKey = key ? line.replaceAll(key, '…') : line
  return oneLine(withoutKey.slice(0, 300).toWellFormed())
}

/** The error message of a service. The SDK of a provider may miss it, because it reads only fields of that provider. */
function serviceMessage(cause: unknown): string {
  const { message = '', responseBody } = Object(cause)
  const read = () => String((httpStatus(cause) !== 200 && JSON.parse(responseBody).error.message) || message)
  return tryToRead(read) ?? message
}

/** Matches a vector with a null. Services send null for a number that JSON cannot contain. */
const NULL_NUMBER = /"embedding"\s*:\s*(?:null|\[[^\]"]*\bnull\b)/
