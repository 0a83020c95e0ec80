/** What every request passes before anything answers it. */

import type { MiddlewareHandler } from 'hono'
import type { Principal } from '../../engine/principal.ts'
import { isLoopback } from '../../internet/addresses.ts'
import type { Auth } from './auth.ts'
import { SECURITY_HEADERS, strangerRefusal } from './guard.ts'
import type { Ask, Env, HttpApp, HttpParts, HttpVisitor } from './http-parts.ts'
import type { Gate } from './limiters.ts'
import type { Metrics } from './metrics.ts'
import { type Refusal, refuse } from './problem.ts'
import { methodOf, routeOf } from './routes.ts'
import { onward } from './sign-on/return-url.ts'
import { DOOR_STYLE, doorPage } from './sign-on/sign-in-page.ts'
import { BEGIN, RETURN, type SignOn } from './sign-on/sign-on.ts'
import { isPlace, readsPages, wantsPage } from './web.ts'

interface EntryParts extends Pick<HttpParts, 'hosts' | 'operations' | 'heard' | 'openMetrics' | 'signOn'> {
  readonly auth: Auth
  readonly gate: Gate
  readonly metrics: Metrics
  roomOf(principal: Principal): HttpVisitor
}

/** What can be had without a token: whether there is a server, a session for the code of a link, and how to get one. */
const OPEN = ['/healthz', '/readyz', '/login', '/logout', BEGIN, RETURN, DOOR_STYLE]

/** Strangers are kept out, others come into their room, and whoever asks for too much waits. */
export function entry(app: HttpApp, parts: EntryParts): void {
  const known = new Set(parts.hosts.map((host) => host.toLowerCase()))
  app.use(countRequests(parts))
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
    if (OPEN.includes(ask.req.path) || isOpenMetrics(ask, parts)) return next()
    const found = await parts.auth.principalOf(ask.req.raw, remoteAddress(ask))
    if ('status' in found) return refusalResponse(ask, found, { signOn: parts.signOn, to: requestPath(ask) })
    const visitor = parts.roomOf(found)
    const leave = parts.gate.enter(visitor)
    if (typeof leave !== 'function') return refuse(leave)
    ask.set('visitor', visitor)
    return next().finally(leave)
  })
}

function countRequests({ operations, metrics, heard }: EntryParts): MiddlewareHandler<Env> {
  const names = new Set(operations.map(({ name }) => name))
  return async (ask, next) => {
    const began = performance.now()
    await next()
    const { method, path } = ask.req
    const request = { method: methodOf(method), route: routeOf(path, names), status: ask.res.status }
    const ms = performance.now() - began
    metrics.heard({ ...request, ms })
    const principal = ask.get('visitor')?.principal.name
    heard?.({ ...request, ms, ...(principal !== undefined && { principal }) })
  }
}

function isOpenMetrics(ask: Ask, { openMetrics = false }: EntryParts): boolean {
  return openMetrics && ask.req.path === '/metrics' && isOfHere(ask)
}

interface ToldParts {
  readonly signOn?: SignOn | undefined
  /** Where a person wanted to go. Default: nowhere but here. */
  readonly to?: string | null
}

/** A person is told on a page, a program in JSON. */
export function refusalResponse({ req }: Ask, refusal: Refusal, { signOn, to }: ToldParts = {}): Response {
  const isLogin = /^\/login(\/|$)/.test(req.path)
  // A form is sent by a person, too.
  const isPage = isLogin ? readsPages(req.raw) : wantsPage(req.raw) && isPlace(req.path)
  return isPage ? doorPage(refusal, { provider: signOn?.provider, to: onward(to) }) : refuse(refusal)
}

function requestPath({ req }: Ask): string {
  const { pathname, search } = new URL(req.url)
  return pathname + search
}

/** Whether somebody asks from elsewhere of whom is not known who they are: they are told nothing of what is inside. */
export function isStranger(ask: Ask): boolean {
  return ask.get('visitor') === undefined && !isOfHere(ask)
}

/** What a proxy says of whom it asks for. */
const FORWARDED = ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP']

/** Whether a program of this machine asks for itself: a proxy of this machine asks for others, by their name of the server. */
function isOfHere(ask: Ask): boolean {
  const { hostname } = new URL(ask.req.url)
  const isOwnName = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
  const isForOthers = FORWARDED.some((name) => ask.req.header(name) !== undefined)
  return isOwnName && !isForOthers && isLoopback(remoteAddress(ask))
}

/** The other end of the connection, whatever headers say. */
export function remoteAddress({ env }: Ask): string {
  return env?.incoming?.socket.remoteAddress ?? 'unknown'
}
