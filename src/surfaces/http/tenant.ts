/**
 * A tenant is the part of the server for one principal. Tenants share nothing, so an id of one tenant is unknown to the others.
 */

import type { Scope } from '../../core/choices.ts'
import { scopeOf } from '../../core/operation.ts'
import type { Engine } from '../../engine/engine.ts'
import { isLocalOwner, type Principal, principalKey } from '../../engine/principal.ts'
import { runInBounds, type ServedRoots } from '../../files/roots.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { Api } from './api.ts'
import { apiOperations } from './api-operations.ts'
import { ChatRoutes } from './chat/routes.ts'
import { confineEngine, confineOperation, hideInError } from './confinement/confine.ts'
import { Files } from './files.ts'
import type { HttpLimits, HttpParts, HttpVisitor, McpHttp, TakeSlot } from './http-parts.ts'
import { Limiter, limitOperation, SlotShares } from './limiters.ts'
import type { Refusal } from './problem.ts'
import { SessionRoutes } from './sessions/routes.ts'
import { type Me, meOf } from './sign-on/me.ts'

export interface TenantParts extends HttpParts {
  readonly slots: ServerSlots
  readonly limits: HttpLimits
}

/** The slots of a server, by kind of work. */
export type ServerSlots = ReturnType<typeof serverSlots>

export function serverSlots(limits: HttpLimits) {
  const { streams } = limits
  return {
    requests: new SlotShares({ maximum: limits.requests, each: limits.requestsEach }, 'requests under way'),
    operations: new SlotShares({ maximum: limits.runs, each: limits.runsEach }, 'operations under way'),
    streams: new SlotShares({ maximum: streams, guests: streams >> 1, each: limits.streamsEach }, 'event streams open'),
    bodies: new SlotShares({ maximum: limits.bodies, each: limits.bodiesEach }, 'large bodies under way'),
  }
}

const NO_ROOTS: ServedRoots = { paths: [], real: [] }

export class Tenant implements HttpVisitor {
  readonly principal: Principal
  readonly me: Me
  readonly api: Api
  readonly chat: ChatRoutes
  readonly sessions: SessionRoutes
  readonly files: Files
  readonly mcp: McpHttp | undefined
  readonly enter: TakeSlot
  readonly #engine: Engine
  readonly #roots: ServedRoots
  readonly #ending = new AbortController()

  constructor({ slots, limits, ...shared }: TenantParts, principal: Principal) {
    this.principal = principal
    this.enter = slots.requests.for(principal)
    const closing = AbortSignal.any([this.#ending.signal, ...(shared.closing ? [shared.closing] : [])])
    // A principal who is limited to some collections may not access directories.
    const roots = principal.collections ? NO_ROOTS : shared.roots
    this.#roots = roots
    this.me = meOf(principal, shared.operations, roots)
    const engine = confineEngine(shared.engine.as(principal), roots)
    this.#engine = engine
    const { operations, allOperations } = this.#operations(shared, slots.operations.for(principal))
    const allowWrite = shared.allowWrite === true && this.#hasScope('write')
    const common = { ...shared, closing, engine, operations, allowWrite }
    const slotOf = { takeStreamSlot: slots.streams.for(principal), takeBodySlot: slots.bodies.for(principal) }
    const operationLimiter = slots.operations.all
    this.api = new Api({ ...common, ...slotOf, operations: allOperations, limits, operationLimiter })
    const isOwner = isLocalOwner(principal)
    const answers = new Limiter(limits.answersEach, 'operations under way', true)
    const chat = { isOwner, limits: limits.chat, shownError: this.#shownError, takeAnswerSlot: () => answers.take() }
    this.chat = new ChatRoutes({ ...common, ...slotOf, ...chat })
    this.sessions = new SessionRoutes({ ...slotOf, engine, limits: limits.events, maxBodyBytes: limits.body, closing })
    this.files = new Files({ engine, operationLimiter, chunkTime: limits.time, closing })
    this.mcp = shared.mcp?.(operations, { engine, allowWrite })
    closing.addEventListener('abort', () => this.mcp?.close?.(), { once: true })
  }

  /**
   * Runs `work` for a request to an address. The work cannot open files outside the roots, and errors do not reveal the roots.
   */
  answer<Answer>(work: (tenant: Tenant) => Answer, address: string): Answer {
    const answer = runInBounds(this.#roots.real, () => work(this))
    if (!(answer instanceof Promise)) return answer
    return answer.catch(async (error: unknown) => {
      const shown = await this.#shownError(error, address)
      // The router handles only instances of `Error`.
      throw shown instanceof Error ? shown : new Error(String(shown))
    }) as Answer
  }

  /** The error as this principal may see it. `request`: what the client sent. */
  readonly #shownError = async (error: unknown, request: unknown): Promise<unknown> =>
    isLocalOwner(this.principal) ? error : hideInError(this.#engine, this.#roots, { error, request })

  refusal(scope: Scope): Refusal | undefined {
    if (this.#hasScope(scope)) return undefined
    const hint = `This token has ${this.principal.scopes.join(', ')}. Ask the administrator of the server for another token.`
    return { status: 403, detail: `The request needs a token with the scope ${scope}.`, hint }
  }

  /** Stops all work of the tenant except research. Research checks its rights by itself. */
  async close(): Promise<void> {
    this.#ending.abort()
    await this.#engine.close()
  }

  #hasScope(scope: Scope): boolean {
    return this.principal.scopes.includes(scope)
  }

  /** `operations`: the operations that the principal may use. `allOperations`: for the API, which checks the scope itself. */
  #operations({ operations, aliases = [] }: HttpParts, take: TakeSlot) {
    const isOwner = isLocalOwner(this.principal)
    const limit = (one: AnyOperation) => limitOperation(one, take)
    const confine = (one: AnyOperation) => confineOperation(one, this.#roots, isOwner)
    const confined = operations.map(confine)
    return {
      operations: confined.filter((one) => this.#hasScope(scopeOf(one))).map(limit),
      allOperations: [...apiOperations(confined), ...apiOperations(aliases.map(confine), confined)].map(limit),
    }
  }
}

/** The tenants, each created at its first request. */
export class Tenants {
  readonly #parts: TenantParts
  readonly #tenants = new Map<string, Tenant>()

  constructor(parts: TenantParts) {
    this.#parts = parts
    const sweeping = setInterval(() => this.sweep().catch(() => {}), parts.limits.sweep).unref()
    parts.closing?.addEventListener('abort', () => clearInterval(sweeping), { once: true })
  }

  get size(): number {
    return this.#tenants.size
  }

  get answers(): number {
    return [...this.#tenants.values()].reduce((sum, { chat }) => sum + chat.running, 0)
  }

  of(principal: Principal): Tenant {
    const key = principalKey(principal)
    const tenant = this.#tenants.get(key) ?? new Tenant(this.#parts, principal)
    this.#tenants.set(key, tenant)
    return tenant
  }

  /** Closes tenants whose principal has no valid token or sign-in any more, because an open stream does not check this. */
  async sweep(): Promise<void> {
    const guests = [...this.#tenants].filter(([, { principal }]) => !isLocalOwner(principal))
    if (guests.length === 0) return
    const names = guests.map(([, { principal }]) => principal.name)
    const people = await this.#parts.auth.people(names)
    const tokenHolders = await (await this.#parts.engine.tokens()).principals()
    const validKeys = new Set([...tokenHolders, ...people].map(principalKey))
    for (const [key, tenant] of guests) {
      if (validKeys.has(key)) continue
      this.#tenants.delete(key)
      await tenant.close()
    }
  }
}
