/** The language model in use: `AMBIT_MODEL=provider/model`, `AMBIT_MODEL_URL`, `AMBIT_MODEL_KEY`. */

import { omitUndefined } from '../../core/omit-undefined.ts'
import {
  EFFORTS,
  type Effort,
  type LanguageSettings,
  MODEL_PROVIDERS,
  type ModelProvider,
  PROVIDER_KEYS,
} from '../../models/language.ts'
import {
  assertServiceUrl,
  type ConfigSources,
  type Environment,
  errorFactoryFor,
  firstKey,
  fitsInHeader,
  HEADER_HINT,
  isRecord,
  readSetting,
  readTextSetting,
} from './sources.ts'

const refuseModel = errorFactoryFor('language model')

/** The language model that the assistant talks with. */
export interface ModelConfig extends Omit<LanguageSettings, 'price'> {
  /**
   * Absolute path of the configuration file, if its key is refused because others may read the file. Absent if another key is
   * set.
   */
  readonly openFile?: string
}

/**
 * The configured model, if any. An environment variable overrides the file.
 *
 * @throws ContextError `invalid-input` for an invalid name, URL, key or setting of the model.
 */
export function readLanguage(sources: ConfigSources): ModelConfig | undefined {
  const name = readSetting(sources, 'AMBIT_MODEL', 'model')
  return name ? readLanguageNamed(name, sources) : undefined
}

/**
 * A model by its name. A model of another provider gets neither the URL nor the key of the configured model.
 *
 * @throws ContextError as `readLanguage`.
 */
export function readLanguageNamed(name: string, sources: ConfigSources, configured?: ModelConfig): ModelConfig {
  const { environment, file, isExposed } = sources
  const { provider, model } = parseModelName(name)
  const isOtherProvider = configured !== undefined && configured.provider !== provider
  const writtenUrl = isOtherProvider ? undefined : readSetting(sources, 'AMBIT_MODEL_URL', 'modelUrl')
  const url = writtenUrl || providerUrl(provider, environment)
  assertUrl(provider, url)
  const fileKey = isOtherProvider ? undefined : readTextSetting(sources, 'modelKey')
  const keyOfProvider =
    writtenUrl === undefined || isAzure(provider, writtenUrl) ? providerKey(provider, environment) : undefined
  const variableKey = isOtherProvider ? undefined : environment.AMBIT_MODEL_KEY
  const key = firstKey([variableKey, isExposed ? undefined : fileKey, keyOfProvider], refuseModel)
  return {
    provider,
    model,
    ...omitUndefined({
      url,
      key,
      canSee: readImages(sources),
      effort: readEffort(sources),
      openFile: !key && isExposed && fileKey !== undefined ? file : undefined,
    }),
    ...(isOtherProvider ? {} : readRequestSettings(sources)),
  }
}

/** `AMBIT_MODEL_IMAGES=1`, or `modelImages: true`: whether the model reads images, which a service does not tell. */
function readImages({ environment, values }: ConfigSources): boolean | undefined {
  const value = environment.AMBIT_MODEL_IMAGES || values.modelImages
  if (value === undefined) return undefined
  if (/^(1|true|0|false)$/.test(String(value))) return /^(1|true)$/.test(String(value))
  throw refuseModel(`has ${JSON.stringify(value)} as its setting for images`, 'Set AMBIT_MODEL_IMAGES to 1 or to 0.')
}

/** `AMBIT_MODEL_EFFORT`, or `modelEffort`. */
function readEffort(sources: ConfigSources): Effort | undefined {
  const value = readSetting(sources, 'AMBIT_MODEL_EFFORT', 'modelEffort')
  const effort = EFFORTS.find((one) => one === value)
  if (!value || effort !== undefined) return effort
  throw refuseModel(`has ${JSON.stringify(value)} as its effort`, `Use one of ${EFFORTS.join(', ')}.`)
}

/** Settings of requests to the model: `modelOutput`, `modelContext`, `modelHeaders`, `modelBody`. */
function readRequestSettings({ environment, values, isExposed, file = '' }: ConfigSources): Partial<ModelConfig> {
  const tokens = (variable: string, name: string) => {
    const value = environment[variable] || values[name]
    if (value === undefined || Number.isInteger(Number(value))) return value === undefined ? undefined : Number(value)
    throw refuseModel(`has ${JSON.stringify(value)} as its ${name}`, 'Write a whole number of tokens.')
  }
  const [output, input] = [tokens('AMBIT_MODEL_OUTPUT', 'modelOutput'), tokens('AMBIT_MODEL_CONTEXT', 'modelContext')]
  const { modelHeaders: headers, modelBody: body } = values
  const areTexts = Object.values(Object(headers)).every((one) => typeof one === 'string' && fitsInHeader(one))
  if (headers !== undefined && !(isRecord(headers) && areTexts))
    throw refuseModel('has headers that cannot be sent', HEADER_HINT)
  if (body !== undefined && !isRecord(body))
    throw refuseModel('has a body that is not an object', 'Write modelBody: { top_k: 20 }.')
  if (headers !== undefined && isExposed)
    throw refuseModel('has headers in a file that others may read', `Run "chmod 600 ${file}".`)
  return omitUndefined({ output, contextTokens: input, headers: headers as ModelConfig['headers'], body })
}

function providerKey(provider: ModelProvider, environment: Environment): string | undefined {
  return PROVIDER_KEYS[provider]?.map((name) => environment[name]).find((key) => key)
}

/** The URL in the provider's own environment variable, such as `OLLAMA_HOST`. */
function providerUrl(provider: ModelProvider, environment: Environment): string | undefined {
  if (provider === 'azure') return environment.AZURE_OPENAI_ENDPOINT || undefined
  const host = provider === 'ollama' ? environment.OLLAMA_HOST : undefined
  if (!host) return undefined
  const isAddress = /^https?:\/\//.test(host)
  const url = isAddress ? host : `http://${host}`
  if (!URL.canParse(url)) return url
  const { protocol, hostname, port } = new URL(url)
  // A server at 0.0.0.0 listens on all addresses of this machine. A client needs one of these addresses.
  const defaultPort = isAddress || host.endsWith(':80') ? '' : ':11434'
  return `${protocol}//${hostname === '0.0.0.0' ? '127.0.0.1' : hostname}${port ? `:${port}` : defaultPort}`
}

/** Whether a URL is a host of Azure. The key for Azure may be sent to it. Each resource has its own host. */
function isAzure(provider: ModelProvider, url: string): boolean {
  return provider === 'azure' && URL.canParse(url) && /\.azure\.(?:com|us|cn)$/.test(new URL(url).hostname)
}

function parseModelName(name: string): Pick<ModelConfig, 'provider' | 'model'> {
  const [, first, model = ''] = /^([^/]+)\/(.+)$/s.exec(name) ?? []
  const provider = MODEL_PROVIDERS.find((one) => one === first)
  if (provider !== undefined && (provider !== 'local' || model === 'extractive')) return { provider, model }
  const hint = `Write PROVIDER/MODEL: ${MODEL_PROVIDERS.slice(0, -1).join('/…, ')}/…, or local/extractive.`
  throw refuseModel(`is ${JSON.stringify(name)}, which is not valid`, hint)
}

function assertUrl(provider: ModelConfig['provider'], url: string | undefined): void {
  const hint = 'Set AMBIT_MODEL_URL to the base URL of the service, such as http://127.0.0.1:11434/v1.'
  if (url === undefined && provider === 'openai-compatible') throw refuseModel('has no URL', hint)
  if (url === undefined && provider === 'azure') throw refuseModel('has no URL', AZURE_HINT)
  assertServiceUrl(url, refuseModel, hint)
}

const AZURE_HINT =
  'Set AMBIT_MODEL_URL or AZURE_OPENAI_ENDPOINT to the URL of the resource: https://NAME.openai.azure.com.'
