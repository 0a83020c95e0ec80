import { createHash } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { ContextError } from '../../core/errors.ts'
import type { Engine } from '../../engine.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { Auth } from './auth.ts'
import { jsonBody } from './body.ts'
import { OUTLET_LIMITS, type OutletLimits } from './chat/outlet.ts'
import { ChatRoutes } from './chat/routes.ts'
import { confined, confinedEngine, type Roots } from './confined.ts'
import { DOOR_STYLE, doorPage, doorStyle } from './door.ts'
import { EVENT_LIMITS, type EventLimits } from './events.ts'
import { type FileAsk, Files } from './files.ts'
import { methodRefusal, SECURITY_HEADERS, strangerRefusal } from './guard.ts'
import { offered } from './offered.ts'
import { openApi } from './openapi.ts'
import { failure, problemOf, type Refusal, refuse } from './problem.ts'
import { inputFromQuery } from './query.ts'
import type { RunLog } from './run-log.ts'
import { Runs } from './runs.ts'
import { SessionRoutes } from './sessions/routes.ts'
import { Slots } from './slots.ts'
import { isPlace, WebUi, wantsPage } from './web.ts'

/** A server of the Model Context Protocol, as far as this one has to know it. */
export interface McpHttp {
  fetch(request: Request): Promise<Response>
  /** Stops what runs. */
  close?(): Promise<void>
}

/** What an HTTP server is made of. */
export interface HttpParts {
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
  /** Whoever has it may do everything that the server can. */
  readonly token: string
  /** What `Host` may be: names with their port, lower case. Requests to other names are refused. */
  readonly hosts: readonly string[]
  /** The only directories whose paths operations take. */
  readonly roots: Roots
  readonly version: string
  /** The directory of the built web UI. Default: there is none. */
  readonly web?: string
  readonly auth?: Auth
  /** Answers /mcp, with the operations as this server runs them. Default: there is none. */
  readonly mcp?: (operations: readonly AnyOperation[]) => McpHttp
  /** Hears of errors that are bugs. */
  readonly log?: (error: unknown, where: string) => void
  /** Whether the assistant may write, where the person says so each time. Default: no. */
  readonly allowWrite?: boolean
  /** Fired when the server ends: whatever runs is stopped. */
  readonly closing?: AbortSignal
  readonly limits?: Partial<HttpLimits>
}

/** Limits, all of them on by default. Times in milliseconds. */
export interface HttpLimits {
  /** Bytes of a JSON body. */
  readonly body: number
  /** Operations at once. */
  readonly runs: number
  /** How long an answer may take that is not a stream of events; one that writes, ten times as long. */
  readonly time: number
  readonly events: EventLimits
  readonly chat: OutletLimits
}

const LIMITS: HttpLimits = { body: 1_048_576, runs: 32, time: 60_000, events: EVENT_LIMITS, chat: OUTLET_LIMITS }

export type HttpApp = Hono<Env>

type Env = { Bindings: Partial<HttpBindings> }
type Ask = Context<Env>

/** The HTTP surface: a loop over the operations, behind the checks that keep strangers out. */
export function createHttpApp(parts: HttpParts): HttpApp {
  const limits = { ...LIMITS, ...parts.limits }
  const auth = parts.auth ?? new Auth(parts.token)
  const slots = new Slots(limits.runs)
  const operations = parts.operations.map((operation) => confined(slots.counted(operation), parts.roots))
  const apis = offered(operations)
  const api = new Api({ ...parts, operations: apis }, limits, slots)
  const mcp = parts.mcp?.(operations)
  const web = new WebUi(parts.web)
  const files = new Files({ engine: parts.engine, slots, time: limits.time, closing: parts.closing })
  const { allowWrite = false, ...rest } = parts
  const chat = new ChatRoutes({
    ...rest,
    engine: confinedEngine(parts.engine, parts.roots),
    operations,
    allowWrite,
    outlet: limits.chat,
  })
  const sessions = new SessionRoutes({
    engine: parts.engine,
    limits: limits.events,
    body: limits.body,
    closing: parts.closing,
  })
  const app = new Hono<Env>()
  guard(app, parts, auth)
  app.get('/healthz', (ask) => ask.json({ status: 'ok' }))
  app.get('/login', (ask) => login(ask, auth))
  app.get(DOOR_STYLE, doorStyle)
  app.get('/assets/:name', (ask) => web.asset(ask.req.raw, ask.req.param('name')) ?? refuse(ABSENT))
  app.get('/openapi.json', (ask) => answered(ask.req.raw, openApi(apis, parts.version)))
  app.all('/api/chat', (ask) => chat.ask(askedBy(ask)).catch(rethrown))
  app.get('/api/chat/models', () => chat.models())
  app.all('/api/chat/:id/:what', async (ask) => {
    const { id, what } = ask.req.param()
    return (await chat.one(id, what, askedBy(ask)).catch(rethrown)) ?? refuse(ABSENT)
  })
  for (const path of ['/api/sessions', '/api/sessions/*']) {
    app.all(path, ({ req, env }) =>
      sessions.answer({ request: req.raw, drop: () => env?.outgoing?.destroy() }).catch(rethrown),
    )
  }
  app.all('/api/:name', (ask) => api.answer(ask).catch(rethrown))
  app.all('/files/*', (ask) => rawly(ask, (asked) => files.file(asked)))
  app.all('/entries', (ask) => rawly(ask, (asked) => files.entry(asked)))
  if (mcp) app.all('/mcp', (ask) => mcp.fetch(ask.req.raw))
  parts.closing?.addEventListener('abort', () => mcp?.close?.(), { once: true })
  app.get('*', (ask) => (isPlace(ask.req.path) ? (web.page(ask.req.raw) ?? ask.text(NOT_BUILT)) : refuse(ABSENT)))
  app.notFound(() => refuse(ABSENT))
  app.onError((error, ask) => {
    if (!(error instanceof ContextError)) parts.log?.(error, `${ask.req.method} ${ask.req.routePath}`)
    return failure(error)
  })
  return app
}

/** Bytes, which are only read. */
async function rawly(ask: Ask, answer: (asked: FileAsk) => Promise<Response>): Promise<Response> {
  if (ask.req.method === 'POST') return refuse(methodRefusal(['GET', 'HEAD']))
  return answer(askedBy(ask)).catch(rethrown)
}

function askedBy({ req, env }: Ask): FileAsk {
  return { request: req.raw, drop: () => env?.outgoing?.destroy() }
}

/** What is thrown may be anything; the router knows errors only. */
function rethrown(thrown: unknown): never {
  throw thrown instanceof Error ? thrown : new Error(String(thrown))
}

const SEE = 'See /openapi.json.'

const ABSENT: Refusal = { status: 404, code: 'not-found', detail: 'There is nothing here.', hint: SEE }

const NOT_BUILT =
  'Ambit is here; its web UI is not built: run "npm run build". /openapi.json says what the API can do.\n'

/** What can be had without a token: whether there is a server, a session for the code of a link, and how to get one. */
const OPEN = ['/healthz', '/login', DOOR_STYLE]

function guard(app: HttpApp, { hosts }: HttpParts, auth: Auth): void {
  const known = new Set(hosts.map((host) => host.toLowerCase()))
  app.use(async (ask, next) => {
    await next()
    // Assets are kept by browsers, and files are in a stricter sandbox.
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!ask.res.headers.has(name)) ask.res.headers.set(name, value)
    }
  })
  app.use(async (ask, next) => {
    const stranger = strangerRefusal(ask.req.raw, known)
    if (stranger) return refuse(stranger)
    const refusal = OPEN.includes(ask.req.path) ? undefined : auth.refusal(ask.req.raw, addressOf(ask))
    if (refusal) return told(ask, refusal)
    await next()
  })
}

/** A person is told on a page, a program in JSON. */
function told({ req }: Ask, refusal: Refusal): Response {
  const isPage = wantsPage(req.raw) && (isPlace(req.path) || req.path === '/login')
  return isPage ? doorPage(refusal, refusal.status === 401) : refuse(refusal)
}

/** The other end of the connection, whatever headers say. */
function addressOf({ env }: Ask): string {
  return env?.incoming?.socket.remoteAddress ?? 'unknown'
}

/** A code becomes a cookie, and is in no address any more. Only a GET of a person takes it, no look ahead of a HEAD. */
function login(ask: Ask, auth: Auth): Response {
  if (ask.req.method !== 'GET') return refuse(methodRefusal(['GET']))
  const redeemed = auth.redeem(ask.req.query('code') ?? '', ask.req.raw, addressOf(ask))
  if (!('cookie' in redeemed)) return told(ask, redeemed)
  return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': redeemed.cookie } })
}

/** The answer as JSON; to a GET with a strong ETag, and nothing of it where the asker has it already. */
function answered(request: Request, answer: unknown): Response {
  const body = JSON.stringify(answer)
  if (request.method === 'POST') return new Response(body, { headers: { 'Content-Type': 'application/json' } })
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  const isKnown = known.includes(tag) || known[0] === '*'
  const headers = { ETag: tag, 'Content-Type': 'application/json' }
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers })
}

/** The operations under /api. */
class Api {
  readonly #parts: HttpParts
  readonly #limits: HttpLimits
  readonly #slots: Slots
  readonly #byName: ReadonlyMap<string, AnyOperation>
  readonly #runs: Runs

  constructor(parts: HttpParts, limits: HttpLimits, slots: Slots) {
    this.#parts = parts
    this.#limits = limits
    this.#slots = slots
    this.#byName = new Map(parts.operations.map((operation) => [operation.name, operation]))
    this.#runs = new Runs(limits.events)
    parts.closing?.addEventListener('abort', () => this.#runs.abortAll(), { once: true })
  }

  async answer(ask: Ask): Promise<Response> {
    const { req } = ask
    const operation = this.#byName.get(req.param('name') ?? '')
    if (!operation) {
      return refuse({ ...ABSENT, detail: 'There is no such operation.' })
    }
    if (operation.effect === 'write' && req.method !== 'POST') return refuse(methodRefusal(['POST']))
    // Nobody would read the stream of a HEAD.
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

  /** One answer. The work ends when the asker goes away, and when it takes too long. */
  async #awaited({ req }: Ask, operation: AnyOperation, input: unknown): Promise<Response> {
    const time = operation.effect === 'write' ? this.#limits.time * 10 : this.#limits.time
    const late = AbortSignal.timeout(time)
    const closing = this.#parts.closing ? [this.#parts.closing] : []
    const signal = AbortSignal.any([req.raw.signal, late, ...closing])
    try {
      const output = await raced(operation.run(this.#parts.engine, input, { signal, emit: () => {} }), signal)
      return answered(req.raw, output)
    } catch (error) {
      throw late.aborted ? tooLate(time) : error
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
      log.end('problem', problemOf(error))
    }
  }

  /** A run that is over and told to its end has no content: that keeps a browser from coming back. */
  #resumed(ask: Ask, operation: AnyOperation, lastEventId: string): Response {
    const { log, seq } = this.#runs.resumed(operation.name, lastEventId)
    return log.isOver && seq === log.last ? new Response(null, { status: 204 }) : this.#stream(ask, log, seq)
  }

  #stream({ env }: Ask, log: RunLog, after: number): Response {
    const body = this.#runs.stream(log, after, () => env?.outgoing?.destroy())
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' } })
  }
}

/** The work, or the end of the wait for it: an operation may be slow to hear that it should stop. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new ContextError('cancelled', 'The call was cancelled.', { cause: signal.reason }))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}

function tooLate(time: number): ContextError {
  const hint = 'Ask for less; or with Accept: text/event-stream, which may take its time.'
  return new ContextError('unavailable', `The answer took more than ${time} ms.`, { hint })
}
