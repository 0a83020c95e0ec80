import { oneLine } from '../../../text/controls.ts'
import type { SearchFunction, WebSearchOptions } from '../../web-search.ts'
import { objectsIn, queryOf, resultsOf, stringOrEmpty } from '../results.ts'
import { siteOperators, spanSince } from '../scope.ts'
import { requestJson, type SearchProblem, searchError, urlBelow } from '../search-service.ts'

const NO_JSON: SearchProblem = {
  code: 'denied',
  what: 'refuses to answer in JSON',
  hint: 'Add "json" to the list search.formats in its settings.yml, and start it again.',
}

/** SearXNG on any host. It needs no key. */
export function searxng({ baseUrl = '', ...options }: WebSearchOptions): SearchFunction {
  const service = { ...options, name: 'searxng', problems: { 403: NO_JSON } }
  return async (query, { limit, signal, ...scope }) => {
    const span = spanSince(scope.from)
    const url = urlBelow(baseUrl, 'search', {
      q: queryOf(query, siteOperators(scope)),
      format: 'json',
      ...(scope.language !== undefined && { language: scope.language }),
      ...(span && { time_range: span }),
    })
    const answer = await requestJson(service, { url }, signal)
    const items = objectsIn(service, answer, 'results')
    const silentNames = silentEngines(answer)
    if (items.length === 0 && silentNames.length > 0) throw searchError(service, unresponsiveProblem(silentNames))
    return resultsOf(items, limit, { snippet: 'content', date: 'publishedDate' })
  }
}

/** The first engines that did not answer, with the reason: `google (timeout)`. */
function silentEngines(answer: unknown): string[] {
  const engines = typeof answer === 'object' && answer !== null && 'unresponsive_engines' in answer
  const list = engines && Array.isArray(answer.unresponsive_engines) ? answer.unresponsive_engines : []
  return list.slice(0, 5).map((one) => {
    const [name, why] = (Array.isArray(one) ? one : [one]).map(stringOrEmpty)
    const engine = oneLine(`${name || 'an engine'}${why ? ` (${why})` : ''}`)
    return engine.slice(0, 80).toWellFormed()
  })
}

/** The problem of a search without results after some engines did not answer. */
function unresponsiveProblem(engines: readonly string[]): SearchProblem {
  const hint = 'Try again later, or turn on other engines in its settings.'
  return { code: 'unavailable', what: `found nothing, since its engines do not answer: ${engines.join(', ')}`, hint }
}
