/** What a person narrows a search down by: how many hits there are of each value, pages of hits, and their order. */

import { invalidInput } from '../../core/errors.ts'
import type { Document } from '../../stores/document-store.ts'
import { globs } from '../../text/globs.ts'
import { byCodeUnit, fileType } from '../../text/paths.ts'
import type { SearchFacets } from '../answers.ts'
import { type Narrowing, toDocumentFilter } from './filter.ts'
import { compareHits } from './lexical-hit.ts'

/** Hits that are counted and put into another order: the best of all. */
export const COUNTED_HITS = 1_000

export type SearchOrder = 'relevance' | 'changed' | 'path'

/** Which of the hits are given, and in which order. */
export interface SearchPage {
  /** Default: by relevance. */
  readonly sort?: SearchOrder | undefined
  /** Hits that are passed over: 0 to 1,000. Default: 0. */
  readonly offset?: number | undefined
  /** Counts hits by what they can be narrowed down by. Default: false. */
  readonly facets?: boolean | undefined
}

/** How many hits have to be found for a page. */
export function searchDepth({ sort = 'relevance', offset = 0, facets = false }: SearchPage, limit: number): number {
  return sort !== 'relevance' || offset > 0 || facets ? COUNTED_HITS : limit
}

/** Numbers of a search. */
interface SearchNumbers {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly sections?: number | undefined
  readonly minScore?: number | undefined
}

/** @throws ContextError `invalid-input` for numbers that are out of range. */
export function assertSearchable(request: SearchNumbers): void {
  const { limit = 10, minScore = 0 } = request
  assertWithin('offset', request.offset ?? 0, { least: 0, most: 1000 })
  assertWithin('limit', limit, { least: 1, most: 1000 })
  assertWithin('sections', request.sections ?? 1, { least: 1, most: 100 })
  if (!(minScore >= 0 && minScore <= 1)) {
    throw invalidInput(`minScore is ${minScore}.`, 'Scores are 0 to 1.')
  }
}

function assertWithin(name: string, value: number, { least, most }: { readonly least: number; readonly most: number }) {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw invalidInput(`${name} is ${value}.`, `It is a whole number from ${least} to ${most}.`)
}

interface Hit {
  readonly document: Document
}

/** The hits of a page. They come by relevance. */
export function sliceHits<One extends Hit>(hits: readonly One[], page: SearchPage, limit: number): One[] {
  const { sort = 'relevance', offset = 0 } = page
  const ordered = sort === 'relevance' ? hits : hits.toSorted((a, b) => compareBy(sort, a.document, b.document))
  return ordered.slice(offset, offset + limit)
}

function compareBy(sort: SearchOrder, a: Document, b: Document): number {
  return (sort === 'changed' ? byCodeUnit(b.modifiedAt, a.modifiedAt) : 0) || compareHits(a, b)
}

/** Values of a list at most. */
const MOST = 20

/** Days back that changes are counted for. */
const SPANS = [1, 7, 30, 365]
const DAY_MS = 86_400_000

type Aspect = 'collections' | 'types' | 'path' | 'after'

/**
 * Counts hits.
 *
 * @param hits those that no filter but that of the front matter left out
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
    changed: SPANS.map((days) => dayBefore(now, days))
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

function dayBefore(now: number, days: number): string {
  return new Date(now - days * DAY_MS).toISOString().slice(0, 10)
}

/** The most frequent first. */
function countValues(values: readonly string[]): SearchFacets['types'] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || byCodeUnit(a.value, b.value))
    .slice(0, MOST)
}
