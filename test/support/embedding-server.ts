import { createHash } from 'node:crypto'
import { type ModelServer, modelServer } from './model-server.ts'

export const DIMENSIONS = 256

/** Words that the model takes for the same. */
const SAME: Readonly<Record<string, string>> = { feline: 'cat', kitten: 'cat', automobile: 'car', vehicle: 'car' }

interface Body {
  readonly model: string
  readonly input: readonly string[]
  readonly dimensions?: number
}

/** A service for embeddings on loopback, whose model knows words and a few synonyms. */
export interface EmbeddingServer extends ModelServer<Body> {
  /** Texts of all requests. */
  readonly texts: readonly string[]
  /** Texts with this in them are refused, with all that were sent beside them. */
  refused: string | undefined
}

export async function embeddingServer(): Promise<EmbeddingServer> {
  let refused: string | undefined
  const server = await modelServer<Body>(({ input }) => {
    const mark = refused
    if (mark !== undefined && input.some((text) => text.includes(mark))) {
      return { fault: { status: 400, body: JSON.stringify({ error: { message: 'too long' } }) } }
    }
    return { json: { data: input.map((text, index) => ({ embedding: vectorOf(text), index })) } }
  })
  return {
    ...server,
    get closed() {
      return server.closed
    },
    get texts() {
      return server.asked.flatMap(({ body }) => body.input)
    },
    get refused() {
      return refused
    },
    set refused(mark) {
      refused = mark
    },
  }
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
