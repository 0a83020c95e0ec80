/** Research over a library: where it is kept, and where it looks things up. */

import type { Library } from '../collections/library.ts'
import type { SearchResult } from '../collections/search.ts'
import type { Config } from '../config.ts'
import { Extractor } from '../extract/extractor.ts'
import type { LanguageModel } from '../models/language.ts'
import type { Passage } from './evidence.ts'
import { Research } from './research.ts'
import type { PageReader, Places, WebSearch } from './run/lookup.ts'

export interface ResearchOver {
  library(): Promise<Library>
  /** The model of this name; the configured one without. */
  language(name?: string): Promise<LanguageModel>
  /** The search of the web, where one is set, and who reads its pages. */
  internet?(): Promise<{ readonly web?: WebSearch; readonly pages?: PageReader }>
  readonly config: Pick<Config, 'model' | 'research' | 'uiDebug'>
}

export interface OpenResearch {
  readonly research: Research
  /** Ends what runs, so that it can be gone on with. */
  close(): Promise<void>
}

export async function openResearch({ library, language, internet, config }: ResearchOver): Promise<OpenResearch> {
  const extractor = new Extractor()
  const places: Places = {
    ...(await internet?.()),
    collections: async (query, names, signal) => {
      const { search } = await library()
      const collections = names.length > 0 ? { collections: names } : {}
      const { results } = await search(
        { query, limit: RESULTS, full: true, ...collections },
        { signal, emit: () => {} },
      )
      return results.map(passageOf)
    },
  }
  const own = config.model && `${config.model.provider}/${config.model.model}`
  const { runs } = (await library()).port
  const extract = extractor.extract.bind(extractor)
  const named = (name: string) => language(name === own ? undefined : name)
  const defaults = { ...config.research, model: own }
  const research = new Research({
    store: runs,
    places,
    extract,
    language: named,
    defaults,
    uiDebug: config.uiDebug === true,
  })
  return {
    research,
    close: async () => {
      await research.close()
      await extractor.close()
    },
  }
}

/** Documents of a search, and lines around what was found in them. */
const RESULTS = 5
const AROUND = 6

/** What was found in a document, with what stands around it. */
function passageOf({ uri, title, text = '', lines: { start, end } }: SearchResult): Passage {
  const lines = text.split('\n')
  const [from, to] = [Math.max(1, start - AROUND), Math.min(lines.length, end + AROUND)]
  return { ref: `${uri}#L${from}-L${to}`, kind: 'collections', title, text: lines.slice(from - 1, to).join('\n') }
}
