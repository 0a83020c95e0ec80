import { Hono } from 'hono'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { isLocalOwner } from '../../engine/principal.ts'
import { Auth } from './auth.ts'
import { jsonResponse } from './body.ts'
import { GuardedApp, httpCall, refusalResponse, remoteAddress } from './entry.ts'
import { methodRefusal } from './guard.ts'
import {
  type Ask,
  type ConnectedRequest,
  type Env,
  HTTP_LIMITS,
  type HttpApp,
  type HttpParts,
  type HttpRouter,
  visitorIn,
} from './http-parts.ts'
import { offeredOperations } from './offered.ts'
import { openApi } from './openapi.ts'
import { addSigns, metricsOf } from './probes.ts'
import { ABSENT, type Refusal, refuse } from './problem.ts'
import { type Room, Rooms, serverPlaces } from './room.ts'
import {
  BEGIN,
  DOOR_STYLE,
  doorStyle,
  HOME,
  RETURN,
  returnPage,
  type SignOn,
  safeReturnUrl,
} from './sign-on/sign-on.ts'
import { isPlace, WebUi, wantsPage } from './web.ts'

/** The HTTP surface: a loop over the operations, behind the checks of `GuardedApp`. */
export function createHttpApp(parts: HttpParts): HttpApp {
  const all = { ...HTTP_LIMITS, ...parts.limits }
  const auth = parts.auth ?? new Auth(parts.token, parts.engine, { rules: parts.signOn?.rules })
  const places = serverPlaces(all)
  const apis = offeredOperations(parts.operations)
  const web = new WebUi(parts.web)
  const rooms = new Rooms({ ...parts, auth, places, all })
  // This router refuses routes that would make every request slower: a parameter beside fixed words in a path.
  const router = new Hono<Env>({ router: new RegExpRouter() })
  const metrics = metricsOf(parts.engine, places, rooms)
  const app = new GuardedApp(router, { ...parts, auth, metrics, roomOf: (principal) => rooms.of(principal) })
  addSigns(router, { ...parts, metrics })
  router.notFound(() => refuse(ABSENT))
  if (parts.isWorker) return app
  addLogin(router, auth, parts.signOn)
  router.get(DOOR_STYLE, doorStyle)
  router.get('/assets/:name', (ask) => web.asset(ask.req.raw, ask.req.param('name')) ?? refuse(ABSENT))
  router.get('/openapi.json', (ask) => jsonResponse(ask.req.raw, openApi(apis, parts.version)))
  addRoutes(router, auth, (ask, work) => rooms.of(visitorIn(ask).principal).answer(work))
  // Not a catch-all route: the router is fast only if a single route matches.
  router.notFound((ask) => {
    const { method, path, raw } = ask.req
    if (method !== 'GET' && method !== 'HEAD') return refuse(ABSENT)
    if (isPlace(path)) return web.page(raw) ?? ask.text(NOT_BUILT)
    return (wantsPage(raw) ? web.absentPage(raw) : undefined) ?? refuse(ABSENT)
  })
  return app
}

/** Runs `work` in the room of the visitor. */
type InRoom = <Answer>(ask: Ask, work: (room: Room) => Answer) => Answer

/** Adds the routes that run in a principal's room. */
function addRoutes(app: HttpRouter, auth: Auth, inRoom: InRoom): void {
  for (const [path, scope, name] of OWN) {
    for (const each of [path, `${path}/*`]) {
      app.all(each, async (ask) => {
        const refusal = visitorIn(ask).refusal(scope)
        return refusal ? refuse(refusal) : inRoom(ask, (room) => room[name].answer(requestOfAsk(ask)))
      })
    }
  }
  const meOf = (ask: Ask) => inRoom(ask, ({ me }) => me)
  app.all(
    '/api/me',
    by(['GET', 'HEAD'], (ask) => jsonResponse(ask.req.raw, meOf(ask))),
  )
  app.all(
    '/api/link',
    by(['POST'], (ask) => newLink(ask, auth)),
  )
  app.all('/api/browsers', (ask) => signedInBrowsers(ask, auth))
  app.all('/api/*', (ask) => {
    const [, name] = /^\/api\/([^/]+)$/.exec(ask.req.path) ?? []
    return name === undefined ? ask.notFound() : inRoom(ask, ({ api }) => api.answer(name, ask))
  })
  app.all('/files/*', (ask) => rawly(ask, (asked) => inRoom(ask, ({ files }) => files.file(asked))))
  app.all('/entries', (ask) => rawly(ask, (asked) => inRoom(ask, ({ files }) => files.entry(asked))))
  app.all('/mcp', async (ask) => (await inRoom(ask, ({ mcp }) => mcp?.fetch(ask.req.raw))) ?? refuse(ABSENT))
}

function by(methods: readonly string[], answer: (ask: Ask) => Response | Promise<Response>) {
  return (ask: Ask) => (methods.includes(ask.req.method) ? answer(ask) : refuse(methodRefusal(methods)))
}

/** A link that signs another browser in; only for the local owner. */
function newLink(ask: Ask, auth: Auth): Response {
  if (!isLocalOwner(visitorIn(ask).principal)) return refuse(NOT_OWNER)
  return jsonResponse(ask.req.raw, { path: `/login?code=${auth.newCode()}` })
}

const NOT_OWNER: Refusal = {
  status: 403,
  detail: 'Only the owner of the server can make a link that signs a browser in.',
  hint: 'Sign in with a token instead.',
}

/** Lists signed-in browsers; `POST` with `end` signs one out. Only for the local owner. */
async function signedInBrowsers(ask: Ask, auth: Auth): Promise<Response> {
  const { method, raw } = ask.req
  if (!isLocalOwner(visitorIn(ask).principal)) return refuse(OF_OTHERS)
  if (method === 'POST' && !(await auth.endBrowser(ask.req.query('end') ?? ''))) return refuse(NO_BROWSER)
  return jsonResponse(raw, { browsers: await auth.browsers(raw) })
}

const OF_OTHERS: Refusal = {
  status: 403,
  detail: 'Only the owner of the server can see which browsers are signed in.',
  hint: 'Sign this one out with POST /logout.',
}

const NO_BROWSER: Refusal = {
  status: 404,
  detail: 'There is no such browser, or it is signed out already.',
  hint: 'GET /api/browsers lists them.',
}

const OWN = [
  ['/api/chat', 'read', 'chat'],
  ['/api/sessions', 'research', 'sessions'],
] as const

/** Answers with bytes, only for GET and HEAD. */
async function rawly(ask: Ask, answer: (asked: ConnectedRequest) => Promise<Response>): Promise<Response> {
  const refusal = visitorIn(ask).refusal('read')
  if (refusal) return refuse(refusal)
  if (ask.req.method === 'POST') return refuse(methodRefusal(['GET', 'HEAD']))
  return answer(requestOfAsk(ask))
}

function requestOfAsk({ req, env }: Ask): ConnectedRequest {
  return { request: req.raw, drop: () => env.outgoing?.destroy() }
}

const NOT_BUILT =
  'Ambit is here; its web UI is not built: run "npm run build". /openapi.json says what the API can do.\n'

/** Maximum bytes of a form with a token and the page to return to. */
const MOST_FORM = 4096

/**
 * `GET /login?code=…` for the link that the server printed; `POST /login` for a token that a person typed; paths below it for a provider; `POST
 * /logout`.
 */
function addLogin(app: HttpRouter, auth: Auth, signOn?: SignOn): void {
  const enter = async (ask: Ask) => {
    const { req } = ask
    const [form, address] = [await formIn(ask), remoteAddress(ask)]
    // The link redirects to an address without its code.
    const cookie = await (req.method === 'GET'
      ? auth.redeem(req.query('code') ?? '', req.raw, address)
      : auth.signIn(form.get('token') ?? '', req.raw, address))
    const to = safeReturnUrl(form.get('to'))
    if (typeof cookie !== 'string') return refusalResponse(httpCall(ask), cookie, { signOn, to })
    return new Response(null, { status: 303, headers: { Location: to, 'Set-Cookie': cookie } })
  }
  const leave = async (ask: Ask) => {
    const cookie = await auth.leave(ask.req.raw)
    return new Response(null, { status: 303, headers: { Location: HOME, 'Set-Cookie': cookie } })
  }
  app.all('/login', by(['GET', 'POST'], enter))
  app.all('/logout', by(['POST'], leave))
  if (signOn) addSignOn(app, auth, signOn)
}

function addSignOn(app: HttpRouter, auth: Auth, signOn: SignOn): void {
  const begin = async (ask: Ask) => {
    const to = safeReturnUrl(ask.req.query('to'))
    const begun = await signOn.begin(ask.req.raw, to)
    return begun instanceof Response ? begun : refusalResponse(httpCall(ask), begun, { signOn, to })
  }
  const end = async (ask: Ask) => {
    const { raw } = ask.req
    const person = await signOn.end(raw)
    if ('status' in person) return refusalResponse(httpCall(ask), auth.failed(remoteAddress(ask), person), { signOn })
    const entered = await auth.enter(person, raw, remoteAddress(ask))
    if (typeof entered !== 'string') return refusalResponse(httpCall(ask), entered, { signOn, to: person.to })
    // A page instead of a redirect: a browser sends a SameSite=Strict cookie only after a page of the same site.
    const page = returnPage(safeReturnUrl(person.to))
    for (const cookie of [entered, ...person.cookies]) page.headers.append('Set-Cookie', cookie)
    return page
  }
  app.all(BEGIN, by(['GET'], begin))
  app.all(RETURN, by(['GET'], end))
}

/** Fields of a form; none for a body of another type, or one that is too long. */
async function formIn({ req }: Ask): Promise<URLSearchParams> {
  const length = Number(req.header('content-length') ?? Number.NaN)
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(req.header('content-type') ?? '')
  return new URLSearchParams(isForm && length <= MOST_FORM ? await req.text() : '')
}
