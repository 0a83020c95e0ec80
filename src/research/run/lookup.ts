/** Looks a question up: in the collections, and on the web. What fails is told, and stops nothing. */

import { ContextError } from '../../core/errors.ts'
import type { WebResult, WebSearch } from '../../internet/web-search.ts'
import type { RunSettings } from '../settings.ts'
import type { PageReader } from '../web/page-reader.ts'
import type { EvidencePassage } from './evidence.ts'

/** Where a run looks things up. */
export interface LookupPlaces {
  /** Passages of the collections that speak of a query. */
  collections?(query: string, names: readonly string[], signal: AbortSignal): Promise<readonly EvidencePassage[]>
  readonly web?: WebSearch
  readonly pages?: PageReader
}

/** What came of one search. */
export interface LookupResult {
  readonly source: 'collections' | 'web'
  readonly query: string
  readonly passages: readonly EvidencePassage[]
  /** Pages that are to be read. */
  readonly hits: readonly WebResult[]
  /** Why it did not answer. A sentence. */
  readonly error?: string
}

/** Characters of a page that are kept, and results that are asked for. */
const MOST_TEXT = 60_000
const RESULTS = 5

export async function lookUpCollections(
  { collections }: LookupPlaces,
  query: string,
  { settings, signal }: { readonly settings: RunSettings; readonly signal: AbortSignal },
): Promise<LookupResult> {
  const empty: LookupResult = { source: 'collections', query, passages: [], hits: [] }
  if (!collections || settings.collections === false) return empty
  try {
    return { ...empty, passages: await collections(query, settings.collections, signal) }
  } catch (error) {
    return { ...empty, error: lookupReason(error, signal) }
  }
}

export async function searchWeb(
  { web }: LookupPlaces,
  query: string,
  { settings, signal }: { readonly settings: RunSettings; readonly signal: AbortSignal },
): Promise<LookupResult> {
  const empty: LookupResult = { source: 'web', query, passages: [], hits: [] }
  if (!web) return { ...empty, error: 'No search provider is set.' }
  try {
    const hits = await web.search(query, { limit: RESULTS, signal })
    return { ...empty, hits: hits.filter((hit) => isWanted(hit, settings)).slice(0, RESULTS) }
  } catch (error) {
    return { ...empty, error: lookupReason(error, signal) }
  }
}

/** What came of reading one page. */
export interface PageRead {
  readonly url: string
  readonly passages: readonly EvidencePassage[]
  readonly error?: string
}

/** Reads a page. What a search told of it is no evidence: only what stands on the page can be quoted, where it was found. */
export async function readPage(
  { pages }: LookupPlaces,
  hit: WebResult,
  { settings, signal }: { readonly settings: RunSettings; readonly signal: AbortSignal },
): Promise<PageRead> {
  const none = { url: hit.url, passages: [] }
  if (!pages) return { ...none, error: 'Pages are not read.' }
  try {
    const { url, title, text } = await pages.read(hit.url, signal)
    if (!isWanted({ url }, settings)) return { ...none, error: `It leads to ${url}, which was not wanted.` }
    const kept = text.slice(0, MOST_TEXT).toWellFormed()
    return { url: hit.url, passages: [{ ref: citable(url), kind: 'web', title: title || hit.title, text: kept }] }
  } catch (error) {
    return { ...none, error: lookupReason(error, signal) }
  }
}

/** A reference stands in brackets: it holds none. */
function citable(url: string): string {
  return url.replaceAll('[', '%5B').replaceAll(']', '%5D')
}

/** By the domains and days that were asked for; what has no date is let through. */
export function isWanted(
  { url, date }: Pick<WebResult, 'url' | 'date'>,
  { allowedDomains, blockedDomains, from, to }: Pick<RunSettings, 'allowedDomains' | 'blockedDomains' | 'from' | 'to'>,
): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  const isOf = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)
  if (!/^https?:$/.test(protocol) || blockedDomains.some(isOf)) return false
  if (allowedDomains.length > 0 && !allowedDomains.some(isOf)) return false
  const day =
    date === undefined || Number.isNaN(Date.parse(date)) ? undefined : new Date(date).toISOString().slice(0, 10)
  return day === undefined || ((from === undefined || day >= from) && (to === undefined || day <= to))
}

/** @throws what stops the run. */
function lookupReason(error: unknown, signal: AbortSignal): string {
  if (signal.aborted || !(error instanceof ContextError)) throw error
  return [error.message, error.hint].filter((part) => part).join(' ')
}
