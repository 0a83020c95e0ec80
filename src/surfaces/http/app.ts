import { Hono } from 'hono'
import { ContextError } from '../../core/errors.ts'
import { Api, answered } from './api.ts'
import { Auth } from './auth.ts'
import { ChatRoutes } from './chat/routes.ts'
import { confined, confinedEngine } from './confined.ts'
import { DOOR_STYLE, doorPage, doorStyle } from './door.ts'
import { type FileAsk, Files } from './files.ts'
import { methodRefusal, SECURITY_HEADERS, strangerRefusal } from './guard.ts'
import { type Ask, type Env, type HttpApp, type HttpParts, LIMITS } from './http-parts.ts'
import { offered } from './offered.ts'
import { openApi } from './openapi.ts'
import { ABSENT, failure, type Refusal, refuse } from './problem.ts'
import { SessionRoutes } from './sessions/routes.ts'
import { Slots } from './slots.ts'
import { isPlace, WebUi, wantsPage } from './web.ts'

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
  for (const [path, routes] of [['/api/chat', chat] as const, ['/api/sessions', sessions] as const]) {
    for (const each of [path, `${path}/*`]) app.all(each, (ask) => routes.answer(askedBy(ask)).catch(rethrown))
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
