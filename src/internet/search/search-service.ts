/** Sends requests to a search service. Retries while the service is busy, and limits the size of the answer. */

import { setTimeout as pause } from 'node:timers/promises'
import { ContextError, type ErrorCode, throwIfAborted } from '../../core/errors.ts'
import { Deadline } from '../../core/steps.ts'
import { trimEnd } from '../../text/trim.ts'
import { readBody, retryAfterMs } from '../responses.ts'
import type { WebSearchOptions } from '../web-search.ts'

const TIME_MS = 20_000
const PAUSE_MS = 500
const MAX_ATTEMPTS = 3
/** Maximum wait in milliseconds. There is no retry if the service asks for a longer wait. */
const MAX_PAUSE_MS = 20_000
/** Maximum bytes of an answer. */
const MAX_BYTES = 2_000_000

export interface SearchService extends WebSearchOptions {
  /** The name of the service in messages. */
  readonly name: string
  /** Problems by status code, for codes that have a special meaning for this provider. */
  readonly problems?: Readonly<Record<number, SearchProblem>>
}

export interface SearchProblem {
  readonly code: ErrorCode
  /** The message after the name of the service: `refuses the key`. */
  readonly what: string
  readonly hint: string
}

interface ServiceRequest {
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON by POST. A request without a body is a GET. */
  readonly body?: object
}

const CHECK_SERVICE = 'Check AMBIT_SEARCH and AMBIT_SEARCH_URL, and that the service runs.'
const CHECK_KEY = 'Check AMBIT_SEARCH_KEY.'

const PROBLEMS: Readonly<Record<number, SearchProblem>> = {
  400: { code: 'invalid-input', what: 'refuses the query', hint: 'Ask in fewer, plainer words.' },
  401: { code: 'denied', what: 'refuses the key', hint: CHECK_KEY },
  402: { code: 'over-limit', what: 'accepts no more requests, since the plan is used up', hint: 'Check the plan.' },
  403: { code: 'denied', what: 'refuses the key', hint: CHECK_KEY },
  404: { code: 'unavailable', what: 'does not know the path', hint: CHECK_SERVICE },
  422: { code: 'invalid-input', what: 'refuses the query', hint: 'Ask in fewer, plainer words.' },
  429: { code: 'unavailable', what: 'gets too many requests', hint: 'Wait, or ask for fewer searches.' },
}

/** A failure that a retry may avoid. `afterMs`: the wait in milliseconds that the service asks for; 0 if it asks for none. */
class BusyService extends Error {
  readonly problem: ContextError
  readonly afterMs: number

  constructor(problem: ContextError, afterMs = 0) {
    super(problem.message)
    this.problem = problem
    this.afterMs = afterMs
  }
}

/** The JSON answer of a service. @throws ContextError, whose message never contains the key. */
export async function requestJson(service: SearchService, request: ServiceRequest, signal: AbortSignal) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchAnswer(service, request, signal)
    } catch (error) {
      throwIfAborted(signal)
      if (!(error instanceof BusyService)) throw error
      const waitMs = Math.max(error.afterMs, (service.retryDelayMs ?? PAUSE_MS) * 2 ** (attempt - 1))
      if (attempt === MAX_ATTEMPTS || waitMs > MAX_PAUSE_MS) throw error.problem
      await pause(waitMs, undefined, { signal }).catch(() => throwIfAborted(signal))
    }
  }
}

async function fetchAnswer(service: SearchService, { url, headers, body }: ServiceRequest, signal: AbortSignal) {
  const { timeoutMs = TIME_MS } = service
  using deadline = new Deadline(timeoutMs)
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: deadline.or(signal),
    })
    return await jsonOf(service, response)
  } catch (error) {
    if (error instanceof ContextError || error instanceof BusyService || signal.aborted) throw error
    const why = deadline.isOver ? `nothing for ${timeoutMs / 1000} seconds` : rootReason(error)
    throw new BusyService(serviceFault(service, `did not answer: ${why}`))
  }
}

async function jsonOf(service: SearchService, response: Response): Promise<unknown> {
  const { status, headers } = response
  if (!response.ok) {
    await response.body?.cancel()
    throw statusFailure(service, status, headers)
  }
  const tooLong = () => serviceFault(service, `answered with more than ${MAX_BYTES} bytes`)
  const bytes = await readBody(response.body, MAX_BYTES, tooLong)
  const text = new TextDecoder().decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    const isPage = /^\s*</.test(text)
    const what = isPage ? 'answered with a page and not with JSON' : 'answered with JSON that is broken'
    const failure = serviceFault(service, what)
    throw isPage ? failure : new BusyService(failure)
  }
}

function statusFailure(service: SearchService, status: number, headers: Headers): Error {
  if (status >= 300 && status < 400) {
    const what = `redirects to another URL (${status}), which is not followed`
    return searchError(service, { code: 'unavailable', what, hint: 'Set AMBIT_SEARCH_URL to that URL.' })
  }
  const unknownProblem: SearchProblem = { code: 'unavailable', what: `failed (${status})`, hint: 'Try again later.' }
  const failure = searchError(service, service.problems?.[status] ?? PROBLEMS[status] ?? unknownProblem)
  const isBusy = status === 408 || status === 429 || status >= 500
  return isBusy ? new BusyService(failure, retryAfterMs(headers.get('retry-after'), Date.now())) : failure
}

export function searchError({ name }: Pick<SearchService, 'name'>, { code, what, hint }: SearchProblem): ContextError {
  return new ContextError(code, `The search service ${name} ${what}.`, { hint })
}

/** The error of a service that does not answer as documented. The hint asks to check the settings. */
function serviceFault(service: SearchService, what: string): ContextError {
  return searchError(service, { code: 'unavailable', what, hint: CHECK_SERVICE })
}

function rootReason(error: unknown): string {
  let cause: unknown = error
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

/** The URL of a path below a base URL. The base may have a path. */
export function urlBelow(baseUrl: string, path: string, parameters: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(`${trimEnd(baseUrl.replace(/[?#].*/s, ''), '/')}/${path}`)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}
