import { ContextError } from '../../core/errors.ts'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, overSdk, type Timing } from '../sdk/language.ts'

/** Of a module that is not there: where it is imported, and where it is required. */
const MISSING = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** Models there that all look at images. */
const SEES = /claude|nova-(lite|pro|premier)/

type Module = Pick<typeof import('@ai-sdk/amazon-bedrock'), 'createAmazonBedrock'>

/** What may be elsewhere: tests have it so. */
export interface BedrockParts extends Timing {
  readonly load?: () => Promise<Module>
}

/**
 * A model in Amazon Bedrock. Region and credentials are those of the environment of AWS; a key is one of Bedrock's own.
 *
 * @throws ContextError `unavailable` where the package for it is not installed.
 */
export async function bedrock(
  { model, url, key, price, canSee = SEES.test(model) }: LanguageSettings,
  { load = () => import('@ai-sdk/amazon-bedrock'), ...timing }: BedrockParts = {},
): Promise<LanguageModel> {
  const { createAmazonBedrock } = await loadModule(load)
  const where = url === undefined ? 'Amazon Bedrock' : new URL(url).origin
  const provider = createAmazonBedrock({
    ...(url !== undefined && { baseURL: url }),
    ...(key !== undefined && { apiKey: key }),
    fetch: languageFetch(where, timing),
  })
  const images = canSee ? 'within' : undefined
  return overSdk(provider(model), { name: `bedrock/${model}`, where, key, price, images }, timing)
}

async function loadModule(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && MISSING.includes(String(cause.code)))) throw cause
    const hint = 'Install it beside ambit: npm install @ai-sdk/amazon-bedrock'
    throw new ContextError('unavailable', 'Models in Bedrock need the package @ai-sdk/amazon-bedrock.', { hint, cause })
  }
}
