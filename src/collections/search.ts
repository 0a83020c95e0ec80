import { ContextError } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { type Snippet, snippetsOf } from '../lexical/snippet.ts'
import { termsAmong } from '../lexical/terms.ts'
import { byMeaning, byWords, type FusedHit, fused } from '../searching/fused.ts'
import { type LexicalAnswer, searchLexically } from '../searching/search.ts'
import { searchByVector } from '../searching/vectors.ts'
import type { Meant } from '../searching/wanted.ts'
import type { Document, DocumentFilter } from '../stores/document-store.ts'
import type { Store } from '../stores/store.ts'
import { headingsAbove } from '../text/headings.ts'
import { lineStarts } from '../text/lines.ts'
import type { Asked, SearchMode } from './asked.ts'
import type { AppliedContext, ContextResolver } from './contexts.ts'
import { noticesOf } from './notices.ts'
import { uriOf } from './uri.ts'

/** What is looked for, and where. */
export interface SearchRequest {
  readonly query: string
  /** Names of collections. Default: all that are not paused. */
  readonly collections?: readonly string[] | undefined
  /** Default: `hybrid` where an embedding model is set, else `lexical`. */
  readonly mode?: SearchMode | undefined
  /** Most hits, 1 to 1,000. Default: 10. */
  readonly limit?: number | undefined
  /** Hits that score less are left out: 0 to 1. */
  readonly minScore?: number | undefined
  /** Globs of paths; one must match. */
  readonly path?: readonly string[] | undefined
  /** Changed on this day or later: `2026-05-31`, or a time in ISO 8601. */
  readonly after?: string | undefined
  /** `KEY=VALUE` of the front matter; all must hold. */
  readonly where?: readonly string[] | undefined
  /** With the whole text of each document. */
  readonly full?: boolean | undefined
  /** Says what each hit was found by. */
  readonly explain?: boolean | undefined
  /** Pieces of each document that are given. Default: 1. */
  readonly sections?: number | undefined
}

/** Lines of a document that were found. */
export interface HitSection {
  readonly snippet: string
  /** From 1. */
  readonly lines: { readonly start: number; readonly end: number }
  /** Where the words stand in the snippet, in UTF-16 units. */
  readonly highlights: readonly { readonly start: number; readonly end: number }[]
  /** The headings that it stands under, the outermost first. */
  readonly headings: readonly string[]
}

export interface SearchResult extends HitSection {
  /** Short name of the content: `#` and eight hexadecimal digits. */
  readonly docid: string
  readonly collection: string
  readonly path: string
  readonly uri: string
  readonly title: string
  /**
   * 0 to 1. By words, the share of what a document could have scored; by meaning, the cosine of the angle; by both, what
   * its places in the two lists come to.
   */
  readonly score: number
  /** What the place is for: all of `contexts`, joined by a blank line; absent when there is none. */
  readonly context?: string
  /** From the general to the specific. */
  readonly contexts: readonly AppliedContext[]
  readonly sections?: readonly HitSection[]
  readonly text?: string
  readonly explain?: {
    readonly matchedTerms: readonly string[]
    readonly missingTerms: readonly string[]
    readonly titlePairs: number
    readonly exactTitle: boolean
    /** Its place in the list by words, and by meaning, from 1; absent where it is in none. */
    readonly lexical?: { readonly rank: number; readonly score: number }
    readonly vector?: { readonly rank: number; readonly cosine: number }
  }
}

export interface SearchAnswer {
  readonly query: string
  /** How it was searched. */
  readonly mode: SearchMode
  /** Ways to search that were asked for and did not answer. */
  readonly degraded: readonly string[]
  readonly results: readonly SearchResult[]
  /** Documents that hold any of the words. */
  readonly total: number
  /** What the reader should know: words that were taken for others. */
  readonly notices: readonly string[]
}

/** Searches, and says of each hit what its place is for. */
export async function search(
  store: Store,
  { contexts, asked }: { readonly contexts: ContextResolver; readonly asked: Asked },
  request: SearchRequest,
  run: Run,
): Promise<SearchAnswer> {
  const { query, minScore = 0 } = request
  const { answer, hits: all } = await found(store, asked, request, run)
  const hits = all.filter(({ score }) => score >= minScore)
  const texts = await store.documents.texts(hits.map(({ document }) => document.id))
  const terms = tellingTerms(answer)
  const results = hits.flatMap((hit): SearchResult[] => {
    const text = texts.get(hit.document.id)
    return text === undefined ? [] : [resultOf(hit, { text, terms, contexts, request, answer })]
  })
  const notices = [...asked.notices, ...noticesOf(answer, asked.mode)]
  return { query, mode: asked.mode, degraded: asked.degraded, results, total: answer.total, notices }
}

/** Hits of each list that are put together: a document far down in one may be high in the other. */
const FUSED = 100

/** The words are looked up in any case: by them the snippets are chosen. */
async function found(store: Store, { mode, vector, model }: Asked, request: SearchRequest, run: Run) {
  const { query, limit = 10 } = request
  const filter = filterOf(request)
  const depth = mode === 'lexical' ? limit : Math.max(limit, FUSED)
  const answer = await searchLexically(store, { query, limit: depth, filter }, run)
  if (vector === undefined || model === undefined) return { answer, hits: byWords(answer.hits) }
  const near = await searchByVector(store, { query: answer.query, vector, model, filter, limit: depth }, run)
  const hits = mode === 'vector' ? byMeaning(near) : fused(answer.hits, near)
  return { answer, hits: hits.slice(0, limit) }
}

/** @throws ContextError `invalid-input` for numbers that are out of range. */
export function assertSearchable(request: SearchRequest): void {
  const { limit = 10, minScore = 0 } = request
  assertWithin('limit', limit, { least: 1, most: 1000 })
  assertWithin('sections', request.sections ?? 1, { least: 1, most: 100 })
  if (!(minScore >= 0 && minScore <= 1)) {
    throw new ContextError('invalid-input', `minScore is ${minScore}.`, { hint: 'Scores are 0 to 1.' })
  }
}

function assertWithin(name: string, value: number, { least, most }: { readonly least: number; readonly most: number }) {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new ContextError('invalid-input', `${name} is ${value}.`, {
    hint: `It is a whole number from ${least} to ${most}.`,
  })
}

function filterOf({ collections, path, after, where }: SearchRequest): DocumentFilter {
  return {
    ...(collections && collections.length > 0 && { collections }),
    ...(path && path.length > 0 && { paths: path }),
    ...(after !== undefined && { after: timeOf(after) }),
    ...(where && where.length > 0 && { where: pairsOf(where) }),
  }
}

function timeOf(text: string): string {
  const time = new Date(text)
  const [, day] = /^(\d{4}-\d{2}(?:-\d{2})?)(?:T|$)/.exec(text) ?? []
  // A day that its month does not have would be taken for one of the next.
  const isDay = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  if (isDay && !Number.isNaN(time.getTime())) return time.toISOString()
  const hint = 'For example: 2026-05-31, or 2026-05-31T12:00:00Z.'
  throw new ContextError('invalid-input', `"${text}" is no date.`, { hint })
}

function pairsOf(where: readonly string[]): Record<string, string> {
  const pairs = where.map((pair) => {
    const at = pair.indexOf('=')
    if (at > 0) return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const
    throw new ContextError('invalid-input', `"${pair}" is no condition.`, {
      hint: 'For example: --where status=draft.',
    })
  })
  const twice = pairs.find(([key, value]) => pairs.some(([other, said]) => other === key && said !== value))
  if (!twice) return Object.fromEntries(pairs)
  throw new ContextError('invalid-input', `"${twice[0]}" cannot have two values.`, { hint: 'Ask for one at a time.' })
}

/** How much each term of the index tells that a word was taken for. */
function tellingTerms({ meant, query }: LexicalAnswer): Map<string, number> {
  const terms = new Map<string, number>()
  for (const { terms: found, idf = 0 } of meant) for (const term of found) terms.set(term, Math.max(idf, 0.01))
  for (const { terms: phrase } of query.phrases) for (const term of phrase) if (!terms.has(term)) terms.set(term, 0.01)
  return terms
}

interface Lines {
  readonly text: string
  readonly starts: readonly number[]
}

interface Seen {
  readonly text: string
  readonly terms: ReadonlyMap<string, number>
  readonly contexts: ContextResolver
  readonly request: SearchRequest
  readonly answer: LexicalAnswer
}

function resultOf(hit: FusedHit, { text, terms, contexts, request, answer }: Seen): SearchResult {
  const { document, score } = hit
  const { collection, path, title } = document
  const found = contexts.all(collection, path)
  const starts = lineStarts(text)
  const looked = { terms, pieces: answer.query.pieces, most: request.sections ?? 1 }
  const [best, ...others] = snippetsFor(hit, { text, starts }, looked).map((snippet) =>
    sectionOf(document, { text, starts }, snippet),
  )
  return {
    docid: docidOf(document),
    collection,
    path,
    uri: uriOf({ collection, path }),
    title,
    score: Math.round(score * 10_000) / 10_000,
    ...(best ?? { snippet: '', lines: { start: 1, end: 1 }, highlights: [], headings: [] }),
    ...(found.length > 0 && { context: found.map((context) => context.text).join('\n\n') }),
    contexts: found,
    ...(others.length > 0 && { sections: others }),
    ...(request.full && { text }),
    ...(request.explain && { explain: explained(hit, answer, text) }),
  }
}

interface Looked {
  readonly terms: ReadonlyMap<string, number>
  readonly pieces: readonly string[]
  readonly most: number
}

/** What was found by its meaning alone is shown by the chunk that it was found by. */
function snippetsFor({ lexical, vector }: FusedHit, { text, starts }: Lines, { terms, ...options }: Looked): Snippet[] {
  if (lexical || !vector) return snippetsOf(text, terms, { ...options, starts })
  const { start, end } = vector.chunk
  const piece = text.slice(starts[start - 1] ?? 0, starts[end] ?? text.length)
  const shift = (line: number) => line + start - 1
  return snippetsOf(piece, terms, options).map((one) => ({ ...one, start: shift(one.start), end: shift(one.end) }))
}

function sectionOf(
  { format }: Document,
  { text, starts }: Lines,
  { text: snippet, start, end, highlights }: Snippet,
): HitSection {
  const headings =
    format === 'markdown' || format === 'html' || format === 'docx' ? headingsAbove(text, starts, start) : []
  return { snippet, lines: { start, end }, highlights, headings }
}

/** The short name of a document's content. */
export function docidOf({ hash }: Pick<Document, 'hash'>): string {
  return `#${hash.slice(0, 8)}`
}

function explained(hit: FusedHit, { meant }: LexicalAnswer, text: string): NonNullable<SearchResult['explain']> {
  const { title, path } = hit.document
  const words = meant.filter(({ term }) => term.kind === 'word')
  const wanted = new Set(words.flatMap(({ terms }) => terms))
  const there = termsAmong([title, path, text], wanted)
  const has = ({ terms }: Meant) => terms.some((term) => there.has(term))
  return {
    matchedTerms: words.filter(has).map(({ term }) => term.word),
    missingTerms: words.filter((one) => !has(one)).map(({ term }) => term.word),
    titlePairs: hit.lexical?.boost.pairs ?? 0,
    exactTitle: hit.lexical?.boost.isExact ?? false,
    ...(hit.lexical && { lexical: { rank: hit.lexical.rank, score: hit.lexical.score } }),
    ...(hit.vector && { vector: { rank: hit.vector.rank, cosine: hit.vector.cosine } }),
  }
}
