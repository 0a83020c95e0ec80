import { createMcpHandler } from '@modelcontextprotocol/server'
import { BOUNDS } from '../../core/bounds.ts'
import { logError, type McpParts } from './parts.ts'
import { serverFactory } from './server.ts'

/**
 * Serves MCP over HTTP, in both versions of the protocol, without sessions. The HTTP app checks host, origin and token before it
 * calls this.
 */
export function mcpHttp(parts: McpParts): { fetch(request: Request): Promise<Response>; close(): Promise<void> } {
  const { fetch, close } = createMcpHandler(serverFactory(parts), {
    maxRequestBodySize: BOUNDS.request,
    onerror: (error) => parts.debug && logError(error, parts),
  })
  return { fetch: (request) => fetch(request), close }
}
