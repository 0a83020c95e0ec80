import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { listenOnLoopback } from '../loopback.ts'

/** What was asked for: `GET /bucket/key`, without what follows a question mark. */
export type Asked = string

/** An S3 that somebody else is: what is asked of the gate is asked of it, as it was signed, unless it is held. */
export interface Gate extends AsyncDisposable {
  readonly url: string
  readonly passed: readonly Asked[]
  /** What was held: it is never answered. */
  readonly held: readonly Asked[]
  /** Which requests to hold from now on. Default: none. */
  holds: (asked: Asked, passed: readonly Asked[]) => boolean
}

/** A gate before a service: a test that needs a program to be in the middle of something holds it there. */
export async function gateTo(service: string): Promise<Gate> {
  const passed: Asked[] = []
  const held: Asked[] = []
  const server = createServer((message, response) => {
    const asked = `${message.method} ${(message.url ?? '').split('?', 1)[0]}`
    if (gate.holds(asked, passed)) {
      held.push(asked)
      return
    }
    pass(service, message, response)
      .then((isGood) => isGood && passed.push(asked))
      .catch(() => response.destroy())
  })
  const gate: Gate = { ...(await listenOnLoopback(server)), passed, held, holds: () => false }
  return gate
}

/** The host stays as it was signed. */
async function pass(service: string, message: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { hostname, port } = new URL(service)
  const { method, url: path, headers } = message
  const asking = request({ hostname, port, method, path, headers })
  const answered = new Promise<IncomingMessage>((resolve, reject) => asking.on('response', resolve).on('error', reject))
  const [answer] = await Promise.all([answered, pipeline(message, asking)])
  const { statusCode = 0 } = answer
  response.writeHead(statusCode, answer.headers)
  await pipeline(answer, response)
  return statusCode >= 200 && statusCode < 300
}
