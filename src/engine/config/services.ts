/** Services behind HTTP: web search, embedding models and reranking models. */

import { dirname, resolve } from 'node:path'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { EmbeddingSettings } from '../../models/embedding.ts'
import { MODEL_PROVIDERS } from '../../models/language.ts'
import type { LanguageRerankerName, RerankingSettings } from '../../models/reranking.ts'
import { requiredSetting, SEARCH_PROVIDERS, type SearchProvider } from '../../research/settings.ts'
import {
  assertServiceUrl,
  type ConfigSection,
  type ConfigSources,
  errorFactoryFor,
  firstKey,
  readSection,
  readSetting,
  readTextSetting,
} from './sources.ts'

export interface SearchConfig {
  readonly provider: SearchProvider
  /** Address of the service. Default: the provider's address. */
  readonly url?: string
  readonly key?: string
}

const searchError = errorFactoryFor('search service')

/**
 * The service that searches the web: `AMBIT_SEARCH`, `AMBIT_SEARCH_URL`, `AMBIT_SEARCH_KEY`. Undefined without a service:
 * research then sends nothing to the web. An environment variable overrides the file.
 *
 * @throws ContextError `invalid-input` for an unknown service, or a missing URL or key.
 */
export function readSearch(sources: ConfigSources): SearchConfig | undefined {
  const { environment, isExposed, file } = sources
  // Only SearXNG has no default address, so a URL alone means SearXNG.
  const name = readSetting(sources, 'AMBIT_SEARCH', 'search') || (environment.AMBIT_SEARCH_URL ? 'searxng' : undefined)
  if (!name) return undefined
  const provider = SEARCH_PROVIDERS.find((one) => one === name)
  const providerHint = `Set AMBIT_SEARCH to one of ${SEARCH_PROVIDERS.join(', ')}.`
  if (!provider) throw searchError(`is ${JSON.stringify(name)}, which is not valid`, providerHint)
  const requiredPart = requiredSetting(provider)
  const url = readSetting(sources, 'AMBIT_SEARCH_URL', 'searchUrl')
  const hint = 'Set AMBIT_SEARCH_URL to its base URL, such as http://127.0.0.1:8888.'
  if (url === undefined && requiredPart === 'url') throw searchError(`${provider} has no URL`, hint)
  assertServiceUrl(url, searchError, hint)
  const fileKey = readTextSetting(sources, 'searchKey')
  const key = firstKey([environment.AMBIT_SEARCH_KEY, isExposed ? undefined : fileKey], searchError)
  if (!key && requiredPart === 'key') {
    const isKeyRefused = isExposed && fileKey !== undefined
    const hint = isKeyRefused ? `Run "chmod 600 ${file}": others may read the key in it.` : 'Set AMBIT_SEARCH_KEY.'
    throw searchError(`${provider} has no key`, hint)
  }
  return { provider, ...omitUndefined({ url, key }) }
}

/** A folder on disk with a model, which runs in this process. */
export interface EmbeddingFolder {
  /** Absolute path. */
  readonly folder: string
}

const OPENAI = 'https://api.openai.com/v1'

/** A kind of model that a service runs. `name`: its section in the file. */
interface ModelKind extends ConfigSection {
  readonly noun: string
  /** Prefix of its variables. */
  readonly variable: 'AMBIT_EMBEDDING' | 'AMBIT_RERANK'
}

const EMBEDDING: ModelKind = {
  name: 'embedding',
  noun: 'embedding model',
  variable: 'AMBIT_EMBEDDING',
  fields: { model: 'string', url: 'string', dimensions: 'number', queryPrefix: 'string', documentPrefix: 'string' },
}

const RERANK: ModelKind = {
  name: 'rerank',
  noun: 'reranking model',
  variable: 'AMBIT_RERANK',
  fields: { model: 'string', url: 'string' },
}

/** A reranking model behind HTTP, or a language model (`PROVIDER/MODEL`) without a URL. The file's URL is not for a language model that a variable names. */
export function readReranking(sources: ConfigSources): RerankingSettings | LanguageRerankerName | undefined {
  const { AMBIT_RERANK_MODEL, AMBIT_RERANK_URL } = sources.environment
  const file = readModelSection(RERANK, sources)
  const model = AMBIT_RERANK_MODEL || file.model || ''
  const url = AMBIT_RERANK_URL || (AMBIT_RERANK_MODEL ? undefined : file.url)
  return !url && isLanguageModelName(model) ? { model } : readModelService(RERANK, sources)
}

/** Whether a name is that of a language model that can rerank. The local model only quotes texts. */
export function isLanguageModelName(name: string): boolean {
  return MODEL_PROVIDERS.some((provider) => provider !== 'local' && name.startsWith(`${provider}/`))
}

/**
 * The embedding model: a service, a folder (a path), or `false` for none; undefined without a setting, which means a downloaded model if there is
 * one. A path in the file is relative to the directory of the file.
 */
export function readEmbedding(
  sources: ConfigSources,
  home: string | undefined,
): EmbeddingSettings | EmbeddingFolder | false | undefined {
  const { environment, file = '' } = sources
  const name = environment.AMBIT_EMBEDDING_MODEL || readModelSection(EMBEDDING, sources).model
  if (name === 'none') return false
  if (name === undefined || !/^(?:~|\.{1,2})?\//.test(name)) return readModelService(EMBEDDING, sources)
  const base = environment.AMBIT_EMBEDDING_MODEL ? '.' : dirname(file)
  return { folder: name.startsWith('~/') ? resolve(home ?? '/', name.slice(2)) : resolve(base, name) }
}

/**
 * Settings of a model in the file. A line `embeddingModel: …` means the same as `model` in the section `embedding`. The section
 * overrides the line.
 */
function readModelSection(kind: ModelKind, sources: ConfigSources): Partial<EmbeddingSettings> {
  const { name } = kind
  const lines = { model: readTextSetting(sources, `${name}Model`), url: readTextSetting(sources, `${name}Url`) }
  return { ...omitUndefined(lines), ...readSection<EmbeddingSettings>(kind, sources.values[name], sources.file ?? '') }
}

/**
 * Settings of a model behind HTTP, if configured. For embeddings, `openai/NAME` is a model of OpenAI; any other name,
 * with or without `openai-compatible/`, is a model of the service at the URL. For reranking, each name is a model of
 * the service. A key in the file is not used if a variable names the model or its URL, or if others may read the file.
 */
function readModelService(kind: ModelKind, sources: ConfigSources): EmbeddingSettings | undefined {
  const { environment, isExposed } = sources
  const { variable, noun } = kind
  const [variableModel, variableUrl] = [environment[`${variable}_MODEL`], environment[`${variable}_URL`]]
  const fileSettings = readModelSection(kind, sources)
  const name = variableModel || fileSettings.model
  if (!name) return undefined
  const isEmbedding = kind === EMBEDDING
  const url = variableUrl || fileSettings.url || (isEmbedding && name.startsWith('openai/') ? OPENAI : undefined)
  const refuse = errorFactoryFor(`${noun} ${JSON.stringify(name)}`)
  const setUrl = `Set ${variable}_URL to the base URL of the service, such as http://127.0.0.1:11434/v1.`
  const hint = isEmbedding ? setUrl : `${setUrl} A language model, such as anthropic/NAME, needs none.`
  if (url === undefined) throw refuse('has no URL', hint)
  assertServiceUrl(url, refuse, hint)
  const fileKey = variableModel || variableUrl || isExposed ? undefined : readTextSetting(sources, `${kind.name}Key`)
  const openaiKey = isEmbedding && url === OPENAI ? environment.OPENAI_API_KEY : undefined
  const key = firstKey([environment[`${variable}_KEY`], fileKey, openaiKey], refuse)
  const model = isEmbedding ? name.replace(/^openai(-compatible)?\//, '') : name
  return { ...fileSettings, model, url, ...(key && { key }) }
}
