import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A service as it is seen from afar. */
export interface Delayed extends AsyncDisposable {
  readonly url: string
}

/** Hands bytes on, each direction after half of a round trip; connections are there at once. Times in milliseconds. */
export async function delayed(url: string, roundTripMs: number): Promise<Delayed> {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), roundTripMs / 2))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        setTimeout(() => to.destroy(), roundTripMs / 2)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
