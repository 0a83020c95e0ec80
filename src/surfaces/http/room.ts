/** The part of the server for one principal. Principals share nothing, so an id of one means nothing to another. */

import type { Scope } from '../../core/choices.ts'
import { scopeOf } from '../../core/operation.ts'
import type { Engine } from '../../engine/engine.ts'
import { isLocalOwner, type Principal, principalKey } from '../../engine/principal.ts'
import { keepToRoots, type ServedRoots } from '../../files/roots.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { Api } from './api.ts'
import { ChatRoutes } from './chat/routes.ts'
import { confineEngine, confineToRoots, hideHostPaths, hideInError } from './confinement/confine.ts'
import { Files } from './files.ts'
import type { HttpLimits, HttpParts, HttpVisitor, McpHttp, TakePlace } from './http-parts.ts'
import { OperationLimiter, takeEach } from './limiters.ts'
import { offeredOperations } from './offered.ts'
import type { Refusal } from './problem.ts'
import { SessionRoutes } from './sessions/routes.ts'
import { type Me, meOf } from './sign-on/me.ts'

/** What all rooms share. */
interface RoomParts extends HttpParts {
  readonly slots: OperationLimiter
  /** The slots of all guests together. */
  readonly guestSlots: OperationLimiter
  /** Event streams of the server, and of all guests together. */
  readonly streams: OperationLimiter
  readonly guestStreams: OperationLimiter
  /** Large bodies of the server, and of all guests together. */
  readonly bodies: OperationLimiter
  readonly guestBodies: OperationLimiter
  readonly all: HttpLimits
}

/** What the limiters count, as a refusal names it. */
export const STREAMS = 'event streams open'
export const BODIES = 'large bodies under way'

const NOWHERE: ServedRoots = { paths: [], real: [] }

export class Room implements HttpVisitor {
  readonly principal: Principal
  readonly me: Me
  readonly api: Api
  readonly chat: ChatRoutes
  readonly sessions: SessionRoutes
  readonly files: Files
  readonly mcp: McpHttp | undefined
  asked = 0
  readonly #engine: Engine
  readonly #roots: ServedRoots
  readonly #ending = new AbortController()

  constructor(shared: RoomParts, principal: Principal) {
    this.principal = principal
    const ends = [this.#ending.signal, ...(shared.closing ? [shared.closing] : [])]
    const parts = { ...shared, closing: AbortSignal.any(ends) }
    // A directory of the server is in no collection.
    const roots = principal.collections ? NOWHERE : parts.roots
    this.#roots = roots
    this.me = meOf(principal, { operations: shared.operations, roots })
    const engine = confineEngine(parts.engine.as(principal), roots)
    this.#engine = engine
    const { operations, offers } = this.#operations(parts, roots)
    const { allowWrite = false, all, slots, closing } = parts
    const mayWrite = allowWrite && this.#may('write')
    const common = { ...parts, engine, operations, allowWrite: mayWrite }
    const streams = this.#placesIn(
      shared.streams,
      shared.guestStreams,
      new OperationLimiter(all.streamsEach, true, STREAMS),
    )
    const bodies = this.#placesIn(shared.bodies, shared.guestBodies, new OperationLimiter(all.bodiesEach, true, BODIES))
    this.api = new Api({ ...common, operations: offers }, all, { slots, streams })
    this.chat = new ChatRoutes({ ...common, limits: all.chat, streams, bodies, shownError: this.#shownError })
    this.sessions = new SessionRoutes({
      engine,
      limits: all.events,
      body: all.body,
      streams,
      bodies,
      closing,
    })
    this.files = new Files({ engine, slots, time: all.time, closing })
    this.mcp = this.#mcpOver(parts, { engine, operations, allowWrite: mayWrite })
  }

  /** Answers a request: it opens no file outside of the roots, and errors do not name them. */
  answer<Answer>(work: (room: Room) => Answer): Answer {
    const answer = keepToRoots(this.#roots, () => work(this))
    return answer instanceof Promise ? (answer.catch(this.#rethrow) as Answer) : answer
  }

  readonly #rethrow = async (error: unknown): Promise<never> => {
    throw await this.#shownError(error)
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

  /** The operations that the principal may use; and all of them for the API, which refuses by scope. */
  #operations({ operations, aliases = [], slots, guestSlots, all }: RoomParts, roots: ServedRoots) {
    const own = new OperationLimiter(all.runsEach, true)
    // The administrator of the server can have all of it.
    const isOwner = isLocalOwner(this.principal)
    const counted = (one: AnyOperation) =>
      isOwner ? slots.counted(one) : own.counted(guestSlots.counted(slots.counted(one)))
    const confine = (one: AnyOperation) =>
      confineToRoots(isOwner ? one : hideHostPaths(one), roots, { mayNameBuckets: isOwner })
    const kept = operations.map(confine)
    return {
      operations: kept.filter((one) => this.#may(scopeOf(one))).map(counted),
      offers: [...offeredOperations(kept), ...offeredOperations(aliases.map(confine), kept)].map(counted),
    }
  }

  /** Takes a place of the server; for a guest also one of all guests, and one of their own. */
  #placesIn(all: OperationLimiter, ofGuests: OperationLimiter, own: OperationLimiter): TakePlace {
    const each = isLocalOwner(this.principal) ? [all] : [own, ofGuests, all]
    return () => takeEach(each)
  }

  #mcpOver(
    { mcp, closing }: RoomParts,
    { operations, ...seen }: { engine: Engine; operations: readonly AnyOperation[]; allowWrite: boolean },
  ): McpHttp | undefined {
    const made = mcp?.(operations, seen)
    closing?.addEventListener('abort', () => made?.close?.(), { once: true })
    return made
  }
}

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

  of(principal: Principal): Room {
    const key = principalKey(principal)
    const room = this.#rooms.get(key) ?? new Room(this.#parts, principal)
    this.#rooms.set(key, room)
    return room
  }

  sum(count: (room: Room) => number): number {
    return [...this.#rooms.values()].reduce((sum, room) => sum + count(room), 0)
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
