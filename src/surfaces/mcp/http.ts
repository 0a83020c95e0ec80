import { createMcpHandler } from '@modelcontextprotocol/server'
import { BOUNDS } from '../../core/bounds.ts'
import { logError, type McpParts } from './parts.ts'
import { serverFactory } from './server.ts'

/** Answers MCP over HTTP, in both versions of the protocol, without sessions. The app in front of it checks host, origin and token. */
export function mcpHttp(parts: McpParts): { fetch(request: Request): Promise<Response>; close(): Promise<void> } {
  const { fetch, close } = createMcpHandler(serverFactory(parts), {
    maxRequestBodySize: BOUNDS.request,
    onerror: (error) => parts.debug && logError(error, parts),
  })
  return { fetch: (request) => fetch(request), close }
}
