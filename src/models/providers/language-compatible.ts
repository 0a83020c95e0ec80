import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel, LanguageSettings } from '../language.ts'
import { languageFetch, overSdk, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { serviceAddress } from '../service/fetch.ts'

/** A model of a service that speaks as OpenAI's chat completions do: Ollama, llama.cpp, vLLM, LM Studio. */
export function chatCompletions(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { provider: name, model, url = '', key, price, canSee = false } = settings
  const { where, ...address } = serviceAddress(url, 'chat/completions', LANGUAGE)
  const provider = createOpenAICompatible({
    name,
    ...address,
    ...(key !== undefined && { apiKey: key }),
    fetch: languageFetch(where, timing),
    includeUsage: true,
  })
  const images = canSee ? 'behind' : undefined
  return overSdk(provider.chatModel(model), { name: `${name}/${model}`, where, key, price, images }, timing)
}
