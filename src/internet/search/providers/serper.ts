import type { WebSearch, WebSearchOptions } from '../../web-search.ts'
import { foundIn, queryOf, resultsOf } from '../results.ts'
import { askedJson, urlBelow } from '../search-service.ts'

const MOST = 20

export function serper({ baseUrl = 'https://google.serper.dev', key = '', ...options }: WebSearchOptions): WebSearch {
  const service = { ...options, name: 'serper' }
  return {
    name: 'serper',
    async search(query, { limit, signal }) {
      const url = urlBelow(baseUrl, 'search')
      const body = { q: queryOf(query), num: Math.min(limit, MOST) }
      const answer = await askedJson(service, { url, headers: { 'x-api-key': key }, body }, signal)
      // `null` where nothing was found.
      const found = foundIn(service, answer, 'organic')
      return resultsOf(
        found.map(({ link, title, snippet, date }) => ({ url: link, title, snippet, date })),
        limit,
      )
    },
  }
}
