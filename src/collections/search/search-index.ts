/** Finds the documents that a query is about. */

import { throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { WantedTerm } from '../../retrieval/passages.ts'
import { parseQuery, type Query } from '../../retrieval/query.ts'
import { type Ranked, rank } from '../../retrieval/rank.ts'
import { REREAD, REREAD_GAIN, Rereader } from '../../retrieval/reread.ts'
import type { DocumentFilter } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'
import { type ExactHits, exactlyWanted, findExactHits, putExactFirst } from './exact-first.ts'
import { filterByText, needsTexts, ReadTexts, satisfiesTexts } from './exact-text.ts'
import { boostOf, compareHits, type FusedHit, fuseHits, HIGHEST_BOOST, type LexicalHit } from './fusion.ts'
import { type Meaning, UNKNOWN_IDF } from './meaning.ts'
import { type ResolvedTerm, resolveTerms, wantedOf, withoutPieces } from './wanted.ts'

/** Query and scope of a search by words. */
export interface LexicalRequest {
  readonly query: string
  readonly filter: DocumentFilter
  /** Maximum number of hits. */
  readonly limit: number
  /** Compares documents by meaning, too. Default: only by words. */
  resolveMeaning?(query: Query, found: FoundWords): Promise<Meaning | undefined>
}

/** The words of a query in the index. */
export interface FoundWords {
  readonly resolved: readonly ResolvedTerm[]
  readonly documents: number
  readonly texts: ReadTexts
}

export interface LexicalAnswer {
  /** The best first; ties by collection and path. */
  readonly hits: readonly FusedHit[]
  /** Whether the scores include meaning. */
  readonly isFused: boolean
  /** Number of all found documents; for a query that needs texts, before reading them. */
  readonly total: number
  readonly query: Query
  /** The term that each word resolved to, and its idf. */
  readonly resolved: readonly ResolvedTerm[]
  /** Number of documents that were read to find a substring. */
  readonly unindexed: number
  /** Number of phrases that no document contains, whose words were searched instead. Default: 0. */
  readonly loosePhrases?: number
  /** Reads and caches texts. */
  readonly texts: ReadTexts
}

/** Number of hits whose titles are compared in detail. */
const RERANKED = 40

/** Minimum coverage of a query by a hit, so that its score is above 0. */
const LEAST_COVERAGE = 0.01

/** Number of texts that are read at a time. */
const VERIFIED = 64

/** Searches the lexical index. For a phrase that no document contains, searches its words. */
export async function searchLexically(store: Store, request: LexicalRequest, { signal }: Run): Promise<LexicalAnswer> {
  const query = parseQuery(request.query)
  const answer = await searchFor(store, query, { request, signal })
  const { phrases } = query
  if (answer.hits.length > 0 || phrases.length === 0) return answer
  const loose = await searchFor(store, { ...query, phrases: [] }, { request, signal })
  return loose.hits.length === 0 ? answer : { ...loose, loosePhrases: phrases.length }
}

async function searchFor(
  store: Store,
  query: Query,
  { request, signal }: { readonly request: LexicalRequest; readonly signal: AbortSignal | undefined },
): Promise<LexicalAnswer> {
  const filter = narrowFilter(query, request.filter)
  const { view, resolved: terms, needed } = await resolveTerms(store, query, filter, signal)
  const unindexed = query.pieces.length === 0 || needed.length > 0 ? 0 : withoutPieces(view)
  const texts = new ReadTexts((ids) => store.documents.texts(ids))
  const nothing = { hits: [], isFused: false, total: 0, query, resolved: terms, unindexed, texts }
  if (terms.length + query.pieces.length === 0) return nothing
  const isByText = needsTexts(query)
  const idOf = ({ segment, doc }: Ranked) => view.segments[segment]?.ids[doc] ?? 0
  const hitsOf = async (ranked: readonly Ranked[]): Promise<LexicalHit[]> => {
    const scores = new Map(ranked.map((one) => [idOf(one), one.score]))
    const hits = (await store.documents.byId([...scores.keys()])).map((document): LexicalHit => {
      const boost = boostOf(document, query)
      return { document, boost, score: (scores.get(document.id) ?? 0) * boost.factor }
    })
    hits.sort((a, b) => b.score - a.score || compareHits(a.document, b.document))
    const limit = Math.max(request.limit, REREAD)
    return isByText ? filterByText(texts, hits, { query, limit, satisfies: satisfiesTexts, signal }) : hits
  }
  const wanted = [...wantedOf(query, terms, view), ...needed]
  const exact = exactlyWanted(query, terms)
  const groups = exact.map(({ group }) => group)
  const depth = Math.max(request.limit, RERANKED)
  for (let most = isByText ? depth + VERIFIED : depth; ; most *= 4) {
    throwIfAborted(signal)
    const ranking = rank(view.segments, wanted, most, groups)
    const hits = await hitsOf(ranking.ranked)
    if (isByText && hits.length < request.limit && ranking.ranked.length < ranking.total) continue
    const resolved = terms.map((one, index) => ({ ...one, ...ranking.found[index] }))
    const first = hits.slice(0, REREAD)
    const exactHits = await findExactHits(exact, { texts, together: ranking.together, first, signal, hitsOf, idOf })
    const highest = ranking.best * HIGHEST_BOOST || 1
    const documents = view.segments.reduce((sum, { live }) => sum + live.docs, 0)
    const meaning = await request.resolveMeaning?.(query, { resolved, documents, texts })
    const reread = await rereadHits(texts, hits, { query, resolved, highest, meaning, exact: exactHits })
    const total = Math.max(ranking.total, reread.length)
    const isFused = meaning !== undefined
    return { hits: reread.slice(0, request.limit), isFused, total, query, resolved, unindexed, texts }
  }
}

/** The filter with the path conditions of the query. */
export function narrowFilter({ paths, withoutPaths }: Query, filter: DocumentFilter): DocumentFilter {
  if (paths.length + withoutPaths.length === 0) return filter
  return { ...filter, pathParts: paths, withoutPathParts: withoutPaths }
}

interface Rereading {
  readonly query: Pick<Query, 'plain'>
  readonly resolved: readonly ResolvedTerm[]
  /** The maximum score of the index. */
  readonly highest: number
  /** Absent if only words count. */
  readonly meaning: Meaning | undefined
  readonly exact: ExactHits
}

/**
 * Sorts hits by their texts: the score of the index times the share of the query in the text and in the best passage, then by meaning. Hits with the
 * query or its names verbatim come first. Only these and the best hits are read. Scores are those of the index before, and from 0 to 1 after.
 */
async function rereadHits(
  texts: ReadTexts,
  hits: readonly LexicalHit[],
  { query, resolved, highest, meaning, exact }: Rereading,
): Promise<readonly FusedHit[]> {
  const rereader = new Rereader(query.plain, resolved.flatMap(wantedTerm))
  const best = hits.slice(0, REREAD)
  const isBest = new Set(best.map(({ document }) => document.id))
  const read = [...best, ...exact.hits.filter(({ document }) => !isBest.has(document.id))]
  const isRead = new Set(read.map(({ document }) => document.id))
  const rereads = await texts.map(read, (_, text) => rereader.read(text))
  const scored = read.map((hit): LexicalHit => {
    const { passage = 0, run = 0, shown } = rereads.get(hit.document.id) ?? {}
    const score = hit.score * (1 + REREAD_GAIN.run * run * run) + REREAD_GAIN.passage * passage
    return { ...hit, score, ...(shown && { shown }) }
  })
  const all = [...scored, ...hits.filter(({ document }) => !isRead.has(document.id))].sort(
    (a, b) => b.score - a.score || compareHits(a.document, b.document),
  )
  const most = highest + REREAD_GAIN.passage * rereader.highest
  const byWords = all.map(({ document, shown, boost, score }, at): FusedHit => {
    const share = Math.min(1, score / most)
    return { document, score: share, lexical: { rank: at + 1, score: share, boost }, ...(shown && { shown }) }
  })
  if (!meaning) return putExactFirst(byWords, exact.grades)
  const [first] = byWords
  const held = await texts.map(first ? [first] : [], ({ document }, text) =>
    rereader.held(`${document.title}\n${text}`),
  )
  const coverage = coverageOf(resolved, held.get(first?.document.id ?? 0))
  const beyond = await meaning.beyond(coverage)
  const compared = byWords.filter(({ document }) => isRead.has(document.id))
  const further = beyond.filter(({ id }) => !isRead.has(id)).map((document) => ({ document }))
  const near = await meaning.nearest([...compared, ...further], texts, coverage)
  return putExactFirst(fuseHits(byWords, beyond, { meaning, coverage, near }), exact.grades)
}

/** Share of the query that a hit contains, weighted by idf; 0 without a hit. A word that no document contains weighs most. */
function coverageOf(resolved: readonly ResolvedTerm[], held: number | undefined): number {
  if (held === undefined) return 0
  const words = resolved.filter(({ term }) => term.kind === 'word')
  const all = words.reduce((sum, { term, terms, idf = 0 }) => {
    return sum + term.weight * (terms.length === 0 ? UNKNOWN_IDF : idf)
  }, 0)
  return all === 0 ? 1 : Math.max(LEAST_COVERAGE, Math.min(1, held / all))
}

/**
 * The term to find in texts. A prefix is searched as typed, because its terms depend on the history of the index, and one text is faster to find than
 * many.
 */
function wantedTerm({ terms, term, idf = 0, as, share }: ResolvedTerm): WantedTerm[] {
  if (terms.length === 0 || idf <= 0) return []
  const isPrefix = term.isPrefix || (as === 'begun' && terms.every((one) => one.startsWith(term.term)))
  return [{ forms: isPrefix ? [term.term] : terms, isPrefix, weight: term.weight * share, idf, cover: 1 }]
}
