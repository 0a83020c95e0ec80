import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel, LanguageSettings, ModelProvider } from '../language.ts'
import { languageFetch, overSdk, type SdkSettings, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { serviceAddress } from '../service/fetch.ts'

/** What is known of a service besides that it speaks as OpenAI's chat completions do. */
interface CompatibleService {
  /** Where it is. Default: the person has to say. */
  readonly url?: string
  /** What follows the host where an address has nothing there. Default: `/v1`. */
  readonly path?: string
  /** The header that the key is sent in. Default: `Authorization`, as a bearer. */
  readonly keyHeader?: string
  /** Whether all of its current models look at images. Default: no. */
  readonly canSee?: true
  /** The body as it wants it. */
  shape?(body: Readonly<Record<string, unknown>>): Record<string, unknown>
}

const SERVICES: Partial<Record<ModelProvider, CompatibleService>> = {
  google: { url: 'https://generativelanguage.googleapis.com/v1beta/openai', canSee: true },
  azure: { path: '/openai/v1', keyHeader: 'api-key' },
  ollama: { url: 'http://127.0.0.1:11434/v1' },
  openrouter: {
    url: 'https://openrouter.ai/api/v1',
    shape: ({ reasoning_effort: effort, ...body }) => ({
      ...body,
      ...(effort !== undefined && { reasoning: { effort } }),
      // Models of Anthropic cache only on request; the others do so by themselves.
      ...(/^~?anthropic\//.test(String(body.model)) && { cache_control: { type: 'ephemeral' } }),
    }),
  },
}

/** A model of a service that speaks as OpenAI's chat completions do: Gemini, Azure, Ollama, OpenRouter, llama.cpp, vLLM, LM Studio. */
export function chatCompletions(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { provider: name, model, key, price, effort } = settings
  const { keyHeader, canSee: sees = false, shape, ...known } = SERVICES[name] ?? {}
  const { where, ...address } = serviceAddress(
    addressOf(settings.url ?? known.url ?? '', known),
    'chat/completions',
    LANGUAGE,
  )
  const provider = createOpenAICompatible({
    name,
    ...address,
    ...(key !== undefined && (keyHeader === undefined ? { apiKey: key } : { headers: { [keyHeader]: key } })),
    ...(shape && { transformRequestBody: shape }),
    fetch: languageFetch(where, timing),
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
  const images = (settings.canSee ?? sees) ? 'behind' : undefined
  // What stands behind an address that a person gives may refuse what it does not know.
  const givesJson = name in SERVICES
  const about: SdkSettings = { name: `${name}/${model}`, where, key, price, images, effort, givesJson }
  return overSdk(provider.chatModel(model), about, timing)
}

function addressOf(url: string, { path }: CompatibleService): string {
  const isBare = path !== undefined && URL.canParse(url) && new URL(url).pathname === '/'
  return isBare ? new URL(path, url).href : url
}
