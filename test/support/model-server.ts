import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { listenOnLoopback } from './loopback.ts'

/** What goes wrong with a request; the next one that is not told goes well. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly body: string }
  | 'cut'
  | 'hang'
  | 'endless'

/** An answer that comes in pieces, as they are; after the last it is over, or the connection breaks, or nothing comes. */
export interface Streamed {
  readonly pieces: readonly (string | Uint8Array)[]
  readonly end?: 'cut' | 'hang'
  readonly headers?: Readonly<Record<string, string>>
}

export interface Asked<Body> {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}

/** The reason of each answer, in another script than Latin. */
export const PHRASE = Buffer.from('Да').toString('latin1')

/** A service of a model on loopback. */
export interface ModelServer<Body> extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly Asked<Body>[]
  /** For the next requests, one each. */
  readonly faults: Fault[]
  /** Requests whose client went away. */
  readonly closed: number
}

type Answer = { readonly json: object } | { readonly fault: Fault } | { readonly stream: Streamed }

/** `answered`: what is answered where nothing goes wrong: as JSON, in pieces, or a fault. */
export async function modelServer<Body>(answered: (body: Body, path: string) => Answer): Promise<ModelServer<Body>> {
  const asked: Asked<Body>[] = []
  const faults: Fault[] = []
  let closed = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    response.statusMessage = PHRASE
    request.on('data', (part: Buffer) => parts.push(part))
    response.on('close', () => {
      if (!response.writableFinished) closed++
    })
    request.on('end', () => {
      const body: Body = JSON.parse(Buffer.concat(parts).toString('utf8'))
      asked.push({ path: request.url ?? '', headers: request.headers, body })
      const fault = faults.shift()
      const answer = fault ? { fault } : answered(body, request.url ?? '')
      if ('stream' in answer) stream(response, answer.stream)
      else if ('fault' in answer) fail(response, answer.fault)
      else fail(response, { body: JSON.stringify(answer.json) })
    })
  })
  return {
    ...(await listenOnLoopback(server)),
    asked,
    faults,
    get closed() {
      return closed
    },
  }
}

/** Each piece is a write of its own, and most come as one piece to whoever reads. */
async function stream(response: ServerResponse, { pieces, end, headers }: Streamed): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  response.flushHeaders()
  for (const piece of pieces) {
    if (response.destroyed) return
    if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (end === 'cut') response.destroy()
  else if (end !== 'hang') response.end()
}

/** Answers a request as the fault has it. */
function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'hang') return
  if (fault === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"data": [')
    setTimeout(() => response.destroy(), 5)
    return
  }
  const given = fault === 'endless' ? { body: fault } : fault
  const { status, headers, body } = { status: 200, headers: {}, body: '{}', ...given }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  if (body === 'endless') endless(response)
  else response.end(body)
}

function endless(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}
