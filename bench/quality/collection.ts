import { createReadStream } from 'node:fs'

/** A document for a ranker. */
export interface Doc {
  readonly id: string
  /** Relative, with `/`; '' if the collection has no paths. */
  readonly path: string
  /** '' if the collection has no titles. */
  readonly title: string
  readonly text: string
}

export interface Query {
  readonly id: string
  readonly text: string
  /** What the query tests: 'words', 'typo', 'anchor' …; absent in sets without kinds. */
  readonly kind?: string
}

/** The relevance of documents, by query and document. Above 0 is relevant. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Documents, queries, and the documents that answer each query. Documents can be streamed any number of times. */
export interface JudgedSet {
  readonly name: string
  documents(): AsyncIterable<Doc>
  /** Queries with a relevant document. Queries without one say nothing about a ranking, and are left out. */
  readonly queries: readonly Query[]
  readonly judgements: Judgements
}

/** The lines of a file, without their ends, one at a time. A line ends at LF or CRLF: JSON may hold U+2028. */
export async function* linesOf(path: string): AsyncIterable<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  if (rest !== '') yield rest
}

/** Judgements from rows. If two rows judge the same pair, the higher relevance counts. */
export function judgementsOf(rows: Iterable<readonly [query: string, doc: string, relevance: number]>): Judgements {
  const judgements = new Map<string, Map<string, number>>()
  for (const [query, doc, relevance] of rows) {
    const byDoc = judgements.get(query) ?? new Map<string, number>()
    byDoc.set(doc, Math.max(relevance, byDoc.get(doc) ?? 0))
    judgements.set(query, byDoc)
  }
  return judgements
}

/** The queries that have a relevant document. */
export function answerable(queries: readonly Query[], judgements: Judgements): Query[] {
  return queries.filter(({ id }) => [...(judgements.get(id)?.values() ?? [])].some((relevance) => relevance > 0))
}
