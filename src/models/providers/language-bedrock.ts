import { packageError } from '../../core/errors.ts'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, overSdk, type SdkSettings, type Timing } from '../sdk/language.ts'

/** Models that accept images. */
const SEES = /claude|nova-(lite|pro|premier)/

/** Models that cache the prompt before a cache point. */
const KEEPS = /claude|nova-/

const CACHE_POINT = { bedrock: { cachePoint: { type: 'default' } } } as const

type Module = Pick<typeof import('@ai-sdk/amazon-bedrock'), 'createAmazonBedrock'>

/** Settings that tests change. */
export interface BedrockParts extends Timing {
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
  const { model, url, canSee = SEES.test(model), ...given } = settings
  const { createAmazonBedrock } = await loadModule(load)
  const where = url === undefined ? 'Amazon Bedrock' : new URL(url).origin
  const provider = createAmazonBedrock({
    ...(url !== undefined && { baseURL: url }),
    ...(given.key !== undefined && { apiKey: given.key }),
    fetch: languageFetch(where, timing, settings),
  })
  const images = canSee ? 'within' : undefined
  const mark = KEEPS.test(model) ? CACHE_POINT : undefined
  const givesJson = model.includes('claude')
  const about: SdkSettings = { ...given, name: `bedrock/${model}`, where, images, mark, readsPdf: canSee, givesJson }
  return overSdk(provider(model), about, timing)
}

async function loadModule(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw packageError(cause, 'Models in Bedrock need the package @ai-sdk/amazon-bedrock', '@ai-sdk/amazon-bedrock')
  }
}
