import type { SearchFunction, SearchScope, WebSearchOptions } from '../../web-search.ts'
import { objectsIn, queryOf, resultsOf } from '../results.ts'
import { dayRange, siteOperators } from '../scope.ts'
import { requestJson, urlBelow } from '../search-service.ts'

const MAX_RESULTS = 20

export function brave({
  baseUrl = 'https://api.search.brave.com/res/v1',
  key = '',
  ...options
}: WebSearchOptions): SearchFunction {
  const service = { ...options, name: 'brave' }
  return async (query, { limit, signal, ...scope }) => {
    const days = dayRange(scope)
    const url = urlBelow(baseUrl, 'web/search', {
      q: queryOf(query, siteOperators(scope)),
      count: String(Math.min(limit, MAX_RESULTS)),
      text_decorations: 'false',
      ...(days && { freshness: `${days.from}to${days.to}` }),
      ...languageFor(scope),
    })
    const answer = await requestJson(service, { url, headers: { 'x-subscription-token': key } }, signal)
    // An answer without results has no `web`.
    const items = objectsIn(service, answer, 'web', 'results')
    return resultsOf(items, limit, { snippet: 'description', date: 'page_age' })
  }
}

/** Brave's names of languages, by ISO 639-1. Other languages are not sent, because Brave refuses unknown names. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'ar bg cs da de en es et fi fr he hi hr hu it ko lt lv nl pl ro ru sk sl sr sv ta te th tr uk vi'
      .split(' ')
      .map((one) => [one, one]),
  ),
  ja: 'jp',
  pt: 'pt-br',
  zh: 'zh-hans',
}

function languageFor({ language = '' }: SearchScope): { readonly search_lang?: string } {
  const search_lang = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined
  return search_lang === undefined ? {} : { search_lang }
}
