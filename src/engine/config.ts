import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { invalidInput } from '../core/errors.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { statOf } from '../files/file-version.ts'
import { systemHome } from '../files/home.ts'
import type { BucketsSettings } from '../files/object-stores.ts'
import { BUDGET_NAMES, GUEST_QUOTA, type ResearchConfig, STAGES } from '../research/settings.ts'
import { trimEnd } from '../text/trim.ts'
import type { AssistantConfig } from './config/assistant-settings.ts'
import { type ModelConfig, readLanguage, readLanguageNamed } from './config/language.ts'
import { readEmbedding, readReranking, readSearch } from './config/services.ts'
import type { ServicesInForce, SettingsChange } from './config/settings.ts'
import type { SignOnConfig } from './config/sign-on.ts'
import {
  type ConfigSources,
  type Environment,
  errorFactoryFor,
  exposedFileError,
  firstKey,
  invalidConfig,
  isRecord,
  readSetting,
  readSwitchVariable,
  readTextSetting,
  resolveHome,
} from './config/sources.ts'
import { type DatabaseConfig, readBuckets, readDatabase, readHeartbeat, readObjectsPlace } from './config/stores.ts'

export type { SignOnConfig } from './config/sign-on.ts'

/** The configuration, read from environment and file at the start. `changeSettings` and `writeTrust` change it while the program runs. */
export interface Config extends AssistantConfig, ServicesInForce {
  /** Home directory with the user's own files; `false` for none. Default: the home directory of the system's user. */
  readonly home?: string | false
  /** Absolute path of the SQLite database, or `:memory:`; undefined if there is no directory for it. */
  readonly db?: string
  /** Absolute path of the directory for the state of sessions; undefined if there is no directory for it. */
  readonly state?: string
  /** Absolute path of the cache, which can be deleted; undefined if there is no directory for it. */
  readonly cache?: string
  /** The PostgreSQL database to use instead of `db`, if configured. */
  readonly database?: DatabaseConfig
  /** Place of uploads: the absolute path of a directory, or `s3://bucket/prefix`. Default: see `uploadPlaceOf`. */
  readonly objects?: string
  /** Absolute path of the user's data directory; undefined if there is no directory for it. */
  readonly data?: string
  /** Milliseconds without a heartbeat after which another process takes over a job. Default: 15,000. */
  readonly heartbeatMs?: number
  /** Absolute path of the directory of downloaded models; undefined if there is no directory for it. */
  readonly models?: string
  /** Address of the hub for models. Default: Hugging Face. */
  readonly hub?: string
  /** Whether Ambit may fetch pages of this machine; for tests. */
  readonly allowLoopback?: true
  /** Settings of S3 buckets. Default: the settings of AWS. */
  readonly s3?: BucketsSettings
  readonly research?: ResearchConfig
  /** `AMBIT_TASK_REWRITE`, `taskRewrite`: whether the language model is asked for the identifiers of each task. Default: no. */
  readonly taskRewrite?: true
  /** `AMBIT_UI_DEBUG`: whether a server shows the slices of the nodes of a research run. */
  readonly uiDebug?: boolean
  /** Absolute path of the configuration file, which may not exist; undefined if there is no directory for it. */
  readonly file: string | undefined
  /** Unknown names in the file. */
  readonly unknown: readonly string[]
}

export { uploadPlaceOf } from './config/stores.ts'
export type { SettingsChange }

/** Settings of the assistant in the file, besides its model. */
const ASSISTANT_NAMES = 'modelImages modelEffort prices costLimit mcpServers mcpServersFrom trusted untrusted'.split(
  ' ',
)

/** Names of settings in the file. Most are the names of the variables in camelCase. */
const KNOWN_NAMES = [
  ...'home db databaseUrl objects heartbeat token oidc s3 research taskRewrite uiDebug'.split(' '),
  ...'model modelUrl modelKey modelOutput modelContext modelHeaders modelBody search searchUrl searchKey'.split(' '),
  ...'embedding embeddingModel embeddingUrl embeddingKey rerank rerankModel rerankUrl rerankKey'.split(' '),
  ...ASSISTANT_NAMES,
]

/**
 * Reads environment and file. An environment variable overrides the file.
 *
 * @throws ContextError `invalid-input` for an invalid file.
 */
export async function readConfig(environment: Environment = process.env): Promise<Config> {
  const userHome = readHome(environment)
  const folder = (variable: string, ...below: readonly string[]) =>
    absoluteOrNone(environment[variable]) ?? (userHome && join(userHome, ...below))
  const [config, data] = [folder('XDG_CONFIG_HOME', '.config'), folder('XDG_DATA_HOME', '.local', 'share')]
  const [state, cache] = [folder('XDG_STATE_HOME', '.local', 'state'), folder('XDG_CACHE_HOME', '.cache')]
  const file = config && join(config, 'ambit', 'config.yaml')
  const values = file !== undefined && statOf(file) ? await readValues(file) : {}
  const sources = { environment, values, file, isExposed: isReadableByOthers(file) }
  const db = readSetting(sources, 'AMBIT_DB', 'db')
  return {
    ...omitUndefined({
      home: readSetting(sources, 'AMBIT_HOME', 'home') ?? (userHome === undefined ? (false as const) : undefined),
      db: db === ':memory:' ? db : db ? resolveHome(db) : data && join(data, 'ambit', 'ambit.db'),
      state: state && join(state, 'ambit'),
      cache: cache && join(cache, 'ambit'),
      data,
      objects: readObjectsPlace(sources),
      database: readDatabase(sources),
      heartbeatMs: readHeartbeat(sources),
      models: data && join(data, 'ambit', 'models'),
      hub: environment.HF_ENDPOINT ? trimEnd(environment.HF_ENDPOINT, '/') : undefined,
      ...readServices(sources),
      s3: readBuckets(sources),
      research: values.research === undefined ? undefined : readResearch(values.research, file),
      uiDebug: readSwitch(sources, 'AMBIT_UI_DEBUG', 'uiDebug') || undefined,
      taskRewrite: readSwitch(sources, 'AMBIT_TASK_REWRITE', 'taskRewrite') || undefined,
      allowLoopback: environment.AMBIT_ALLOW_LOOPBACK === '1' || undefined,
    }),
    ...(await readAssistant(sources)),
    file,
    unknown: Object.keys(values).filter((name) => !KNOWN_NAMES.includes(name)),
  }
}

/** Drops a relative folder: it would be in the current directory, which may not belong to the user. */
function absoluteOrNone(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined
}

function readHome(environment: Environment): string | undefined {
  return absoluteOrNone(environment.HOME) ?? systemHome()
}

/** The services that may change while the program runs. */
function readServices(sources: ConfigSources) {
  return {
    model: readLanguage(sources),
    search: readSearch(sources),
    embedding: readEmbedding(sources, readHome(sources.environment)),
    rerank: readReranking(sources),
  }
}

/** Settings of the assistant. Their module is loaded only if there are any. @throws ContextError as `readAssistantSettings`. */
async function readAssistant(sources: ConfigSources): Promise<AssistantConfig> {
  const { environment, values } = sources
  if (!environment.AMBIT_COST_LIMIT && !ASSISTANT_NAMES.some((name) => Object.hasOwn(values, name))) return {}
  return (await import('./config/assistant-settings.ts')).readAssistantSettings(sources)
}

/** @throws ContextError `invalid-input` for a value that is neither true nor false. */
function readSwitch({ environment, values, file = '' }: ConfigSources, variable: string, name: string): boolean {
  const fileValue = values[name] ?? false
  if (typeof fileValue !== 'boolean') throw invalidConfig(file, `"${name}" is neither true nor false.`)
  return readSwitchVariable(environment, variable) ?? fileValue
}

/** Settings of research. @throws ContextError `invalid-input`. */
function readResearch(value: unknown, file = ''): ResearchConfig {
  const { models = {}, budget = {}, quota = {}, contextInQueries = false, ...unknownNames } = Object(value)
  const isKnown = isRecord(value) && Object.keys(unknownNames).length === 0 && typeof contextInQueries === 'boolean'
  const areLimits = isRecordOf(budget, BUDGET_NAMES, 'number') && isRecordOf(quota, Object.keys(GUEST_QUOTA), 'number')
  if (isKnown && areLimits && isRecordOf(models, STAGES, 'string')) return { models, budget, quota, contextInQueries }
  const hint = 'Its names are "models", "budget", "quota" and "contextInQueries".'
  throw invalidInput(`"research" in the configuration file ${file} is not valid.`, hint)
}

function isRecordOf(value: unknown, names: readonly string[], type: 'string' | 'number'): boolean {
  const isValid = ([name, one]: readonly [string, unknown]) =>
    names.includes(name) && typeof one === type && (type === 'string' || Number(one) > 0)
  return isRecord(value) && Object.entries(value).every(isValid)
}

/**
 * The token that the user chose for the server: `AMBIT_TOKEN`, or `token` in a file that only its owner may read.
 *
 * @throws ContextError `invalid-input` for characters that a header cannot contain; `denied` if others may read the file.
 */
export async function readToken(environment: Environment = process.env): Promise<string | undefined> {
  const sources = await configSources(environment)
  const variableToken = environment.AMBIT_TOKEN
  const fileToken = variableToken ? undefined : readTextSetting(sources, 'token')
  if (fileToken && sources.isExposed) throw exposedFileError(sources.file, 'a token')
  return firstKey([variableToken, fileToken], errorFactoryFor('server'))
}

/** Whether users other than its owner may read a file. */
function isReadableByOthers(file = ''): boolean {
  return ((statOf(file)?.mode ?? 0) & 0o077) !== 0
}

/**
 * A language model by its name. A model of another provider gets neither the URL nor the key of the configured model.
 *
 * @throws ContextError `invalid-input` for an invalid name.
 */
export async function readModel(name: string, environment: Environment = process.env): Promise<ModelConfig> {
  const { model, ...sources } = await configSources(environment)
  return readLanguageNamed(name, sources, model)
}

/**
 * The OpenID provider that signs people in to a server, if configured.
 *
 * @throws ContextError `invalid-input`; `denied` for a secret that others may read.
 */
export async function readSignOn(environment: Environment = process.env): Promise<SignOnConfig | undefined> {
  const sources = await configSources(environment)
  if (sources.values.oidc === undefined && !environment.AMBIT_OIDC_ISSUER) return undefined
  return (await import('./config/sign-on.ts')).readSignOnSettings(sources)
}

async function configSources(environment: Environment) {
  const { file = '', model } = await readConfig(environment)
  const values = statOf(file) ? await readValues(file) : {}
  return { environment, values, file, isExposed: isReadableByOthers(file), model }
}

async function readValues(file: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml')
  try {
    const values: unknown = parse(readFileSync(file, 'utf8')) ?? {}
    if (typeof values === 'object' && !Array.isArray(values)) return { ...values }
  } catch (cause) {
    throw invalidConfig(file, firstLine(String(Object(cause).message)), undefined, cause)
  }
  throw invalidConfig(file, 'It is not a list of names and values.')
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replace(/[:.]?$/, '.')

/** Settings of models and services, without their keys. `config`: the current configuration. */
export async function readSettings(config: Config, environment: Environment = process.env) {
  return (await import('./config/settings.ts')).describeSettings(config, environment)
}

/**
 * Writes a change of models and services into the configuration file, and applies it to this process.
 *
 * @throws ContextError `invalid-input`; `conflict` if a variable of the environment sets the service; `unavailable` if the file
 * cannot be written.
 */
export async function changeSettings(
  config: Config,
  change: SettingsChange,
  environment: Environment = process.env,
): Promise<void> {
  const { writeSettings } = await import('./config/settings.ts')
  const { file } = config
  let services: object = {}
  const check = (values: ConfigSources['values']) => {
    services = readServices({ environment, values, file, isExposed: false })
  }
  writeSettings(change, { environment, file }, check)
  Object.assign(config, services)
}

/**
 * Stores, in this process and in the configuration file, whether the person trusts the instruction files of an address.
 *
 * @throws ContextError `invalid-input`, `unavailable` as `changeSettings`.
 */
export async function writeTrust(config: Config, address: string, isTrusted: boolean): Promise<void> {
  const { addToList } = await import('./config/settings.ts')
  const name = isTrusted ? 'trusted' : 'untrusted'
  Object.assign(config, { [name]: [...(config[name] ?? []), address] })
  addToList(name, address, config.file)
}

/** Whether to print stack traces: `AMBIT_DEBUG=1`. */
export function isDebugging(environment: Environment = process.env): boolean {
  return environment.AMBIT_DEBUG === '1'
}

export const readVariable = (name: string): string | undefined => process.env[name]

/** Whether to print without colour: `NO_COLOR`, or a terminal without colours. */
export function isPlainOutput(environment: Environment = process.env): boolean {
  return Boolean(environment.NO_COLOR) || environment.TERM === 'dumb'
}
