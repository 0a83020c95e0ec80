import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that listens on loopback. To dispose of it ends it and its connections. */
export interface Loopback extends AsyncDisposable {
  readonly port: number
  readonly url: string
}

/** Lets a server listen on a free port. */
export async function listenOnLoopback(server: Server): Promise<Loopback> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
