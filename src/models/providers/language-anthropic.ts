import { createAnthropic } from '@ai-sdk/anthropic'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, overSdk, type SdkSettings, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { serviceAddress } from '../service/fetch.ts'
import { knownModel } from '../service/known-models.ts'

const ADDRESS = 'https://api.anthropic.com/v1'

/** Maximum tokens of an answer of an unknown model. The service requires a number, and the SDK would send 4,096. */
const UNKNOWN_OUTPUT = 32_000

const CACHE_CONTROL = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/** A model of Anthropic, or of a service with Anthropic's messages API. */
export function anthropic(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { model, url = ADDRESS, canSee = true, ...given } = settings
  const { baseURL, where } = serviceAddress(url, 'messages', LANGUAGE)
  // Without a key the SDK would look for one in the environment.
  const provider = createAnthropic({
    baseURL,
    apiKey: given.key ?? 'none',
    fetch: languageFetch(where, timing, settings),
  })
  const images = canSee ? 'within' : undefined
  const mark = CACHE_CONTROL
  const name = `anthropic/${model}`
  const output = given.output ?? knownModel(name)?.output ?? UNKNOWN_OUTPUT
  // For models without structured output, the SDK asks for the form as the input of a tool.
  const about: SdkSettings = { ...given, name, output, where, images, mark, readsPdf: canSee, givesJson: true }
  return overSdk(provider(model), about, timing)
}
