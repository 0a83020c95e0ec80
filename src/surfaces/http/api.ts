import { ContextError, invalidInput, quoteValue } from '../../core/errors.ts'
import type { Input, InputFields } from '../../core/input.ts'
import { scopeOf } from '../../core/operation.ts'
import { Deadline, untilAborted } from '../../core/steps.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { jsonBody, streamResponse, taggedJsonResponse } from './body.ts'
import { markClean } from './confinement/confine-input.ts'
import { type RunLog, RunLogs } from './events/run-log.ts'
import { methodRefusal } from './guard.ts'
import { type HttpContext, type HttpLimits, type HttpParts, type TakeSlot, visitorIn } from './http-parts.ts'
import type { Limiter } from './limiters.ts'
import { NOT_FOUND, refuse, toProblem } from './problem.ts'

interface ApiParts extends Pick<HttpParts, 'engine' | 'operations' | 'closing' | 'logBug'> {
  readonly limits: HttpLimits
  readonly operationLimiter: Limiter
  readonly takeStreamSlot: TakeSlot
}

/** The operations under /api. */
export class Api {
  readonly #parts: ApiParts
  readonly #byName: ReadonlyMap<string, AnyOperation>
  readonly #runs: RunLogs

  constructor(parts: ApiParts) {
    this.#parts = parts
    this.#byName = new Map(parts.operations.map((operation) => [operation.name, operation]))
    this.#runs = new RunLogs(parts.limits.events, parts.takeStreamSlot)
    parts.closing?.addEventListener('abort', () => this.#runs.abortAll(), { once: true })
  }

  /** Answers a request for the operation `name`. */
  async answer(name: string, http: HttpContext): Promise<Response> {
    const { req } = http
    const operation = this.#byName.get(name)
    if (!operation) return refuse({ ...NOT_FOUND, detail: 'There is no such operation.' })
    const refusal = visitorIn(http).refusal(scopeOf(operation))
    if (refusal) return refuse(refusal)
    if (operation.effect === 'write' && req.method !== 'POST') return refuse(methodRefusal(['POST']))
    // The response to HEAD has no body, and so no stream.
    const isStream = req.method !== 'HEAD' && /\btext\/event-stream\b/.test(req.header('accept') ?? '')
    const lastEventId = req.header('last-event-id')
    if (isStream && lastEventId !== undefined) return this.#resumeStream(http, operation, lastEventId)
    const values =
      req.method === 'POST'
        ? await jsonBody(req.raw, this.#parts.limits.body)
        : inputFromQuery(new URL(req.url).searchParams, operation.input.fields)
    const input = operation.input.parse(values)
    if (!isStream) return this.#runToEnd(http, operation, input)
    this.#parts.operationLimiter.check()
    const log = this.#runs.start(operation.name, (runLog) => this.#runInto(runLog, operation, input))
    return this.#stream(http, log, 0)
  }

  /**
   * Runs an operation. Aborts it when the client disconnects, or after the time limit. Does not wait until the operation has
   * stopped.
   */
  async #runToEnd({ req }: HttpContext, operation: AnyOperation, input: unknown): Promise<Response> {
    const timeLimit = operation.effect === 'write' ? this.#parts.limits.time * 10 : this.#parts.limits.time
    using deadline = new Deadline(timeLimit)
    const signal = deadline.or(req.raw.signal, this.#parts.closing)
    try {
      const output = await untilAborted(operation.run(this.#parts.engine, input, { signal, emit: () => {} }), signal)
      return taggedJsonResponse(req.raw, output)
    } catch (error) {
      throw deadline.isOver ? timeLimitError(timeLimit) : error
    }
  }

  /** Runs an operation, and appends its events and its result to a log. */
  async #runInto(log: RunLog, operation: AnyOperation, input: unknown) {
    const run = { signal: log.signal, emit: (event: { readonly type: string }) => log.append(event.type, event) }
    try {
      log.end('result', await operation.run(this.#parts.engine, input, run))
    } catch (error) {
      if (!(error instanceof ContextError)) this.#parts.logBug?.(error, operation.name)
      log.end('problem', toProblem(error))
    }
  }

  /** Resumes a stream. Answers 204 if the client has the last event, because a browser does not reconnect after 204. */
  #resumeStream(http: HttpContext, operation: AnyOperation, lastEventId: string): Response {
    const { log, seq } = this.#runs.findPosition(operation.name, lastEventId)
    const hasReadAll = log.endedAt !== undefined && seq === log.lastSeq
    return hasReadAll ? new Response(null, { status: 204 }) : this.#stream(http, log, seq)
  }

  #stream({ env }: HttpContext, log: RunLog, after: number): Response {
    return streamResponse(this.#runs.stream(log, after, () => env.outgoing?.destroy()))
  }
}

/** The error for an answer that takes longer than the time limit. */
function timeLimitError(timeLimit: number): ContextError {
  const hint = 'Ask for less; or send Accept: text/event-stream, which has no time limit.'
  return new ContextError('unavailable', `The answer took more than ${timeLimit} ms.`, { hint })
}

/**
 * Parses the inputs of an operation from a query string. A list is one value with commas, or a repeated name. An item that
 * contains a comma needs a repeated name or a JSON body.
 *
 * @throws ContextError `invalid-input` for a value of the wrong type, and for a repeated name whose input is not a list.
 */
function inputFromQuery(query: URLSearchParams, fields: InputFields): Readonly<Record<string, unknown>> {
  const values = [...new Set(query.keys())].map((name) => {
    // An unknown input stays a text. The schema then refuses it by name.
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const texts = query.getAll(name)
    const [first = ''] = texts
    if (field && 'list' in field) {
      const items = first === '' ? [] : first.split(',')
      return [name, texts.length > 1 ? texts : items]
    }
    if (texts.length > 1) throw invalidQuery(`${name} is given ${texts.length} times, but accepts one value.`)
    return [name, parseQueryValue(name, first, field?.is)]
  })
  return Object.fromEntries(values)
}

function parseQueryValue(name: string, text: string, is: Input['is'] | undefined): unknown {
  const isNumber = is === 'integer' || is === 'number'
  if (!isNumber && is !== 'flag') return text
  if (isNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (!isNumber && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1'
  throw invalidQuery(`${name} is ${quoteValue(text)}, and must be ${isNumber ? 'a number' : 'true or false'}.`)
}

function invalidQuery(message: string): ContextError {
  return markClean(invalidInput(message, 'The inputs are described by /openapi.json.'))
}
