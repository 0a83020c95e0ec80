/** Transports to a server: a local program, or an HTTP address. */

import {
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { BOUNDS } from '../../core/bounds.ts'
import { ContextError } from '../../core/errors.ts'
import { Deadline, untilAborted } from '../../core/steps.ts'
import { oneLine, stripControls } from '../../text/controls.ts'
import type { ToolServerConfig } from '../tool-servers.ts'

/** Maximum UTF-16 units of stderr that are stored. */
const MAX_STDERR = 300

/**
 * Makes the transport of a tool server: a program, or an HTTP address. `home`: the default working directory of a
 * program. `authProvider`: the sign-in for an HTTP address.
 *
 * @returns `stderrEnd`: returns the end of stderr as a sentence; `''` for nothing.
 */
export function openConnection(
  { url, headers, command = '', args, env, cwd }: ToolServerConfig,
  { home, authProvider }: { readonly home: string; readonly authProvider: OAuthClientProvider | undefined },
) {
  if (url !== undefined) {
    const requestInit = { redirect: 'manual' as const, ...(headers && { headers }) }
    const options = { fetch: boundedFetch, requestInit, ...(authProvider && { authProvider }) }
    return { transport: new StreamableHTTPClientTransport(new URL(url), options), stderrEnd: () => '' }
  }
  // A program gets only variables of our environment that are not secret, such as PATH and HOME.
  const transport = new StdioClientTransport({
    command,
    args: [...(args ?? [])],
    cwd: cwd ?? home,
    stderr: 'pipe',
    maxBufferSize: BOUNDS.toolMessage,
    ...(env && { env: { ...getDefaultEnvironment(), ...env } }),
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-MAX_STDERR)
  })
  return { transport, stderrEnd: () => (stderr.trim() === '' ? '' : ` It said: ${oneLine(stderr.trim())}`) }
}

export type ServerConnection = ReturnType<typeof openConnection>

/** A fetch that limits the size of responses. It does not follow redirects, because headers may contain a token. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' })
  if (response.status >= 300 && response.status < 400)
    throw new ContextError('unavailable', 'It redirects to another address.')
  let size = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size <= BOUNDS.toolMessage) controller.enqueue(chunk)
      else controller.error(new ContextError('over-limit', `It answers with more than ${BOUNDS.toolMessage} bytes.`))
    },
  })
  const { status, headers } = response
  return new Response(response.body?.pipeThrough(limit) ?? null, { status, headers })
}

/**
 * Time limits in milliseconds; tests shorten them. `connectMs`: to connect and list the tools. `probeMs`: to find out whether a
 * server supports the newer protocol.
 */
export const CONNECTION_TIMEOUTS = { connectMs: 20_000, probeMs: 5000 }
export type ConnectionTimeouts = Readonly<typeof CONNECTION_TIMEOUTS>

/** Waits for a step of connecting. Throws after `ms` milliseconds, or when `closing` fires. */
export async function waitForConnection<Value>(work: Promise<Value>, ms: number, closing: AbortSignal): Promise<Value> {
  using deadline = new Deadline(ms)
  const why = () => new Error(deadline.isOver ? `It did not answer within ${ms / 1000} seconds.` : 'It was closed.')
  return await untilAborted(work, deadline.or(closing), why)
}

/** The message of an error as one short line, because texts of servers are untrusted. */
export function errorLine(error: unknown): string {
  const { message = error } = Object(error)
  return oneLine(stripControls(String(message)).trim().replace(/\n.*/s, '')).slice(0, 300)
}

/** Whether the server requires a sign-in: status 401, or the error that the SDK throws if it has an OAuth provider. */
export function isUnauthorized(error: unknown): boolean {
  const { status, cause } = Object(error)
  return status === 401 || UnauthorizedError.isInstance(error) || (cause !== undefined && isUnauthorized(cause))
}
