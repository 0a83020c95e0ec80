/** Settings of models and search providers, which may change while a server runs. The configuration file keeps them. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Document, isMap, parseDocument } from 'yaml'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { writeCacheFile } from '../../files/cache-file.ts'
import { realOf, statOf } from '../../files/file-version.ts'
import type { EmbeddingSettings } from '../../models/embedding.ts'
import { MODEL_PROVIDERS } from '../../models/language.ts'
import type { LanguageRerankerName, RerankingSettings } from '../../models/reranking.ts'
import { SEARCH_PROVIDERS } from '../../research/settings.ts'
import type { SettingsAnswer } from './answers.ts'
import type { ModelConfig } from './language.ts'
import { type EmbeddingFolder, isLanguageModelName, type SearchConfig } from './services.ts'
import type { ConfigSources, Environment } from './sources.ts'

/** The services whose name, URL and key can be set. */
type ServiceKind = 'model' | 'search' | 'embedding' | 'reranking'

/** `''` removes a setting. An absent setting stays as it is. */
export type SettingsChange = { readonly [Name in `${ServiceKind}${'' | 'Url' | 'Key'}`]?: string | undefined }

/** The services that may change while the program runs, as far as they are configured. */
export interface ServicesInForce {
  readonly model?: ModelConfig
  readonly search?: SearchConfig
  /** The embedding model. `false`: none. Default: a downloaded model. */
  readonly embedding?: EmbeddingSettings | EmbeddingFolder | false
  readonly rerank?: RerankingSettings | LanguageRerankerName
}

/** Services in use, without keys. */
export function describeSettings(
  { model, search, embedding, rerank, file }: ServicesInForce & Pick<ConfigSources, 'file'>,
  environment: Environment,
): SettingsAnswer {
  type ServiceSettings = { readonly url?: string; readonly key?: string } | undefined
  const describe = (kind: ServiceKind, name: string | undefined, { url, key }: ServiceSettings = {}) => ({
    ...omitUndefined({ name, url }),
    hasKey: key !== undefined,
    isFixed: variablesOf(SERVICE_NAMES[kind]).some((variable) => Boolean(environment[variable])),
  })
  const service = embedding || undefined
  const isFolder = service !== undefined && 'folder' in service
  return {
    providers: { model: MODEL_PROVIDERS, search: SEARCH_PROVIDERS },
    file: file ?? null,
    model: describe('model', model && `${model.provider}/${model.model}`, model),
    search: describe('search', search?.provider, search),
    embedding: describe('embedding', isFolder ? basename(service.folder) : service?.model, isFolder ? {} : service),
    reranking: describe('reranking', rerank?.model, rerank),
  }
}

/**
 * The names of a service's settings in the file and in the environment.
 */
interface ServiceNames {
  /** Prefix of its lines in the file. */
  readonly lines: string
  /** Prefix of its variables. */
  readonly variables: string
  /** Whether the file may have a section for its settings, instead of single lines. */
  readonly hasSection?: true
  /** The service that the name of a model implies. If it changes, the key is removed: it was for the old service. */
  serviceOf(name: string): string
}

const SERVICE_NAMES: Readonly<Record<ServiceKind, ServiceNames>> = {
  model: { lines: 'model', variables: 'AMBIT_MODEL', serviceOf: (name) => name.split('/')[0] ?? '' },
  search: { lines: 'search', variables: 'AMBIT_SEARCH', serviceOf: (name) => name },
  embedding: {
    lines: 'embedding',
    variables: 'AMBIT_EMBEDDING',
    hasSection: true,
    serviceOf: (name) => (name.startsWith('openai/') ? 'openai' : ''),
  },
  reranking: {
    lines: 'rerank',
    variables: 'AMBIT_RERANK',
    hasSection: true,
    serviceOf: (name) => (isLanguageModelName(name) ? 'a language model' : ''),
  },
}

function variablesOf({ variables, hasSection }: ServiceNames): readonly string[] {
  return [`${variables}${hasSection ? '_MODEL' : ''}`, `${variables}_URL`, `${variables}_KEY`]
}

function settingLine({ lines, hasSection }: ServiceNames): string {
  return `${lines}${hasSection ? 'Model' : ''}`
}

/**
 * Writes a change into the file, and makes the file private. `check` throws for an invalid change before anything is written.
 *
 * @throws ContextError `invalid-input`; `conflict` if a variable of the environment sets the service; `unavailable` if the file
 * cannot be written.
 */
export function writeSettings(
  change: SettingsChange,
  { environment, file }: Pick<ConfigSources, 'environment' | 'file'>,
  check: (values: ConfigSources['values']) => void,
): void {
  const document = readDocument(file)
  for (const kind of Object.keys(SERVICE_NAMES) as ServiceKind[]) {
    const { [kind]: name, [`${kind}Url` as const]: url, [`${kind}Key` as const]: key } = change
    if (name === undefined && url === undefined && key === undefined) continue
    const variable = variablesOf(SERVICE_NAMES[kind]).find((one) => environment[one])
    if (variable !== undefined) {
      const hint = 'To set it here, start the server without this variable.'
      throw new ContextError('conflict', `The server was started with ${variable}, which wins.`, { hint })
    }
    setService(document, SERVICE_NAMES[kind], { name, url, key })
  }
  check(document.toJS() ?? {})
  writeDocument(document, file)
}

/** Adds an address to a list of the file. @throws ContextError `invalid-input`, `unavailable` as `writeSettings`. */
export function addToList(name: string, address: string, file: string | undefined): void {
  const document = readDocument(file)
  if (document.has(name)) document.addIn([name], address)
  else document.set(name, [address])
  writeDocument(document, file)
}

function setService(
  document: Document,
  group: ServiceNames,
  { name, url, key }: Readonly<Record<'name' | 'url' | 'key', string | undefined>>,
): void {
  const { lines, serviceOf } = group
  if (group.hasSection && document.has(lines)) flattenSection(document, group, name)
  const [line, urlLine, keyLine] = [settingLine(group), `${lines}Url`, `${lines}Key`]
  const before = { name: String(document.get(line) ?? ''), url: document.get(urlLine) ?? '' }
  const isOther =
    (name !== undefined && (before.name === '' || serviceOf(name) !== serviceOf(before.name))) ||
    (url !== undefined && url !== before.url)
  if (name === '' || (isOther && name !== undefined && url === undefined)) document.delete(urlLine)
  if (name === '' || isOther) document.delete(keyLine)
  for (const [part, value] of [[line, name] as const, [urlLine, url] as const, [keyLine, key] as const]) {
    if (value === '') document.delete(part)
    else if (value !== undefined) document.set(part, value)
  }
}

/**
 * Moves model and URL from a section into single lines. If the model changes, the rest of the section is removed, because it
 * belongs to the old model.
 */
function flattenSection(document: Document, group: ServiceNames, name: string | undefined): void {
  const { lines: section } = group
  for (const [line, field] of [[settingLine(group), 'model'] as const, [`${section}Url`, 'url'] as const]) {
    const value: unknown = document.getIn([section, field])
    if (value !== undefined) document.set(line, value)
    document.deleteIn([section, field])
  }
  const isOther = name !== undefined && name !== document.get(settingLine(group))
  const remaining: unknown = document.get(section)
  if (isOther || (isMap(remaining) && remaining.items.length === 0)) document.delete(section)
}

function readDocument(file: string | undefined): Document {
  const document = parseDocument(file !== undefined && statOf(file) ? readFileSync(file, 'utf8') : '')
  if (document.errors.length === 0) return document.contents === null ? new Document({}) : document
  throw invalidInput('The configuration file is not YAML.', 'Correct the file, then set this again.')
}

function writeDocument(document: Document, file: string | undefined): void {
  // If the file is a link, this writes the target and keeps the link.
  if (file !== undefined && writeCacheFile(realOf(file), [new TextEncoder().encode(document.toString())])) return
  const hint = 'Set it in the environment of the server instead.'
  throw new ContextError('unavailable', 'The configuration file cannot be written.', { hint })
}
