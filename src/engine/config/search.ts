/** Which service searches the web: `AMBIT_SEARCH`, `AMBIT_SEARCH_URL`, `AMBIT_SEARCH_KEY`. */

import { type ContextError, invalidInput } from '../../core/errors.ts'
import { requiredSetting, SEARCH_PROVIDERS, type SearchProvider } from '../../research/settings.ts'
import { HEADER_HINT, isForHeader } from './header.ts'
import type { ConfigSources } from './language.ts'
import { readTextSetting } from './section.ts'
import { assertServiceUrl } from './service-url.ts'

export interface SearchConfig {
  readonly provider: SearchProvider
  /** Where it is asked, if not where its provider is. */
  readonly url?: string
  readonly key?: string
}

/**
 * The service that is set; undefined where none is, and nothing leaves this machine. The environment wins.
 *
 * @throws ContextError `invalid-input` for what is not a service, no URL or no key.
 */
export function searchIn(sources: ConfigSources): SearchConfig | undefined {
  const { environment, isOpen } = sources
  const set = environment.AMBIT_SEARCH || readTextSetting(sources.values, 'search', sources.file)
  // Only one service is at an address of one's own.
  const name = set || (environment.AMBIT_SEARCH_URL ? 'searxng' : undefined)
  if (!name) return undefined
  const provider = SEARCH_PROVIDERS.find((one) => one === name)
  if (!provider)
    throw invalidSearch(
      `is ${JSON.stringify(name)}, which is none`,
      `Set AMBIT_SEARCH to one of ${SEARCH_PROVIDERS.join(', ')}.`,
    )
  const url = environment.AMBIT_SEARCH_URL || readTextSetting(sources.values, 'searchUrl', sources.file)
  assertUrl(provider, url)
  const key =
    environment.AMBIT_SEARCH_KEY || (isOpen ? undefined : readTextSetting(sources.values, 'searchKey', sources.file))
  if (key && !isForHeader(key)) throw invalidSearch('has a key that cannot be sent in a header', HEADER_HINT)
  if (!key && requiredSetting(provider) === 'key') {
    const isFiled = isOpen && readTextSetting(sources.values, 'searchKey', sources.file) !== undefined
    const hint = isFiled ? `Run "chmod 600 ${sources.file}": others may read the key in it.` : 'Set AMBIT_SEARCH_KEY.'
    throw invalidSearch(`${provider} has no key`, hint)
  }
  return { provider, ...(url !== undefined && { url }), ...(key && { key }) }
}

function assertUrl(provider: SearchConfig['provider'], url: string | undefined): void {
  const hint = 'Set AMBIT_SEARCH_URL to its base URL, such as http://127.0.0.1:8888.'
  if (url === undefined && requiredSetting(provider) === 'url') throw invalidSearch(`${provider} has no URL`, hint)
  if (url === undefined) return
  assertServiceUrl(url, { hint, instead: 'Set AMBIT_SEARCH_KEY instead.', error: invalidSearch })
}

function invalidSearch(problem: string, hint: string): ContextError {
  return invalidInput(`The search service ${problem}.`, hint)
}
