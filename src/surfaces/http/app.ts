import { Hono } from 'hono'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { isLocalOwner } from '../../engine/principal.ts'
import { apiOperations } from './api-operations.ts'
import type { Auth } from './auth.ts'
import { readLimitedBody, taggedJsonResponse } from './body.ts'
import { GuardedApp, httpCall, refusalResponse, remoteAddress } from './entry.ts'
import { methodRefusal } from './guard.ts'
import {
  type ConnectedRequest,
  type Env,
  HTTP_LIMITS,
  type HttpApp,
  type HttpContext,
  type HttpParts,
  type HttpRouter,
  visitorIn,
} from './http-parts.ts'
import { openApi } from './openapi.ts'
import { addProbes, metricsOf } from './probes.ts'
import { NOT_FOUND, type Refusal, refuse } from './problem.ts'
import {
  CALLBACK_PATH,
  HOME,
  refusalStyle,
  returnPage,
  SIGN_ON_PATH,
  type SignOn,
  STYLE_PATH,
  safeReturnUrl,
} from './sign-on/sign-on.ts'
import { serverSlots, type Tenant, Tenants } from './tenant.ts'
import { isPagePath, WebUi, wantsPage } from './web.ts'

/** The HTTP surface: the routes of the API and the web UI, behind the checks of `GuardedApp`. */
export function createHttpApp(parts: HttpParts): HttpApp {
  const limits = { ...HTTP_LIMITS, ...parts.limits }
  const { auth } = parts
  const slots = serverSlots(limits)
  const offered = apiOperations(parts.operations)
  const web = new WebUi(parts.web)
  const tenants = new Tenants({ ...parts, slots, limits })
  // This router throws on routes that would slow down every request: a parameter next to fixed words in a path.
  const router = new Hono<Env>({ router: new RegExpRouter() })
  const metrics = metricsOf(parts.engine, slots, tenants)
  const app = new GuardedApp(router, { ...parts, metrics, tenantOf: (principal) => tenants.of(principal) })
  addProbes(router, { ...parts, metrics })
  router.notFound(() => refuse(NOT_FOUND))
  if (parts.isWorker) return app
  addLogin(router, auth, parts.signOn)
  router.get(STYLE_PATH, refusalStyle)
  router.get('/assets/:name', (http) => web.asset(http.req.raw, http.req.param('name')) ?? refuse(NOT_FOUND))
  router.get('/openapi.json', (http) => taggedJsonResponse(http.req.raw, openApi(offered, parts.version)))
  addTenantRoutes(router, auth, (http, work) => tenants.of(visitorIn(http).principal).answer(work, http.req.url))
  // Not a catch-all route: the router is fast only if a single route matches.
  router.notFound((http) => {
    const { method, path, raw } = http.req
    if (method !== 'GET' && method !== 'HEAD') return refuse(NOT_FOUND)
    if (isPagePath(path)) return web.page(raw) ?? http.text(NO_UI)
    return (wantsPage(raw) ? web.notFoundPage(raw) : undefined) ?? refuse(NOT_FOUND)
  })
  return app
}

/** Runs `work` with the visitor's tenant (the part of the server for one principal). */
type RunInTenant = <Result>(http: HttpContext, work: (tenant: Tenant) => Result) => Result

function addTenantRoutes(app: HttpRouter, auth: Auth, inTenant: RunInTenant): void {
  for (const [path, scope, name] of NESTED_ROUTES) {
    for (const each of [path, `${path}/*`]) {
      app.all(each, async (http) => {
        const refusal = visitorIn(http).refusal(scope)
        return refusal ? refuse(refusal) : inTenant(http, (tenant) => tenant[name].answer(connectedRequest(http)))
      })
    }
  }
  const answerMe = (http: HttpContext) => inTenant(http, ({ me }) => taggedJsonResponse(http.req.raw, me))
  app.all('/api/me', forMethods(['GET', 'HEAD'], answerMe))
  const answerLink = ({ req }: HttpContext) => taggedJsonResponse(req.raw, { path: `/login?code=${auth.newCode()}` })
  app.all('/api/link', forMethods(['POST'], forOwner(answerLink)))
  const answerBrowsers = (http: HttpContext) => signedInBrowsers(http, auth)
  app.all('/api/browsers', forOwner(answerBrowsers))
  app.all('/api/*', (http) => {
    const [, name] = /^\/api\/([^/]+)$/.exec(http.req.path) ?? []
    return name === undefined ? http.notFound() : inTenant(http, ({ api }) => api.answer(name, http))
  })
  app.all('/files/*', (http) => serveBytes(http, (request) => inTenant(http, ({ files }) => files.file(request))))
  app.all('/entries', (http) => serveBytes(http, (request) => inTenant(http, ({ files }) => files.entry(request))))
  app.all('/mcp', async (http) => (await inTenant(http, ({ mcp }) => mcp?.fetch(http.req.raw))) ?? refuse(NOT_FOUND))
}

type RouteHandler = (http: HttpContext) => Response | Promise<Response>

function forMethods(methods: readonly string[], answer: RouteHandler): RouteHandler {
  return (http) => (methods.includes(http.req.method) ? answer(http) : refuse(methodRefusal(methods)))
}

function forOwner(answer: RouteHandler): RouteHandler {
  return (http) => (isLocalOwner(visitorIn(http).principal) ? answer(http) : refuse(OWNER_ONLY))
}

const OWNER_ONLY: Refusal = {
  status: 403,
  detail: 'Only the owner of the server can see which browsers are signed in, and sign others in and out.',
  hint: 'Sign in with a token, and out with POST /logout.',
}

/** Lists signed-in browsers; `POST` with `end` signs out the browser with that id. */
async function signedInBrowsers(http: HttpContext, auth: Auth): Promise<Response> {
  const { method, raw } = http.req
  if (method === 'POST' && !(await auth.signOutBrowser(http.req.query('end') ?? ''))) return refuse(NO_BROWSER)
  return taggedJsonResponse(raw, { browsers: await auth.browsers(raw) })
}

const NO_BROWSER: Refusal = {
  status: 404,
  detail: 'There is no such browser, or it is signed out already.',
  hint: 'GET /api/browsers lists them.',
}

const NESTED_ROUTES = [
  ['/api/chat', 'read', 'chat'],
  ['/api/sessions', 'research', 'sessions'],
] as const

/** Answers GET and HEAD with bytes. Refuses POST. */
async function serveBytes(http: HttpContext, answer: (ask: ConnectedRequest) => Promise<Response>): Promise<Response> {
  const refusal = visitorIn(http).refusal('read')
  if (refusal) return refuse(refusal)
  if (http.req.method === 'POST') return refuse(methodRefusal(['GET', 'HEAD']))
  return answer(connectedRequest(http))
}

function connectedRequest({ req, env }: HttpContext): ConnectedRequest {
  return { request: req.raw, drop: () => env.outgoing?.destroy() }
}

const NO_UI = 'Ambit runs, but its web UI is not built: run "npm run build". /openapi.json describes the API.\n'

/** Maximum bytes of a form with a token and the page to return to. */
const MAX_FORM_BYTES = 4096

/**
 * Adds `GET /login?code=…` for the link that the server printed; `POST /login` for a token that a person typed; paths below
 * `/login` for an identity provider; `POST /logout`.
 */
function addLogin(app: HttpRouter, auth: Auth, signOn?: SignOn): void {
  const signIn = async (http: HttpContext) => {
    const { req } = http
    const [form, address] = [await readForm(http), remoteAddress(http)]
    // After the link, the redirect goes to an address without the code.
    const cookie = await (req.method === 'GET'
      ? auth.redeem(req.query('code') ?? '', req.raw, address)
      : auth.signIn(form.get('token') ?? '', req.raw, address))
    const to = safeReturnUrl(form.get('to'))
    if (typeof cookie !== 'string') return refusalResponse(httpCall(http), cookie, { signOn, to })
    return new Response(null, { status: 303, headers: { Location: to, 'Set-Cookie': cookie } })
  }
  const signOut = async (http: HttpContext) => {
    const cookie = await auth.signOut(http.req.raw)
    return new Response(null, { status: 303, headers: { Location: HOME, 'Set-Cookie': cookie } })
  }
  app.all('/login', forMethods(['GET', 'POST'], signIn))
  app.all('/logout', forMethods(['POST'], signOut))
  if (signOn) addSignOn(app, auth, signOn)
}

function addSignOn(app: HttpRouter, auth: Auth, signOn: SignOn): void {
  const begin = async (http: HttpContext) => {
    const to = safeReturnUrl(http.req.query('to'))
    const response = await signOn.begin(http.req.raw, to)
    return response instanceof Response ? response : refusalResponse(httpCall(http), response, { signOn, to })
  }
  const end = async (http: HttpContext) => {
    const { raw } = http.req
    const address = remoteAddress(http)
    const person = await signOn.end(raw)
    if ('status' in person) return refusalResponse(httpCall(http), auth.countFailure(address, person), { signOn })
    const cookie = await auth.signInPerson(person, raw, address)
    if (typeof cookie !== 'string') return refusalResponse(httpCall(http), cookie, { signOn, to: person.to })
    // A page instead of a redirect, because a browser sends a SameSite=Strict cookie only in requests from a page of
    // the same site.
    const page = returnPage(safeReturnUrl(person.to))
    for (const each of [cookie, ...person.cookies]) page.headers.append('Set-Cookie', each)
    return page
  }
  app.all(SIGN_ON_PATH, forMethods(['GET'], begin))
  app.all(CALLBACK_PATH, forMethods(['GET'], end))
}

/**
 * Fields of a form; none for a body of another type, or a body that is too long. @throws ContextError `cancelled` if the body is
 * cut off.
 */
async function readForm({ req }: HttpContext): Promise<URLSearchParams> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(req.header('content-type') ?? '')
  const bytes = isForm ? await readLimitedBody(req.raw, MAX_FORM_BYTES) : undefined
  return new URLSearchParams(bytes?.toString('utf8'))
}
