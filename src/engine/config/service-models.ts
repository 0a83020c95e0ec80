/** Models behind services: for embeddings, and for reranking. */

import { dirname, resolve } from 'node:path'
import { type ContextError, invalidInput } from '../../core/errors.ts'
import { HEADER_HINT, isForHeader } from './header.ts'
import type { ConfigSources } from './language.ts'
import { type ConfigSection, readTextSetting, type Written, writtenOf } from './section.ts'
import { assertServiceUrl } from './service-url.ts'

export interface EmbeddingConfig {
  readonly model: string
  readonly url: string
  readonly key?: string
  readonly dimensions?: number
  readonly queryPrefix?: string
  readonly documentPrefix?: string
}

/** A model that is a folder on disk, and runs in this process. */
export interface EmbeddingFolder {
  /** Absolute. */
  readonly folder: string
}

export interface RerankConfig {
  readonly model: string
  readonly url: string
  readonly key?: string
}

const OPENAI = 'https://api.openai.com/v1'

/** The settings of a model behind a service. */
interface ModelKind extends ConfigSection {
  /** Its name in the file, and in words. */
  readonly name: 'embedding' | 'rerank'
  readonly called: string
  /** What its variables begin with. */
  readonly variable: 'AMBIT_EMBEDDING' | 'AMBIT_RERANK'
  readonly example: string
}

export const EMBEDDING_SETTINGS: ModelKind = {
  name: 'embedding',
  called: 'embedding model',
  variable: 'AMBIT_EMBEDDING',
  example: 'http://127.0.0.1:11434/v1',
  fields: { model: 'string', url: 'string', dimensions: 'number', queryPrefix: 'string', documentPrefix: 'string' },
}

export const RERANK: ModelKind = {
  name: 'rerank',
  called: 'reranking model',
  variable: 'AMBIT_RERANK',
  example: 'http://127.0.0.1:8080/v1',
  fields: { model: 'string', url: 'string' },
}

/**
 * For embeddings `openai/NAME` is a model of OpenAI, and any other one of the service at the URL, also when it begins with
 * its kind. OpenAI has none that rerank, and others begin with the name of who made them.
 */
export function modelIn<Model extends RerankConfig>(kind: ModelKind, sources: ConfigSources): Model | undefined {
  const { environment, values, file = '' } = sources
  const written = { ...flatIn(kind, values, file), ...writtenOf<EmbeddingConfig>(kind, values[kind.name], file) }
  const name = environment[`${kind.variable}_MODEL`] || written.model
  if (!name) return undefined
  const isEmbedding = kind === EMBEDDING_SETTINGS
  const openAi = isEmbedding && name.startsWith('openai/') ? OPENAI : undefined
  const url = environment[`${kind.variable}_URL`] || written.url || openAi
  assertUrl(kind, url, name)
  const shared = isEmbedding && url === OPENAI ? environment.OPENAI_API_KEY : undefined
  const key = environment[`${kind.variable}_KEY`] || keyIn(kind, sources) || shared
  if (key && !isForHeader(key)) throw badModel(kind, 'has a key that cannot be sent in a header', HEADER_HINT)
  const model = isEmbedding ? name.replace(/^openai(-compatible)?\//, '') : name
  return { ...written, model, url, ...(key && { key }) } as Model
}

/**
 * The model for vectors: a service, a folder (a path), or `false` for none; undefined where nothing is set: a downloaded model is used
 * if there is one. A path in the file is relative to its directory.
 */
export function embeddingIn(
  written: ConfigSources,
  home: string | undefined,
): EmbeddingConfig | EmbeddingFolder | false | undefined {
  const { environment, values, file = '' } = written
  const { model } = {
    ...flatIn(EMBEDDING_SETTINGS, values, file),
    ...writtenOf<EmbeddingConfig>(EMBEDDING_SETTINGS, values.embedding, file),
  }
  const name = environment.AMBIT_EMBEDDING_MODEL || model
  if (name === 'none') return false
  if (name === undefined || !/^(?:~|\.{1,2})?\//.test(name)) return modelIn(EMBEDDING_SETTINGS, written)
  const base = environment.AMBIT_EMBEDDING_MODEL ? '.' : dirname(file)
  return { folder: name.startsWith('~/') ? resolve(home ?? '/', name.slice(2)) : resolve(base, name) }
}

/** `embeddingKey: …`, where others may not read the file. It goes to no service that a variable names. */
function keyIn(
  { name, variable }: ModelKind,
  { environment, values, file, isOpen }: ConfigSources,
): string | undefined {
  const isElsewhere = Boolean(environment[`${variable}_MODEL`] || environment[`${variable}_URL`])
  const key = readTextSetting(values, `${name}Key`, file)
  return isElsewhere || isOpen ? undefined : key
}

function assertUrl(kind: ModelKind, url: string | undefined, model: string): asserts url is string {
  const named = JSON.stringify(model)
  const hint = `Set ${kind.variable}_URL to the base URL of the service, such as ${kind.example}.`
  if (url === undefined) throw badModel(kind, `${named} has no URL`, hint)
  const instead = `Set ${kind.variable}_KEY, which is sent as a bearer token.`
  const error = (problem: string, hint: string) => badModel(kind, `${named} ${problem}`, hint)
  assertServiceUrl(url, { hint, instead, error })
}

function badModel({ called }: ModelKind, problem: string, hint: string): ContextError {
  return invalidInput(`The ${called} ${problem}.`, hint)
}

/** `embeddingModel: …` in a line of its own is `model` of `embedding`. */
function flatIn({ name }: ModelKind, values: Written['values'], file: string): Partial<RerankConfig> {
  const [model, url] = [readTextSetting(values, `${name}Model`, file), readTextSetting(values, `${name}Url`, file)]
  return { ...(model !== undefined && { model }), ...(url !== undefined && { url }) }
}
