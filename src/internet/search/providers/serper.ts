import type { SearchFunction, WebSearchOptions } from '../../web-search.ts'
import { objectsIn, queryOf, resultsOf } from '../results.ts'
import { dayRange, siteOperators } from '../scope.ts'
import { requestJson, urlBelow } from '../search-service.ts'

const MAX_RESULTS = 20

export function serper({ baseUrl = 'https://google.serper.dev', key = '', ...rest }: WebSearchOptions): SearchFunction {
  const service = { ...rest, name: 'serper' }
  return async (query, { limit, signal, ...scope }) => {
    const url = urlBelow(baseUrl, 'search')
    const days = dayRange(scope)
    const body = {
      q: queryOf(query, siteOperators(scope)),
      num: Math.min(limit, MAX_RESULTS),
      ...(days && { tbs: `cdr:1,cd_min:${americanDay(days.from)},cd_max:${americanDay(days.to)}` }),
      ...(scope.language !== undefined && { hl: scope.language }),
    }
    const answer = await requestJson(service, { url, headers: { 'x-api-key': key }, body }, signal)
    // The list is `null` if there is no result.
    return resultsOf(objectsIn(service, answer, 'organic'), limit, { url: 'link' })
  }
}

/** A day as Americans write it: `5/31/2026`. */
function americanDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${month}/${date}/${year}`
}
