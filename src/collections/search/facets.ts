/** Filters, facets, pages and order of a search. */

import { invalidInput } from '../../core/errors.ts'
import type { Document, DocumentFilter } from '../../stores/document-store.ts'
import { globs } from '../../text/globs.ts'
import { byCodeUnit, fileType } from '../../text/paths.ts'
import type { SearchFacets } from '../answers.ts'
import { compareHits } from './fusion.ts'

/** Scope of a search. */
export interface Narrowing {
  /** Names of collections. Default: all that are not paused. */
  readonly collections?: readonly string[] | undefined
  /** Globs of paths; one must match. */
  readonly path?: readonly string[] | undefined
  /** File extensions, such as `md`, of which one must match; `none` stands for no extension. */
  readonly types?: readonly string[] | undefined
  /** Changed on this day or later: `2026-05-31`, or a time in ISO 8601. */
  readonly after?: string | undefined
  /** Conditions `KEY=VALUE` on the front matter; all must be true. */
  readonly where?: readonly string[] | undefined
}

/** @throws ContextError `invalid-input` for an invalid date or condition. */
export function toDocumentFilter({ collections, path, types, after, where }: Narrowing): DocumentFilter {
  return {
    ...(collections && collections.length > 0 && { collections }),
    ...(path && path.length > 0 && { paths: path }),
    ...(types && types.length > 0 && { types: types.map(readType) }),
    ...(after !== undefined && { after: parseTime(after) }),
    ...(where && where.length > 0 && { where: pairsOf(where) }),
  }
}

function readType(type: string): string {
  return type === 'none' ? '' : type.toLowerCase().replace(/^[*.]+/, '')
}

function parseTime(text: string): string {
  const time = new Date(text)
  const [, day] = /^(\d{4}-\d{2}(?:-\d{2})?)(?:T|$)/.exec(text) ?? []
  // `Date` would read a day that the month lacks as a day of the next month.
  const isDay = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  if (isDay && !Number.isNaN(time.getTime())) return time.toISOString()
  const hint = 'For example: 2026-05-31, or 2026-05-31T12:00:00Z.'
  throw invalidInput(`"${text}" is not a date.`, hint)
}

function pairsOf(where: readonly string[]): Record<string, string> {
  const pairs = where.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) throw invalidInput(`"${pair}" is not a condition.`, 'For example: status=draft.')
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const
  })
  const twice = pairs.find(([key, value]) => pairs.some(([other, said]) => other === key && said !== value))
  if (!twice) return Object.fromEntries(pairs)
  throw invalidInput(`"${twice[0]}" cannot have two values.`, 'Ask for one at a time.')
}

/** Number of best hits that are counted and sorted. */
export const COUNTED_HITS = 1_000

export type SearchOrder = 'relevance' | 'changed' | 'path'

/** The page of hits, and their order. */
export interface SearchPage {
  /** Default: by relevance. */
  readonly sort?: SearchOrder | undefined
  /** Number of results to skip, 0 to 1,000. Default: 0. */
  readonly offset?: number | undefined
  /** Adds facets. Default: false. */
  readonly facets?: boolean | undefined
}

const RANGES = [
  ['offset', 0, 1000],
  ['limit', 1, 1000],
  ['sections', 1, 100],
] as const

/** Checks numbers, because callers of the library bypass the schemas. @throws ContextError `invalid-input` for numbers out of range. */
export function assertSearchable(
  request: { readonly [name in (typeof RANGES)[number][0] | 'minScore']?: number | undefined },
) {
  for (const [name, least, most] of RANGES) {
    const value = request[name] ?? least
    if (!Number.isInteger(value) || value < least || value > most)
      throw invalidInput(`${name} is ${value}.`, `It is a whole number from ${least} to ${most}.`)
  }
  const { minScore = 0 } = request
  if (!(minScore >= 0 && minScore <= 1)) throw invalidInput(`minScore is ${minScore}.`, 'Scores are 0 to 1.')
}

/** Number of hits to find for a page. */
export function searchDepth({ sort = 'relevance', offset = 0, facets = false }: SearchPage, limit: number): number {
  return sort !== 'relevance' || offset > 0 || facets ? COUNTED_HITS : limit
}

interface Hit {
  readonly document: Document
}

/** The hits of a page, from hits by relevance. */
export function sliceHits<One extends Hit>(hits: readonly One[], page: SearchPage, limit: number): One[] {
  const { sort = 'relevance', offset = 0 } = page
  const ordered = sort === 'relevance' ? hits : hits.toSorted((a, b) => compareBy(sort, a.document, b.document))
  return ordered.slice(offset, offset + limit)
}

function compareBy(sort: SearchOrder, a: Document, b: Document): number {
  return (sort === 'changed' ? byCodeUnit(b.modifiedAt, a.modifiedAt) : 0) || compareHits(a, b)
}

/** Maximum number of values of a facet. */
const MOST = 20

/** Periods of the facet of changes, in days. */
const SPANS = [1, 7, 30, 365]
const DAY_MS = 86_400_000

type Aspect = 'collections' | 'types' | 'path' | 'after'

/**
 * Counts hits.
 *
 * @param hits results of a search without filters, except conditions on the front matter
 * @param now milliseconds since 1970
 */
export function countFacets(hits: readonly Hit[], narrowing: Narrowing, now: number): SearchFacets {
  const tests = testsOf(narrowing)
  const without = (aspect: Aspect) =>
    hits.flatMap(({ document }) => (tests.every(([of, test]) => of === aspect || test(document)) ? [document] : []))
  const dated = without('after')
  return {
    collections: countValues(without('collections').map(({ collection }) => collection)),
    types: countValues(without('types').map(({ path }) => fileType(path))),
    folders: countValues(without('path').flatMap(({ path }) => topFolder(path) ?? [])),
    changed: SPANS.map((days) => new Date(now - days * DAY_MS).toISOString().slice(0, 10))
      .map((value) => ({ value, count: dated.filter(({ modifiedAt }) => modifiedAt >= value).length }))
      .filter(({ count }) => count > 0),
    counted: hits.length,
  }
}

function testsOf(narrowing: Narrowing): (readonly [aspect: Aspect, test: (document: Document) => boolean])[] {
  const { collections = [], types = [], paths = [], after = '' } = toDocumentFilter(narrowing)
  const { matches } = globs(paths)
  return [
    ['collections', ({ collection }) => collections.length === 0 || collections.includes(collection)],
    ['types', ({ path }) => types.length === 0 || types.includes(fileType(path))],
    ['path', ({ collection, path }) => paths.length === 0 || matches(path) || matches(`${collection}/${path}`)],
    ['after', ({ modifiedAt }) => modifiedAt >= after],
  ]
}

function topFolder(path: string): string | undefined {
  const slash = path.indexOf('/')
  return slash === -1 ? undefined : `${path.slice(0, slash)}/**`
}

/** Counts values, the most frequent first. */
function countValues(values: readonly string[]): SearchFacets['types'] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || byCodeUnit(a.value, b.value))
    .slice(0, MOST)
}
