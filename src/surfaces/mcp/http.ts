import { createMcpHandler } from '@modelcontextprotocol/server'
import { BOUNDS } from '../../core/bounds.ts'
import { logError, type McpParts } from './parts.ts'
import { serversOf } from './server.ts'

/**
 * Answers MCP over HTTP, of both eras, each request by itself. It checks no host, no origin and no token: what it is mounted
 * behind does.
 */
export function mcpHttp(parts: McpParts): { fetch(request: Request): Promise<Response>; close(): Promise<void> } {
  const { fetch, close } = createMcpHandler(serversOf(parts), {
    maxRequestBodySize: BOUNDS.request,
    onerror: (error) => parts.debug && logError(error, parts),
  })
  return { fetch: (request) => fetch(request), close }
}
