import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes connections on to servers in turn, past those that are not there. */
export interface Balancer extends AsyncDisposable {
  readonly url: string
  /** What `Host` is for those who come this way. */
  readonly host: string
  /** Ports on loopback. */
  targets: readonly number[]
}

export async function balancer(): Promise<Balancer> {
  const sockets = new Set<Socket>()
  const state = { targets: [] as readonly number[], next: 0 }
  const pass = (client: Socket, tries: number): void => {
    const port = state.targets[state.next++ % Math.max(1, state.targets.length)]
    if (port === undefined || tries > state.targets.length) {
      client.destroy()
      return
    }
    const server = connect(port, '127.0.0.1')
    sockets.add(server)
    server.once('error', () => {
      if (server.bytesWritten === 0 && server.connecting) server.destroy()
    })
    let isThere = false
    server.once('connect', () => {
      isThere = true
      client.pipe(server).pipe(client)
    })
    server.on('error', () => {})
    server.on('close', () => {
      sockets.delete(server)
      if (isThere || client.destroyed) client.destroy()
      else pass(client, tries + 1)
    })
    client.on('close', () => server.destroy())
  }
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    pass(client, 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    get targets() {
      return state.targets
    },
    set targets(ports) {
      state.targets = ports
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
