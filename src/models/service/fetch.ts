/** Fetches from an untrusted service: limits the length and the time of answers, and follows no redirects. */

import { ContextError, invalidInput, tryToRead } from '../../core/errors.ts'
import { trimEnd } from '../../text/trim.ts'
import { EMBEDDING, LANGUAGE, type ServiceKind } from './errors.ts'

/** Maximum bytes of an answer. 32 vectors of 16,384 numbers take a third of this. */
const MAX_ANSWER_BYTES = 32_000_000

/** Maximum UTF-16 units of an error that are read. */
const MAX_ERROR_LENGTH = 16_384

/** Errors that a retry does not fix: the service does not run, or its host name is wrong. */
const UNREACHABLE_CODES = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS.*|.*CERT.*|UNABLE_TO.*)$/

/** Matches messages about a text that is too long or has no vector. Some services send them with a status of 500 or more. */
const TEXT_PROBLEM = /too (large|long|big|many tokens)|exceed|context (length|size|window)|unsupported value: NaN/i

/** A fetch for one service. `origin`: its name in errors. */
export function serviceFetch(origin: string, kind: ServiceKind = EMBEDDING): typeof fetch {
  const serviceName = `The ${kind.name} service at ${origin}`
  let hasAnswered = false
  return async (input, init) => {
    try {
      const response = await fetch(input, { ...init, redirect: 'manual' })
      hasAnswered = true
      if (response.status >= 300 && response.status < 400) throw redirectError(serviceName, kind, response)
      return response.ok ? limitResponse(serviceName, kind, response) : await errorBody(response)
    } catch (error) {
      const reason = hasAnswered ? undefined : connectionProblem(error)
      if (reason === undefined) throw error
      // No cause: the SDK would recognize a network error by its cause, and retry.
      throw new ContextError('unavailable', `${serviceName} did not answer: ${reason}`, {
        hint: `Check ${kind.variable}_URL, and that the service runs.`,
      })
    }
  }
}

/** The error for a redirect. A redirect is not followed, because its target must not get the key and the texts. */
function redirectError(serviceName: string, { variable }: ServiceKind, { status, headers }: Response): ContextError {
  const location = headers.get('location') ?? ''
  const target = URL.canParse(location) ? new URL(location).origin : 'another path'
  const message = `${serviceName} redirects to ${target} (${status}); Ambit does not follow that.`
  return new ContextError('unavailable', message, { hint: `Set ${variable}_URL to the new address.` })
}

function connectionProblem(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && UNREACHABLE_CODES.test(String(one.code))) return one.message || String(one.code)
  }
  return undefined
}

function limitResponse(serviceName: string, { variable }: ServiceKind, response: Response): Response {
  const hint = `Check that ${variable}_URL is the URL of such a service.`
  const message = `${serviceName} answered with more than ${MAX_ANSWER_BYTES} bytes.`
  let size = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size <= MAX_ANSWER_BYTES) controller.enqueue(chunk)
      else controller.error(new ContextError('unavailable', message, { hint }))
    },
  })
  return new Response(response.body?.pipeThrough(limit) ?? null, { status: response.status })
}

/** The error of a response, in OpenAI's format. An error about a text gets the status 422. */
async function errorBody(response: Response): Promise<Response> {
  const details = parseError(await readBeginning(response))
  const message = String(details.message || response.statusText)
  const status = response.status >= 500 && TEXT_PROBLEM.test(message) ? 422 : response.status
  const headers = [...response.headers].filter(([name]) => ['retry-after', 'retry-after-ms'].includes(name))
  // The SDKs of OpenAI and of Anthropic both find their fields in this form.
  const error = { type: 'error', ...details, message }
  return new Response(JSON.stringify({ type: 'error', error }), { status, headers })
}

async function readBeginning({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  // Leaving the loop closes the stream.
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_ERROR_LENGTH) break
  }
  return text.slice(0, MAX_ERROR_LENGTH)
}

/** The message of an error, and its codes, such as `insufficient_quota`. Services put the message in different fields. */
function parseError(text: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = tryToRead(() => JSON.parse(text))
  if (parsed === undefined) return { message: text }
  // Gemini sends a list with one error.
  const { error, message, detail } = Object(Array.isArray(parsed) ? parsed[0] : parsed)
  const { type, code, metadata, message: errorMessage = error } = Object(error)
  // OpenRouter nests the message of the model's provider in its own message.
  const { raw } = Object(metadata)
  const fullMessage = typeof raw === 'string' ? `${errorMessage}: ${raw}` : errorMessage
  const isText = (one: unknown) => typeof one === 'string'
  const codes = Object.entries({ type, code }).filter(([, value]) => isText(value))
  return { ...Object.fromEntries(codes), message: [fullMessage, message, detail].find(isText) }
}

/**
 * Normalizes the URL of a service to its base URL. A URL without a path gets `/v1`; a URL that ends with `endpoint`,
 * such as `embeddings`, loses that end. `origin`: the name of the service in messages, without secrets.
 *
 * @throws ContextError `invalid-input` for an invalid URL.
 */
export function serviceAddress(url: string, endpoint: string, { name }: ServiceKind = EMBEDDING) {
  if (!URL.canParse(url)) {
    const hint = 'Write it like http://127.0.0.1:11434/v1.'
    throw invalidInput(`The URL of the ${name} service is not valid.`, hint)
  }
  const { origin, pathname, searchParams } = new URL(url)
  const path = trimEnd(pathname, '/')
  const base = path.endsWith(`/${endpoint}`) ? path.slice(0, -endpoint.length - 1) : path || '/v1'
  const query = searchParams.size > 0 && { queryParams: Object.fromEntries(searchParams) }
  return { baseURL: origin + base, ...query, origin }
}

/** An address with the default path of its service, if it has none. */
export function addressWithPath(url: string, path: string | undefined): string {
  const isBare = path !== undefined && URL.canParse(url) && new URL(url).pathname === '/'
  return isBare ? new URL(path, url).href : url
}

/**
 * Time limits for a silent service, in milliseconds: until an answer begins, and between two chunks of it. Node limits connecting
 * to 10 seconds.
 */
export const SERVICE_TIMEOUTS = { answerMs: 300_000, chunkMs: 120_000 }
export type ServiceTimeouts = Readonly<typeof SERVICE_TIMEOUTS>

/** A fetch that closes a silent connection. `origin`: the name of the service. */
export function withTimeouts(
  fetchService: typeof fetch,
  origin: string,
  { answerMs, chunkMs }: ServiceTimeouts,
): typeof fetch {
  return async (input, init) => {
    const controller = new AbortController()
    const signal = AbortSignal.any([controller.signal, init?.signal].filter((one) => one instanceof AbortSignal))
    const waitFor = async <Value>(work: Promise<Value>, ms: number, problem: string) => {
      const timer = setTimeout(() => controller.abort(silenceError(origin, problem, ms)), ms)
      try {
        return await work
      } catch (error) {
        throw controller.signal.aborted ? controller.signal.reason : error
      } finally {
        clearTimeout(timer)
      }
    }
    const response = await waitFor(fetchService(input, { ...init, signal }), answerMs, 'did not begin to answer')
    const { body, status, headers } = response
    if (!body) return response
    const reader = body.getReader()
    // Only the wait for the service counts, not the time of the reader.
    const timedBody = new ReadableStream<Uint8Array>({
      async pull(stream) {
        const { done, value } = await waitFor(reader.read(), chunkMs, 'stopped in the middle of an answer')
        if (done) stream.close()
        else stream.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    })
    return new Response(timedBody, { status, headers })
  }
}

function silenceError(origin: string, problem: string, ms: number): ContextError {
  const hint = `It may be overloaded. Check ${LANGUAGE.variable}_URL, or try again.`
  const message = `The ${LANGUAGE.name} service at ${origin} ${problem}: nothing for ${ms / 1000} seconds.`
  return new ContextError('unavailable', message, { hint })
}
