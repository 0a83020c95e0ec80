import { loadPackage } from '../../core/errors.ts'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, type SdkSettings, sdkLanguageModel, type TestSettings } from '../sdk/language.ts'

/** Models that accept images. */
const ACCEPT_IMAGES = /claude|nova-(lite|pro|premier)/

/** Models that cache the prompt before a cache point. */
const CACHE_PROMPTS = /claude|nova-/

const CACHE_POINT = { bedrock: { cachePoint: { type: 'default' } } } as const

type Module = Pick<typeof import('@ai-sdk/amazon-bedrock'), 'createAmazonBedrock'>

/** Settings that tests change. */
export interface BedrockParts extends TestSettings {
  readonly load?: () => Promise<Module>
}

/**
 * A model in Amazon Bedrock. Region and credentials are those of the environment of AWS; a key is one of Bedrock's own.
 *
 * @throws ContextError `unavailable` if its package is not installed.
 */
export async function bedrock(
  settings: LanguageSettings,
  { load = () => import('@ai-sdk/amazon-bedrock'), ...timing }: BedrockParts = {},
): Promise<LanguageModel> {
  const { model, url, canSee = ACCEPT_IMAGES.test(model), ...given } = settings
  const need = 'Models in Bedrock need the package @ai-sdk/amazon-bedrock'
  const { createAmazonBedrock } = await loadPackage(load, need, '@ai-sdk/amazon-bedrock')
  const origin = url === undefined ? 'Amazon Bedrock' : new URL(url).origin
  const provider = createAmazonBedrock({
    ...(url !== undefined && { baseURL: url }),
    ...(given.key !== undefined && { apiKey: given.key }),
    fetch: languageFetch(origin, timing, settings),
  })
  const images = canSee ? 'within' : undefined
  const cacheMark = CACHE_PROMPTS.test(model) ? CACHE_POINT : undefined
  const hasStructuredOutput = model.includes('claude')
  const sdkSettings: SdkSettings = {
    ...given,
    name: `bedrock/${model}`,
    origin,
    images,
    cacheMark,
    readsPdf: canSee,
    hasStructuredOutput,
  }
  return sdkLanguageModel(provider(model), sdkSettings, timing)
}
