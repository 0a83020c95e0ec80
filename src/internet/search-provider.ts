import { type ContextError, invalidInput } from '../core/errors.ts'
import type { SearchFunction, WebSearch, WebSearchOptions } from './web-search.ts'

interface ProviderRow {
  readonly needs: 'url' | 'key'
  load(): Promise<(options: WebSearchOptions) => SearchFunction>
}

/** The list of providers, in the order of help. The first search loads the file of its provider. */
const PROVIDERS = {
  searxng: { needs: 'url', load: async () => (await import('./search/providers/searxng.ts')).searxng },
  tavily: { needs: 'key', load: async () => (await import('./search/providers/tavily.ts')).tavily },
  brave: { needs: 'key', load: async () => (await import('./search/providers/brave.ts')).brave },
  exa: { needs: 'key', load: async () => (await import('./search/providers/exa.ts')).exa },
  serper: { needs: 'key', load: async () => (await import('./search/providers/serper.ts')).serper },
} as const satisfies Readonly<Record<string, ProviderRow>>

/** Services that search the web. */
export type SearchProvider = keyof typeof PROVIDERS

export const SEARCH_PROVIDERS = Object.keys(PROVIDERS) as readonly SearchProvider[]

export function requiredSetting(provider: SearchProvider): ProviderRow['needs'] {
  return PROVIDERS[provider].needs
}

/** @throws ContextError `invalid-input` for an unknown name, and for a missing URL or key. */
export function webSearch(provider: string, options: WebSearchOptions = {}): WebSearch {
  const name = SEARCH_PROVIDERS.find((one) => one === provider)
  if (name === undefined) {
    const hint = `There are ${SEARCH_PROVIDERS.join(', ')}.`
    throw invalidInput(`No search service is called ${JSON.stringify(provider)}.`, hint)
  }
  const { needs, load } = PROVIDERS[name]
  if (needs === 'url' && options.baseUrl === undefined)
    throw missingSetting(name, 'URL', 'AMBIT_SEARCH_URL to where it runs, such as http://127.0.0.1:8888')
  if (needs === 'key' && !options.key) throw missingSetting(name, 'key', 'AMBIT_SEARCH_KEY')
  return { name, search: async (query, request) => (await load())(options)(query, request) }
}

function missingSetting(provider: string, settingName: string, setting: string): ContextError {
  return invalidInput(`The search service ${provider} has no ${settingName}.`, `Set ${setting}.`)
}
