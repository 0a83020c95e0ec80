import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel, LanguageSettings, ModelProvider } from '../language.ts'
import { languageFetch, sdkLanguageModel, type Timing } from '../sdk/language.ts'
import { LANGUAGE } from '../service/errors.ts'
import { addressWithPath, serviceAddress } from '../service/fetch.ts'

/** How a service differs from OpenAI's chat completions. */
interface CompatibleService {
  /** Address of the service. Absent: the settings must have a URL. */
  readonly url?: string
  /** Path to use for an address that has no path. Default: `/v1`. */
  readonly path?: string
  /** The header that contains the key. Default: `Authorization`, as a bearer token. */
  readonly keyHeader?: string
  /** Adapts the body of a request. */
  adaptBody?(body: Readonly<Record<string, unknown>>): Record<string, unknown>
}

const SERVICES: Partial<Record<ModelProvider, CompatibleService>> = {
  azure: { path: '/openai/v1', keyHeader: 'api-key' },
  github: { url: 'https://models.github.ai/inference' },
  ollama: { url: 'http://127.0.0.1:11434/v1' },
  openrouter: {
    url: 'https://openrouter.ai/api/v1',
    adaptBody: ({ reasoning_effort: effort, ...body }) => ({
      ...body,
      ...(effort !== undefined && { reasoning: { effort } }),
      // Anthropic's models cache only on request; other models cache without a request.
      ...(/^~?anthropic\//.test(String(body.model)) && { cache_control: { type: 'ephemeral' } }),
    }),
  },
}

/** A model of a service with OpenAI's chat completions: Azure, Ollama, OpenRouter, llama.cpp, vLLM, LM Studio. */
export function chatCompletions(settings: LanguageSettings, timing?: Timing): LanguageModel {
  const { provider: name, model, key } = settings
  const { url: defaultUrl = '', path, keyHeader, adaptBody } = SERVICES[name] ?? {}
  const url = addressWithPath(settings.url ?? defaultUrl, path)
  const { origin, ...address } = serviceAddress(url, 'chat/completions', LANGUAGE)
  const provider = createOpenAICompatible({
    name,
    ...address,
    ...(key !== undefined && (keyHeader === undefined ? { apiKey: key } : { headers: { [keyHeader]: key } })),
    ...(adaptBody && { transformRequestBody: adaptBody }),
    metadataExtractor: REASONING_DETAILS,
    fetch: languageFetch(origin, timing, settings),
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
  // A service that is not in `SERVICES` may refuse the field that asks for structured output.
  const ownSettings = { origin, images: 'after', hasStructuredOutput: name in SERVICES, canThinkInText: true } as const
  return sdkLanguageModel(provider.chatModel(model), { ...settings, ...ownSettings }, timing)
}

type ReasoningDetail = Readonly<Record<string, unknown>>

/** Joins the pieces of reasoning that OpenRouter streams. It wants them back unchanged, even if they are encrypted. */
const REASONING_DETAILS = {
  extractMetadata: async () => undefined,
  createStreamExtractor: () => {
    const details: ReasoningDetail[] = []
    return {
      processChunk: (chunk: unknown) => {
        const { reasoning_details: pieces } = Object(Object(chunk).choices?.[0]?.delta)
        for (const detail of Array.isArray(pieces) ? pieces : []) addDetail(details, detail)
      },
      buildMetadata: () =>
        details.length === 0 ? undefined : { openaiCompatible: { reasoning_details: details as never } },
    }
  },
}

/** Adds a piece of reasoning. Pieces of one text are consecutive, and are joined. */
function addDetail(details: ReasoningDetail[], detail: ReasoningDetail): void {
  const last = details.at(-1)
  const isSame = last?.type === detail.type && last?.index === detail.index && last?.data === undefined
  if (!last || !isSame || detail.data !== undefined) return void details.push(detail)
  const text = (name: string) =>
    typeof detail[name] === 'string' && { [name]: String(last[name] ?? '') + String(detail[name]) }
  details[details.length - 1] = { ...last, ...detail, ...text('text'), ...text('summary') }
}
