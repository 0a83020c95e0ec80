import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { asContextError, ContextError } from '../../core/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { clipMarked } from '../../text/truncate.ts'
import { neutraliseUnframed } from './guarded-server.ts'
import type { ToolFilter } from './tools.ts'

export interface McpParts extends ToolFilter {
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
  readonly version: string
  /** Called with the working directories of a client. Default: the client is not asked for them. */
  readonly useRoots?: (directories: readonly string[]) => void
  /** Whether to log stack traces. */
  readonly debug: boolean
}

/**
 * The text of an error for a model: `not-found: There is no x.`, and the hint on the next line. The message of an error that is
 * not a ContextError may contain anything, so it is only logged.
 */
export function errorText(error: unknown, parts: McpParts): string {
  if (!(error instanceof ContextError)) logError(error, parts)
  const contextError = asContextError(error)
  if (!contextError) return INTERNAL_ERROR
  const { code, message, hint } = contextError
  const text = `${code}: ${message}${hint === undefined ? '' : `\n${hint}`}`
  return clipMarked(neutraliseUnframed(text), MAX_ERROR_BYTES)
}

const INTERNAL_ERROR = 'internal: The server failed. This is a bug in Ambit.'

/** Maximum bytes of an error. An error may quote its input. */
export const MAX_ERROR_BYTES = 2000

/** The error for a request with invalid parameters. `message` may quote the request. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, clipMarked(neutraliseUnframed(message), MAX_ERROR_BYTES))
}

/** Converts an error to a protocol error, for requests whose results cannot be errors. */
export function protocolError(error: unknown, parts: McpParts): ProtocolError {
  if (error instanceof ProtocolError) return error
  const code = error instanceof ContextError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(code, errorText(error, parts))
}

/** Writes a log line to stderr, because stdout belongs to the protocol. */
export function logError(error: unknown, { debug }: Pick<McpParts, 'debug'>): void {
  const text = error instanceof Error ? (debug ? error.stack : error.message) : String(error)
  process.stderr.write(`${JSON.stringify({ level: 'error', event: 'mcp', message: text })}\n`)
}
