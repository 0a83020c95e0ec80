import { createMcpHandler } from '@modelcontextprotocol/server'
import { logError, type McpParts } from './parts.ts'
import { serversOf } from './server.ts'

/** Bytes of a request: the rest of the API takes no more. */
const MAX_BODY = 1_048_576

/**
 * Answers MCP over HTTP, of both eras, each request by itself. It checks no host, no origin and no token: what it is mounted
 * behind does.
 */
export function mcpHttp(parts: McpParts): { fetch(request: Request): Promise<Response>; close(): Promise<void> } {
  const { fetch, close } = createMcpHandler(serversOf(parts), {
    maxRequestBodySize: MAX_BODY,
    onerror: (error) => parts.debug && logError(error, parts),
  })
  return { fetch: (request) => fetch(request), close }
}
