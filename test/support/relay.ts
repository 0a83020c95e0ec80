import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes bytes between clients and a service, and counts what is open: whatever service that is. */
export interface Relay extends AsyncDisposable {
  readonly url: string
  /** Connections of clients that are open now, and most at a time. */
  readonly open: number
  readonly most: number
  /** Bytes that the service has sent to clients. */
  readonly passed: number
  /** How long what the service sends is held back. */
  delayMs: number
}

export async function relayTo(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const state = { most: 0, passed: 0, delayMs: 0 }
  const server = createServer((client) => {
    const service = connect(Number(port || 80), hostname)
    sockets.add(client)
    state.most = Math.max(state.most, sockets.size)
    client.on('close', () => sockets.delete(client) && service.destroy())
    service.on('close', () => client.destroy())
    for (const socket of [client, service]) socket.on('error', () => socket.destroy()).setNoDelay()
    client.pipe(service)
    service.on('data', (bytes) => {
      service.pause()
      const pass = () => {
        state.passed += bytes.length
        if (client.destroyed || client.write(bytes)) service.resume()
        else client.once('drain', () => service.resume())
      }
      if (state.delayMs > 0) setTimeout(pass, state.delayMs).unref()
      else pass()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    get open() {
      return sockets.size
    },
    get most() {
      return state.most
    },
    get passed() {
      return state.passed
    },
    get delayMs() {
      return state.delayMs
    },
    set delayMs(ms) {
      state.delayMs = ms
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
