import { createAnthropic } from '@ai-sdk/anthropic'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, sdkLanguageModel, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { serviceAddress } from '../service/fetch.ts'
import { knownModel } from '../service/known-models.ts'

const DEFAULT_URL = 'https://api.anthropic.com/v1'

/** Maximum tokens of an answer of an unknown model. The service requires a number, and the SDK would send 4,096. */
const UNKNOWN_OUTPUT = 32_000

const CACHE_CONTROL = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/** A model of Anthropic, or of a service with Anthropic's messages API. */
export function anthropic(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { model, url = DEFAULT_URL, canSee = true, key = 'none' } = settings
  const { baseURL, origin } = serviceAddress(url, 'messages', LANGUAGE)
  // Without a key the SDK would look for one in the environment.
  const provider = createAnthropic({ baseURL, apiKey: key, fetch: languageFetch(origin, timing, settings) })
  const output = settings.output ?? knownModel(`anthropic/${model}`)?.output ?? UNKNOWN_OUTPUT
  // For models without structured output, the SDK asks for the form as the input of a tool.
  const ownSettings = { origin, canSee, output, cacheMark: CACHE_CONTROL, hasStructuredOutput: true }
  return sdkLanguageModel(provider(model), { ...settings, ...ownSettings }, timing)
}
