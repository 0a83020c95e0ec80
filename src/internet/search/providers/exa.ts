import type { SearchFunction, WebSearchOptions } from '../../web-search.ts'
import { objectsIn, queryOf, resultsOf, stringOrEmpty } from '../results.ts'
import { requestJson, urlBelow } from '../search-service.ts'

const MAX_RESULTS = 25
/** Requested length of a snippet, in characters. */
const SNIPPET_LENGTH = 600

export function exa({ baseUrl = 'https://api.exa.ai', key = '', ...options }: WebSearchOptions): SearchFunction {
  const service = { ...options, name: 'exa' }
  return async (query, { limit, signal, allowedDomains = [], blockedDomains = [], from, to }) => {
    const body = {
      query: queryOf(query),
      type: 'auto',
      numResults: Math.min(limit, MAX_RESULTS),
      contents: { highlights: { maxCharacters: SNIPPET_LENGTH } },
      ...(allowedDomains.length > 0 && { includeDomains: allowedDomains }),
      ...(blockedDomains.length > 0 && { excludeDomains: blockedDomains }),
      ...(from !== undefined && { startPublishedDate: `${from}T00:00:00.000Z` }),
      ...(to !== undefined && { endPublishedDate: `${to}T23:59:59.999Z` }),
    }
    const url = urlBelow(baseUrl, 'search')
    const answer = await requestJson(service, { url, headers: { 'x-api-key': key }, body }, signal)
    const items = objectsIn(service, answer, 'results').map((item) => ({ ...item, passages: joinPassages(item) }))
    return resultsOf(items, limit, { snippet: 'passages', date: 'publishedDate' })
  }
}

/** The highlights of a page; without any, the beginning of its summary or text. */
function joinPassages({ highlights, summary, text }: Record<string, unknown>): string {
  const passages = Array.isArray(highlights) ? highlights.map(stringOrEmpty).filter((one) => one !== '') : []
  const snippet = passages.length > 0 ? passages.join(' … ') : stringOrEmpty(summary) || stringOrEmpty(text)
  return snippet.slice(0, SNIPPET_LENGTH)
}
