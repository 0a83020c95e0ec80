import { Hono } from 'hono'
import { ContextError } from '../../core/errors.ts'
import { jsonResponse } from './api.ts'
import { Auth } from './auth.ts'
import { entry, isStranger, refusalResponse } from './entry.ts'
import type { FileAsk } from './files.ts'
import { methodRefusal } from './guard.ts'
import { type Ask, type Env, HTTP_LIMITS, type HttpApp, type HttpParts } from './http-parts.ts'
import { Gate, Slots, withoutReserve } from './limiters.ts'
import { offeredOperations } from './offered.ts'
import { openApi } from './openapi.ts'
import { addSigns, metricsOf } from './probes.ts'
import { ABSENT, errorResponse, NOT_KNOWN, refuse, toProblem } from './problem.ts'
import type { Room } from './room.ts'
import { Rooms } from './rooms.ts'
import { addLogin } from './sign-on/login.ts'
import { DOOR_STYLE, doorStyle } from './sign-on/sign-in-page.ts'
import { isPlace, WebUi } from './web.ts'

/** The HTTP surface: a loop over the operations, behind the checks that keep strangers out. */
export function createHttpApp(parts: HttpParts): HttpApp {
  const all = { ...HTTP_LIMITS, ...parts.limits }
  const auth = parts.auth ?? new Auth(parts.token, parts.engine, parts.signOn?.rules)
  const slots = new Slots(all.runs)
  const gate = new Gate(all)
  const apis = offeredOperations(parts.operations)
  const web = new WebUi(parts.web)
  const shares = {
    guestSlots: new Slots(withoutReserve(all.runs)),
    streams: new Slots(all.streams),
    guestStreams: new Slots(all.streams >> 1),
  }
  const rooms = new Rooms({ ...parts, auth, slots, ...shares, all })
  const app = new Hono<Env>()
  const metrics = metricsOf({ ...parts, gate, slots, rooms })
  app.onError((error, ask) => {
    if (error instanceof ContextError) return refusalResponse(ask, isStranger(ask) ? NOT_KNOWN : toProblem(error))
    parts.log?.(error, `${ask.req.method} ${ask.req.routePath}`)
    return errorResponse(error)
  })
  entry(app, { ...parts, auth, gate, metrics, roomOf: (principal) => rooms.of(principal) })
  addSigns(app, { ...parts, metrics })
  app.notFound(() => refuse(ABSENT))
  if (parts.isWorker) return app
  addLogin(app, auth, parts.signOn)
  app.get(DOOR_STYLE, doorStyle)
  app.get('/assets/:name', (ask) => web.asset(ask.req.raw, ask.req.param('name')) ?? refuse(ABSENT))
  app.get('/openapi.json', (ask) => jsonResponse(ask.req.raw, openApi(apis, parts.version)))
  addRoutes(app, (ask, work) => rooms.of(ask.get('visitor').principal).answer(work))
  app.get('*', (ask) => (isPlace(ask.req.path) ? (web.page(ask.req.raw) ?? ask.text(NOT_BUILT)) : refuse(ABSENT)))
  return app
}

/** Answers in the room of whoever asks. */
type InRoom = <Answer>(ask: Ask, work: (room: Room) => Answer) => Answer

/** What each principal has for themselves. */
function addRoutes(app: HttpApp, inRoom: InRoom): void {
  for (const [path, scope, name] of OWN) {
    for (const each of [path, `${path}/*`]) {
      app.all(each, async (ask) => {
        const refusal = ask.get('visitor').refusal(scope)
        return refusal ? refuse(refusal) : inRoom(ask, (room) => room[name].answer(askedBy(ask)).catch(rethrown))
      })
    }
  }
  app.all('/api/me', (ask) => {
    const { method, raw } = ask.req
    return method === 'POST'
      ? refuse(methodRefusal(['GET', 'HEAD']))
      : jsonResponse(
          raw,
          inRoom(ask, ({ me }) => me),
        )
  })
  app.all('/api/:name', (ask) => inRoom(ask, ({ api }) => api.answer(ask).catch(rethrown)))
  app.all('/files/*', (ask) => rawly(ask, (asked) => inRoom(ask, ({ files }) => files.file(asked))))
  app.all('/entries', (ask) => rawly(ask, (asked) => inRoom(ask, ({ files }) => files.entry(asked))))
  app.all('/mcp', async (ask) => (await inRoom(ask, ({ mcp }) => mcp?.fetch(ask.req.raw))) ?? refuse(ABSENT))
}

const OWN = [
  ['/api/chat', 'read', 'chat'],
  ['/api/sessions', 'research', 'sessions'],
] as const

/** Bytes, which are only read. */
async function rawly(ask: Ask, answer: (asked: FileAsk) => Promise<Response>): Promise<Response> {
  const refusal = ask.get('visitor').refusal('read')
  if (refusal) return refuse(refusal)
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
