/** Finds the documents that a query is about. */

import { throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { parseQuery, type Query } from '../../retrieval/query.ts'
import { type Ranked, type Ranking, rank } from '../../retrieval/rank.ts'
import type { Document, DocumentFilter } from '../../stores/document-store.ts'
import type { IndexView, Store } from '../../stores/store.ts'
import { byCodeUnit } from '../../text/paths.ts'
import { keepsSatisfying, needsTexts } from './exact-text.ts'
import { type Boost, boostOf, HIGHEST_BOOST } from './title.ts'
import { type Meant, meaningOf, wantedOf, withoutPieces } from './wanted.ts'

/** What is looked for, and where. */
export interface LexicalRequest {
  readonly query: string
  readonly filter: DocumentFilter
  /** Most hits. */
  readonly limit: number
}

/** A document that was found. */
export interface LexicalHit {
  readonly document: Document
  /** In 0..1: the share of what a document could have scored. */
  readonly score: number
  readonly boost: Boost
}

export interface LexicalAnswer {
  /** The best first; ties by collection and path. */
  readonly hits: readonly LexicalHit[]
  /** Documents that were found in all; of one that only the texts can answer, before they were read. */
  readonly total: number
  readonly query: Query
  /** What each word was taken for, and how much it tells. */
  readonly meant: readonly Meant[]
  /** Documents that had to be read to tell whether they hold a piece of text. */
  readonly unindexed: number
}

/** Hits whose titles are looked at closely. */
const RERANKED = 40

/** Hits whose texts are looked through at a time. */
const VERIFIED = 64

/** Looks in the lexical index. */
export async function searchLexically(store: Store, request: LexicalRequest, { signal }: Run): Promise<LexicalAnswer> {
  const query = parseQuery(request.query)
  const filter = filterOf(query, request.filter)
  const { view, meant } = await meaningOf(store, query, filter)
  const unindexed = query.pieces.length === 0 ? 0 : withoutPieces(view)
  const nothing = { hits: [], total: 0, query, meant, unindexed }
  if (meant.length + query.pieces.length === 0) return nothing
  throwIfAborted(signal)
  const wanted = wantedOf(query, meant, view)
  const depth = Math.max(request.limit, RERANKED)
  for (let most = needsTexts(query) ? depth + VERIFIED : depth; ; most *= 4) {
    throwIfAborted(signal)
    const ranking = rank(view.segments, wanted, most)
    const told = meant.map((one, index) => ({ ...one, ...ranking.told[index] }))
    const hits = await hitsOf(store, { ranking, view, query, limit: request.limit, signal })
    const isAll = ranking.ranked.length >= ranking.total
    if (hits.length >= request.limit || isAll || !needsTexts(query)) {
      return { hits: hits.slice(0, request.limit), total: ranking.total, query, meant: told, unindexed }
    }
  }
}

/** The filter, with what the query itself says of paths. */
export function filterOf({ paths, withoutPaths }: Query, filter: DocumentFilter): DocumentFilter {
  if (paths.length + withoutPaths.length === 0) return filter
  return { ...filter, pathParts: paths, withoutPathParts: withoutPaths }
}

interface Found {
  readonly ranking: Ranking
  readonly view: IndexView
  readonly query: Query
  readonly limit: number
  readonly signal: AbortSignal | undefined
}

async function hitsOf(store: Store, { ranking, view, query, limit, signal }: Found): Promise<LexicalHit[]> {
  const scores = new Map(ranking.ranked.map((one) => [idOf(one, view), one.score]))
  const documents = await store.documents.byId([...scores.keys()])
  // No title can lift a score further than this.
  const highest = ranking.best * HIGHEST_BOOST || 1
  const hits = documents.map((document): LexicalHit => {
    const boost = boostOf(document, query)
    return { document, boost, score: ((scores.get(document.id) ?? 0) * boost.factor) / highest }
  })
  hits.sort((a, b) => b.score - a.score || compared(a.document, b.document))
  return needsTexts(query) ? keepsSatisfying(store, hits, { query, limit, signal }) : hits
}

function idOf({ segment, doc }: Ranked, { segments }: IndexView): number {
  return segments[segment]?.ids[doc] ?? 0
}

/** By collection and path. */
export function compared(a: Document, b: Document): number {
  return byCodeUnit(a.collection, b.collection) || byCodeUnit(a.path, b.path)
}
