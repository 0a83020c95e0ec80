import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel, LanguageSettings } from './language.ts'
import { languageFetch, overSdk, type Timing } from './sdk-language.ts'
import { addressOf } from './service-address.ts'
import { LANGUAGE } from './service-error.ts'

const OPENAI = 'https://api.openai.com/v1'

/** A model of OpenAI, or of any service that speaks as its chat completions do: Ollama, llama.cpp, vLLM, LM Studio. */
export function chatCompletions(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { provider: name, model, url = OPENAI, key } = settings
  const { where, ...address } = addressOf(url, 'chat/completions', LANGUAGE)
  const provider = createOpenAICompatible({
    name,
    ...address,
    ...(key !== undefined && { apiKey: key }),
    fetch: languageFetch(where, timing),
    includeUsage: true,
    ...(name === 'openai' && { transformRequestBody: asOpenAi }),
  })
  return overSdk(provider.chatModel(model), { name: `${name}/${model}`, where, key }, timing)
}

/** OpenAI's own models that think first know the limit by a newer name only; all of them take it. */
function asOpenAi({ max_tokens: most, ...body }: Record<string, unknown>): Record<string, unknown> {
  return most === undefined ? body : { ...body, max_completion_tokens: most }
}
