/** Opens research, with the library, the models, the web search and the reader of pages that it needs. */

import type { SearchResult } from '../collections/answers.ts'
import type { Library } from '../collections/library.ts'
import { ContextError } from '../core/errors.ts'
import { loadOnce } from '../core/steps.ts'
import { Extractor } from '../ingest/extractor.ts'
import { SEARCH_PROVIDERS, webSearch } from '../internet/search-provider.ts'
import type { WebSearch } from '../internet/web-search.ts'
import type { LanguageModel } from '../models/language.ts'
import type { Prices } from '../models/prices.ts'
import { isOwnReport, preferSources } from '../text/own-reports.ts'
import { describeSecret, findSecret } from '../text/secrets.ts'
import { Research, type ResearchParts } from './research.ts'
import type { EvidencePassage } from './run/evidence.ts'
import type { LookupPlaces } from './run/lookup.ts'
import type { ResearchConfig } from './settings.ts'

export interface ResearchDependencies extends Pick<ResearchParts, 'jobs' | 'owner' | 'only' | 'print'> {
  library(): Promise<Library>
  /** The model with this name; default: the configured model. */
  language(name?: string): Promise<LanguageModel>
  /** Whether the owner may still do research. If not, running sessions pause. */
  mayContinue(): Promise<boolean>
  readonly config: ResearchSetup
}

export interface ResearchSetup {
  readonly model?: { readonly provider: string; readonly model: string }
  readonly research?: ResearchConfig
  readonly prices?: Prices
  /** The provider of web search, with its address and key if they are set. */
  readonly search?: { readonly provider: string; readonly url?: string; readonly key?: string }
  /** As `AddressOptions.allowLoopback`. */
  readonly allowLoopback?: boolean
  /** Whether sessions are shown with the items of their slices. Default: false. */
  readonly uiDebug?: boolean
}

/** Opens research. `close` ends running sessions; they can be resumed. */
export async function openResearch(dependencies: ResearchDependencies) {
  const { library, language, config } = dependencies
  const extractor = new Extractor()
  // Loaded when the first page is read.
  const reader = loadOnce(async () => {
    const { pageReader } = await import('./web/page-reader.ts')
    return pageReader({ extractor, isPolite: true, ...(config.allowLoopback && { allowLoopback: true }) })
  })
  const places: LookupPlaces = {
    pages: { read: async (url, signal) => (await reader()).read(url, signal) },
    collections: async (query, names, signal) => {
      const { search } = await library()
      const collections = names.length > 0 ? { collections: names } : {}
      // Asks for more results than needed, because reports of earlier runs may be the first ones.
      const request = { query, limit: 2 * MAX_RESULTS, full: true, ...collections }
      const { results } = await search(request, { signal, emit: () => {} })
      return preferSources(results, ({ text = '' }) => isOwnReport(text))
        .slice(0, MAX_RESULTS)
        .map(passageOf)
    },
  }
  const { runs } = (await library()).port
  const extract: typeof extractor.extract = async (...file) => {
    const extraction = await extractor.extract(...file)
    const secret = extraction.ok ? findSecret(extraction.text) : undefined
    return secret ? { ok: false, why: 'unreadable', detail: describeSecret(secret) } : extraction
  }
  const defaults = {
    ...config.research,
    /** The model may change between runs. */
    get model() {
      return config.model && `${config.model.provider}/${config.model.model}`
    },
    prices: config.prices,
  }
  const research = new Research({
    ...dependencies,
    store: runs,
    places,
    extract,
    language: (name) => language(name === defaults.model ? undefined : name),
    hasCollections: async () => (await (await library()).collections.list()).some(({ isPaused }) => !isPaused),
    defaults,
    web: (provider) => webSearchBy(provider, config.search),
    uiDebug: config.uiDebug === true,
    quota: config.research?.quota,
  })
  return {
    research,
    close: async () => {
      await research.close()
      await extractor.close()
    },
  }
}

/** The search of a provider. The configured URL and key apply only to the configured provider. */
async function webSearchBy(name: string, configured: ResearchSetup['search']): Promise<WebSearch> {
  const provider = name === 'default' ? configured?.provider : name
  if (provider === undefined) {
    const hint = `Set AMBIT_SEARCH to ${SEARCH_PROVIDERS.slice(0, -1).join(', ')} or ${SEARCH_PROVIDERS.at(-1)}.`
    throw new ContextError('invalid-input', 'No web search service is configured.', { hint })
  }
  const { url, key } = provider === configured?.provider ? configured : {}
  return webSearch(provider, { ...(url !== undefined && { baseUrl: url }), ...(key !== undefined && { key }) })
}

/** Maximum documents of a search, and lines around a hit. */
const MAX_RESULTS = 5
const CONTEXT_LINES = 6

/** The lines of a document around a hit, as a passage. */
function passageOf({ uri, title, text = '', lines: { start, end } }: SearchResult): EvidencePassage {
  const lines = text.split('\n')
  const [from, to] = [Math.max(1, start - CONTEXT_LINES), Math.min(lines.length, end + CONTEXT_LINES)]
  return { ref: `${uri}#L${from}-L${to}`, kind: 'collections', title, text: lines.slice(from - 1, to).join('\n') }
}
