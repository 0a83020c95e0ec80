import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const DIMENSIONS = 256

/** Words that the model takes for the same. */
const SAME: Readonly<Record<string, string>> = { feline: 'cat', kitten: 'cat', automobile: 'car', vehicle: 'car' }

/** What goes wrong with a request; the next one that is not told goes well. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly body: string }
  | 'cut'
  | 'hang'
  | 'endless'

interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number }
}

/** A service for embeddings on loopback, whose model knows words and a few synonyms. */
export interface EmbeddingServer extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Texts of all requests. */
  readonly texts: readonly string[]
  /** For the next requests, one each. */
  readonly faults: Fault[]
  /** Texts with this in them are refused, with all that were sent beside them. */
  refused: string | undefined
  /** Requests whose client went away. */
  readonly closed: number
}

export async function embeddingServer(): Promise<EmbeddingServer> {
  const asked: Asked[] = []
  const faults: Fault[] = []
  const state = { refused: undefined as string | undefined, closed: 0 }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    response.on('close', () => {
      if (!response.writableFinished) state.closed++
    })
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8'))
      asked.push({ path: request.url ?? '', headers: request.headers, body })
      const fault = faults.shift()
      const { refused } = state
      if (fault) fail(response, fault)
      else if (refused !== undefined && body.input.some((text: string) => text.includes(refused))) {
        fail(response, { status: 400, body: JSON.stringify({ error: { message: 'too long' } }) })
      } else answer(response, body.input.map(vectorOf))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    faults,
    get texts() {
      return asked.flatMap(({ body }) => body.input)
    },
    get refused() {
      return state.refused
    },
    set refused(mark) {
      state.refused = mark
    },
    get closed() {
      return state.closed
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers a request as the fault has it. */
export function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'hang') return
  if (fault === 'endless') {
    endless(response)
    return
  }
  if (fault === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"data": [')
    setTimeout(() => response.destroy(), 5)
    return
  }
  const { status, headers } = { status: 200, headers: {}, ...fault }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(fault.body ?? '{}')
}

function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}

function answer(response: ServerResponse, vectors: readonly (readonly number[])[]): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: vectors.map((embedding, index) => ({ embedding, index })) }))
}

/** Each word has a direction of its own; a text goes where its words go together. */
export function vectorOf(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? ['nothing']) {
    const bytes = createHash('shake256', { outputLength: DIMENSIONS })
      .update(SAME[word] ?? word)
      .digest()
    for (const [at, byte] of bytes.entries()) vector[at] = (vector[at] ?? 0) + (byte - 127.5)
  }
  return vector
}
