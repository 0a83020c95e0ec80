import type { WebSearch, WebSearchOptions } from '../../web-search.ts'
import { type FoundResult, foundIn, queryOf, resultsOf, stringOrEmpty } from '../results.ts'
import { askedJson, urlBelow } from '../search-service.ts'

const MOST = 25
/** Requested length of a snippet, in characters. */
const SNIPPET = 600

export function exa({ baseUrl = 'https://api.exa.ai', key = '', ...options }: WebSearchOptions): WebSearch {
  const service = { ...options, name: 'exa' }
  return {
    name: 'exa',
    async search(query, { limit, signal, allowedDomains = [], blockedDomains = [], from, to }) {
      const contents = { highlights: { maxCharacters: SNIPPET } }
      const body = {
        query: queryOf(query),
        type: 'auto',
        numResults: Math.min(limit, MOST),
        contents,
        ...(allowedDomains.length > 0 && { includeDomains: allowedDomains }),
        ...(blockedDomains.length > 0 && { excludeDomains: blockedDomains }),
        ...(from !== undefined && { startPublishedDate: `${from}T00:00:00.000Z` }),
        ...(to !== undefined && { endPublishedDate: `${to}T23:59:59.999Z` }),
      }
      const url = urlBelow(baseUrl, 'search')
      const answer = await askedJson(service, { url, headers: { 'x-api-key': key }, body }, signal)
      return resultsOf(foundIn(service, answer, 'results').map(foundOf), limit)
    },
  }
}

function foundOf({ url, title, highlights, summary, text, publishedDate }: Record<string, unknown>): FoundResult {
  const passages = Array.isArray(highlights) ? highlights.map(stringOrEmpty).filter((one) => one !== '') : []
  const snippet = passages.length > 0 ? passages.join(' … ') : stringOrEmpty(summary) || stringOrEmpty(text)
  return { url, title, snippet: snippet.slice(0, SNIPPET), date: publishedDate }
}
