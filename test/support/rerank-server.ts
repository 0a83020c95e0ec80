import { type ModelServer, modelServer } from './model-server.ts'

interface Body {
  readonly model: string
  readonly query: string
  readonly documents: readonly string[]
  readonly top_n: number
}

/** A service on loopback that judges texts. */
export interface RerankServer extends ModelServer<Body> {
  /** What a text scores. Default: the share of the words looked for that it holds. */
  judge: (query: string, document: string) => number
}

export async function rerankServer(): Promise<RerankServer> {
  let judge: RerankServer['judge'] = shareOfWords
  const server = await modelServer<Body>((body) => ({ json: { model: body.model, results: ranking(body, judge) } }))
  return {
    ...server,
    get closed() {
      return server.closed
    },
    get judge() {
      return judge
    },
    set judge(other) {
      judge = other
    },
  }
}

/** The best first, as services give it. */
function ranking({ query, documents, top_n: most }: Body, judge: RerankServer['judge']) {
  const results = documents.map((document, index) => ({ index, relevance_score: judge(query, document) }))
  return results.sort((a, b) => b.relevance_score - a.relevance_score).slice(0, most)
}

function shareOfWords(query: string, document: string): number {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean)
  const there = new Set(document.toLowerCase().split(/\W+/))
  return words.filter((word) => there.has(word)).length / Math.max(1, words.length)
}
