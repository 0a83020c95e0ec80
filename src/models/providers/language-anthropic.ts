import { createAnthropic } from '@ai-sdk/anthropic'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, overSdk, type SdkSettings, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { serviceAddress } from '../service/fetch.ts'
import { knownModel } from '../service/known-models.ts'

const ADDRESS = 'https://api.anthropic.com/v1'

/** Tokens of an answer of a model that is not listed. Its service wants a number, and the SDK would send 4,096. */
const UNKNOWN_OUTPUT = 32_000

const CACHE_CONTROL = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/** A model of Anthropic, or of a service that speaks as Anthropic's messages do. */
export function anthropic(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { model, url = ADDRESS, canSee = true, ...given } = settings
  const { baseURL, where } = serviceAddress(url, 'messages', LANGUAGE)
  // Without a key of ours it would look for one in the environment.
  const provider = createAnthropic({
    baseURL,
    apiKey: given.key ?? 'none',
    fetch: languageFetch(where, timing, settings),
  })
  const images = canSee ? 'within' : undefined
  const mark = CACHE_CONTROL
  const name = `anthropic/${model}`
  const output = given.output ?? knownModel(name)?.output ?? UNKNOWN_OUTPUT
  // Of models that keep to no form by themselves, the SDK asks for it as the input of a tool.
  const about: SdkSettings = { ...given, name, output, where, images, mark, readsPdf: canSee, givesJson: true }
  return overSdk(provider(model), about, timing)
}
