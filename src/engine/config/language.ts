/** Which language model is set, and where: `AMBIT_MODEL=provider/model`, `AMBIT_MODEL_URL`, `AMBIT_MODEL_KEY`. */

import { type ContextError, invalidInput } from '../../core/errors.ts'
import { HEADER_HINT, isForHeader } from './header.ts'

const PROVIDERS = ['anthropic', 'openai', 'openai-compatible', 'bedrock', 'local'] as const

/** The language model that the assistant talks with. */
export interface ModelConfig {
  readonly provider: (typeof PROVIDERS)[number]
  /** As its provider calls it. */
  readonly model: string
  /** Where it is asked, if not where its provider is. */
  readonly url?: string
  readonly key?: string
  /** Whether it can look at images; absent where that goes by its provider. */
  readonly canSee?: boolean
  /** The file that holds the key, where others may read it: that key is not taken. Absolute; absent where there is another. */
  readonly openFile?: string
}

/** What the environment and the file say, each by its own names. */
export interface ConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly values: Readonly<Record<string, unknown>>
  /** The configuration file. */
  readonly file: string | undefined
  /** Whether others than its owner may read it. */
  readonly isOpen: boolean
}

/** The variables that providers have for their own keys. They are for the provider itself, and sent nowhere else. */
const OWN_KEYS: Readonly<Record<string, string>> = { anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY' }

/**
 * The model that is set; undefined where none is. The environment wins.
 *
 * @throws ContextError `invalid-input` for what is no model, no URL or no key.
 */
export function languageIn(told: ConfigSources): ModelConfig | undefined {
  const name = told.environment.AMBIT_MODEL || readTextSetting(told, 'model')
  return name ? languageNamed(name, told) : undefined
}

/**
 * A model by its name. Where it is of another provider than the configured one, nothing of the URL and the key of that one
 * is taken.
 *
 * @throws ContextError as `languageIn`.
 */
export function languageNamed(name: string, told: ConfigSources, configured?: ModelConfig): ModelConfig {
  const { environment, file, isOpen } = told
  const { provider, model } = namedIn(name)
  const isOther = configured !== undefined && configured.provider !== provider
  const url = isOther ? undefined : environment.AMBIT_MODEL_URL || readTextSetting(told, 'modelUrl')
  assertUrl(provider, url)
  const written = isOther ? undefined : readTextSetting(told, 'modelKey')
  const own = url === undefined ? environment[OWN_KEYS[provider] ?? ''] : undefined
  const key = (isOther ? undefined : environment.AMBIT_MODEL_KEY) || (isOpen ? undefined : written) || own
  if (key && !isForHeader(key)) throw invalidModel('has a key that cannot be sent in a header', HEADER_HINT)
  return {
    provider,
    model,
    ...(url !== undefined && { url }),
    ...(key && { key }),
    ...seenIn(told),
    ...(!key && isOpen && written !== undefined && file !== undefined && { openFile: file }),
  }
}

/** `AMBIT_MODEL_IMAGES=1`, or `modelImages: true`: what behind a URL can see is not known otherwise. */
function seenIn({ environment, values }: ConfigSources): Pick<ModelConfig, 'canSee'> {
  const said = environment.AMBIT_MODEL_IMAGES || values.modelImages
  if (said === undefined) return {}
  if (/^(1|true|0|false)$/.test(String(said))) return { canSee: /^(1|true)$/.test(String(said)) }
  throw invalidModel(`has ${JSON.stringify(said)} as whether it sees images`, 'Set AMBIT_MODEL_IMAGES to 1 or to 0.')
}

function namedIn(name: string): Pick<ModelConfig, 'provider' | 'model'> {
  const [, first, model = ''] = /^([^/]+)\/(.+)$/s.exec(name) ?? []
  const provider = PROVIDERS.find((one) => one === first)
  if (provider !== undefined && (provider !== 'local' || model === 'extractive')) return { provider, model }
  const hint = `Write PROVIDER/MODEL: ${PROVIDERS.slice(0, -1).join('/…, ')}/…, or local/extractive.`
  throw invalidModel(`is ${JSON.stringify(name)}, which is none`, hint)
}

/** What stands before an `@` may be a password, and is not shown. */
function assertUrl(provider: ModelConfig['provider'], url: string | undefined): void {
  const hint = 'Set AMBIT_MODEL_URL to the base URL of the service, such as http://127.0.0.1:11434/v1.'
  if (url === undefined && provider === 'openai-compatible') throw invalidModel('has no URL', hint)
  if (url === undefined) return
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw invalidModel(`has ${JSON.stringify(url.replace(/^.*@/s, '…@'))} as its URL`, hint)
  }
  const { username, password } = new URL(url)
  if (username + password !== '') throw invalidModel('has a URL with a password in it', 'Set AMBIT_MODEL_KEY instead.')
}

function readTextSetting({ values, file = '' }: ConfigSources, name: string): string | undefined {
  const value = values[name]
  if (value === undefined || typeof value === 'string') return value
  const hint = 'Write one "name: value" a line, such as "model: anthropic/NAME".'
  throw invalidInput(`"${name}" in the configuration file ${file} must be a text.`, hint)
}

function invalidModel(problem: string, hint: string): ContextError {
  return invalidInput(`The language model ${problem}.`, hint)
}
