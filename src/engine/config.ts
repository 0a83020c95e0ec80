import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ContextError, invalidInput } from '../core/errors.ts'
import type { BucketSettings } from '../files/bucket-root.ts'
import { statOf } from '../files/file-version.ts'
import { systemHome } from '../files/home.ts'
import type { BucketsSettings } from '../files/object-stores.ts'
import type { ResearchConfig } from '../research/settings.ts'
import { trimEnd } from '../text/trim.ts'
import { assistantIn } from './config/assistant.ts'
import type { AssistantConfig } from './config/assistant-settings.ts'
import { type DatabaseConfig, databaseIn, heartbeatIn } from './config/database.ts'
import { HEADER_HINT, isForHeader } from './config/header.ts'
import { KNOWN } from './config/known.ts'
import { type ConfigSources, languageIn, languageNamed, type ModelConfig } from './config/language.ts'
import { type ObjectsConfig, readObjectsConfig } from './config/objects.ts'
import { absolute, configPath, databaseAt, stateIn } from './config/paths.ts'
import { researchIn } from './config/research.ts'
import { type SearchConfig, searchIn } from './config/search.ts'
import { type ConfigSection, readTextSetting, unreadableConfig, type Written, writtenOf } from './config/section.ts'
import {
  type EmbeddingConfig,
  type EmbeddingFolder,
  embeddingIn,
  modelIn,
  RERANK,
  type RerankConfig,
} from './config/service-models.ts'
import type { SettingsChange } from './config/settings.ts'
import type { SignOnConfig } from './config/sign-on.ts'
import { switchIn } from './config/switch.ts'

/** The configuration, from flags, environment and file. Read once, at the start. */
export interface Config extends AssistantConfig, ObjectsConfig {
  /** Where the user's own files are; undefined for the home directory of the system's user, `false` where it has none. */
  readonly home?: string | false
  /** Path of the database. Absolute; undefined where there is no place for one. */
  readonly db?: string
  /** Directory of what is remembered of sessions. Absolute; undefined where there is no place for one. */
  readonly state?: string
  /** Where what can be made again is kept. Absolute; undefined where there is no place for it. */
  readonly cache?: string
  /** The PostgreSQL database that is used instead; undefined where none is set. */
  readonly database?: DatabaseConfig
  /** After so long without a sign of life a job is taken over by another process. Milliseconds; undefined: 15 seconds. */
  readonly heartbeatMs?: number
  /** The language model of the assistant; undefined where none is set. */
  readonly model?: ModelConfig
  /** The model that makes vectors; `false`: none; undefined where nothing is set, and a downloaded one is used. */
  readonly embedding?: EmbeddingConfig | EmbeddingFolder | false
  /** Where downloaded models are kept. Absolute; undefined where there is no place for them. */
  readonly models?: string
  /** The hub that models are downloaded from; undefined for Hugging Face. */
  readonly hub?: string
  /** The model that judges what was found; undefined where none is set. */
  readonly rerank?: RerankConfig
  /** The service that searches the web; undefined where none is set. */
  readonly search?: SearchConfig
  /** Lets pages of this machine be read; for tests. */
  readonly allowLoopback?: true
  /** How buckets of S3 are reached; undefined where all is as AWS has it. */
  readonly s3?: BucketsSettings
  /** Settings of research. */
  readonly research?: ResearchConfig
  /** `AMBIT_TASK_REWRITE`, `taskRewrite`: whether the language model is asked for the identifiers of each task. Default: no. */
  readonly taskRewrite?: true
  /** `AMBIT_UI_DEBUG`: whether a server shows what nodes of a research run were given. */
  readonly uiDebug?: boolean
  /** The configuration file, whether it exists or not. Absolute; undefined where there is no place for one. */
  readonly file: string | undefined
  /** Names in the file that mean nothing. */
  readonly unknown: readonly string[]
}

export { objectsOf } from './config/objects.ts'
export type { SettingsChange }

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads environment and file; the environment wins.
 *
 * @throws ContextError `invalid-input` when the file is not what it should be.
 */
export async function readConfig(environment: Environment = process.env): Promise<Config> {
  const userHome = absolute(environment.HOME) ?? systemHome()
  const file = configPath(absolute(environment.XDG_CONFIG_HOME) ?? (userHome && join(userHome, '.config')))
  const values = file !== undefined && statOf(file) ? await valuesIn(file) : {}
  const ownHome = environment.AMBIT_HOME || readTextSetting(values, 'home', file)
  const home = ownHome ?? (userHome === undefined ? false : undefined)
  const data = absolute(environment.XDG_DATA_HOME) ?? (userHome && join(userHome, '.local', 'share'))
  const state = stateIn(absolute(environment.XDG_STATE_HOME) ?? (userHome && join(userHome, '.local', 'state')))
  const db = databaseAt(environment.AMBIT_DB || readTextSetting(values, 'db', file), data)
  const written = { environment, values, file, isOpen: isReadableByOthers(file) }
  const database = databaseIn(written)
  const cache = absolute(environment.XDG_CACHE_HOME) ?? (userHome && join(userHome, '.cache'))
  const model = languageIn(written)
  const search = searchIn(written)
  const embedding = embeddingIn(written, userHome)
  const rerank = modelIn<RerankConfig>(RERANK, written)
  const s3 = bucketsIn(environment, { values, file })
  return {
    ...(home !== undefined && { home }),
    ...(db !== undefined && { db }),
    ...(state !== undefined && { state }),
    ...(cache !== undefined && { cache: join(cache, 'ambit') }),
    ...(database && { database }),
    ...readObjectsConfig(written, data),
    ...heartbeatIn(written),
    ...(model && { model }),
    ...(await assistantIn(written)),
    ...(embedding !== undefined && { embedding }),
    ...(data !== undefined && { models: join(data, 'ambit', 'models') }),
    ...(environment.HF_ENDPOINT && { hub: trimEnd(environment.HF_ENDPOINT, '/') }),
    ...(rerank && { rerank }),
    ...(s3 && { s3 }),
    ...researchIn({ environment, values, file }),
    ...(search && { search }),
    ...rewriteIn(environment, { values, file }),
    ...(environment.AMBIT_ALLOW_LOOPBACK === '1' && { allowLoopback: true as const }),
    file,
    unknown: Object.keys(values).filter((name) => !KNOWN.includes(name)),
  }
}

/**
 * The token that the user chose for the server: `AMBIT_TOKEN`, or `token` in the file, which then only its owner may read.
 *
 * @throws ContextError `invalid-input` for what cannot be sent in a header; `denied` when others may read the file.
 */
export async function readToken(environment: Environment = process.env): Promise<string | undefined> {
  const { values, file } = await configSources(environment)
  const { token: written } = values
  const token = environment.AMBIT_TOKEN || written
  if (token === undefined) return undefined
  if (typeof token !== 'string' || !isForHeader(token)) {
    throw invalidInput('The token cannot be sent in a header.', HEADER_HINT)
  }
  if (!environment.AMBIT_TOKEN && isReadableByOthers(file)) {
    const hint = `Run "chmod 600 ${file}".`
    throw new ContextError('denied', `The configuration file ${file} holds a token, and others may read it.`, { hint })
  }
  return token
}

/** @throws ContextError `invalid-input` for what is neither yes nor no. */
function rewriteIn(environment: Environment, { values, file = '' }: Written): Pick<Config, 'taskRewrite'> {
  const written = values.taskRewrite ?? false
  if (typeof written !== 'boolean') throw unreadableConfig(file, '"taskRewrite" is neither true nor false.')
  return (switchIn(environment, 'AMBIT_TASK_REWRITE') ?? written) ? { taskRewrite: true } : {}
}

/** Whether others than its owner may read a file. */
function isReadableByOthers(file = ''): boolean {
  return ((statOf(file)?.mode ?? 0) & 0o077) !== 0
}

/**
 * Another language model than the configured one. Of another provider, it has nothing of that one's URL and key.
 *
 * @throws ContextError `invalid-input` for a name that is none.
 */
export async function readModel(name: string, environment: Environment = process.env): Promise<ModelConfig> {
  const { model, ...sources } = await configSources(environment)
  return languageNamed(name, sources, model)
}

/**
 * How people sign in to a server by an OpenID provider; undefined where none is set.
 *
 * @throws ContextError `invalid-input` for what is not valid; `denied` for a secret that others may read.
 */
export async function readSignOn(environment: Environment = process.env): Promise<SignOnConfig | undefined> {
  const sources = await configSources(environment)
  if (sources.values.oidc === undefined && !environment.AMBIT_OIDC_ISSUER) return undefined
  return (await import('./config/sign-on.ts')).signOnIn(sources)
}

async function configSources(environment: Environment) {
  const { file = '', model } = await readConfig(environment)
  return {
    environment,
    values: statOf(file) ? await valuesIn(file) : {},
    file,
    isOpen: isReadableByOthers(file),
    model,
  }
}

/** What the file may hold of buckets; keys and secrets stay in the files of AWS. */
const S3: ConfigSection = {
  name: 's3',
  fields: {
    endpoint: 'string',
    region: 'string',
    profile: 'string',
    pathStyle: 'boolean',
    anonymous: 'boolean',
    requesterPays: 'boolean',
  },
}

/** What is said of single buckets, by their names: it is nearer than what variables say of all. */
function singleBuckets(value: unknown, file: string): Pick<BucketsSettings, 'buckets'> {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unreadableConfig(file, '"buckets" of "s3" has no names of buckets.')
  const entries = Object.entries(value).map(
    ([name, one]) => [name, writtenOf<BucketSettings>(S3, one ?? {}, file)] as const,
  )
  return { buckets: Object.fromEntries(entries) }
}

/** Reads the variables of AWS; the rest has names of ours. The environment wins. */
function bucketsIn(environment: Environment, { values, file = '' }: Written): BucketsSettings | undefined {
  const isIgnored = environment.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true'
  const endpoint = isIgnored ? undefined : environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL
  const region = environment.AWS_REGION
  const pathStyle = switchIn(environment, 'AMBIT_S3_PATH_STYLE')
  const anonymous = switchIn(environment, 'AMBIT_S3_ANONYMOUS')
  const isMap = typeof values.s3 === 'object' && values.s3 !== null && !Array.isArray(values.s3)
  const { buckets, ...rest } = Object(values.s3)
  const all: unknown = isMap ? rest : values.s3
  const settings = {
    ...writtenOf<BucketSettings>(S3, values.s3 === undefined ? undefined : all, file),
    ...singleBuckets(buckets, file),
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    ...(pathStyle !== undefined && { pathStyle }),
    ...(anonymous !== undefined && { anonymous }),
  }
  return Object.keys(settings).length > 0 ? settings : undefined
}

async function valuesIn(file: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml')
  try {
    const values: unknown = parse(readFileSync(file, 'utf8')) ?? {}
    if (typeof values === 'object' && !Array.isArray(values)) return { ...values }
  } catch (cause) {
    throw unreadableConfig(file, cause instanceof Error ? firstLine(cause.message) : String(cause), cause)
  }
  throw unreadableConfig(file, 'It is not a list of names and values.')
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replace(/[:.]?$/, '.')

/** What is set of models and services, without their keys. `config`: what is in force. */
export async function readSettings(config: Config, environment: Environment = process.env) {
  return (await import('./config/settings.ts')).describeSettings(config, environment, config.file)
}

/**
 * Keeps a change of models and services in the configuration file, and brings it into force in this process.
 *
 * @throws ContextError `invalid-input`; `conflict` for what a variable sets; `unavailable` where the file cannot be written.
 */
export async function changeSettings(
  config: Config,
  change: SettingsChange,
  environment: Environment = process.env,
): Promise<void> {
  const { writeSettings } = await import('./config/settings.ts')
  const { file } = config
  const sourcesOf = (values: ConfigSources['values']) => ({ environment, values, file, isOpen: false })
  const text = textIn(file)
  let next: Pick<Config, 'model' | 'search' | 'embedding' | 'rerank'> = {}
  const check = (values: ConfigSources['values']) => {
    const sources = sourcesOf(values)
    const [model, search] = [languageIn(sources), searchIn(sources)]
    const embedding = embeddingIn(sources, absolute(environment.HOME) ?? systemHome())
    const rerank = modelIn<RerankConfig>(RERANK, sources)
    next = {
      ...(model && { model }),
      ...(search && { search }),
      ...(embedding !== undefined && { embedding }),
      ...(rerank && { rerank }),
    }
  }
  writeSettings(change, { environment, file }, { text, check })
  const none = { model: undefined, search: undefined, embedding: undefined, rerank: undefined }
  Object.assign(config, { ...none, ...next })
}

function textIn(file = ''): string {
  return statOf(file) ? readFileSync(file, 'utf8') : ''
}

/** Whether stack traces are wanted: `AMBIT_DEBUG=1`. */
export function isDebugging(environment: Environment = process.env): boolean {
  return environment.AMBIT_DEBUG === '1'
}

/** A variable of the environment. */
export const readVariable = (name: string): string | undefined => process.env[name]

/** Whether colour is refused: `NO_COLOR`, or a terminal that has none. */
export function isPlainOutput(environment: Environment = process.env): boolean {
  return Boolean(environment.NO_COLOR) || environment.TERM === 'dumb'
}
