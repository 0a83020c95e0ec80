import { createAnthropic } from '@ai-sdk/anthropic'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, overSdk, type SdkSettings, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { serviceAddress } from '../service/fetch.ts'

const ADDRESS = 'https://api.anthropic.com/v1'

const CACHE_CONTROL = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/** A model of Anthropic, or of a service that speaks as Anthropic's messages do. */
export function anthropic(given: LanguageSettings, timing?: Timing): LanguageModel {
  const { model, url = ADDRESS, key, price, effort, canSee = true, output, reads } = given
  const { baseURL, where } = serviceAddress(url, 'messages', LANGUAGE)
  // Without a key of ours it would look for one in the environment.
  const provider = createAnthropic({ baseURL, apiKey: key ?? 'none', fetch: languageFetch(where, timing, given) })
  const images = canSee ? 'within' : undefined
  const mark = CACHE_CONTROL
  const settings: SdkSettings = {
    name: `anthropic/${model}`,
    where,
    key,
    price,
    images,
    effort,
    mark,
    output,
    reads,
    readsPdf: canSee,
  }
  return overSdk(provider(model), settings, timing)
}
