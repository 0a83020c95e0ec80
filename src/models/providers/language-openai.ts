import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, overSdk, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { serviceAddress } from '../service/fetch.ts'

const ADDRESS = 'https://api.openai.com/v1'

/**
 * A model of OpenAI, or of a service with its responses API. Requests ask the service to store nothing: each sends the whole
 * conversation, and returns the reasoning encrypted.
 */
export function openai(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { model, url = ADDRESS, canSee = true, ...given } = settings
  const { baseURL, where } = serviceAddress(url, 'responses', LANGUAGE)
  // Without a key the SDK would look for one in the environment.
  const provider = createOpenAI({ baseURL, apiKey: given.key ?? 'none', fetch: languageFetch(where, timing, settings) })
  const options = { openai: { store: false } }
  const images = canSee ? 'within' : undefined
  return overSdk(
    provider.responses(model),
    { ...given, name: `openai/${model}`, where, options, images, readsPdf: canSee, givesJson: true },
    timing,
  )
}
