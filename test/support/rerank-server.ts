import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Fault, fail } from './embedding-server.ts'

interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly model: string
    readonly query: string
    readonly documents: readonly string[]
    readonly top_n: number
  }
}

/** A service on loopback that judges texts. */
export interface RerankServer extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly Asked[]
  /** For the next requests, one each; what is not told goes well. */
  readonly faults: Fault[]
  /** What a text scores. Default: the share of the words looked for that it holds. */
  judge: (query: string, document: string) => number
  /** Requests whose client went away. */
  readonly closed: number
}

export async function rerankServer(): Promise<RerankServer> {
  const asked: Asked[] = []
  const faults: Fault[] = []
  const state = { judge: shareOfWords, closed: 0 }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    response.on('close', () => {
      if (!response.writableFinished) state.closed++
    })
    request.on('end', () => {
      const body: Asked['body'] = JSON.parse(Buffer.concat(parts).toString('utf8'))
      asked.push({ path: request.url ?? '', headers: request.headers, body })
      const fault = faults.shift()
      if (fault) fail(response, fault)
      else {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ model: body.model, results: ranking(body, state.judge) }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    faults,
    get judge() {
      return state.judge
    },
    set judge(judge) {
      state.judge = judge
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

/** The best first, as services give it. */
function ranking({ query, documents, top_n: most }: Asked['body'], judge: RerankServer['judge']) {
  const results = documents.map((document, index) => ({ index, relevance_score: judge(query, document) }))
  return results.sort((a, b) => b.relevance_score - a.relevance_score).slice(0, most)
}

function shareOfWords(query: string, document: string): number {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean)
  const there = new Set(document.toLowerCase().split(/\W+/))
  return words.filter((word) => there.has(word)).length / Math.max(1, words.length)
}
