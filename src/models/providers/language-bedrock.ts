import { loadPackage } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, sdkLanguageModel, type Timing } from '../sdk/language.ts'

/** Models that accept images. */
const ACCEPT_IMAGES = /claude|nova-(lite|pro|premier)/

/** Models that cache the prompt before a cache point. */
const CACHE_PROMPTS = /claude|nova-/

const CACHE_POINT = { bedrock: { cachePoint: { type: 'default' } } } as const

type Module = Pick<typeof import('@ai-sdk/amazon-bedrock'), 'createAmazonBedrock'>

/** Settings that tests change. */
export interface BedrockParts extends Timing {
  readonly load?: () => Promise<Module>
}

/**
 * A model in Amazon Bedrock. Region and credentials come from AWS environment variables; `key` is a Bedrock API key.
 * @throws ContextError `unavailable` if its package is not installed.
 */
export async function bedrock(
  settings: LanguageSettings,
  { load = () => import('@ai-sdk/amazon-bedrock'), ...timing }: BedrockParts = {},
): Promise<LanguageModel> {
  const { model, url, key, canSee = ACCEPT_IMAGES.test(model) } = settings
  const need = 'Models in Bedrock need the package @ai-sdk/amazon-bedrock'
  const { createAmazonBedrock } = await loadPackage(load, need, '@ai-sdk/amazon-bedrock')
  const origin = url === undefined ? 'Amazon Bedrock' : new URL(url).origin
  const provider = createAmazonBedrock({
    ...omitUndefined({ baseURL: url, apiKey: key }),
    fetch: languageFetch(origin, timing, settings),
  })
  const cacheMark = CACHE_PROMPTS.test(model) ? CACHE_POINT : undefined
  const ownSettings = { origin, canSee, cacheMark, hasStructuredOutput: model.includes('claude') }
  return sdkLanguageModel(provider(model), { ...settings, ...ownSettings }, timing)
}
