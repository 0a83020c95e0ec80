/** The checks before each request. */

import { getPath } from 'hono/utils/url'
import { ContextError } from '../../core/errors.ts'
import type { Principal } from '../../engine/principal.ts'
import { isLoopback } from '../../internet/addresses.ts'
import type { Auth } from './auth.ts'
import { crossSiteRefusal, type RequestHead, SECURITY_HEADER_ENTRIES, SecureResponse } from './guard.ts'
import type { HttpApp, HttpContext, HttpEnv, HttpParts, HttpRouter, HttpVisitor } from './http-parts.ts'
import { OTHER_ENDPOINTS } from './openapi.ts'
import type { Metrics } from './probes.ts'
import { IDENTITY_UNKNOWN, type Refusal, RefusedRequest, refuse, toProblem } from './problem.ts'
import { CALLBACK_PATH, refusalPage, SIGN_ON_PATH, type SignOn, STYLE_PATH, safeReturnUrl } from './sign-on/sign-on.ts'
import { isPagePath, readsPages, wantsPage } from './web.ts'

interface EntryParts
  extends Pick<HttpParts, 'hosts' | 'operations' | 'onRequestEnd' | 'logBug' | 'openMetrics' | 'signOn'> {
  readonly auth: Auth
  readonly metrics: Metrics
  tenantOf(principal: Principal): HttpVisitor
}

/** A request and its context. */
interface HttpCall {
  readonly request: Request
  readonly env: HttpEnv
  /** Without the query. */
  readonly path: string
}

/** Paths that need no token: health and sign-in. */
const PUBLIC_PATHS = new Set(['/healthz', '/readyz', '/login', '/logout', SIGN_ON_PATH, CALLBACK_PATH, STYLE_PATH])

/**
 * Refuses unknown clients, limits requests, and passes admitted requests to the router. It wraps the router, because a middleware
 * would add promises to each request.
 */
export class GuardedApp implements HttpApp {
  readonly #router: HttpRouter
  readonly #parts: EntryParts
  readonly #hosts: ReadonlySet<string>
  readonly #operationNames: ReadonlySet<string>

  constructor(router: HttpRouter, parts: EntryParts) {
    this.#router = router
    this.#parts = parts
    this.#hosts = new Set(parts.hosts.map((host) => host.toLowerCase()))
    this.#operationNames = new Set(parts.operations.map(({ name }) => name))
    router.onError((error, http) => this.#errorResponse(error, httpCall(http)))
  }

  fetch(request: Request, { incoming, outgoing }: HttpEnv = {}): Response | Promise<Response> {
    const startedAt = performance.now()
    const call = { request, env: { incoming, outgoing }, path: getPath(request) }
    const answer = this.#answer(call)
    return answer instanceof Promise
      ? answer.then((response) => this.#finish(call, response, startedAt))
      : this.#finish(call, answer, startedAt)
  }

  #answer(call: HttpCall): Response | Promise<Response> {
    const refusal = crossSiteRefusal(requestHead(call), this.#hosts)
    if (refusal) return refuse(refusal)
    const isOpenMetrics = this.#parts.openMetrics === true && call.path === '/metrics' && isLocalProgram(call)
    if (PUBLIC_PATHS.has(call.path) || isOpenMetrics) return this.#router.fetch(call.request, call.env)
    return this.#answerVisitor(call).catch((error: unknown) => this.#errorResponse(error, call))
  }

  async #answerVisitor(call: HttpCall): Promise<Response> {
    const { auth, signOn, tenantOf } = this.#parts
    const { request, env } = call
    const principal = await auth.principalOf(request, remoteAddress(call))
    const { pathname, search } = new URL(request.url)
    if ('status' in principal) return refusalResponse(call, principal, { signOn, to: pathname + search })
    env.visitor = tenantOf(principal)
    const freeSlot = env.visitor.enter()
    try {
      return await this.#router.fetch(request, env)
    } finally {
      freeSlot()
    }
  }

  /**
   * Adds the security headers that a response does not set itself, and counts and logs the request. Assets set their own cache
   * header, and files a stricter sandbox.
   */
  #finish({ request, env, path }: HttpCall, response: Response, startedAt: number): Response {
    // `SecureResponse` adds the headers by itself, at a tenth of the cost.
    if (!(env.outgoing instanceof SecureResponse)) addSecurityHeaders(response)
    const ms = performance.now() - startedAt
    const { metrics, onRequestEnd } = this.#parts
    const method = LOGGED_METHODS.includes(request.method) ? request.method : 'other'
    const answeredRequest = { method, route: routeOf(path, this.#operationNames), status: response.status, ms }
    metrics.count(answeredRequest)
    const principal = env.visitor?.principal.name
    onRequestEnd?.({ ...answeredRequest, ...(principal !== undefined && { principal }) })
    return response
  }

  #errorResponse(error: unknown, call: HttpCall): Response {
    if (error instanceof RefusedRequest) return refuse(error.refusal)
    const problem = toProblem(error)
    // An unknown client on another machine gets an error that reveals nothing about the server.
    const isRemoteStranger = call.env.visitor === undefined && !isLocalProgram(call)
    if (error instanceof ContextError) return refusalResponse(call, isRemoteStranger ? IDENTITY_UNKNOWN : problem)
    this.#parts.logBug?.(error, `${call.request.method} ${routeOf(call.path, this.#operationNames)}`)
    return refuse(problem)
  }
}

function addSecurityHeaders({ headers }: Response): void {
  for (const [name, value] of SECURITY_HEADER_ENTRIES) if (!headers.has(name)) headers.set(name, value)
}

export function httpCall({ req, env }: HttpContext): HttpCall {
  return { request: req.raw, env, path: req.path }
}

/** The head of a request, from its socket if there is one. */
function requestHead({ request, env, path }: HttpCall): RequestHead {
  const headers = env.incoming?.headers
  const header = (name: string) =>
    headers ? (headers[name] as string | undefined) : (request.headers.get(name) ?? undefined)
  return { method: request.method, path, header }
}

/**
 * The response to a refused request: a page if a browser requested a page, else JSON. `to`: the page that was requested. Default:
 * none.
 */
export function refusalResponse(
  { request, env, path }: HttpCall,
  refusal: Refusal,
  { signOn, to }: { readonly signOn?: SignOn | undefined; readonly to?: string | null } = {},
): Response {
  const isLogin = /^\/login(\/|$)/.test(path)
  const isUnknown = env.visitor === undefined && !path.startsWith('/assets/')
  // Unlike `wantsPage`, `readsPages` also accepts POST: a person may send a form.
  const isPage = isLogin ? readsPages(request) : wantsPage(request) && (isUnknown || isPagePath(path))
  return isPage ? refusalPage(refusal, { provider: signOn?.provider, to: safeReturnUrl(to) }) : refuse(refusal)
}

/** Headers that a proxy adds, to name its client. */
const PROXY_HEADERS = ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP']

/** Whether the client is a program on this machine, and not a proxy. */
function isLocalProgram(call: HttpCall): boolean {
  const { hostname } = new URL(call.request.url)
  const isOwnName = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
  const isForwarded = PROXY_HEADERS.some((name) => call.request.headers.has(name))
  return isOwnName && !isForwarded && isLoopback(remoteAddress(call))
}

/** The address of the connection, regardless of headers. */
export function remoteAddress({ env }: Pick<HttpCall, 'env'>): string {
  return env.incoming?.socket.remoteAddress ?? 'unknown'
}

const FIXED_ROUTES = new Set([STYLE_PATH, '/api/sessions', ...Object.keys(OTHER_ENDPOINTS)])

const NESTED_ROUTE =
  /^\/api\/(chat|sessions)\/[^/]+(?:\/(stream|stop|prompt|files|start|resume|pause|plan|report|events)(\/.*)?)?$/

/** The route of a path, such as `/api/sessions/:id/events`, or `/api/search` for an operation; `other` for unknown paths. */
export function routeOf(path: string, operations: ReadonlySet<string>): string {
  if (FIXED_ROUTES.has(path)) return path
  const [, kind, action, rest] = NESTED_ROUTE.exec(path) ?? []
  if (kind !== undefined) return `/api/${kind}/:id${action ? `/${action}` : ''}${rest === undefined ? '' : '/:id'}`
  if (path.startsWith('/api/')) return operations.has(path.slice('/api/'.length)) ? path : 'other'
  if (path.startsWith('/files/')) return '/files/:path'
  return path.startsWith('/assets/') ? '/assets/:name' : path === '/' ? '/' : 'other'
}

const LOGGED_METHODS = ['GET', 'HEAD', 'POST', 'DELETE']
