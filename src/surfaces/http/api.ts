import { createHash } from 'node:crypto'
import { ContextError } from '../../core/errors.ts'
import { scopeOf } from '../../core/operation.ts'
import { Deadline } from '../../core/steps.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { serializeVisibly } from '../../text/invisible.ts'
import { jsonBody } from './body.ts'
import type { RunLog } from './events/run-log.ts'
import { RunLogs } from './events/runs.ts'
import { methodRefusal } from './guard.ts'
import { type Ask, type HttpLimits, type HttpParts, type TakePlace, visitorIn } from './http-parts.ts'
import type { OperationLimiter } from './limiters.ts'
import { ABSENT, refuse, toProblem } from './problem.ts'
import { inputFromQuery } from './query.ts'

/** The operations under /api. */
export class Api {
  readonly #parts: HttpParts
  readonly #limits: HttpLimits
  readonly #slots: OperationLimiter
  readonly #byName: ReadonlyMap<string, AnyOperation>
  readonly #runs: RunLogs

  constructor(
    parts: HttpParts,
    limits: HttpLimits,
    { slots, streams }: { readonly slots: OperationLimiter; readonly streams: TakePlace },
  ) {
    this.#parts = parts
    this.#limits = limits
    this.#slots = slots
    this.#byName = new Map(parts.operations.map((operation) => [operation.name, operation]))
    this.#runs = new RunLogs(limits.events, streams)
    parts.closing?.addEventListener('abort', () => this.#runs.abortAll(), { once: true })
  }

  get streams(): number {
    return this.#runs.streams
  }

  /** `name`: of the operation. */
  async answer(name: string, ask: Ask): Promise<Response> {
    const { req } = ask
    const operation = this.#byName.get(name)
    if (!operation) {
      return refuse({ ...ABSENT, detail: 'There is no such operation.' })
    }
    const refusal = visitorIn(ask).refusal(scopeOf(operation))
    if (refusal) return refuse(refusal)
    if (operation.effect === 'write' && req.method !== 'POST') return refuse(methodRefusal(['POST']))
    // A HEAD has no body.
    const isStream = req.method !== 'HEAD' && /\btext\/event-stream\b/.test(req.header('accept') ?? '')
    const last = req.header('last-event-id')
    if (isStream && last !== undefined) return this.#resumed(ask, operation, last)
    const given = await this.#given(req.raw, operation)
    if (!given.ok) return given.response
    const input = operation.input.parse(given.value)
    return isStream ? this.#streamed(ask, operation, input) : this.#awaited(ask, operation, input)
  }

  async #given(request: Request, operation: AnyOperation) {
    if (request.method === 'POST') return jsonBody(request, this.#limits.body)
    const value = inputFromQuery(new URL(request.url).searchParams, operation.input.json())
    return { ok: true as const, value }
  }

  /** One answer. The work stops when the client disconnects, and after the time limit. */
  async #awaited({ req }: Ask, operation: AnyOperation, input: unknown): Promise<Response> {
    const time = operation.effect === 'write' ? this.#limits.time * 10 : this.#limits.time
    using late = new Deadline(time)
    const signal = late.or(req.raw.signal, this.#parts.closing)
    try {
      const output = await raceSignal(operation.run(this.#parts.engine, input, { signal, emit: () => {} }), signal)
      return jsonResponse(req.raw, output)
    } catch (error) {
      throw late.isOver ? tooLate(time) : error
    }
  }

  /** The events of the work, and at the end its result. */
  #streamed(ask: Ask, operation: AnyOperation, input: unknown): Response {
    this.#slots.check()
    const log = this.#runs.start(operation.name, (log) => this.#work(log, operation, input))
    return this.#stream(ask, log, 0)
  }

  async #work(log: RunLog, operation: AnyOperation, input: unknown) {
    const run = { signal: log.signal, emit: (event: { readonly type: string }) => log.append(event.type, event) }
    try {
      log.end('result', await operation.run(this.#parts.engine, input, run))
    } catch (error) {
      if (!(error instanceof ContextError)) this.#parts.log?.(error, operation.name)
      log.end('problem', toProblem(error))
    }
  }

  /** 204 for a run whose last event the client has: a browser does not reconnect then. */
  #resumed(ask: Ask, operation: AnyOperation, lastEventId: string): Response {
    const { log, seq } = this.#runs.resumed(operation.name, lastEventId)
    return log.isOver && seq === log.last ? new Response(null, { status: 204 }) : this.#stream(ask, log, seq)
  }

  #stream({ env }: Ask, log: RunLog, after: number): Response {
    const body = this.#runs.stream(log, after, () => env.outgoing?.destroy())
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' } })
  }
}

/** The result of the work, or the abort: an operation may be slow to stop. */
function raceSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new ContextError('cancelled', 'The call was cancelled.', { cause: signal.reason }))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}

function tooLate(time: number): ContextError {
  const hint = 'Ask for less; or send Accept: text/event-stream, which has no time limit.'
  return new ContextError('unavailable', `The answer took more than ${time} ms.`, { hint })
}

/** The answer as JSON; for a GET with a strong ETag, and 304 where the client has it. */
export function jsonResponse(request: Request, answer: unknown): Response {
  const body = serializeVisibly(answer)
  if (request.method === 'POST') return new Response(body, { headers: { 'Content-Type': 'application/json' } })
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  const isKnown = known.includes(tag) || known[0] === '*'
  const headers = { ETag: tag, 'Content-Type': 'application/json' }
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers })
}
