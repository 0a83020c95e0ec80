/** Finds the documents that a query is about. */

import { throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { parseQuery, type Query } from '../../retrieval/query.ts'
import { type Ranked, rank } from '../../retrieval/rank.ts'
import { REREAD } from '../../retrieval/reread.ts'
import type { DocumentFilter } from '../../stores/document-store.ts'
import type { IndexView, Store } from '../../stores/store.ts'
import { exactlyWanted, findExactHits } from './exact-first.ts'
import { filterByExactText, needsTexts } from './exact-text.ts'
import type { FusedHit } from './fusion.ts'
import { compareHits, type LexicalHit } from './lexical-hit.ts'
import type { Meaning } from './meaning.ts'
import { rereadHits } from './reread-hits.ts'
import { boostOf, HIGHEST_BOOST } from './title.ts'
import { type ResolvedTerm, resolveTerms, wantedOf, withoutPieces } from './wanted.ts'

/** What is looked for, and where. */
export interface LexicalRequest {
  readonly query: string
  readonly filter: DocumentFilter
  /** Most hits. */
  readonly limit: number
  /** What is compared beside the words. Default: nothing. */
  resolveMeaning?(query: Query, found: FoundWords): Promise<Meaning | undefined>
}

/** What the words of a query are in the index. */
export interface FoundWords {
  readonly resolved: readonly ResolvedTerm[]
  /** Documents that there are. */
  readonly documents: number
  readonly filter: DocumentFilter
}

export interface LexicalAnswer {
  /** The best first; ties by collection and path. */
  readonly hits: readonly FusedHit[]
  /** Whether meaning counted. */
  readonly isFused: boolean
  /** Documents that were found in all; of one that only the texts can answer, before they were read. */
  readonly total: number
  readonly query: Query
  /** What each word was taken for, and how much it tells. */
  readonly resolved: readonly ResolvedTerm[]
  /** Documents that had to be read to tell whether they hold a piece of text. */
  readonly unindexed: number
  /** Phrases that no document holds, for which it was searched by their words. Default: none. */
  readonly loosePhrases?: number
  /** Texts that were read, by document. */
  readonly texts: ReadonlyMap<number, string>
}

/** Hits whose titles are looked at closely. */
const RERANKED = 40

/** Hits whose texts are looked through at a time. */
const VERIFIED = 64

/** Looks in the lexical index. Phrases that no document holds are looked for by their words. */
export async function searchLexically(store: Store, request: LexicalRequest, run: Run): Promise<LexicalAnswer> {
  const query = parseQuery(request.query)
  const answer = await searchFor(store, query, { request, run })
  const { phrases } = query
  if (answer.hits.length > 0 || phrases.length === 0) return answer
  const loose = await searchFor(store, { ...query, phrases: [] }, { request, run })
  return loose.hits.length === 0 ? answer : { ...loose, loosePhrases: phrases.length }
}

interface Searching {
  readonly request: LexicalRequest
  readonly run: Run
}

async function searchFor(store: Store, query: Query, { request, run: { signal } }: Searching): Promise<LexicalAnswer> {
  const filter = narrowFilter(query, request.filter)
  const { view, resolved: terms, needed } = await resolveTerms(store, query, filter, signal)
  const unindexed = query.pieces.length === 0 || needed.length > 0 ? 0 : withoutPieces(view)
  const nothing = { hits: [], isFused: false, total: 0, query, resolved: terms, unindexed, texts: new Map() }
  if (terms.length + query.pieces.length === 0) return nothing
  throwIfAborted(signal)
  const wanted = [...wantedOf(query, terms, view), ...needed]
  const exact = exactlyWanted(query, terms)
  const groups = exact.map(({ group }) => group)
  const depth = Math.max(request.limit, RERANKED)
  for (let most = needsTexts(query) ? depth + VERIFIED : depth; ; most *= 4) {
    throwIfAborted(signal)
    const ranking = rank(view.segments, wanted, most, groups)
    const resolved = terms.map((one, index) => ({ ...one, ...ranking.found[index] }))
    const limit = Math.max(request.limit, REREAD)
    const hitsOf = (ranked: readonly Ranked[]) => readHits(store, ranked, { view, query, limit, signal })
    const hits = await hitsOf(ranking.ranked)
    const isAll = ranking.ranked.length >= ranking.total
    if (hits.length >= request.limit || isAll || !needsTexts(query)) {
      const idOf = (ranked: Ranked) => documentId(ranked, view)
      const first = hits.slice(0, REREAD)
      const exactHits = await findExactHits(exact, { store, together: ranking.together, first, signal, hitsOf, idOf })
      const highest = ranking.best * HIGHEST_BOOST || 1
      const documents = view.segments.reduce((sum, { live }) => sum + live.docs, 0)
      const meaning = await request.resolveMeaning?.(query, { resolved, documents, filter })
      const reread = await rereadHits(store, hits, { query, resolved, highest, meaning, exact: exactHits })
      return {
        ...reread,
        hits: reread.hits.slice(0, request.limit),
        isFused: meaning !== undefined,
        total: Math.max(ranking.total, reread.hits.length),
        query,
        resolved,
        unindexed,
      }
    }
  }
}

/** The filter, with what the query itself says of paths. */
export function narrowFilter({ paths, withoutPaths }: Query, filter: DocumentFilter): DocumentFilter {
  if (paths.length + withoutPaths.length === 0) return filter
  return { ...filter, pathParts: paths, withoutPathParts: withoutPaths }
}

interface RankedView {
  readonly view: IndexView
  readonly query: Query
  readonly limit: number
  readonly signal: AbortSignal | undefined
}

async function readHits(
  store: Store,
  ranked: readonly Ranked[],
  { view, query, limit, signal }: RankedView,
): Promise<LexicalHit[]> {
  const scores = new Map(ranked.map((one) => [documentId(one, view), one.score]))
  const documents = await store.documents.byId([...scores.keys()])
  const hits = documents.map((document): LexicalHit => {
    const boost = boostOf(document, query)
    return { document, boost, score: (scores.get(document.id) ?? 0) * boost.factor }
  })
  hits.sort((a, b) => b.score - a.score || compareHits(a.document, b.document))
  return needsTexts(query) ? filterByExactText(store, hits, { query, limit, signal }) : hits
}

function documentId({ segment, doc }: Ranked, { segments }: IndexView): number {
  return segments[segment]?.ids[doc] ?? 0
}
