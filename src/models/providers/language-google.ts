import { createGoogle } from '@ai-sdk/google'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, overSdk, type SdkSettings, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { addressWithPath, serviceAddress } from '../service/fetch.ts'

const ADDRESS = 'https://generativelanguage.googleapis.com'

/** The end of an address of Vertex AI, with or without a project and a region. */
const VERTEX = /\/publishers\/google$/

/** Models that return their reasoning on request. */
const THINKS = /^gemini-(?:2\.5|[3-9]|\w+-latest)(?!.*image)/

/** A model of Gemini, or of Vertex AI at its address. */
export function google(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { model, url = ADDRESS, canSee = true, ...given } = settings
  const { baseURL, where } = serviceAddress(addressWithPath(url, '/v1beta'), 'models', LANGUAGE)
  // Without a key, the SDK would look for one in the environment. Vertex AI also accepts tokens, in a header that the person sets.
  const provider = createGoogle({
    baseURL,
    apiKey: given.key ?? 'none',
    ...(given.key === undefined && { headers: { 'x-goog-api-key': undefined } }),
    ...(VERTEX.test(baseURL) && { name: 'google.vertex.chat' }),
    fetch: languageFetch(where, timing, settings),
  })
  const about: SdkSettings = {
    ...given,
    name: `google/${model}`,
    where,
    ...(THINKS.test(model) && { options: { google: { thinkingConfig: { includeThoughts: true } } } }),
    images: canSee ? 'within' : undefined,
    readsPdf: canSee,
    givesJson: true,
  }
  return overSdk(provider(model), about, timing)
}
