import type { SearchFunction, WebSearchOptions } from '../../web-search.ts'
import { objectsIn, queryOf, resultsOf } from '../results.ts'
import { requestJson, type SearchProblem, urlBelow } from '../search-service.ts'

const MAX_RESULTS = 20
const USED_UP: SearchProblem = {
  code: 'over-limit',
  what: 'accepts no more requests, since the limit of the plan is reached',
  hint: 'Check the plan, or wait until the limit is reset.',
}

export function tavily({ baseUrl = 'https://api.tavily.com', key = '', ...options }: WebSearchOptions): SearchFunction {
  const service = { ...options, name: 'tavily', problems: { 432: USED_UP, 433: USED_UP } }
  return async (query, { limit, signal, allowedDomains = [], blockedDomains = [], from, to }) => {
    const url = urlBelow(baseUrl, 'search')
    const body = {
      query: queryOf(query),
      max_results: Math.min(limit, MAX_RESULTS),
      search_depth: 'basic',
      ...(allowedDomains.length > 0 && { include_domains: allowedDomains }),
      ...(blockedDomains.length > 0 && { exclude_domains: blockedDomains }),
      ...(from !== undefined && { start_date: from }),
      ...(to !== undefined && { end_date: to }),
    }
    const answer = await requestJson(service, { url, headers: { authorization: `Bearer ${key}` }, body }, signal)
    return resultsOf(objectsIn(service, answer, 'results'), limit, { snippet: 'content', date: 'published_date' })
  }
}
