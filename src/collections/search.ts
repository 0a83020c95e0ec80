import type { Run } from '../core/flow.ts'
import { isMarkdown } from '../ingest/extracted.ts'
import type { PassageSpan } from '../retrieval/meaning.ts'
import type { Query } from '../retrieval/query.ts'
import { foldedWords, passageAround, type Snippet, snippetsOf } from '../retrieval/snippets.ts'
import { termsAmong } from '../retrieval/terms.ts'
import type { Document } from '../stores/document-store.ts'
import type { Store } from '../stores/store.ts'
import { uriOf } from '../text/collection-uri.ts'
import { splitFrontMatter } from '../text/front-matter.ts'
import { headingsAbove } from '../text/headings.ts'
import { lineStarts } from '../text/lines.ts'
import { quoteShell } from '../text/shell-quote.ts'
import { byteEnd } from '../text/truncate.ts'
import type { HitSection, SearchAnswer, SearchMode, SearchResult } from './answers.ts'
import { isIndexed, unindexedNotice } from './path-contexts/check.ts'
import type { ContextResolver } from './path-contexts.ts'
import {
  COUNTED_HITS,
  countFacets,
  type SearchFilters,
  type SearchPage,
  searchDepth,
  sliceHits,
  toDocumentFilter,
} from './search/facets.ts'
import { type FusedHit, toFusedHits } from './search/fusion.ts'
import { askTable, tableMeaning } from './search/meaning.ts'
import { type EmbeddedQuery, modelMeaning } from './search/model-meaning.ts'
import { noticesOf } from './search/notices.ts'
import { MAX_RANKED, MIN_RANKED, type Reranker } from './search/reranking.ts'
import { type LexicalAnswer, type ResolvedQuery, searchLexically } from './search/search-index.ts'
import { isPlainQuery, searchByVector } from './search/vectors.ts'

/** The query, the filters, the page and the options of a search. */
export interface SearchRequest extends SearchFilters, SearchPage {
  readonly query: string
  /** Default: `hybrid` with an embedding model, else `lexical`. */
  readonly mode?: SearchMode | undefined
  /** Sorts the best results by the scores of the reranking model. Default: false. */
  readonly rerank?: boolean | undefined
  /** Maximum number of results, 1 to 1,000. Default: 10. */
  readonly limit?: number | undefined
  /** Minimum score of results, from 0 to 1. */
  readonly minScore?: number | undefined
  /** Adds the whole text of each document. */
  readonly full?: boolean | undefined
  /** Adds an explanation of how each result was found. */
  readonly explain?: boolean | undefined
  /** Maximum number of passages of each document. Default: 1. */
  readonly sections?: number | undefined
}

export interface SearchDependencies {
  readonly contexts: ContextResolver
  readonly embedded: EmbeddedQuery
  readonly reranker?: Reranker | undefined
}

/** Searches collections. Each result has the path contexts (notes on places) of its place. */
export async function searchCollections(
  store: Store,
  { contexts, embedded, reranker }: SearchDependencies,
  request: SearchRequest,
  run: Run,
): Promise<SearchAnswer> {
  const { query, where, limit = 10, offset = 0, minScore = 0 } = request
  const depth = reranker ? Math.max(offset + limit, MIN_RANKED) : searchDepth(request, limit)
  const { answer, hits: allHits, mode } = await findHits(store, embedded, { ...request, limit: depth }, run)
  const hasMinScore = ({ score }: FusedHit) => score >= minScore
  const hits = reranker ? allHits : sliceHits(allHits.filter(hasMinScore), request, limit)
  const { texts } = answer
  const reader = hitReader(answer, request, contexts)
  const passages = reranker && (await texts.map(hits.slice(0, MAX_RANKED), reader.passageOf))
  const reranked = await reranker?.(answer.query.plain, hits, ({ document }) => passages?.get(document.id) ?? '')
  const page = reranked ? sliceHits(reranked.hits.filter(hasMinScore), request, limit) : hits
  const results = [...(await texts.map(page, reader.resultOf)).values()]
  const unfilteredTotal = results.length > 0 ? undefined : await countUnfiltered(store, request, run)
  const highestScore = Math.max(0, ...(reranked?.hits ?? allHits).map(({ score }) => score))
  const scoreGap = results.length === 0 && highestScore > 0 ? { minScore, highestScore } : undefined
  const isCut = answer.query.text.length < query.length
  const unmatchedQuotes = await findUnmatchedQuotes(answer, page, run.signal)
  const facts = { mode, results: results.length, isCut, unmatchedQuotes, unfilteredTotal, scoreGap }
  const scopeNotes = answer.total === 0 ? await scopeNotices(store, request) : []
  const explanations = scopeNotes.length > 0 ? scopeNotes : noticesOf(answer, facts)
  const notices = [...embedded.notices, ...(reranked?.notices ?? []), ...explanations]
  const degraded = [...embedded.degraded, ...(reranked?.degraded ?? []), ...(answer.isLoosened ? ['phrase'] : [])]
  // Counts hits without the filters of the facets, so that a person can choose other values.
  const counted = request.facets && (await findHits(store, embedded, { query, where, limit: COUNTED_HITS }, run))
  const facets = counted && countFacets(counted.hits, request, Date.now())
  return { query, mode, degraded, results, total: answer.total, notices, ...(facets && { facets }) }
}

/** The quoted texts of the query that no hit contains word for word; empty if there are no hits. */
async function findUnmatchedQuotes(
  { query, texts }: LexicalAnswer,
  hits: readonly FusedHit[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const unmatched = new Map((hits.length > 0 ? query.quotes : []).map((quote) => [quote, foldedWords(quote)]))
  for await (const [{ document }, { text }] of texts.each(unmatched.size > 0 ? hits : [], signal)) {
    const words = [document.title, document.path, text].map(foldedWords)
    for (const [quote, quoted] of unmatched) if (words.some((one) => one.includes(quoted))) unmatched.delete(quote)
    if (unmatched.size === 0) break
  }
  return [...unmatched.keys()]
}

/** Notices why nothing could be found: a sentence with a command for each collection that is paused or not indexed. */
async function scopeNotices(store: Store, { collections: names = [] }: SearchFilters): Promise<string[]> {
  const collections = await store.collections.list()
  if (collections.length === 0) return ['There is no collection yet: run "ambit collection add NAME FOLDER".']
  const scope = collections.filter(({ name, isPaused }) => (names.length === 0 ? !isPaused : names.includes(name)))
  if (scope.length === 0) return collections.map(({ name }) => pausedNotice(name))
  return scope.filter((collection) => !isIndexed(collection)).map(({ name }) => unindexedNotice(name))
}

function pausedNotice(name: string): string {
  return `"${name}" is paused: run "ambit collection set ${quoteShell(name)} --no-paused", or search it by its name.`
}

/** Number of results without the filters; undefined if it is 0, and for a request without filters. */
async function countUnfiltered(store: Store, request: SearchRequest, run: Run): Promise<number | undefined> {
  if (Object.keys(toDocumentFilter(request)).length === 0) return undefined
  const { hits, total } = await searchLexically(store, { query: request.query, filter: {}, limit: 1 }, run)
  return hits.length === 0 ? undefined : total
}

/** Maximum number of hits by vectors to fuse with the hits by words. */
const MAX_VECTOR_HITS = 100

/** Finds hits. Searches by words in every mode, because the words choose the snippets. */
async function findHits(store: Store, embedded: EmbeddedQuery, request: SearchRequest, run: Run) {
  const { query, limit: maxHits = 10 } = request
  const { mode, model } = embedded
  const roots = await nestedRoots(store)
  const limit = maxHits * (roots?.size ?? 1)
  const filter = toDocumentFilter(request)
  const resolveMeaning = async (parsed: Query, { resolved, documentCount, texts }: ResolvedQuery) => {
    if (mode === 'lexical' || mode === 'vector') return undefined
    const scope = { store, filter, documentCount, isPlain: isPlainQuery(parsed), texts, minScore: request.minScore }
    const createTableMeaning = () => tableMeaning(parsed.plain, resolved, scope)
    if (!model) return createTableMeaning()
    const vectorHits = await searchByVector(store, { query: parsed, ...model, filter, limit: MAX_VECTOR_HITS }, run)
    return modelMeaning(vectorHits, model, model.encode && createTableMeaning())
  }
  const answer = await searchLexically(store, { query, limit, filter, resolveMeaning }, run)
  const takeUnique = (hits: readonly FusedHit[]) => withoutRepeatedFiles(hits, roots).slice(0, maxHits)
  if (mode !== 'vector' || !model)
    return { answer, hits: takeUnique(answer.hits), mode: answer.isFused && model ? 'hybrid' : 'lexical' } as const
  const vectorHits = await searchByVector(store, { query: answer.query, ...model, filter, limit }, run)
  return { answer, hits: takeUnique(toFusedHits(vectorHits)), mode }
}

/** Returns functions that convert hits to results, and to passages for a reranking model. */
function hitReader(answer: LexicalAnswer, request: SearchRequest, contexts: ContextResolver) {
  const { resolved, query } = answer
  /** Weight of each index term that stands for a word of the query. */
  const terms = new Map<string, number>()
  for (const { terms: ownTerms, idf = 0 } of resolved) for (const term of ownTerms) terms.set(term, Math.max(idf, 0.01))
  for (const { terms: phrase } of query.phrases) for (const term of phrase) if (!terms.has(term)) terms.set(term, 0.01)

  let question: ReturnType<typeof askTable> | undefined
  /**
   * The sentence of a passage nearest to the query in meaning, by the table of word vectors; undefined for unknown
   * words.
   */
  const sentenceIn = (passage: PassageSpan, { title, format }: Document, text: string) => {
    const start = Math.max(passage.start, splitFrontMatter(text).body)
    if (format === 'code' || passage.end - start > MAX_COMPARED_PASSAGE) return undefined
    question ??= askTable(query.plain, resolved)
    const sentence = question?.sentence(title, text.slice(start, passage.end))
    return sentence && { start: start + sentence.start, end: start + sentence.end }
  }
  /** Snippets of a document. If the document was found by meaning, the first snippet shows the sentence nearest to the query. */
  const snippetsFor = ({ document, isByMeaning, vector, shown }: FusedHit, text: string, most: number): Snippet[] => {
    const starts = lineStarts(text)
    const chunk = isByMeaning ? vector?.chunk : undefined
    const passage = chunk ? { start: starts[chunk.start - 1] ?? 0, end: starts[chunk.end] ?? text.length } : shown
    const sentence = isByMeaning && passage ? sentenceIn(passage, document, text) : undefined
    const near = passage && { ...passage, isNearest: isByMeaning, sentence }
    return snippetsOf(text, terms, { most, pieces: query.pieces, starts, ...(near && { near }) })
  }
  const headingsOf = (document: Document, text: string, { start }: Snippet) =>
    isMarkdown(document) ? headingsAbove(text, lineStarts(text), start) : []
  return {
    /** The text of a hit for a reranking model: title and headings, then the best passage with the lines around it. */
    passageOf: (hit: FusedHit, text: string): string => {
      const { title } = hit.document
      const [best] = snippetsFor(hit, text, 1)
      if (!best) return title
      const headings = headingsOf(hit.document, text, best).filter((heading) => heading !== title)
      const headingTrail = [title, ...headings].join(' > ')
      return `${headingTrail.slice(0, byteEnd(headingTrail, 0, MAX_HEADING_BYTES))}\n\n${passageAround(text, best)}`
    },
    resultOf: (hit: FusedHit, text: string): SearchResult => {
      const { collection, path, title } = hit.document
      const applied = contexts.all(collection, path)
      const sections = snippetsFor(hit, text, request.sections ?? 1).map((snippet): HitSection => {
        const { start, end, highlights } = snippet
        const headings = headingsOf(hit.document, text, snippet)
        return { snippet: snippet.text, lines: { start, end }, highlights, headings }
      })
      const [best, ...others] = sections
      return {
        docid: docidOf(hit.document),
        collection,
        path,
        uri: uriOf({ collection, path }),
        title,
        score: Math.round(hit.score * 10_000) / 10_000,
        ...(best ?? { snippet: '', lines: { start: 1, end: 1 }, highlights: [], headings: [] }),
        ...(applied.length > 0 && { context: applied.map((context) => context.text).join('\n\n') }),
        contexts: applied,
        ...(others.length > 0 && { sections: others }),
        ...(request.full && { text }),
        ...(request.explain && { explain: explainHit(hit, answer, text) }),
      }
    },
  }
}

/** Maximum characters of a passage whose sentences are compared with the query. */
const MAX_COMPARED_PASSAGE = 8_000

/** Maximum bytes of title and headings in a passage. */
const MAX_HEADING_BYTES = 300

/** The short name of a document: `#` and the first eight hexadecimal digits of the hash of the content. */
export function docidOf({ hash }: Pick<Document, 'hash'>): string {
  return `#${hash.slice(0, 8)}`
}

function explainHit(hit: FusedHit, { resolved }: LexicalAnswer, text: string): NonNullable<SearchResult['explain']> {
  const { title, path } = hit.document
  const words = resolved.filter(({ term }) => term.kind === 'word')
  const matched = termsAmong([title, path, text], new Set(words.flatMap(({ terms }) => terms)))
  const { matches = [], misses = [] } = Object.groupBy(words, ({ terms }) =>
    terms.some((term) => matched.has(term)) ? 'matches' : 'misses',
  )
  return {
    matchedTerms: matches.map(({ term }) => term.word),
    missingTerms: misses.map(({ term }) => term.word),
    titlePairs: hit.lexical?.boost.pairs ?? 0,
    exactTitle: hit.lexical?.boost.isExact ?? false,
    ...(hit.lexical && { lexical: { rank: hit.lexical.rank, score: hit.lexical.score } }),
    ...(hit.vector && { vector: { rank: hit.vector.rank, cosine: hit.vector.cosine } }),
    ...(hit.rerank && { rerank: hit.rerank }),
  }
}

type RootsByName = ReadonlyMap<string, string>

/** The roots, by name, of collections that contain, or are in, another collection; undefined if there are none. */
async function nestedRoots(store: Store): Promise<RootsByName | undefined> {
  const roots = (await store.collections.list()).map(({ name, root }) => [name, `${root}/`] as const)
  const nested = roots.filter(([name, root]) =>
    roots.some(([otherName, other]) => name !== otherName && (root.startsWith(other) || other.startsWith(root))),
  )
  return nested.length === 0 ? undefined : new Map(nested)
}

/** Drops a hit if an earlier hit is the same file, because nested collections share files. */
function withoutRepeatedFiles(hits: readonly FusedHit[], roots: RootsByName | undefined): readonly FusedHit[] {
  if (!roots) return hits
  const files = new Set<string>()
  return hits.filter(({ document: { collection, path } }) => {
    const root = roots.get(collection)
    if (root === undefined) return true
    const file = `${root}${path}`
    return !files.has(file) && files.add(file)
  })
}
