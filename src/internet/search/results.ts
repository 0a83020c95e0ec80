/** Normalises results of search services. Every value of an answer is checked before use. */

import { stripControls } from '../../text/controls.ts'
import { foldSpace } from '../../text/trim.ts'
import type { WebResult } from '../web-search.ts'
import { type SearchProblem, type SearchService, searchError } from './search-service.ts'

/** Maximum characters of a query and of each field of a result. Two services refuse longer queries. */
const MAX_LENGTHS = { query: 400, title: 300, snippet: 2000, url: 2048 }

/** Names of the fields of a result, as a service calls them. */
interface ResultFields {
  readonly url?: string
  readonly snippet?: string
  readonly date?: string
}

/** The value if it is a string, else `''`. */
export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Results with an http or https URL, each URL once, up to `limit`. */
export function resultsOf(
  items: readonly Readonly<Record<string, unknown>>[],
  limit: number,
  { url: urlField = 'url', snippet: snippetField = 'snippet', date: dateField = 'date' }: ResultFields = {},
): readonly WebResult[] {
  const results = new Map<string, WebResult>()
  for (const item of items) {
    const url = urlOf(item[urlField])
    if (results.size >= limit) break
    if (url === undefined || results.has(url.href)) continue
    const title = plainLine(item.title, MAX_LENGTHS.title) || url.host
    const date = dateOf(item[dateField])
    const snippet = plainLine(item[snippetField], MAX_LENGTHS.snippet)
    results.set(url.href, { url: url.href, title, snippet, ...(date !== undefined && { date }) })
  }
  return [...results.values()]
}

function urlOf(value: unknown): URL | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTHS.url || !URL.canParse(value)) return undefined
  const url = new URL(value)
  return /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : undefined
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The text on one line of at most `maxLength` characters, without tags of highlights, and with decoded entities. */
function plainLine(value: unknown, maxLength: number): string {
  const plainText = stringOrEmpty(value)
    .slice(0, maxLength * 4)
    .replace(/<\/?(?:b|strong|em|i|mark|span|br)\b[^<>]*>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
  const line = foldSpace(stripControls(plainText))
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…`.toWellFormed() : line.toWellFormed()
}

/** The day of an absolute date; undefined for `3 days ago`, because the day that it counts from is unknown. */
function dateOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [iso] = /^\d{4}-\d{2}-\d{2}(?![\d])/.exec(value) ?? []
  if (iso !== undefined) return Number.isNaN(Date.parse(iso)) ? undefined : iso
  if (!/^(?:\w{3,9},? )?(?:\d{1,2} \w{3,9}|\w{3,9} \d{1,2}),? \d{4}\b/.test(value)) return undefined
  const time = Date.parse(/\d:\d/.test(value) ? value : `${value} UTC`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
}

/**
 * The objects of a list in an answer; `[]` if the list is null or missing. `fieldPath`: the names of the fields that lead to the list.
 *
 * @throws ContextError `unavailable` for something other than a list.
 */
export function objectsIn(
  service: Pick<SearchService, 'name'>,
  answer: unknown,
  ...fieldPath: readonly string[]
): readonly Record<string, unknown>[] {
  let value = answer
  for (const name of fieldPath) {
    if (typeof value !== 'object' || value === null) break
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  }
  value ??= []
  if (!Array.isArray(value)) throw searchError(service, NO_LIST)
  return value.filter((one) => typeof one === 'object' && one !== null)
}

const NO_LIST: SearchProblem = {
  code: 'unavailable',
  what: 'answered with something that is not a list of results',
  hint: 'Check that AMBIT_SEARCH and AMBIT_SEARCH_URL belong to the same service.',
}

/** The query on one line, followed by the operators. Cuts a long query between words, or inside a word if the query has no space. */
export function queryOf(text: string, operators = ''): string {
  const line = foldSpace(stripControls(text))
  const maxLength = MAX_LENGTHS.query - operators.length
  if (line.length <= maxLength) return `${line}${operators}`
  const cut = line.slice(0, maxLength)
  return `${cut.slice(0, cut.includes(' ') ? cut.lastIndexOf(' ') : undefined).toWellFormed()}${operators}`
}
