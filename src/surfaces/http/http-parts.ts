/** What the HTTP surface is made of. */

import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { BOUNDS } from '../../core/bounds.ts'
import type { Scope } from '../../core/choices.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Principal } from '../../engine/principal.ts'
import type { ServedRoots } from '../../files/roots.ts'
import type { AnyOperation } from '../../operations/index.ts'
import type { Auth } from './auth.ts'
import { ANSWER_STREAM_LIMITS, type AnswerStreamLimits } from './chat/answer-stream.ts'
import { EVENT_LIMITS, type EventLimits } from './events/events.ts'
import type { Refusal } from './problem.ts'
import type { SignOn } from './sign-on/sign-on.ts'

/** A server of the Model Context Protocol, as far as this one has to know it. */
export interface McpHttp {
  fetch(request: Request): Promise<Response>
  /** Stops what runs. */
  close?(): Promise<void>
}

/** What of the server one principal has. */
export interface McpSeen {
  readonly engine: Engine
  readonly allowWrite: boolean
}

/** What an HTTP server is made of. */
export interface HttpParts {
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
  /** Operations by older names, which are answered and not described. Default: none. */
  readonly aliases?: readonly AnyOperation[]
  /** Whoever has it may do everything that the server can. */
  readonly token: string
  /** What `Host` may be: names with their port, lower case. Requests to other names are refused. */
  readonly hosts: readonly string[]
  /** The only directories whose paths operations take. */
  readonly roots: ServedRoots
  readonly version: string
  /** The directory of the built web UI. Default: there is none. */
  readonly web?: string
  readonly auth?: Auth
  /** Vouches for people. Default: nobody does, and all come with tokens. */
  readonly signOn?: SignOn
  /** Answers /mcp for one principal, with the operations as this server runs them. Default: there is none. */
  readonly mcp?: (operations: readonly AnyOperation[], seen: McpSeen) => McpHttp
  /** Hears of errors that are bugs. */
  readonly log?: (error: unknown, where: string) => void
  /** Whether the assistant may write, where the person says so each time. Default: no. */
  readonly allowWrite?: boolean
  /** Fired when the server ends: whatever runs is stopped. */
  readonly closing?: AbortSignal
  /** What goes on whether somebody waits for it or not: who closes the engine waits for it first. */
  readonly work?: Set<Promise<void>>
  readonly limits?: Partial<HttpLimits>
  /** Whether programs of this machine may read /metrics without a token. Default: no. */
  readonly openMetrics?: boolean
  /** Whether it only says how it is. Default: no. */
  readonly isWorker?: boolean
  /** Whether it takes jobs by now, where it is to. Default: yes. */
  readonly isWorking?: () => boolean
  /** Hears when the database is found not to answer, with why; and, with nothing, when it answers again. */
  readonly lacking?: (problem?: unknown) => void
  /** Called after every request. */
  readonly onAnswered?: (request: AnsweredRequest) => void
}

/** A request that was answered, without anything that somebody wrote. */
export interface AnsweredRequest {
  readonly method: string
  /** The template of its route. */
  readonly route: string
  readonly status: number
  /** Until the answer began, in milliseconds. */
  readonly ms: number
  /** Who asked; absent where nobody knows, `''` for the local owner. */
  readonly principal?: string
}

/** Limits, all of them on by default. Times in milliseconds. */
export interface HttpLimits {
  /** Bytes of a JSON body. */
  readonly body: number
  /** Operations at once. */
  readonly runs: number
  /** Of these, those of one principal. */
  readonly runsEach: number
  /** Requests that are answered at once, and those of one principal. */
  readonly requests: number
  readonly requestsEach: number
  /** Streams of events that are open at once, and those of one principal; whoever runs the server may have all of them. */
  readonly streams: number
  readonly streamsEach: number
  /** Files and conversations that are read at once, each of up to 25 MiB, and those of one principal. */
  readonly bodies: number
  readonly bodiesEach: number
  /** How long an answer may take that is not a stream of events; one that writes, ten times as long. */
  readonly time: number
  /** How often is looked whether what a token began is to be stopped, since it is no good any more. */
  readonly sweep: number
  readonly events: EventLimits
  readonly chat: AnswerStreamLimits
}

/** The defaults. */
export const HTTP_LIMITS: HttpLimits = {
  body: BOUNDS.request,
  runs: 64,
  runsEach: 16,
  requests: 1_000,
  requestsEach: 200,
  streams: 2_000,
  streamsEach: 100,
  bodies: 32,
  bodiesEach: 4,
  time: 60_000,
  sweep: 10_000,
  events: EVENT_LIMITS,
  chat: ANSWER_STREAM_LIMITS,
}

/** Takes one of the places that there are; what is returned gives it back. @throws ContextError where none is left. */
export type TakePlace = () => () => void

/** Whoever was let in. */
export interface HttpVisitor {
  readonly principal: Principal
  /** Requests of theirs that are being answered. */
  asked: number
  /** What they may not; undefined where they may. */
  refusal(scope: Scope): Refusal | undefined
}

/** What answers requests, behind all checks. `env`: the socket of the request; absent: there is none. */
export interface HttpApp {
  fetch(request: Request, env?: HttpEnv): Response | Promise<Response>
}

/** What comes with a request: its socket, and who asks, once that is known. */
export interface HttpEnv {
  readonly incoming?: HttpBindings['incoming'] | undefined
  readonly outgoing?: HttpBindings['outgoing'] | undefined
  visitor?: HttpVisitor
}

export type Env = { Bindings: HttpEnv }
export type Ask = Context<Env>
export type HttpRouter = Hono<Env>

/** Who asks, on a route that nobody comes to without a token. */
export function visitorIn({ env: { visitor } }: Ask): HttpVisitor {
  if (!visitor) throw new Error('The route is open to strangers.')
  return visitor
}
