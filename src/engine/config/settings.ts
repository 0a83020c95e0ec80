/** What may be set while a server runs, kept in the configuration file: models and search providers. */

import { basename } from 'node:path'
import { Document, isMap, parseDocument } from 'yaml'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { writeCacheFile } from '../../files/cache-file.ts'
import { realOf } from '../../files/file-version.ts'
import { MODEL_PROVIDERS } from '../../models/language.ts'
import { SEARCH_PROVIDERS } from '../../research/settings.ts'
import type { SettingsAnswer } from './answers.ts'
import type { ConfigSources, ModelConfig } from './language.ts'
import type { SearchConfig } from './search.ts'
import type { EmbeddingConfig, EmbeddingFolder } from './service-models.ts'

/** `''` takes a setting away; what is left out stays. */
export interface SettingsChange {
  readonly model?: string | undefined
  readonly modelUrl?: string | undefined
  readonly modelKey?: string | undefined
  readonly search?: string | undefined
  readonly searchUrl?: string | undefined
  readonly searchKey?: string | undefined
  /** As its service calls it, or `openai/NAME`. */
  readonly embedding?: string | undefined
  readonly embeddingUrl?: string | undefined
  readonly embeddingKey?: string | undefined
  readonly reranking?: string | undefined
  readonly rerankingUrl?: string | undefined
  readonly rerankingKey?: string | undefined
}

/** What is in force. */
export interface ServicesInForce {
  readonly model?: ModelConfig | undefined
  readonly search?: SearchConfig | undefined
  /** One of this machine is a folder; `false` is none at all. */
  readonly embedding?: EmbeddingConfig | EmbeddingFolder | false | undefined
  readonly rerank?: { readonly model: string; readonly url: string; readonly key?: string } | undefined
}

type Environment = ConfigSources['environment']

/** What is in force, without keys. */
export function describeSettings(
  { model, search, embedding, rerank }: ServicesInForce,
  environment: Environment,
  file: string | undefined,
): SettingsAnswer {
  const one = (name: string | undefined, given: { readonly url?: string; readonly key?: string } = {}) => ({
    ...(name !== undefined && { name }),
    ...(given.url !== undefined && { url: given.url }),
    hasKey: given.key !== undefined,
  })
  const isFixed = (...names: readonly string[]) => names.some((name) => Boolean(environment[name]))
  return {
    providers: { model: MODEL_PROVIDERS, search: SEARCH_PROVIDERS },
    file: file ?? null,
    model: {
      ...one(model && `${model.provider}/${model.model}`, model),
      isFixed: isFixed(...GROUPS.model.variables),
    },
    search: { ...one(search?.provider, search), isFixed: isFixed(...GROUPS.search.variables) },
    embedding: { ...embeddingOf(embedding, one), isFixed: isFixed(...GROUPS.embedding.variables) },
    reranking: { ...one(rerank?.model, rerank), isFixed: isFixed(...GROUPS.reranking.variables) },
  }
}

type DescribeService = (
  name: string | undefined,
  given?: { readonly url?: string; readonly key?: string },
) => Omit<SettingsAnswer['model'], 'isFixed'>

function embeddingOf(embedding: ServicesInForce['embedding'], describe: DescribeService): ReturnType<DescribeService> {
  if (!embedding) return describe(undefined)
  return 'folder' in embedding ? describe(basename(embedding.folder)) : describe(embedding.model, embedding)
}

/** What is set together, by its names in a change and in the file. A key is of one service at one place, and goes to no other. */
interface Group {
  readonly change: { readonly [Part in (typeof PARTS)[number]]: keyof SettingsChange }
  readonly file: { readonly [Part in (typeof PARTS)[number]]: string }
  readonly variables: readonly string[]
  /** A part of the file that may say the same, and more of one model. */
  readonly section?: string
  /** Which service has a model of this name, where names say so. */
  serviceOf(name: string): string
}

const PARTS = ['name', 'url', 'key'] as const

const GROUPS = {
  model: {
    change: { name: 'model', url: 'modelUrl', key: 'modelKey' },
    file: { name: 'model', url: 'modelUrl', key: 'modelKey' },
    variables: ['AMBIT_MODEL', 'AMBIT_MODEL_URL', 'AMBIT_MODEL_KEY'],
    serviceOf: (name) => name.split('/')[0] ?? '',
  },
  search: {
    change: { name: 'search', url: 'searchUrl', key: 'searchKey' },
    file: { name: 'search', url: 'searchUrl', key: 'searchKey' },
    variables: ['AMBIT_SEARCH', 'AMBIT_SEARCH_URL', 'AMBIT_SEARCH_KEY'],
    serviceOf: (name) => name,
  },
  embedding: {
    change: { name: 'embedding', url: 'embeddingUrl', key: 'embeddingKey' },
    file: { name: 'embeddingModel', url: 'embeddingUrl', key: 'embeddingKey' },
    variables: ['AMBIT_EMBEDDING_MODEL', 'AMBIT_EMBEDDING_URL', 'AMBIT_EMBEDDING_KEY'],
    section: 'embedding',
    serviceOf: (name) => (name.startsWith('openai/') ? 'openai' : ''),
  },
  reranking: {
    change: { name: 'reranking', url: 'rerankingUrl', key: 'rerankingKey' },
    file: { name: 'rerankModel', url: 'rerankUrl', key: 'rerankKey' },
    variables: ['AMBIT_RERANK_MODEL', 'AMBIT_RERANK_URL', 'AMBIT_RERANK_KEY'],
    section: 'rerank',
    serviceOf: () => '',
  },
} as const satisfies Readonly<Record<string, Group>>

/**
 * Writes a change into the file, which only its owner may read from then on. `check` throws for what is not valid, before
 * anything is written.
 *
 * @throws ContextError `invalid-input`; `conflict` for what a variable sets; `unavailable` where the file cannot be written.
 */
export function writeSettings(
  change: SettingsChange,
  { environment, file }: Pick<ConfigSources, 'environment' | 'file'>,
  { text, check }: { readonly text: string; check(values: ConfigSources['values']): void },
): void {
  const document = readDocument(text)
  for (const group of Object.values(GROUPS)) setGroup(document, group, { change, environment })
  check(document.toJS() ?? {})
  writeDocument(document, file)
}

function setGroup(
  document: Document,
  group: Group,
  { change, environment }: { readonly change: SettingsChange; readonly environment: Environment },
): void {
  const { file, serviceOf } = group
  const [name, url, key] = PARTS.map((part) => change[group.change[part]])
  if (name === undefined && url === undefined && key === undefined) return
  const variable = group.variables.find((one) => environment[one])
  if (variable !== undefined) throw fixedByVariable(variable)
  flattenSection(document, group, name)
  const before = { name: String(document.get(file.name) ?? ''), url: document.get(file.url) ?? '' }
  const isOther =
    (name !== undefined && (before.name === '' || serviceOf(name) !== serviceOf(before.name))) ||
    (url !== undefined && url !== before.url)
  if (name === '' || (isOther && name !== undefined && url === undefined)) document.delete(file.url)
  if (name === '' || isOther) document.delete(file.key)
  for (const [part, value] of [[file.name, name] as const, [file.url, url] as const, [file.key, key] as const]) {
    if (value === '') document.delete(part)
    else if (value !== undefined) document.set(part, value)
  }
}

/** Moves what the file says in a part of its own into lines that are set here. What else is there is of that one model. */
function flattenSection(document: Document, { section, file }: Group, name: string | undefined): void {
  if (section === undefined || !document.has(section)) return
  for (const [line, one] of [[file.name, 'model'] as const, [file.url, 'url'] as const]) {
    const value: unknown = document.getIn([section, one])
    if (value !== undefined) document.set(line, value)
    document.deleteIn([section, one])
  }
  const isOther = name !== undefined && name !== document.get(file.name)
  const rest: unknown = document.get(section)
  if (isOther || (isMap(rest) && rest.items.length === 0)) document.delete(section)
}

function readDocument(text: string): Document {
  const document = parseDocument(text)
  if (document.errors.length === 0) return document.contents === null ? new Document({}) : document
  throw invalidInput('The configuration file is not YAML.', 'Correct the file, then set this again.')
}

function writeDocument(document: Document, file: string | undefined): void {
  // A link to a file that is kept elsewhere stays one.
  if (file !== undefined && writeCacheFile(realOf(file), [new TextEncoder().encode(document.toString())])) return
  const hint = 'Set it in the environment of the server instead.'
  throw new ContextError('unavailable', 'The configuration file cannot be written.', { hint })
}

function fixedByVariable(variable: string): ContextError {
  const hint = 'Start the server without it to set this here.'
  return new ContextError('conflict', `The server was started with ${variable}, which wins.`, { hint })
}
