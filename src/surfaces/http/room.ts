/** The part of the server for one principal. Principals share nothing, so an id of one means nothing to another. */

import type { Scope } from '../../core/choices.ts'
import { scopeOf } from '../../core/operation.ts'
import type { Engine } from '../../engine/engine.ts'
import { isLocalOwner, type Principal, principalKey } from '../../engine/principal.ts'
import { runInBounds, type ServedRoots } from '../../files/roots.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { Api } from './api.ts'
import { ChatRoutes } from './chat/routes.ts'
import { confineEngine, confineOperation, hideInError } from './confinement/confine.ts'
import { Files } from './files.ts'
import type { HttpLimits, HttpParts, HttpVisitor, McpHttp, TakePlace } from './http-parts.ts'
import { limitOperation, Places } from './limiters.ts'
import { offeredOperations } from './offered.ts'
import type { Refusal } from './problem.ts'
import { SessionRoutes } from './sessions/routes.ts'
import { type Me, meOf } from './sign-on/me.ts'

export interface RoomParts extends HttpParts {
  readonly places: ServerPlaces
  readonly all: HttpLimits
}

/** The places of a server, by kind of work. */
export type ServerPlaces = ReturnType<typeof serverPlaces>

export function serverPlaces(all: HttpLimits) {
  return {
    requests: new Places({ most: all.requests, each: all.requestsEach }, 'requests under way'),
    operations: new Places({ most: all.runs, each: all.runsEach }, 'operations under way'),
    streams: new Places({ most: all.streams, guests: all.streams >> 1, each: all.streamsEach }, 'event streams open'),
    bodies: new Places({ most: all.bodies, each: all.bodiesEach }, 'large bodies under way'),
  }
}

const NOWHERE: ServedRoots = { paths: [], real: [] }

export class Room implements HttpVisitor {
  readonly principal: Principal
  readonly me: Me
  readonly api: Api
  readonly chat: ChatRoutes
  readonly sessions: SessionRoutes
  readonly files: Files
  readonly mcp: McpHttp | undefined
  readonly enter: TakePlace
  readonly #engine: Engine
  readonly #roots: ServedRoots
  readonly #ending = new AbortController()

  constructor({ places, all, ...shared }: RoomParts, principal: Principal) {
    this.principal = principal
    this.enter = places.requests.for(principal)
    const closing = AbortSignal.any([this.#ending.signal, ...(shared.closing ? [shared.closing] : [])])
    // A principal of some collections has no directories.
    const roots = principal.collections ? NOWHERE : shared.roots
    this.#roots = roots
    this.me = meOf(principal, { operations: shared.operations, roots })
    const engine = confineEngine(shared.engine.as(principal), roots)
    this.#engine = engine
    const { operations, offers } = this.#operations(shared, places.operations.for(principal))
    const allowWrite = shared.allowWrite === true && this.#may('write')
    const common = { ...shared, closing, engine, operations, allowWrite }
    const [streams, bodies] = [places.streams.for(principal), places.bodies.for(principal)]
    const slots = places.operations.all
    this.api = new Api({ ...common, operations: offers }, all, { slots, streams })
    const isOwner = isLocalOwner(principal)
    this.chat = new ChatRoutes({ ...common, isOwner, limits: all.chat, streams, bodies, shownError: this.#shownError })
    this.sessions = new SessionRoutes({ engine, limits: all.events, body: all.body, streams, bodies, closing })
    this.files = new Files({ engine, slots, time: all.time, closing })
    const mcp = shared.mcp?.(operations, { engine, allowWrite })
    this.mcp = mcp
    closing.addEventListener('abort', () => mcp?.close?.(), { once: true })
  }

  /** Answers a request. It cannot open files outside the roots, and errors do not reveal the roots. */
  answer<Answer>(work: (room: Room) => Answer): Answer {
    const answer = runInBounds(this.#roots.real, () => work(this))
    return answer instanceof Promise ? (answer.catch(this.#rethrow) as Answer) : answer
  }

  /** Throws an Error in any case: the router handles nothing else. */
  readonly #rethrow = async (error: unknown): Promise<never> => {
    const shown = await this.#shownError(error)
    throw shown instanceof Error ? shown : new Error(String(shown))
  }

  /** The error as this principal may see it. */
  readonly #shownError = async (error: unknown): Promise<unknown> =>
    isLocalOwner(this.principal) ? error : hideInError(this.#engine, error)

  refusal(scope: Scope): Refusal | undefined {
    if (this.#may(scope)) return undefined
    const hint = `It has ${this.principal.scopes.join(', ')}. Ask the administrator of the server for another.`
    return { status: 403, detail: `It takes a token with the scope ${scope}.`, hint }
  }

  /** Stops all work here. Research checks its rights by itself. */
  async close(): Promise<void> {
    this.#ending.abort()
    await this.#engine.close()
  }

  #may(scope: Scope): boolean {
    return this.principal.scopes.includes(scope)
  }

  /** The operations that the principal may use; for the API all, because it refuses by scope. */
  #operations({ operations, aliases = [] }: HttpParts, take: TakePlace) {
    const isOwner = isLocalOwner(this.principal)
    const limit = (one: AnyOperation) => limitOperation(one, take)
    const confine = (one: AnyOperation) => confineOperation(one, this.#roots, isOwner)
    const kept = operations.map(confine)
    return {
      operations: kept.filter((one) => this.#may(scopeOf(one))).map(limit),
      offers: [...offeredOperations(kept), ...offeredOperations(aliases.map(confine), kept)].map(limit),
    }
  }
}

/** The rooms of principals, each created at the first request. */
export class Rooms {
  readonly #parts: RoomParts
  readonly #rooms = new Map<string, Room>()

  constructor(parts: RoomParts) {
    this.#parts = parts
    const sweeping = setInterval(() => this.sweep().catch(() => {}), parts.all.sweep).unref()
    parts.closing?.addEventListener('abort', () => clearInterval(sweeping), { once: true })
  }

  get size(): number {
    return this.#rooms.size
  }

  get answers(): number {
    return [...this.#rooms.values()].reduce((sum, { chat }) => sum + chat.running, 0)
  }

  of(principal: Principal): Room {
    const key = principalKey(principal)
    const room = this.#rooms.get(key) ?? new Room(this.#parts, principal)
    this.#rooms.set(key, room)
    return room
  }

  /** Closes the rooms of principals without a valid token or session: an open stream checks neither. */
  async sweep(): Promise<void> {
    const guests = [...this.#rooms].filter(([, { principal }]) => !isLocalOwner(principal))
    if (guests.length === 0) return
    const names = guests.map(([, { principal }]) => principal.name)
    const people = (await this.#parts.auth?.people(names)) ?? []
    const good = new Set([...(await (await this.#parts.engine.tokens()).principals()), ...people].map(principalKey))
    for (const [key, room] of guests) {
      if (good.has(key)) continue
      this.#rooms.delete(key)
      await room.close()
    }
  }
}
