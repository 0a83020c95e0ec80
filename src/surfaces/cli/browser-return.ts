import { createServer, type Server } from 'node:http'
import type { BrowserReturn } from '../../agent/tool-servers.ts'

/** Waits on loopback for a browser that comes back from signing in. Where the port is taken, on one that is free. */
export async function listenForBrowser(port: number): Promise<BrowserReturn> {
  const { promise: parameters, resolve } = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isAnswer = pathname === '/callback' && searchParams.has('state')
    response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain' })
    response.end(isAnswer ? 'You can close this page and go back to Ambit.\n' : '')
    if (isAnswer) resolve(searchParams)
  })
  await listenAt(server, port).catch(() => listenAt(server, 0))
  const at = server.address()
  return {
    port: typeof at === 'object' && at ? at.port : 0,
    parameters,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function listenAt(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
}
