import type { Run } from '../core/flow.ts'
import { isMarkdown } from '../ingest/extracted.ts'
import type { Query } from '../retrieval/query.ts'
import { passageAround, type Snippet, snippetsOf } from '../retrieval/snippets.ts'
import { termsAmong } from '../retrieval/terms.ts'
import type { Document } from '../stores/document-store.ts'
import type { Collection, Store } from '../stores/store.ts'
import { uriOf } from '../text/collection-uri.ts'
import { headingsAbove } from '../text/headings.ts'
import { lineAt, lineStarts } from '../text/lines.ts'
import { byteEnd } from '../text/truncate.ts'
import type { HitSection, SearchAnswer, SearchFacets, SearchMode, SearchResult } from './answers.ts'
import { isIndexed, unindexedNotice } from './path-contexts/check.ts'
import type { ContextResolver } from './path-contexts.ts'
import {
  countFacets,
  type Narrowing,
  type SearchPage,
  searchDepth,
  sliceHits,
  toDocumentFilter,
} from './search/facets.ts'
import { byMeaning, type FusedHit } from './search/fusion.ts'
import { tableMeaning } from './search/meaning.ts'
import { type EmbeddedQuery, modelMeaning } from './search/model-meaning.ts'
import { noticesOf } from './search/notices.ts'
import { foundFor, MAX_JUDGED, type Reranker } from './search/reranking.ts'
import { type FoundWords, type LexicalAnswer, searchLexically } from './search/search-index.ts'
import { isPlainQuery, searchByVector } from './search/vectors.ts'
import type { ResolvedTerm } from './search/wanted.ts'

/** Query and scope of a search. */
export interface SearchRequest extends Narrowing, SearchPage {
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
  /** Number of passages of each document. Default: 1. */
  readonly sections?: number | undefined
}

export interface SearchDependencies {
  readonly contexts: ContextResolver
  readonly asked: EmbeddedQuery
  readonly reranker?: Reranker | undefined
}

/** Searches. Each result has the path contexts of its place. */
export async function searchCollections(
  store: Store,
  { contexts, asked, reranker }: SearchDependencies,
  request: SearchRequest,
  run: Run,
): Promise<SearchAnswer> {
  const { query, limit = 10, offset = 0, minScore = 0 } = request
  const wanted = { ...request, limit: reranker ? foundFor(offset + limit) : searchDepth(request, limit) }
  const { answer, hits: all, mode } = await findHits(store, asked, wanted, run)
  const isKept = ({ score }: FusedHit) => score >= minScore
  const hits = reranker ? all : sliceHits(all.filter(isKept), request, limit)
  const { texts } = answer
  const reader = hitReader(answer, request, contexts)
  const passages = reranker && (await texts.map(hits.slice(0, MAX_JUDGED), reader.passageOf))
  const ranked = await reranker?.(answer.query.plain, hits, ({ document }) => passages?.get(document.id) ?? '')
  const chosen = ranked ? sliceHits(ranked.hits.filter(isKept), request, limit) : hits
  const results = [...(await texts.map(chosen, reader.resultOf)).values()]
  const unfiltered = results.length > 0 ? undefined : await withoutFilters(store, request, run)
  const highest = Math.max(0, ...(ranked?.hits ?? all).map(({ score }) => score))
  const below = results.length === 0 && highest > 0 ? { least: minScore, highest } : undefined
  const seen = { mode, results: results.length, unfiltered, below }
  const nothing = answer.total === 0 ? await emptinessOf(store, request) : []
  const found = nothing.length > 0 ? nothing : noticesOf(answer, seen)
  const notices = [...asked.notices, ...(ranked?.notices ?? []), ...found]
  const degraded = [...asked.degraded, ...(ranked?.degraded ?? []), ...(answer.loosePhrases ? ['phrase'] : [])]
  const facets = request.facets ? await countHits(store, asked, request, run) : undefined
  return { query, mode, degraded, results, total: answer.total, notices, ...(facets && { facets }) }
}

/** Says which of the collections cannot be searched yet, and what to do. */
async function emptinessOf(store: Store, { collections: names = [] }: Narrowing): Promise<string[]> {
  const all = await store.collections.list()
  if (all.length === 0) return ['There is no collection yet: run "ambit collection add NAME FOLDER".']
  const searched = names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
  return searched.filter((one) => !isIndexed(one)).map(({ name }) => unindexedNotice(name))
}

/** Counts results without filters, so that a person can choose other values. */
async function countHits(store: Store, asked: EmbeddedQuery, request: SearchRequest, run: Run): Promise<SearchFacets> {
  const { query, where } = request
  const { hits } = await findHits(store, asked, { query, where, limit: searchDepth(request, 0) }, run)
  return countFacets(hits, request, Date.now())
}

/** Number of results without filters; undefined if there are no filters. */
async function withoutFilters(store: Store, request: SearchRequest, run: Run): Promise<number | undefined> {
  if (Object.keys(toDocumentFilter(request)).length === 0) return undefined
  const { hits, total } = await searchLexically(store, { query: request.query, filter: {}, limit: 1 }, run)
  return hits.length === 0 ? undefined : total
}

/** Number of hits by vectors that are fused with those by words. */
const FUSED = 100

/** Finds hits. Words are looked up in every mode, because they choose the snippets. */
async function findHits(store: Store, asked: EmbeddedQuery, request: SearchRequest, run: Run) {
  const { query, limit: most = 10 } = request
  const { mode, model } = asked
  const roots = await nestedRoots(store)
  const limit = most * (roots?.size ?? 1)
  const filter = toDocumentFilter(request)
  const resolveMeaning = async (parsed: Query, { resolved, documents, texts }: FoundWords) => {
    if (mode === 'lexical' || mode === 'vector') return undefined
    const byTable = () =>
      tableMeaning(parsed.plain, resolved, { store, filter, documents, isOpen: isPlainQuery(parsed), texts })
    if (!model) return byTable()
    const near = await searchByVector(store, { query: parsed, ...model, filter, limit: FUSED }, run)
    return modelMeaning(near, model, model.encode && byTable())
  }
  const answer = await searchLexically(store, { query, limit, filter, resolveMeaning }, run)
  const unique = (hits: readonly FusedHit[]) => withoutRepeatedFiles(hits, roots).slice(0, most)
  if (mode !== 'vector' || !model)
    return { answer, hits: unique(answer.hits), mode: answer.isFused && model ? 'hybrid' : 'lexical' } as const
  const near = await searchByVector(store, { query: answer.query, ...model, filter, limit }, run)
  return { answer, hits: unique(byMeaning(near)), mode }
}

/** Converts hits to results, and to passages for a reranking model. */
function hitReader(answer: LexicalAnswer, request: SearchRequest, contexts: ContextResolver) {
  const { resolved, query } = answer
  /** Weight of each term of the index that stands for a word. */
  const terms = new Map<string, number>()
  for (const { terms: found, idf = 0 } of resolved) for (const term of found) terms.set(term, Math.max(idf, 0.01))
  for (const { terms: phrase } of query.phrases) for (const term of phrase) if (!terms.has(term)) terms.set(term, 0.01)

  /** Snippets of a document. One that was found only by meaning shows its nearest passage. */
  const snippetsFor = ({ lexical, vector, shown }: FusedHit, text: string, most: number): Snippet[] => {
    const [starts, pieces] = [lineStarts(text), query.pieces]
    const chunk = lexical ? undefined : (vector?.chunk ?? (shown && lineRange(starts, shown)))
    if (!chunk) return snippetsOf(text, terms, { most, pieces, starts, ...(shown && { near: shown }) })
    const { start, end } = chunk
    const from = starts[start - 1] ?? 0
    const piece = text.slice(from, starts[end] ?? text.length)
    return snippetsOf(piece, terms, { most, pieces }).map((one) => ({
      ...one,
      start: one.start + start - 1,
      end: one.end + start - 1,
      span: { start: one.span.start + from, end: one.span.end + from },
    }))
  }
  const headingsOf = (document: Document, text: string, { start }: Snippet) =>
    isMarkdown(document) ? headingsAbove(text, lineStarts(text), start) : []
  return {
    /** The passage for a reranking model: the shown lines with their headings and the lines around. */
    passageOf: (hit: FusedHit, text: string): string => {
      const { title } = hit.document
      const [best] = snippetsFor(hit, text, 1)
      if (!best) return title
      const headings = headingsOf(hit.document, text, best).filter((heading) => heading !== title)
      const place = [title, ...headings].join(' > ')
      return `${place.slice(0, byteEnd(place, 0, PLACE))}\n\n${passageAround(text, best)}`
    },
    resultOf: (hit: FusedHit, text: string): SearchResult => {
      const { collection, path, title } = hit.document
      const found = contexts.all(collection, path)
      const sections = snippetsFor(hit, text, request.sections ?? 1).map((one): HitSection => {
        const { text: snippet, start, end, highlights } = one
        return { snippet, lines: { start, end }, highlights, headings: headingsOf(hit.document, text, one) }
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
        ...(found.length > 0 && { context: found.map((context) => context.text).join('\n\n') }),
        contexts: found,
        ...(others.length > 0 && { sections: others }),
        ...(request.full && { text }),
        ...(request.explain && { explain: explainHit(hit, answer, text) }),
      }
    },
  }
}

function lineRange(starts: readonly number[], { start, end }: { readonly start: number; readonly end: number }) {
  return { start: lineAt(starts, start) + 1, end: lineAt(starts, Math.max(start, end - 1)) + 1 }
}

/** Maximum bytes of title and headings in a passage. */
const PLACE = 300

/** The short name of a document's content. */
export function docidOf({ hash }: Pick<Document, 'hash'>): string {
  return `#${hash.slice(0, 8)}`
}

function explainHit(hit: FusedHit, { resolved }: LexicalAnswer, text: string): NonNullable<SearchResult['explain']> {
  const { title, path } = hit.document
  const words = resolved.filter(({ term }) => term.kind === 'word')
  const wanted = new Set(words.flatMap(({ terms }) => terms))
  const there = termsAmong([title, path, text], wanted)
  const has = ({ terms }: ResolvedTerm) => terms.some((term) => there.has(term))
  return {
    matchedTerms: words.filter(has).map(({ term }) => term.word),
    missingTerms: words.filter((one) => !has(one)).map(({ term }) => term.word),
    titlePairs: hit.lexical?.boost.pairs ?? 0,
    exactTitle: hit.lexical?.boost.isExact ?? false,
    ...(hit.lexical && { lexical: { rank: hit.lexical.rank, score: hit.lexical.score } }),
    ...(hit.vector && { vector: { rank: hit.vector.rank, cosine: hit.vector.cosine } }),
    ...(hit.rerank && { rerank: hit.rerank }),
  }
}

type Roots = ReadonlyMap<string, string>

/** Roots of nested collections by name; undefined without any. */
async function nestedRoots(store: Store): Promise<Roots | undefined> {
  const collections = await store.collections.list()
  const nested = collections.filter((one) => collections.some((other) => one !== other && areNested(one, other)))
  return nested.length === 0 ? undefined : new Map(nested.map(({ name, root }) => [name, withSlash(root)]))
}

function areNested({ root: one }: Collection, { root: other }: Collection): boolean {
  return withSlash(one).startsWith(withSlash(other)) || withSlash(other).startsWith(withSlash(one))
}

function withSlash(root: string): string {
  return root.endsWith('/') ? root : `${root}/`
}

/** Drops hits whose file is in an earlier hit. */
function withoutRepeatedFiles<Hit extends { readonly document: Document }>(
  hits: readonly Hit[],
  roots: Roots | undefined,
): readonly Hit[] {
  if (!roots) return hits
  const known = new Set<string>()
  return hits.filter(({ document: { collection, path } }) => {
    const root = roots.get(collection)
    if (root === undefined) return true
    const file = `${root}${path}`
    return !known.has(file) && known.add(file)
  })
}
