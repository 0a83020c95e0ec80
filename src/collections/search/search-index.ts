/** Searches by words, and sorts the best hits by their texts and their meaning. */

import { throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { satisfiesTexts } from '../../retrieval/conditions.ts'
import type { WantedTerm } from '../../retrieval/passages.ts'
import { parseQuery, type Query } from '../../retrieval/query.ts'
import { type RankedDocument, rank } from '../../retrieval/rank.ts'
import { MAX_REREAD, REREAD_GAIN, Rereader, UNKNOWN_IDF } from '../../retrieval/reread.ts'
import type { DocumentFilter } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'
import { type ExactHits, exactCandidates, findExactHits, putExactFirst } from './exact-first.ts'
import { ExactTextReader, filterByText, needsTexts } from './exact-text.ts'
import { compareHits, type FusedHit, fuseHits, type LexicalHit, MAX_TITLE_BOOST, titleBoost } from './fusion.ts'
import type { Meaning } from './meaning.ts'
import { countUnindexed, type ResolvedTerm, resolveTerms, toRankedTerms } from './resolve-terms.ts'

/** The query and the filter of a search by words. */
export interface LexicalRequest {
  readonly query: string
  readonly filter: DocumentFilter
  /** Maximum number of hits. */
  readonly limit: number
  /** Returns how to compare documents by meaning; undefined for words alone. Default: words alone. */
  resolveMeaning?(query: Query, resolved: ResolvedQuery): Promise<Meaning | undefined>
}

export interface LexicalAnswer {
  /** The best first; ties by collection and path. */
  readonly hits: readonly FusedHit[]
  /** Whether the scores include meaning. */
  readonly isFused: boolean
  /** Number of documents that match by the index, even if their texts lack a phrase or a substring of the query. */
  readonly total: number
  readonly query: Query
  /** The words of the query with their index terms and their inverse document frequencies (idf). */
  readonly resolved: readonly ResolvedTerm[]
  /** Number of documents that had to be read, because their substrings are not indexed. */
  readonly unindexedDocuments: number
  /** Whether the words of phrases were searched separately, because no document contains the phrases. */
  readonly isLoosened?: boolean
  /** Reads and caches texts. */
  readonly texts: ExactTextReader
}

/** The words of a query in the index. */
export interface ResolvedQuery extends Pick<LexicalAnswer, 'resolved' | 'texts'> {
  /** Number of all live documents. */
  readonly documentCount: number
}

/** Minimum number of documents to rank, because a matching title may raise a later document among the best. */
const MIN_RANKED_DOCUMENTS = 40

/** Lowest coverage (share of the query that the best hit contains), so that scores by words stay above 0. */
const MIN_COVERAGE = 0.01

/** Number of documents to rank beyond the limit, if only the texts show whether documents match. */
const TEXT_CHECK_MARGIN = 64

/** Searches the lexical index. For a phrase that no document contains, searches its words. */
export async function searchLexically(store: Store, request: LexicalRequest, { signal }: Run): Promise<LexicalAnswer> {
  const query = parseQuery(request.query)
  const answer = await searchIndex(store, query, { request, signal })
  if (answer.hits.length > 0 || query.phrases.length === 0) return answer
  const loosened = await searchIndex(store, { ...query, phrases: [] }, { request, signal })
  return loosened.hits.length === 0 ? answer : { ...loosened, isLoosened: true }
}

async function searchIndex(
  store: Store,
  query: Query,
  { request, signal }: { readonly request: LexicalRequest; readonly signal: AbortSignal | undefined },
): Promise<LexicalAnswer> {
  const filter = narrowFilter(query, request.filter)
  const { view, resolved: resolvedTerms, requiredTerms } = await resolveTerms(store, query, filter, signal)
  const unindexedDocuments = query.pieces.length === 0 || requiredTerms.length > 0 ? 0 : countUnindexed(view)
  const texts = new ExactTextReader((ids) => store.documents.texts(ids))
  const emptyAnswer = { hits: [], isFused: false, total: 0, query, resolved: resolvedTerms, unindexedDocuments, texts }
  if (resolvedTerms.length + query.pieces.length === 0) return emptyAnswer
  const needsTextCheck = needsTexts(query)
  const idOf = ({ segment, doc }: RankedDocument) => view.segments[segment]?.ids[doc] ?? 0
  const hitsOf = async (ranked: readonly RankedDocument[]): Promise<LexicalHit[]> => {
    const scores = new Map(ranked.map((document) => [idOf(document), document.score]))
    const hits = (await store.documents.byId([...scores.keys()])).map((document): LexicalHit => {
      const boost = titleBoost(document, query)
      return { document, boost, score: (scores.get(document.id) ?? 0) * boost.factor }
    })
    hits.sort((a, b) => b.score - a.score || compareHits(a.document, b.document))
    const limit = Math.max(request.limit, MAX_REREAD)
    return needsTextCheck ? filterByText(texts, hits, { query, limit, satisfies: satisfiesTexts, signal }) : hits
  }
  const rankedTerms = [...toRankedTerms(query, resolvedTerms, view), ...requiredTerms]
  const candidates = exactCandidates(query, resolvedTerms)
  const termGroups = candidates.map(({ termGroup }) => termGroup)
  const minDepth = Math.max(request.limit, MIN_RANKED_DOCUMENTS)
  for (let limit = needsTextCheck ? minDepth + TEXT_CHECK_MARGIN : minDepth; ; limit *= 4) {
    throwIfAborted(signal)
    const ranking = rank(view.segments, rankedTerms, limit, termGroups)
    const hits = await hitsOf(ranking.ranked)
    if (needsTextCheck && hits.length < request.limit && ranking.ranked.length < ranking.total) continue
    const resolved = resolvedTerms.map((term, index) => ({ ...term, ...ranking.terms[index] }))
    const bestHits = hits.slice(0, MAX_REREAD)
    const { documentsByGroup } = ranking
    const exactHits = await findExactHits(candidates, { texts, documentsByGroup, bestHits, signal, hitsOf, idOf })
    const maxScore = ranking.maxScore * MAX_TITLE_BOOST || 1
    const documentCount = view.segments.reduce((sum, { live }) => sum + live.docs, 0)
    const meaning = await request.resolveMeaning?.(query, { resolved, documentCount, texts })
    const reread = await rereadHits(texts, hits, { query, resolved, maxScore, meaning, exact: exactHits })
    const total = Math.max(ranking.total, reread.length)
    const isFused = meaning !== undefined
    return { hits: reread.slice(0, request.limit), isFused, total, query, resolved, unindexedDocuments, texts }
  }
}

export function narrowFilter({ paths, withoutPaths }: Query, filter: DocumentFilter): DocumentFilter {
  if (paths.length + withoutPaths.length === 0) return filter
  return { ...filter, pathParts: paths, withoutPathParts: withoutPaths }
}

interface RereadContext {
  readonly query: Pick<Query, 'plain'>
  readonly resolved: readonly ResolvedTerm[]
  /** The maximum score of the index. */
  readonly maxScore: number
  /** Absent if only words count. */
  readonly meaning: Meaning | undefined
  readonly exact: ExactHits
}

/**
 * Sorts hits by their texts: the longest run of query words in a text, and its best passage, raise the score by the
 * index, which is then fused with the score by meaning. Hits that contain the query or its names verbatim come first.
 * Reads the texts of the verbatim and the best hits. The returned scores are from 0 to 1.
 */
async function rereadHits(
  texts: ExactTextReader,
  hits: readonly LexicalHit[],
  { query, resolved, maxScore, meaning, exact }: RereadContext,
): Promise<readonly FusedHit[]> {
  const rereader = new Rereader(query.plain, resolved.flatMap(toWantedTerm))
  const bestHits = hits.slice(0, MAX_REREAD)
  const bestIds = new Set(bestHits.map(({ document }) => document.id))
  const readHits = [...bestHits, ...exact.hits.filter(({ document }) => !bestIds.has(document.id))]
  const readIds = new Set(readHits.map(({ document }) => document.id))
  const rereads = await texts.map(readHits, (_, text) => rereader.read(text))
  const scoredHits = readHits.map((hit): LexicalHit => {
    const { passage = 0, run = 0, shown } = rereads.get(hit.document.id) ?? {}
    const score = hit.score * (1 + REREAD_GAIN.run * run * run) + REREAD_GAIN.passage * passage
    return { ...hit, score, ...(shown && { shown }) }
  })
  const sortedHits = [...scoredHits, ...hits.filter(({ document }) => !readIds.has(document.id))].sort(
    (a, b) => b.score - a.score || compareHits(a.document, b.document),
  )
  const maximum = maxScore + REREAD_GAIN.passage * rereader.maxScore
  const lexicalHits = sortedHits.map(({ document, shown, boost, score }, at): FusedHit => {
    const share = Math.min(1, score / maximum)
    return { document, score: share, lexical: { rank: at + 1, score: share, boost }, ...(shown && { shown }) }
  })
  if (!meaning) return putExactFirst(lexicalHits, exact.grades)
  const matchedWeights = await texts.map(lexicalHits.slice(0, 1), ({ document }, text) =>
    rereader.sumOfWeights(`${document.title}\n${text}`),
  )
  const coverage = coverageOf(resolved, [...matchedWeights.values()][0])
  const furtherDocuments = await meaning.findFurther(coverage)
  const readLexicalHits = lexicalHits.filter(({ document }) => readIds.has(document.id))
  const furtherHits = furtherDocuments.filter(({ id }) => !readIds.has(id)).map((document) => ({ document }))
  const nearestById = await meaning.nearest([...readLexicalHits, ...furtherHits], texts, coverage)
  return putExactFirst(
    fuseHits(lexicalHits, furtherDocuments, { meaning, coverage, nearestById, hasName: exact.hasName }),
    exact.grades,
  )
}

/** The share of the query that a hit contains, weighted by idf; 0 without a hit. An unknown word has a high weight. */
function coverageOf(resolved: readonly ResolvedTerm[], matchedWeight: number | undefined): number {
  if (matchedWeight === undefined) return 0
  const words = resolved.filter(({ term }) => term.kind === 'word')
  const totalWeight = words.reduce((sum, { term, terms, idf = 0 }) => {
    return sum + term.weight * (terms.length === 0 ? UNKNOWN_IDF : idf)
  }, 0)
  return totalWeight === 0 ? 1 : Math.max(MIN_COVERAGE, Math.min(1, matchedWeight / totalWeight))
}

/**
 * The term to find in texts; none for a word that no document contains. A prefix is searched as typed: its terms depend
 * on the history of the index, and one text is faster to find than many.
 */
function toWantedTerm({ terms, term, idf = 0, as, share }: ResolvedTerm): WantedTerm[] {
  if (terms.length === 0 || idf <= 0) return []
  const isPrefix = term.isPrefix || (as === 'completed' && terms.every((one) => one.startsWith(term.term)))
  return [{ forms: isPrefix ? [term.term] : terms, isPrefix, weight: term.weight * share, idf, cover: 1 }]
}
