/** What the HTTP surface is made of. */

import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { Engine } from '../../engine.ts'
import type { AnyOperation } from '../../operations/index.ts'
import type { Auth } from './auth.ts'
import { OUTLET_LIMITS, type OutletLimits } from './chat/outlet.ts'
import type { Roots } from './confined.ts'
import { EVENT_LIMITS, type EventLimits } from './events.ts'

/** A server of the Model Context Protocol, as far as this one has to know it. */
export interface McpHttp {
  fetch(request: Request): Promise<Response>
  /** Stops what runs. */
  close?(): Promise<void>
}

/** What an HTTP server is made of. */
export interface HttpParts {
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
  /** Whoever has it may do everything that the server can. */
  readonly token: string
  /** What `Host` may be: names with their port, lower case. Requests to other names are refused. */
  readonly hosts: readonly string[]
  /** The only directories whose paths operations take. */
  readonly roots: Roots
  readonly version: string
  /** The directory of the built web UI. Default: there is none. */
  readonly web?: string
  readonly auth?: Auth
  /** Answers /mcp, with the operations as this server runs them. Default: there is none. */
  readonly mcp?: (operations: readonly AnyOperation[]) => McpHttp
  /** Hears of errors that are bugs. */
  readonly log?: (error: unknown, where: string) => void
  /** Whether the assistant may write, where the person says so each time. Default: no. */
  readonly allowWrite?: boolean
  /** Fired when the server ends: whatever runs is stopped. */
  readonly closing?: AbortSignal
  /** What goes on whether somebody waits for it or not: who closes the engine waits for it first. */
  readonly work?: Set<Promise<void>>
  readonly limits?: Partial<HttpLimits>
}

/** Limits, all of them on by default. Times in milliseconds. */
export interface HttpLimits {
  /** Bytes of a JSON body. */
  readonly body: number
  /** Operations at once. */
  readonly runs: number
  /** How long an answer may take that is not a stream of events; one that writes, ten times as long. */
  readonly time: number
  readonly events: EventLimits
  readonly chat: OutletLimits
}

/** Those of a server that is told none. */
export const LIMITS: HttpLimits = { body: 1_048_576, runs: 32, time: 60_000, events: EVENT_LIMITS, chat: OUTLET_LIMITS }

export type HttpApp = Hono<Env>

export type Env = { Bindings: Partial<HttpBindings> }
export type Ask = Context<Env>
