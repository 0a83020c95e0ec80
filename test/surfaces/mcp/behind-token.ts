import { createServer, request } from 'node:http'
import { mcpHttp } from '../../../src/surfaces/mcp/http.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { listening, rootsOf } from '../http/support.ts'
import { partsOf } from './support.ts'

/**
 * The whole server with /mcp, and in front of it a proxy that adds the token, for clients that have none. `Host` and
 * `Origin` go through as they are.
 */
export async function behindToken(root: string) {
  const parts = partsOf()
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const safeReturnUrl = request(
      { port: server.port, method, path, headers: { ...headers, ...server.headers } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers)
        response.pipe(outgoing)
      },
    )
    safeReturnUrl.on('error', () => outgoing.destroy())
    incoming.pipe(safeReturnUrl)
  })
  const at = await listenOnLoopback(proxy)
  const { port } = at
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const server = await listening({
    engine: parts.engine,
    hosts,
    roots: rootsOf(root),
    mcp: (operations) => mcpHttp({ ...parts, operations }),
  })
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
