import { SEARCH_PROVIDERS, type SearchProvider } from '../core/choices.ts'
import { ContextError } from '../core/errors.ts'
import { brave } from './search/providers/brave.ts'
import { exa } from './search/providers/exa.ts'
import { searxng } from './search/providers/searxng.ts'
import { serper } from './search/providers/serper.ts'
import { tavily } from './search/providers/tavily.ts'
import type { WebSearch, WebSearchOptions } from './web-search.ts'

/** Those that take a key. */
const KEYED = { tavily, brave, exa, serper } satisfies Record<Exclude<SearchProvider, 'searxng'>, unknown>

/**
 * The search of a provider by its name.
 *
 * @throws ContextError `invalid-input` for a name that is none, and where the URL or the key is missing that it needs.
 */
export function webSearch(provider: string, options: WebSearchOptions = {}): WebSearch {
  const { baseUrl, key } = options
  if (provider === 'searxng') {
    if (baseUrl === undefined)
      throw missingSetting(provider, 'URL', 'AMBIT_SEARCH_URL to where it runs, such as http://127.0.0.1:8888')
    return searxng({ ...options, baseUrl })
  }
  const make = Object.hasOwn(KEYED, provider) ? KEYED[provider as keyof typeof KEYED] : undefined
  if (make === undefined) {
    const hint = `There are ${SEARCH_PROVIDERS.join(', ')}.`
    throw new ContextError('invalid-input', `No search service is called ${JSON.stringify(provider)}.`, { hint })
  }
  if (!key) throw missingSetting(provider, 'key', 'AMBIT_SEARCH_KEY')
  return make(options)
}

function missingSetting(provider: string, what: string, set: string): ContextError {
  return new ContextError('invalid-input', `The search service ${provider} has no ${what}.`, { hint: `Set ${set}.` })
}
