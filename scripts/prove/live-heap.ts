import { setTimeout as sleep } from 'node:timers/promises'
import type { Served } from '../../test/reliability/served.ts'

/** What a server has to be started with, so that its inspector is at a free port. */
export const INSPECTED = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' }

const ADDRESS = /Debugger listening on (ws:\S+)/

/** The heap of another process without what is garbage: its inspector collects that first. */
export class LiveHeap implements Disposable {
  readonly #socket: WebSocket
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static async of({ child, written }: Served): Promise<LiveHeap> {
    child.kill('SIGUSR1')
    while (!ADDRESS.test(written())) await sleep(50)
    const socket = new WebSocket(ADDRESS.exec(written())?.[1] ?? '')
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', reject)
    })
    return new LiveHeap(socket)
  }

  /** In megabytes. */
  async megabytes(): Promise<number> {
    await this.#told('HeapProfiler.collectGarbage')
    const { usedSize = Number.NaN } = await this.#told('Runtime.getHeapUsage')
    return usedSize / 2 ** 20
  }

  async #told(method: string): Promise<{ readonly usedSize?: number }> {
    const id = ++this.#last
    const { promise, resolve, reject } = Promise.withResolvers<MessageEvent>()
    const settled = new AbortController()
    const heard = (event: MessageEvent) => JSON.parse(event.data).id === id && resolve(event)
    const ended = () => reject(new Error('The server has ended.'))
    this.#socket.addEventListener('message', heard, settled)
    this.#socket.addEventListener('close', ended, settled)
    this.#socket.send(JSON.stringify({ id, method }))
    return JSON.parse((await promise.finally(() => settled.abort())).data).result
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }
}
