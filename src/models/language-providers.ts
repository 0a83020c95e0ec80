import { ContextError } from '../core/errors.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { type LanguageSettings, PROVIDER_KEYS } from './language.ts'
import { type Prices, priceOf } from './prices.ts'
import { knownModel } from './service/known-models.ts'

/** Dependencies of a model besides its settings. */
export interface ModelParts {
  readonly prices?: Prices | undefined
  /** Reads the table of word vectors. Without it, the built-in model ranks by words alone. */
  readonly readTable?: () => Uint8Array
}

/**
 * The configured model. Loads the package of its provider.
 *
 * @throws ContextError `denied` without the key that a provider requires; `invalid-input` for an invalid URL; `unavailable` if a
 * package is missing.
 */
export async function languageModel(configured: LanguageSettings, { prices, readTable }: ModelParts = {}) {
  assertKey(configured)
  const { provider, model, url } = configured
  if (provider === 'local') return (await import('./providers/language-local.ts')).local(readTable)
  const name = `${provider}/${model}`
  const knownLimits = omitUndefined({ contextTokens: knownModel(name)?.contextTokens })
  const settings = { ...knownLimits, ...configured, price: priceOf(name, prices, url !== undefined) }
  switch (provider) {
    case 'anthropic':
      return (await import('./providers/language-anthropic.ts')).anthropic(settings)
    case 'openai':
      return (await import('./providers/language-openai.ts')).openai(settings)
    case 'google':
      return (await import('./providers/language-google.ts')).google(settings)
    case 'bedrock':
      return (await import('./providers/language-bedrock.ts')).bedrock(settings)
    default:
      return (await import('./providers/language-compatible.ts')).chatCompletions(settings)
  }
}

/** Refuses a provider without its key. A service at another URL may need no key. */
function assertKey({ provider, model, key, url }: LanguageSettings): void {
  const keyVariable = PROVIDER_KEYS[provider]?.[0]
  if (keyVariable === undefined || key !== undefined || url !== undefined) return
  const hint = `Set AMBIT_MODEL_KEY or ${keyVariable}.`
  throw new ContextError('denied', `There is no key for the model ${provider}/${model}.`, { hint })
}
