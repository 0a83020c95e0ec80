/** Writes the passages of the site's pages as data, and searches them. */

import { PassageIndex } from '../../src/retrieval/passages.ts'
import type { TextUnit } from '../../src/retrieval/units.ts'
import type { SitePage } from './page.ts'

/** The data that the browser loads for searches. */
export interface SearchData {
  readonly pages: readonly { readonly address: string; readonly title: string }[]
  readonly units: readonly SearchUnit[]
}

interface SearchUnit extends Pick<TextUnit, 'kind' | 'text' | 'trail' | 'lead'> {
  /** Index of the page. */
  readonly page: number
  /** The id of the heading above the passage; empty for the title of the page. */
  readonly id: string
}

/** A passage that matches a query. */
export interface FoundPassage {
  readonly address: string
  readonly title: string
  readonly text: string
}

const MAX_HITS = 10
const MIN_COVERAGE = 0.35
const SNIPPET = 220

/** The search data of all pages. */
export function searchData(pages: readonly SitePage[]): SearchData {
  return {
    pages: pages.map(({ address, title }) => ({ address, title })),
    units: pages.flatMap(({ units, headings }, page) =>
      units.map(({ kind, text, trail, lead, line }) => {
        const heading = headings.findLast((each) => each.line <= line)
        return { kind, text, trail, lead, page, id: heading?.level === 1 ? '' : (heading?.id ?? '') }
      }),
    ),
  }
}

/** The index for ranking the passages. */
export function indexPassages({ pages, units }: SearchData): PassageIndex {
  return new PassageIndex(
    units.map(({ page, id: _, ...unit }) => ({
      ...unit,
      start: 0,
      end: 0,
      line: 1,
      block: '',
      title: pages[page]?.title ?? '',
    })),
  )
}

/** The best passages, at most one of each section. Empty if no passage covers enough of the query. */
export function findPassages(
  index: PassageIndex,
  { pages, units }: SearchData,
  query: string,
): readonly FoundPassage[] {
  const ranked = index
    .rank(query)
    .filter(({ score, coverage }) => score > 0 && coverage >= MIN_COVERAGE)
    .map(({ at, score }) => ({ at, score: score * weightOf(pages[units[at]?.page ?? -1]?.address ?? '') }))
    .sort((a, b) => b.score - a.score)
  const found = new Map<string, FoundPassage>()
  for (const { at } of ranked) {
    const unit = units[at]
    const page = unit && pages[unit.page]
    if (!page) continue
    const address = unit.id === '' ? page.address : `${page.address}#${unit.id}`
    if (!found.has(address))
      found.set(address, { address, title: titleOf(page.title, unit.trail), text: snippetOf(unit.text) })
    if (found.size === MAX_HITS) break
  }
  return [...found.values()]
}

/**
 * Guides come first, because they say how to use the product. People who look for reasons or history use words of those pages.
 */
function weightOf(address: string): number {
  if (address.startsWith('guides/') || ['index.html', 'configuration.html'].includes(address)) return 1
  return address.startsWith('reference/') ? 0.8 : 0.6
}

function titleOf(title: string, trail: readonly string[]): string {
  return [title, ...trail.filter((heading) => heading !== title)].join(' › ')
}

function snippetOf(text: string): string {
  const plain = text
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/[`*_|]/g, '')
  return plain.length <= SNIPPET ? plain : `${plain.slice(0, plain.lastIndexOf(' ', SNIPPET))} …`
}
