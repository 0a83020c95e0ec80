import { createGoogle } from '@ai-sdk/google'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, sdkLanguageModel, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { addressWithPath, serviceAddress } from '../service/fetch.ts'

const DEFAULT_URL = 'https://generativelanguage.googleapis.com'

/** The end of an address of Vertex AI, with or without a project and a region. */
const VERTEX = /\/publishers\/google$/

/** Models that return their reasoning on request. */
const RETURN_REASONING = /^gemini-(?:2\.5|[3-9]|\w+-latest)(?!.*image)/

/** A model of Gemini, or of Vertex AI at its address. */
export function google(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { model, url = DEFAULT_URL, canSee = true, key = 'none' } = settings
  const { baseURL, origin } = serviceAddress(addressWithPath(url, '/v1beta'), 'models', LANGUAGE)
  // Without a key, the SDK would look for one in the environment. Vertex AI also accepts tokens, in a header that the person sets.
  const provider = createGoogle({
    baseURL,
    apiKey: key,
    ...(settings.key === undefined && { headers: { 'x-goog-api-key': undefined } }),
    ...(VERTEX.test(baseURL) && { name: 'google.vertex.chat' }),
    fetch: languageFetch(origin, timing, settings),
  })
  const options = RETURN_REASONING.test(model) && { google: { thinkingConfig: { includeThoughts: true } } }
  const ownSettings = { origin, canSee, ...(options && { options }), hasStructuredOutput: true }
  return sdkLanguageModel(provider(model), { ...settings, ...ownSettings }, timing)
}
