/** How good search is for a person's own judged queries, in each of the modes that are set up. */

import { ContextError, throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { systemHome } from '../../files/home.ts'
import type { Store } from '../../stores/store.ts'
import type { SearchAnswer } from '../answers.ts'
import { readConfigurationFile } from '../path-contexts/configuration.ts'
import type { SearchRequest } from '../search.ts'
import { findDocument } from './find-document.ts'
import { type JudgedQuery, readJudgedQueries } from './judged-queries.ts'

/** By words, by meaning, by both, and the best of these in the order of the reranking model. */
export type BenchMode = 'lexical' | 'vector' | 'hybrid' | 'rerank'

/** A query of which not all right documents are among the first ten. */
export interface BenchMiss {
  /** In the file, from 1. */
  readonly line: number
  readonly query: string
  /** Right documents among the first ten, and all. */
  readonly found: number
  readonly relevant: number
  /** Those that are not, by COLLECTION/PATH. */
  readonly missing: readonly string[]
}

/** Means over the queries, each from 0 to 1. */
export interface BenchScores {
  readonly mode: BenchMode
  /** Gain by grade, discounted by rank, over that of the best order. */
  readonly ndcg10: number
  /** One over the rank of the first right document; 0 where none is among the first ten. */
  readonly mrr10: number
  /** The share of right documents among the first ten. */
  readonly recall10: number
  /** Queries that the mode did not answer, and words did. */
  readonly degraded: number
  readonly misses: readonly BenchMiss[]
}

export interface BenchAnswer {
  readonly queries: number
  readonly modes: readonly BenchScores[]
  /** Judged paths that name no document, or several: they count as not found. */
  readonly unknown: readonly { readonly line: number; readonly path: string; readonly detail: string }[]
}

/** What a benchmark is made with. */
export interface BenchParts {
  readonly store: Store
  readonly modes: readonly BenchMode[]
  readonly search: (request: SearchRequest, run: Run) => Promise<SearchAnswer>
  /** Where queries are looked for that do not say it. Default: all that are not paused. */
  readonly collections?: readonly string[] | undefined
}

/** Ranks that count. */
const DEPTH = 10

/** A query whose paths are those of documents: grades by COLLECTION/PATH. */
interface ResolvedQuery extends Omit<JudgedQuery, 'paths'> {
  readonly grades: ReadonlyMap<string, number>
}

/** @throws ContextError for the file; as a search does, such as `not-found` for a collection; `cancelled`. */
export async function benchmarkFile(file: string, parts: BenchParts, run: Run): Promise<BenchAnswer> {
  const queries = readJudgedQueries(readConfigurationFile(file, { cwd: process.cwd(), home: systemHome() }).text)
  const unknown: BenchAnswer['unknown'][number][] = []
  const resolved: ResolvedQuery[] = []
  for (const query of queries) resolved.push(await resolveQuery(query, parts.store, unknown))
  const modes: BenchScores[] = []
  for (const mode of parts.modes) modes.push(await measureMode(mode, resolved, parts, run))
  return { queries: queries.length, modes, unknown }
}

async function resolveQuery(
  { paths, ...query }: JudgedQuery,
  store: Store,
  unknown: BenchAnswer['unknown'][number][],
): Promise<ResolvedQuery> {
  const grades = new Map<string, number>()
  for (const { path, grade } of paths) {
    const name = await documentName(path, store)
    if (name instanceof ContextError) unknown.push({ line: query.line, path, detail: name.message })
    const full = typeof name === 'string' ? name : path
    grades.set(full, Math.max(grade, grades.get(full) ?? 0))
  }
  return { ...query, grades }
}

async function documentName(path: string, store: Store): Promise<string | ContextError> {
  try {
    const { document } = await findDocument(path, store)
    return `${document.collection}/${document.path}`
  } catch (error) {
    if (error instanceof ContextError && error.code !== 'unavailable') return error
    throw error
  }
}

async function measureMode(
  mode: BenchMode,
  queries: readonly ResolvedQuery[],
  { search, collections: preset }: BenchParts,
  run: Run,
): Promise<BenchScores> {
  const how = mode === 'rerank' ? { rerank: true } : { mode }
  const rankings: string[][] = []
  let degraded = 0
  for (const { query, collections = preset } of queries) {
    throwIfAborted(run.signal)
    const answer = await search({ query, collections, limit: DEPTH, ...how }, run)
    rankings.push(answer.results.map(({ collection, path }) => `${collection}/${path}`))
    if (answer.degraded.some((way) => way === 'vector' || way === 'rerank')) degraded++
    run.emit({ type: 'progress', what: mode, done: rankings.length, total: queries.length })
  }
  const mean = (score: (ranking: readonly string[], query: ResolvedQuery) => number) =>
    queries.reduce((sum, query, at) => sum + score(rankings[at] ?? [], query), 0) / queries.length
  return {
    mode,
    ndcg10: mean(scoreOrder),
    mrr10: mean(scoreFirst),
    recall10: mean((ranking, { grades }) => countRelevant(ranking, grades) / grades.size),
    degraded,
    misses: queries.flatMap((query, at) => missOf(query, rankings[at] ?? [])),
  }
}

/** nDCG: the gain of a document is its grade, as in trec_eval. */
function scoreOrder(ranking: readonly string[], { grades }: ResolvedQuery): number {
  const best = [...grades.values()].sort((a, b) => b - a).slice(0, DEPTH)
  return discountGains(ranking.map((path) => grades.get(path) ?? 0)) / discountGains(best)
}

function discountGains(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0)
}

function scoreFirst(ranking: readonly string[], { grades }: ResolvedQuery): number {
  const at = ranking.findIndex((path) => grades.has(path))
  return at < 0 ? 0 : 1 / (at + 1)
}

function countRelevant(ranking: readonly string[], grades: ReadonlyMap<string, number>): number {
  return ranking.filter((path) => grades.has(path)).length
}

function missOf({ line, query, grades }: ResolvedQuery, ranking: readonly string[]): BenchMiss[] {
  const missing = [...grades.keys()].filter((path) => !ranking.includes(path))
  if (missing.length === 0) return []
  return [{ line, query, found: grades.size - missing.length, relevant: grades.size, missing }]
}
