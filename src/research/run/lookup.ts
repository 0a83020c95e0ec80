/** Searches the collections and the web for a question. A failure becomes an event, and does not stop the run. */

import { ContextError } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { WebResult, WebSearch } from '../../internet/web-search.ts'
import { searchLanguage } from '../report/report-words.ts'
import type { RunSettings } from '../settings.ts'
import { pageAddress, publishedDay, SEARCH_SERVICE } from '../web/page-dates.ts'
import type { PageReader } from '../web/page-reader.ts'
import type { RunWork } from './allotment.ts'
import type { EvidencePassage } from './evidence.ts'
import { firstOfEach } from './slices.ts'

/** What a run can search, and the reader of web pages. */
export interface LookupPlaces {
  /** Passages of the collections for a query. */
  collections?(query: string, names: readonly string[], signal: AbortSignal): Promise<readonly EvidencePassage[]>
  readonly web?: WebSearch
  readonly pages: PageReader
}

type PageOptions = Pick<RunWork, 'settings' | 'signal'>

export interface LookupOptions extends PageOptions {
  /** The question of the session. Pages are searched in its language. */
  readonly question: string
}

export interface LookupResult {
  readonly source: 'collections' | 'web'
  readonly query: string
  readonly passages: readonly EvidencePassage[]
  /** Results of a web search: pages to read. */
  readonly hits: readonly WebResult[]
  /** Why the search failed. A sentence. */
  readonly error?: string
}

/** Maximum characters of a page. Maximum results of a search. Number of results to request if some may be filtered out. */
const MAX_PAGE_LENGTH = 60_000
const MAX_RESULTS = 10
const FILTERED_RESULTS = 20

/** Searches the collections or the web. @throws errors that stop the run. */
export async function lookUp(
  places: LookupPlaces,
  { query, source }: Pick<LookupResult, 'query' | 'source'>,
  options: LookupOptions,
): Promise<LookupResult> {
  const { collections: names } = options.settings
  const empty: LookupResult = { source, query, passages: [], hits: [] }
  try {
    if (source === 'web') return { ...empty, ...(await searchWeb(places, query, options)) }
    return { ...empty, passages: (await places.collections?.(query, names || [], options.signal)) ?? [] }
  } catch (error) {
    return { ...empty, error: failureReason(error, options.signal) }
  }
}

async function searchWeb({ web }: LookupPlaces, query: string, { settings, question, signal }: LookupOptions) {
  const { allowedDomains, blockedDomains, from, to } = settings
  const isNarrow = allowedDomains.length + blockedDomains.length > 0 || from !== undefined || to !== undefined
  const hits = await web?.search(query, {
    limit: isNarrow ? FILTERED_RESULTS : MAX_RESULTS,
    signal,
    allowedDomains,
    blockedDomains,
    ...omitUndefined({ from, to, language: searchLanguage(question, settings.language) }),
  })
  return { hits: hits?.filter((hit) => isAllowedPage(hit, settings)).slice(0, MAX_RESULTS) ?? [] }
}

export interface PageRead extends Pick<LookupResult, 'passages' | 'error'> {
  readonly url: string
}

/** Reads a page. The snippet of a search is not evidence: only the page itself can be quoted. */
async function readPage({ pages }: LookupPlaces, hit: WebResult, options: PageOptions): Promise<PageRead> {
  const { settings, signal } = options
  const empty = { url: hit.url, passages: [] }
  try {
    const { url, title, text, author, dates: own = [] } = await pages.read(hit.url, signal)
    const dates =
      hit.date === undefined ? own : [...own, { what: 'published', day: hit.date, where: SEARCH_SERVICE } as const]
    if (!isAllowedPage({ url }, settings)) return { ...empty, error: `It leads to ${url}, which the settings exclude.` }
    if (isNotice(text))
      return { ...empty, error: 'It contains only a notice that asks for scripts, a login or a subscription.' }
    const day = publishedDay(dates)
    if (day !== undefined && !isAllowedPage({ url, date: day }, settings))
      return { ...empty, error: `It was published on ${day}, which the settings exclude.` }
    const shown = text.slice(0, MAX_PAGE_LENGTH).toWellFormed()
    const facts = { ...(author && { author }), ...(dates.length > 0 && { dates }) }
    // A reference is written in brackets, so it must not contain any.
    const ref = url.replaceAll('[', '%5B').replaceAll(']', '%5D')
    return { url: hit.url, passages: [{ ref, kind: 'web', title: title || hit.title, text: shown, ...facts }] }
  } catch (error) {
    return { ...empty, error: failureReason(error, signal) }
  }
}

/** Maximum characters of a notice. */
const MAX_NOTICE_LENGTH = 1500

const NOTICE =
  /\b(?:(?:enable|turn on|requires?|activate) (?:java ?script|cookies)|(?:java ?script|cookies) (?:is|are|must be|needs? to be) (?:disabled|enabled|required|turned on)|(?:subscribe|sign in|log in|register|create (?:a|an) (?:free )?account) to (?:continue|read|view|access|unlock|keep reading)|(?:subscribers|members)[- ]only|verify (?:that )?you are (?:a )?human|checking your browser|access denied|are you a robot|captcha)\b/i

/** Whether a page is only a notice, such as a login or a consent form. */
export function isNotice(text: string): boolean {
  return text.trim() === '' || (text.length <= MAX_NOTICE_LENGTH && NOTICE.test(text))
}

/** Merges the hits of searches: the first hit of each, then the second of each, and so on. Each page occurs once. */
export function mergeHits(searches: readonly (readonly WebResult[])[]): WebResult[] {
  const longest = Math.max(0, ...searches.map(({ length }) => length))
  const all = Array.from({ length: longest }, (_, rank) => searches.flatMap((hits) => hits[rank] ?? [])).flat()
  return firstOfEach(all, ({ url }) => pageAddress(url))
}

/** Makes a reader that reads each page only once, even for concurrent requests. `known`: pages that were read before. */
export function cachePages(places: LookupPlaces, known: readonly PageRead[]) {
  const reads = new Map(known.map((page) => [pageAddress(page.url), Promise.resolve(page)]))
  return {
    ...places,
    readPage: (hit: WebResult, options: PageOptions): Promise<PageRead> => {
      const address = pageAddress(hit.url)
      const reading = reads.get(address) ?? readPage(places, hit, options)
      reads.set(address, reading)
      // Other requests do not get the result of an aborted read.
      reading.catch(() => reads.delete(address))
      return reading.then((page) => ({ ...page, url: hit.url }))
    },
  }
}

/** Whether the settings allow the domain and the day of a page. Pages without a date are allowed. */
export function isAllowedPage(
  { url, date = '' }: Pick<WebResult, 'url' | 'date'>,
  { allowedDomains, blockedDomains, from, to }: Pick<RunSettings, 'allowedDomains' | 'blockedDomains' | 'from' | 'to'>,
): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  const isOf = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)
  if (!/^https?:$/.test(protocol) || blockedDomains.some(isOf)) return false
  if (allowedDomains.length > 0 && !allowedDomains.some(isOf)) return false
  const day = Number.isNaN(Date.parse(date)) ? undefined : new Date(date).toISOString().slice(0, 10)
  return day === undefined || ((from === undefined || day >= from) && (to === undefined || day <= to))
}

/** @throws errors that stop the run. */
function failureReason(error: unknown, signal: AbortSignal): string {
  if (signal.aborted || !(error instanceof ContextError)) throw error
  return [error.message, error.hint].filter((part) => part).join(' ')
}
