import { yieldToEvents } from '../../core/steps.ts'
import { type Phrase, type Query, stemsOfPrefix, type WithoutTerm } from '../../retrieval/query.ts'
import { holdsPhrase } from '../../retrieval/snippets.ts'
import { withoutCase } from '../../retrieval/substrings.ts'
import { composeText, scanTerms } from '../../retrieval/terms.ts'
import type { Document } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'

/** Hits whose texts are fetched at a time. */
const AT_ONCE = 32

/** Texts of documents, each read once for a search. */
export class ReadTexts {
  /** By document. */
  readonly known = new Map<number, string>()
  readonly #store: Store
  readonly #plain = new Map<number, string>()

  constructor(store: Store) {
    this.#store = store
  }

  async read(documents: readonly Document[]): Promise<void> {
    const unread = documents.flatMap(({ id }) => (this.known.has(id) ? [] : [id]))
    for (const [id, text] of await this.#store.documents.texts(unread)) this.known.set(id, text)
  }

  of({ id }: Document): string {
    return this.known.get(id) ?? ''
  }

  /** The text without case, made at the first call. */
  plainOf(document: Document): string {
    const plain = this.#plain.get(document.id) ?? withoutCase(this.of(document))
    this.#plain.set(document.id, plain)
    return plain
  }
}

/** Whether a query needs texts: for phrases, substrings, and documents without these. */
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

/** The best `limit` hits whose texts satisfy the query: the index does not know positions of words. */
export async function filterByText<Hit extends { readonly document: Document }>(
  store: Store,
  hits: readonly Hit[],
  { query, limit, satisfies, signal }: TextFilter,
): Promise<Hit[]> {
  const kept: Hit[] = []
  for (let at = 0; at < hits.length && kept.length < limit; at += AT_ONCE) {
    if (at > 0) await yieldToEvents(signal)
    const some = hits.slice(at, at + AT_ONCE)
    const texts = await store.documents.texts(some.map(({ document }) => document.id))
    for (const hit of some) {
      const text = texts.get(hit.document.id)
      if (text !== undefined && satisfies(query, hit.document, text)) kept.push(hit)
    }
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
