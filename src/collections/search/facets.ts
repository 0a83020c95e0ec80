/** The filters, pages and order of a search, and its facets: counts of hits. */

import { invalidInput } from '../../core/errors.ts'
import type { Document, DocumentFilter } from '../../stores/document-store.ts'
import { globs } from '../../text/globs.ts'
import { byCodeUnit, fileType } from '../../text/paths.ts'
import type { SearchFacets } from '../answers.ts'
import type { DocumentHit } from './exact-text.ts'
import { compareHits } from './fusion.ts'

/** The filters of a search. A hit meets all of them. */
export interface SearchFilters {
  /** Names of collections. Default: all that are not paused. */
  readonly collections?: readonly string[] | undefined
  /** Globs of paths; at least one must match. */
  readonly path?: readonly string[] | undefined
  /** File extensions, such as `md`; at least one must match. `none` selects files without an extension. */
  readonly types?: readonly string[] | undefined
  /** Selects documents that changed on this day or later: `2026-05-31`, or a time in ISO 8601. */
  readonly after?: string | undefined
  /** Conditions `KEY=VALUE` on the front matter; all must be true. */
  readonly where?: readonly string[] | undefined
}

/** @throws ContextError `invalid-input` for an invalid date or condition. */
export function toDocumentFilter({ collections, path, types, after, where }: SearchFilters): DocumentFilter {
  return {
    ...(collections && collections.length > 0 && { collections }),
    // A pattern without a slash, such as `*.md`, matches names at any depth.
    ...(path && path.length > 0 && { paths: path.map((glob) => (glob.includes('/') ? glob : `**/${glob}`)) }),
    ...(types && types.length > 0 && { types: types.map(readType) }),
    ...(after !== undefined && { after: parseTime(after) }),
    ...(where && where.length > 0 && { where: parseConditions(where) }),
  }
}

function readType(type: string): string {
  return type === 'none' ? '' : type.toLowerCase().replace(/^[*.]+/, '')
}

function parseTime(text: string): string {
  const time = new Date(text)
  const [, day] = /^(\d{4}-\d{2}(?:-\d{2})?)(?:T|$)/.exec(text) ?? []
  // `new Date` reads 30 February as a day of March, so the day is compared with the result.
  const isDay = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  if (isDay && !Number.isNaN(time.getTime())) return time.toISOString()
  const hint = 'For example: 2026-05-31, or 2026-05-31T12:00:00Z.'
  throw invalidInput(`"${text}" is not a date.`, hint)
}

function parseConditions(where: readonly string[]): Record<string, string> {
  const pairs = where.map((pair) => {
    const separator = pair.indexOf('=')
    if (separator < 1) throw invalidInput(`"${pair}" is not a condition.`, 'For example: status=draft.')
    return [pair.slice(0, separator).trim(), pair.slice(separator + 1).trim()] as const
  })
  const values = new Map(pairs)
  const conflict = pairs.find(([key, value]) => values.get(key) !== value)
  if (!conflict) return Object.fromEntries(pairs)
  throw invalidInput(`"${conflict[0]}" cannot have two values.`, 'Ask for one at a time.')
}

/** Maximum number of hits to count and to sort, those with the best scores. */
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

const NUMBER_RANGES = [
  ['offset', 0, 1000],
  ['limit', 1, 1000],
  ['sections', 1, 100],
] as const

/** Checks numbers, because callers of the library bypass the schemas. @throws ContextError `invalid-input` for numbers out of range. */
export function assertSearchable(
  request: { readonly [name in (typeof NUMBER_RANGES)[number][0] | 'minScore']?: number | undefined },
) {
  for (const [name, minimum, maximum] of NUMBER_RANGES) {
    const value = request[name] ?? minimum
    if (!Number.isInteger(value) || value < minimum || value > maximum)
      throw invalidInput(`${name} is ${value}.`, `It is a whole number from ${minimum} to ${maximum}.`)
  }
  const { minScore = 0 } = request
  if (!(minScore >= 0 && minScore <= 1)) throw invalidInput(`minScore is ${minScore}.`, 'Scores are 0 to 1.')
}

/** Number of hits to find for a page. */
export function searchDepth({ sort = 'relevance', offset = 0, facets = false }: SearchPage, limit: number): number {
  return sort !== 'relevance' || offset > 0 || facets ? COUNTED_HITS : limit
}

export function sliceHits<Hit extends DocumentHit>(hits: readonly Hit[], page: SearchPage, limit: number): Hit[] {
  const { sort = 'relevance', offset = 0 } = page
  const ordered = sort === 'relevance' ? hits : hits.toSorted((a, b) => compareBy(sort, a.document, b.document))
  return ordered.slice(offset, offset + limit)
}

function compareBy(sort: SearchOrder, a: Document, b: Document): number {
  return (sort === 'changed' ? byCodeUnit(b.modifiedAt, a.modifiedAt) : 0) || compareHits(a, b)
}

/** Maximum number of values of a facet. */
const MAX_FACET_VALUES = 20

/** Periods of the facet `changed`, in days before now. */
const CHANGE_PERIODS_DAYS = [1, 7, 30, 365]
const DAY_MS = 86_400_000

type FilterName = 'collections' | 'types' | 'path' | 'after'

/**
 * Counts hits by values. Each list ignores its own filter, but obeys the others.
 *
 * @param hits results of a search without filters, except conditions on the front matter
 * @param now milliseconds since 1970
 */
export function countFacets(hits: readonly DocumentHit[], filters: SearchFilters, now: number): SearchFacets {
  const tests = filterTests(filters)
  const documentsIgnoring = (filterName: FilterName) =>
    hits.flatMap(({ document }) =>
      tests.every(([name, test]) => name === filterName || test(document)) ? [document] : [],
    )
  const documentsOfAnyDate = documentsIgnoring('after')
  return {
    collections: countValues(documentsIgnoring('collections').map(({ collection }) => collection)),
    types: countValues(documentsIgnoring('types').map(({ path }) => fileType(path))),
    folders: countValues(documentsIgnoring('path').flatMap(({ path }) => topFolder(path) ?? [])),
    changed: CHANGE_PERIODS_DAYS.map((days) => new Date(now - days * DAY_MS).toISOString().slice(0, 10))
      .map((value) => ({ value, count: documentsOfAnyDate.filter(({ modifiedAt }) => modifiedAt >= value).length }))
      .filter(({ count }) => count > 0),
    counted: hits.length,
  }
}

function filterTests(filters: SearchFilters): (readonly [name: FilterName, test: (document: Document) => boolean])[] {
  const { collections = [], types = [], paths = [], after = '' } = toDocumentFilter(filters)
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

/** The most frequent values with their counts. */
function countValues(values: readonly string[]): SearchFacets['types'] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, { length: count }]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || byCodeUnit(a.value, b.value))
    .slice(0, MAX_FACET_VALUES)
}
