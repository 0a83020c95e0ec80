import { yieldToEvents } from '../../core/steps.ts'
import { type Phrase, type Query, stemsOfPrefix, type WithoutTerm } from '../../retrieval/query.ts'
import { holdsPhrase } from '../../retrieval/snippets.ts'
import { withoutCase } from '../../retrieval/substrings.ts'
import { composeText, scanTerms } from '../../retrieval/terms.ts'
import type { Document } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'

/** Maximum documents to read at a time, and maximum bytes of their files. */
const AT_ONCE = { documents: 32, bytes: 4_000_000 } as const

/** Maximum UTF-16 units of texts that a search caches. */
const MAX_KEPT = 8_000_000

interface HasDocument {
  readonly document: Document
}

export class DocumentText {
  readonly text: string
  #plain: string | undefined

  constructor(text: string) {
    this.text = text
  }

  /** The text without case, computed at the first call. */
  get plain(): string {
    this.#plain ??= withoutCase(this.text)
    return this.#plain
  }
}

/** Reads texts of documents in groups. Caches the first ones for the rest of a search, up to `MAX_KEPT`. */
export class ReadTexts {
  readonly #read: Store['documents']['texts']
  readonly #kept = new Map<number, DocumentText>()
  #room: number

  constructor(read: Store['documents']['texts'], room = MAX_KEPT) {
    this.#read = read
    this.#room = room
  }

  /** Hits whose documents exist, with their texts, in order. Reads the texts on demand. */
  async *each<Hit extends HasDocument>(
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): AsyncGenerator<readonly [Hit, DocumentText]> {
    for (let at = 0; at < hits.length; ) {
      if (at > 0) await yieldToEvents(signal)
      const turn = turnFrom(hits, at)
      const unread = turn.flatMap(({ document: { id } }) => (this.#kept.has(id) ? [] : [id]))
      const read = new Map<number, DocumentText>()
      if (unread.length > 0) for (const [id, text] of await this.#read(unread)) read.set(id, this.#keep(id, text))
      for (const hit of turn) {
        const text = read.get(hit.document.id) ?? this.#kept.get(hit.document.id)
        if (text) yield [hit, text]
      }
      at += turn.length
    }
  }

  /** The result of `make` for each hit and its text, by the id of the document. */
  async map<Hit extends HasDocument, Made>(
    hits: readonly Hit[],
    make: (hit: Hit, text: string) => Made,
  ): Promise<ReadonlyMap<number, Made>> {
    const made = new Map<number, Made>()
    for await (const [hit, { text }] of this.each(hits)) made.set(hit.document.id, make(hit, text))
    return made
  }

  #keep(id: number, read: string): DocumentText {
    const text = new DocumentText(read)
    // Twice the length, for the text without case.
    const units = 2 * read.length
    if (units <= this.#room) {
      this.#room -= units
      this.#kept.set(id, text)
    }
    return text
  }
}

function turnFrom<Hit extends HasDocument>(hits: readonly Hit[], from: number): readonly Hit[] {
  let [to, bytes] = [from, 0]
  while (to < hits.length && to - from < AT_ONCE.documents) {
    bytes += hits[to]?.document.size ?? 0
    if (bytes > AT_ONCE.bytes && to > from) break
    to++
  }
  return hits.slice(from, to)
}

/** Whether a query requires or excludes phrases or substrings, which only the texts can show. */
export function needsTexts({ phrases, withoutPhrases, pieces, withoutPieces }: Query): boolean {
  return (
    phrases.some(({ terms }) => terms.length > 1) || withoutPhrases.length + pieces.length + withoutPieces.length > 0
  )
}

interface TextFilter {
  readonly query: Query
  readonly limit: number
  readonly satisfies: (query: Query, document: Document, text: string) => boolean
  readonly signal?: AbortSignal | undefined
}

/** The best `limit` hits whose texts satisfy the query. The index has no positions of words. */
export async function filterByText<Hit extends HasDocument>(
  texts: ReadTexts,
  hits: readonly Hit[],
  { query, limit, satisfies, signal }: TextFilter,
): Promise<Hit[]> {
  const kept: Hit[] = []
  for await (const [hit, { text }] of texts.each(hits, signal)) {
    if (satisfies(query, hit.document, text)) kept.push(hit)
    if (kept.length >= limit) break
  }
  return kept
}

/** Whether a document satisfies all conditions of a query. */
export function satisfiesAll(query: Query, document: Document, text: string): boolean {
  const fields = [document.title, document.path]
  const holds = (term: WithoutTerm) => holdsTerm(term.inTitle ? fields : [...fields, text], term)
  const needed = query.terms.filter(({ inTitle, kind }) => inTitle && kind === 'word')
  return needed.every(holds) && !query.withoutTerms.some(holds) && satisfiesTexts(query, document, text)
}

function holdsTerm(texts: readonly string[], { term, isPrefix }: WithoutTerm): boolean {
  const stems = new Set(isPrefix ? stemsOfPrefix(term) : [term])
  let found = false
  const hear = (one: string) => {
    found ||= stems.has(one) || (isPrefix && one.startsWith(term))
  }
  for (const text of texts) if (!found) scanTerms(composeText(text), { main: hear, extra: hear })
  return found
}

/** Whether a document satisfies the phrases and substrings of a query. */
export function satisfiesTexts(query: Query, document: Document, text: string): boolean {
  const { phrases, withoutPhrases, pieces, withoutPieces } = query
  const holds = ({ terms, inTitle }: Phrase) =>
    holdsPhrase(document.title, terms) || holdsPhrase(document.path, terms) || (!inTitle && holdsPhrase(text, terms))
  const plain = pieces.length + withoutPieces.length === 0 ? '' : withoutCase(text)
  const contains = (piece: string) => plain.includes(withoutCase(piece))
  if (!pieces.every(contains) || withoutPieces.some(contains)) return false
  return phrases.every(holds) && !withoutPhrases.some(holds)
}
