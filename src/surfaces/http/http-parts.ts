/** Shared parts of the HTTP surface. */

import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { BOUNDS } from '../../core/bounds.ts'
import type { Scope } from '../../core/choices.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Principal } from '../../engine/principal.ts'
import type { ServedRoots } from '../../files/roots.ts'
import type { AnyOperation } from '../../operations/index.ts'
import type { Auth } from './auth.ts'
import { ANSWER_STREAM_LIMITS, EVENT_LIMITS } from './events/event-stream.ts'
import type { Refusal } from './problem.ts'
import type { SignOn } from './sign-on/sign-on.ts'

/** A server of the Model Context Protocol. */
export interface McpHttp {
  fetch(request: Request): Promise<Response>
  /** Stops running calls. */
  close?(): Promise<void>
}

export interface HttpParts {
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
  /** Operations under older names. They work, but `/openapi.json` does not describe them. Default: none. */
  readonly aliases?: readonly AnyOperation[]
  /** Accepted values of `Host`: names with their port, in lower case. Other requests are refused. */
  readonly hosts: readonly string[]
  /** The directories that operations may access. Paths outside are refused. */
  readonly roots: ServedRoots
  readonly version: string
  /** The directory of the built web UI. Default: none. */
  readonly web?: string
  readonly auth: Auth
  /** The sign-in provider. Default: none; clients use tokens. */
  readonly signOn?: SignOn
  /** Creates the server that answers /mcp for one principal. Default: none. */
  mcp?(operations: readonly AnyOperation[], access: { readonly engine: Engine; readonly allowWrite: boolean }): McpHttp
  /** Called with errors that are bugs. */
  readonly logBug?: (error: unknown, where: string) => void
  /** Whether the assistant may write, after the person approves each call. Default: false. */
  readonly allowWrite?: boolean
  /** Fires when the server ends, and stops all work. */
  readonly closing?: AbortSignal
  /** Work that continues without a client: await it before closing the engine. */
  readonly backgroundWork?: Set<Promise<void>>
  readonly limits?: Partial<HttpLimits>
  /** Whether programs on this machine may read /metrics without a token. Default: false. */
  readonly openMetrics?: boolean
  /** Whether the server only answers probes. Default: false. */
  readonly isWorker?: boolean
  /** Whether the process runs the jobs that its role requires. Default: true. */
  readonly isRunningJobs?: () => boolean
  /** Called with a problem when the database stops answering, and without a problem when the database answers again. */
  readonly onDatabaseState?: (problem?: unknown) => void
  /** Called after every request. */
  readonly onRequestEnd?: (request: AnsweredRequest) => void
}

/** An answered request, without text from the client. */
export interface AnsweredRequest {
  readonly method: string
  /** The template of its route. */
  readonly route: string
  readonly status: number
  /** Milliseconds until the response began. */
  readonly ms: number
  /** The name of the principal: `''` for the local owner; absent for an unknown client. */
  readonly principal?: string
}

/** Default limits. Times in milliseconds. */
export const HTTP_LIMITS = {
  /** Bytes of a JSON body. */
  body: BOUNDS.request as number,
  /** Maximum operations at once: of all principals, and of one principal. */
  runs: 64,
  runsEach: 16,
  /** Maximum answers of the assistant at once, of one principal. The limit is high, because answers mostly wait for a model. */
  answersEach: 16,
  /** Maximum requests at once: of all principals, and of one principal. */
  requests: 1_000,
  requestsEach: 200,
  /** Maximum event streams at once: of all principals, and of one principal. The local owner may have all of them. */
  streams: 2_000,
  streamsEach: 100,
  /** Maximum large bodies at once, each of up to 25 MiB: of all principals, and of one principal. */
  bodies: 32,
  bodiesEach: 4,
  /** Time limit of an answer that is not an event stream. The limit of an operation that writes is ten times as long. */
  time: 60_000,
  /** Time between two checks that close tenants whose tokens are no longer valid. */
  sweep: 10_000,
  events: EVENT_LIMITS,
  chat: ANSWER_STREAM_LIMITS,
}
export type HttpLimits = Readonly<typeof HTTP_LIMITS>

export interface ConnectedRequest {
  readonly request: Request
  /** Cuts the connection. */
  drop(): void
}

/** Takes a slot. Returns the function that frees the slot. @throws ContextError if no slot is free. */
export type TakeSlot = () => () => void

/** An admitted client. */
export interface HttpVisitor {
  readonly principal: Principal
  /** Takes a slot for a request of the visitor. */
  readonly enter: TakeSlot
  /** The refusal if the visitor lacks the scope; undefined if the visitor has it. */
  refusal(scope: Scope): Refusal | undefined
}

/** The HTTP app. `env`: the socket of the request; absent without a socket. */
export interface HttpApp {
  fetch(request: Request, env?: HttpEnv): Response | Promise<Response>
}

/** The socket of a request; and its visitor, as soon as the visitor is known. */
export interface HttpEnv {
  readonly incoming?: HttpBindings['incoming'] | undefined
  readonly outgoing?: HttpBindings['outgoing'] | undefined
  visitor?: HttpVisitor
}

export type Env = { Bindings: HttpEnv }
export type HttpContext = Context<Env>
export type HttpRouter = Hono<Env>

/** The visitor, on a route that needs a token. */
export function visitorIn({ env: { visitor } }: HttpContext): HttpVisitor {
  if (!visitor) throw new Error('The route is open to strangers.')
  return visitor
}
