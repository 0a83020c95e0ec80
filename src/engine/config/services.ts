/** Services that are asked over HTTP: the search of the web, and models for embeddings and for reranking. */

import { dirname, resolve } from 'node:path'
import { type ContextError, invalidInput } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { requiredSetting, SEARCH_PROVIDERS, type SearchProvider } from '../../research/settings.ts'
import {
  assertServiceUrl,
  type ConfigSection,
  type ConfigSources,
  HEADER_HINT,
  isForHeader,
  readTextSetting,
  textSetting,
  writtenOf,
} from './sources.ts'

export interface SearchConfig {
  readonly provider: SearchProvider
  /** Address of the service, where it is not the provider's. */
  readonly url?: string
  readonly key?: string
}

/**
 * The service that searches the web: `AMBIT_SEARCH`, `AMBIT_SEARCH_URL`, `AMBIT_SEARCH_KEY`. Undefined where none is set, and nothing
 * leaves this machine. The environment wins.
 *
 * @throws ContextError `invalid-input` for what is not a service, no URL or no key.
 */
export function searchIn(sources: ConfigSources): SearchConfig | undefined {
  const { environment, isOpen, file } = sources
  // Only one service is at an address of one's own.
  const name = textSetting(sources, 'AMBIT_SEARCH', 'search') || (environment.AMBIT_SEARCH_URL ? 'searxng' : undefined)
  if (!name) return undefined
  const provider = SEARCH_PROVIDERS.find((one) => one === name)
  if (!provider) {
    const hint = `Set AMBIT_SEARCH to one of ${SEARCH_PROVIDERS.join(', ')}.`
    throw invalidSearch(`is ${JSON.stringify(name)}, which is none`, hint)
  }
  const url = textSetting(sources, 'AMBIT_SEARCH_URL', 'searchUrl')
  const hint = 'Set AMBIT_SEARCH_URL to its base URL, such as http://127.0.0.1:8888.'
  if (url === undefined && requiredSetting(provider) === 'url') throw invalidSearch(`${provider} has no URL`, hint)
  assertServiceUrl(url, { hint, instead: 'Set AMBIT_SEARCH_KEY instead.', error: invalidSearch })
  const key = environment.AMBIT_SEARCH_KEY || (isOpen ? undefined : readTextSetting(sources, 'searchKey'))
  if (key && !isForHeader(key)) throw invalidSearch('has a key that cannot be sent in a header', HEADER_HINT)
  if (!key && requiredSetting(provider) === 'key') {
    const isFiled = isOpen && readTextSetting(sources, 'searchKey') !== undefined
    const hint = isFiled ? `Run "chmod 600 ${file}": others may read the key in it.` : 'Set AMBIT_SEARCH_KEY.'
    throw invalidSearch(`${provider} has no key`, hint)
  }
  return { provider, ...omitUndefined({ url, key: key || undefined }) }
}

function invalidSearch(problem: string, hint: string): ContextError {
  return invalidInput(`The search service ${problem}.`, hint)
}

export interface RerankConfig {
  readonly model: string
  readonly url: string
  readonly key?: string
}

export interface EmbeddingConfig extends RerankConfig {
  readonly dimensions?: number
  readonly queryPrefix?: string
  readonly documentPrefix?: string
}

/** A model that is a folder on disk, and runs in this process. */
export interface EmbeddingFolder {
  /** Absolute. */
  readonly folder: string
}

const OPENAI = 'https://api.openai.com/v1'

/** The settings of a model behind a service. */
interface ModelKind extends ConfigSection {
  /** Its name in the file, and in words. */
  readonly name: 'embedding' | 'rerank'
  readonly called: string
  /** Prefix of its variables. */
  readonly variable: 'AMBIT_EMBEDDING' | 'AMBIT_RERANK'
  readonly example: string
}

const EMBEDDING: ModelKind = {
  name: 'embedding',
  called: 'embedding model',
  variable: 'AMBIT_EMBEDDING',
  example: 'http://127.0.0.1:11434/v1',
  fields: { model: 'string', url: 'string', dimensions: 'number', queryPrefix: 'string', documentPrefix: 'string' },
}

const RERANK: ModelKind = {
  name: 'rerank',
  called: 'reranking model',
  variable: 'AMBIT_RERANK',
  example: 'http://127.0.0.1:8080/v1',
  fields: { model: 'string', url: 'string' },
}

/** The model that judges what was found; undefined where none is set. */
export function rerankIn(sources: ConfigSources): RerankConfig | undefined {
  return modelIn(RERANK, sources)
}

/**
 * The model for vectors: a service, a folder (a path), or `false` for none; undefined where nothing is set: a downloaded model is used
 * if there is one. A path in the file is relative to its directory.
 */
export function embeddingIn(
  sources: ConfigSources,
  home: string | undefined,
): EmbeddingConfig | EmbeddingFolder | false | undefined {
  const { environment, file = '' } = sources
  const name = environment.AMBIT_EMBEDDING_MODEL || writtenModel(EMBEDDING, sources).model
  if (name === 'none') return false
  if (name === undefined || !/^(?:~|\.{1,2})?\//.test(name)) return modelIn(EMBEDDING, sources)
  const base = environment.AMBIT_EMBEDDING_MODEL ? '.' : dirname(file)
  return { folder: name.startsWith('~/') ? resolve(home ?? '/', name.slice(2)) : resolve(base, name) }
}

/** Settings of a model in the file; `embeddingModel: …` in a line of its own is `model` of `embedding`. */
function writtenModel(kind: ModelKind, sources: ConfigSources): Partial<EmbeddingConfig> {
  const { name } = kind
  const flat = { model: readTextSetting(sources, `${name}Model`), url: readTextSetting(sources, `${name}Url`) }
  return { ...omitUndefined(flat), ...writtenOf<EmbeddingConfig>(kind, sources.values[name], sources.file ?? '') }
}

/**
 * For embeddings `openai/NAME` is a model of OpenAI, and any other one of the service at the URL, also when it begins with
 * its kind. OpenAI has none that rerank, and others begin with the name of who made them. A key in the file goes to no service that a
 * variable names, and is taken only where others may not read the file.
 */
function modelIn(kind: ModelKind, sources: ConfigSources): EmbeddingConfig | undefined {
  const { environment, isOpen } = sources
  const { variable, called, example } = kind
  const written = writtenModel(kind, sources)
  const name = environment[`${variable}_MODEL`] || written.model
  if (!name) return undefined
  const isEmbedding = kind === EMBEDDING
  const openAi = isEmbedding && name.startsWith('openai/') ? OPENAI : undefined
  const url = environment[`${variable}_URL`] || written.url || openAi
  const error = (problem: string, hint: string) => invalidInput(`The ${called} ${problem}.`, hint)
  const ofUrl = (problem: string, hint: string) => error(`${JSON.stringify(name)} ${problem}`, hint)
  const hint = `Set ${variable}_URL to the base URL of the service, such as ${example}.`
  if (url === undefined) throw ofUrl('has no URL', hint)
  assertServiceUrl(url, { hint, instead: `Set ${variable}_KEY, which is sent as a bearer token.`, error: ofUrl })
  const isElsewhere = Boolean(environment[`${variable}_MODEL`] || environment[`${variable}_URL`])
  const own = environment[`${variable}_KEY`]
  const filed = own ? undefined : readTextSetting(sources, `${kind.name}Key`)
  const shared = isEmbedding && url === OPENAI ? environment.OPENAI_API_KEY : undefined
  const key = own || (isElsewhere || isOpen ? undefined : filed) || shared
  if (key && !isForHeader(key)) throw error('has a key that cannot be sent in a header', HEADER_HINT)
  const model = isEmbedding ? name.replace(/^openai(-compatible)?\//, '') : name
  return { ...written, model, url, ...(key && { key }) }
}
