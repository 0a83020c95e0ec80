import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { asContextError, ContextError } from '../../core/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { clipMarked } from '../../text/truncate.ts'
import { neutraliseData } from './exit.ts'
import type { Offer } from './tools.ts'

export interface McpParts extends Offer {
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
  readonly version: string
  /** Receives the working directories of a client. Default: the client is not asked. */
  readonly useRoots?: (directories: readonly string[]) => void
  /** Logs stack traces. */
  readonly debug: boolean
}

/** An error that a model can read and correct. The message of a foreign error is not sent. */
export function toErrorResult(error: unknown, parts: McpParts): CallToolResult {
  const known = asContextError(error)
  const text = known ? messageOf(known) : INTERNAL
  if (!(error instanceof ContextError)) logError(error, parts)
  return { isError: true, content: [{ type: 'text', text }] }
}

const INTERNAL = 'internal: The server failed. This is a bug in Ambit.'

/** Maximum bytes of an error, which may quote its input. */
const MOST_BYTES = 2000

/** `not-found: There is no x.`, and the hint on the next line. */
function messageOf({ code, message, hint }: ContextError): string {
  const text = `${code}: ${message}${hint === undefined ? '' : `\n${hint}`}`
  return clipMarked(neutraliseData(text), MOST_BYTES)
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

/** A protocol error for an error of Ambit, for requests whose results cannot be errors. */
export function protocolError(error: unknown, parts: McpParts): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (error instanceof ContextError) return invalidParams(messageOf(error))
  const known = asContextError(error)
  logError(error, parts)
  return new ProtocolError(ProtocolErrorCode.InternalError, known ? messageOf(known) : INTERNAL)
}

/** A log line on stderr; stdout belongs to the protocol. */
export function logError(error: unknown, { debug }: Pick<McpParts, 'debug'>): void {
  const text = error instanceof Error ? (debug ? error.stack : error.message) : String(error)
  process.stderr.write(`${JSON.stringify({ level: 'error', event: 'mcp', message: text })}\n`)
}
