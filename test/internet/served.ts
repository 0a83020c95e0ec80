import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { listenOnLoopback } from '../support/loopback.ts'

export interface Served extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** Path, headers and body of each request, in order. */
  readonly asked: {
    readonly method: string
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }[]
}

/** A server on loopback. `answer` is told which request it is, from 0. */
export async function served(
  answer: (request: IncomingMessage, response: ServerResponse, index: number) => void,
): Promise<Served> {
  const asked: Served['asked'] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      asked.push({ method, path, headers, body: Buffer.concat(parts).toString() })
      answer(request, response, asked.length - 1)
    })
  })
  return { ...(await listenOnLoopback(server)), asked }
}

/** Dials a server of loopback whatever address is asked for, and notes which that was. */
export function diverted(port: number) {
  const dialled: string[] = []
  const dial = (address: string, wanted: number) => {
    dialled.push(`${address} ${wanted}`)
    return connect({ host: '127.0.0.1', port })
  }
  return { dialled, dial }
}
