import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, sdkLanguageModel, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { serviceAddress } from '../service/fetch.ts'

const DEFAULT_URL = 'https://api.openai.com/v1'

/**
 * A model of OpenAI, or of a service with OpenAI's responses API. Requests ask the service to store nothing: each
 * request sends the whole conversation, and its answer has the reasoning encrypted.
 */
export function openai(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { model, url = DEFAULT_URL, canSee = true, key = 'none' } = settings
  const { baseURL, origin } = serviceAddress(url, 'responses', LANGUAGE)
  // Without a key the SDK would look for one in the environment.
  const provider = createOpenAI({ baseURL, apiKey: key, fetch: languageFetch(origin, timing, settings) })
  const ownSettings = { origin, canSee, options: { openai: { store: false } }, hasStructuredOutput: true }
  return sdkLanguageModel(provider.responses(model), { ...settings, ...ownSettings }, timing)
}
