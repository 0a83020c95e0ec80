import type { WebSearch, WebSearchOptions } from '../../web-search.ts'
import { foundIn, queryOf, resultsOf } from '../results.ts'
import { askedJson, urlBelow } from '../search-service.ts'

const MOST = 20

export function brave({
  baseUrl = 'https://api.search.brave.com/res/v1',
  key = '',
  ...options
}: WebSearchOptions): WebSearch {
  const service = { ...options, name: 'brave' }
  return {
    name: 'brave',
    async search(query, { limit, signal }) {
      const count = String(Math.min(limit, MOST))
      const url = urlBelow(baseUrl, 'web/search', { q: queryOf(query), count, text_decorations: 'false' })
      const answer = await askedJson(service, { url, headers: { 'x-subscription-token': key } }, signal)
      // Without `web` nothing was found.
      const found = foundIn(service, answer, 'web', 'results')
      const results = found.map(({ url, title, description, page_age }) => ({
        url,
        title,
        snippet: description,
        date: page_age,
      }))
      return resultsOf(results, limit)
    },
  }
}
