import { batchesWithin } from '../../core/batches.ts'
import { yieldToEvents } from '../../core/steps.ts'
import type { Query } from '../../retrieval/query.ts'
import { withoutCase } from '../../retrieval/substrings.ts'
import type { Document } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'

/** Maximum documents to read at a time, and maximum bytes of their files. */
const BATCH = { count: 32, size: 4_000_000 } as const

/** Maximum UTF-16 units of texts that a search caches. */
const MAX_CACHED_UNITS = 8_000_000

export interface DocumentHit {
  readonly document: Document
}

export class DocumentText {
  readonly text: string
  #plain: string | undefined

  constructor(text: string) {
    this.text = text
  }

  /** The text with equal upper and lower case (`withoutCase`), computed at the first call. */
  get plain(): string {
    this.#plain ??= withoutCase(this.text)
    return this.#plain
  }
}

/** Reads texts of documents in batches. Caches the first texts for one search, up to `MAX_CACHED_UNITS`. */
export class ExactTextReader {
  readonly #readTexts: Store['documents']['texts']
  readonly #cached = new Map<number, DocumentText>()
  #remainingUnits: number

  constructor(readTexts: Store['documents']['texts'], maxUnits = MAX_CACHED_UNITS) {
    this.#readTexts = readTexts
    this.#remainingUnits = maxUnits
  }

  /** Hits whose documents exist, with their texts, in order. Reads the texts on demand. */
  async *each<Hit extends DocumentHit>(
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): AsyncGenerator<readonly [Hit, DocumentText]> {
    for (const batch of batchesWithin(hits, { ...BATCH, sizeOf: ({ document }) => document.size })) {
      const unread = batch.flatMap(({ document: { id } }) => (this.#cached.has(id) ? [] : [id]))
      const newTexts = new Map<number, DocumentText>()
      if (unread.length > 0)
        for (const [id, text] of await this.#readTexts(unread)) newTexts.set(id, this.#cache(id, text))
      for (const hit of batch) {
        const text = newTexts.get(hit.document.id) ?? this.#cached.get(hit.document.id)
        if (text) yield [hit, text]
      }
      await yieldToEvents(signal)
    }
  }

  /** The result of `make` for each hit and its text, by the id of the document. */
  async map<Hit extends DocumentHit, Made>(hits: readonly Hit[], make: (hit: Hit, text: string) => Made) {
    const results = new Map<number, Made>()
    for await (const [hit, { text }] of this.each(hits)) results.set(hit.document.id, make(hit, text))
    return results
  }

  #cache(id: number, text: string): DocumentText {
    const documentText = new DocumentText(text)
    // Twice the length, because `plain` is cached, too.
    const units = 2 * text.length
    if (units <= this.#remainingUnits) {
      this.#remainingUnits -= units
      this.#cached.set(id, documentText)
    }
    return documentText
  }
}

/** Whether only the texts show which documents match: the query requires or excludes phrases or substrings. */
export function needsTexts({ phrases, withoutPhrases, pieces, withoutPieces }: Query): boolean {
  return phrases.some(({ terms }) => terms.length > 1) || [...withoutPhrases, ...pieces, ...withoutPieces].length > 0
}

interface TextFilter {
  readonly query: Query
  readonly limit: number
  readonly satisfies: (query: Query, document: Document, text: string) => boolean
  readonly signal?: AbortSignal | undefined
}

/** The first `limit` hits whose texts satisfy the query. Needed because the index has no positions of words. */
export async function filterByText<Hit extends DocumentHit>(
  texts: ExactTextReader,
  hits: readonly Hit[],
  { query, limit, satisfies, signal }: TextFilter,
): Promise<Hit[]> {
  const matches: Hit[] = []
  for await (const [hit, { text }] of texts.each(hits, signal)) {
    if (satisfies(query, hit.document, text)) matches.push(hit)
    if (matches.length >= limit) break
  }
  return matches
}
