/** What went wrong with a service, in words that say what to do; never with the key, nor with texts that were sent. */

import { ContextError, type ErrorCode } from '../core/errors.ts'
import { oneLine, stripControls } from '../text/controls.ts'

export interface Service {
  /** What it is called. */
  readonly where: string
  readonly key: string | undefined
}

const WHERE = 'Look at AMBIT_EMBEDDING_URL and AMBIT_EMBEDDING_MODEL, and see that the service runs.'

/** What an error of the SDK means. It is not the cause: it holds the texts that were sent, and the whole answer. */
export function problemOf(service: Service, error: unknown): ContextError {
  const own = ownIn(error)
  if (own) return own
  const cause = lastOf(error)
  const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : Number.NaN
  const detail = detailOf(cause, service)
  const say = (code: ErrorCode, problem: string, hint: string) =>
    new ContextError(code, `The embedding service at ${service.where} ${problem}`, { hint })
  if (status === 401 || status === 403) return say('denied', 'refused the key.', 'Set AMBIT_EMBEDDING_KEY.')
  if (status === 404) return say('unavailable', `does not know the model or the path: ${detail}`, WHERE)
  if (status === 400 || status === 413 || status === 422) {
    return say('invalid-input', `refused the text: ${detail}`, 'It may be longer than the model can read.')
  }
  if (status === 200 && isWithoutNumbers(cause)) {
    return say('invalid-input', 'gave no numbers for the text.', 'Another model may be able to read it.')
  }
  if (status === 200) return say('unavailable', `gave an answer that is none: ${detail}`, WHERE)
  if (Number.isNaN(status)) return say('unavailable', `did not answer: ${detail}`, WHERE)
  return say('unavailable', `failed (${status}): ${detail}`, 'Try again in a moment.')
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
