/** A language model of a service, called through the AI SDK. Errors of the SDK are converted. */

import { throwIfAborted } from '../../core/errors.ts'
import type { LanguageModel, LanguageSettings, StepRequest } from '../language.ts'
import { type RetryTiming, retrySteps } from '../service/attempts.ts'
import { LANGUAGE, type Service, serviceError } from '../service/errors.ts'
import { SERVICE_TIMEOUTS, type ServiceTimeouts, serviceFetch, withTimeouts } from '../service/fetch.ts'
import { type PromptStyle, promptOf, type SdkModel, type SdkOptions } from './prompt.ts'
import { readStream } from './step.ts'
import { splitThoughts } from './thoughts.ts'

/** Time limits of requests, and the waits before retries. Tests change both. */
export interface Timing {
  readonly timeouts?: ServiceTimeouts
  readonly retryTiming?: RetryTiming
}

/** The fetch of a provider: it follows no redirects, and has time limits. */
export function languageFetch(
  origin: string,
  { timeouts = SERVICE_TIMEOUTS }: Timing = {},
  { headers, body }: Pick<LanguageSettings, 'headers' | 'body'>,
): typeof fetch {
  const fetchService = withTimeouts(serviceFetch(origin, LANGUAGE), origin, timeouts)
  if (!headers && !body) return fetchService
  return (input, init) => {
    const allHeaders = new Headers(init?.headers)
    for (const [name, value] of Object.entries({ ...headers })) allHeaders.set(name, value)
    // The SDK sends JSON.
    const wholeBody = JSON.stringify({ ...JSON.parse(String(init?.body)), ...body })
    return fetchService(input, { ...init, headers: allHeaders, body: wholeBody })
  }
}

/** Settings of a model in the AI SDK. */
export interface SdkSettings extends LanguageSettings, PromptStyle {
  /** The service, in errors. */
  readonly origin: string
  /** Options that each request sends to the provider. */
  readonly options?: SdkOptions['providerOptions']
  /** Whether the service has structured output. Default: no. */
  readonly hasStructuredOutput?: boolean
  /** Whether its models may write their reasoning in the text. Default: no. */
  readonly canThinkInText?: boolean
}

export function sdkLanguageModel(model: SdkModel, settings: SdkSettings, { retryTiming }: Timing = {}): LanguageModel {
  const { origin, key, canSee = false, images = 'within', price, contextTokens } = settings
  const service: Service = { origin, key, kind: LANGUAGE }
  const modelSettings: SdkSettings = { ...settings, images: canSee ? images : undefined }
  return {
    name: `${settings.provider}/${settings.model}`,
    canSee,
    readsPdf: canSee && images === 'within',
    price,
    ...(contextTokens !== undefined && { contextTokens }),
    async *step(request, signal) {
      try {
        yield* retrySteps(() => requestStep(model, { ...request, ...modelSettings }, signal), signal, retryTiming)
      } catch (cause) {
        throwIfAborted(signal)
        throw serviceError(service, cause)
      }
    },
  }
}

type SdkForm = Extract<SdkOptions['responseFormat'], { readonly type: 'json' }>['schema']

/** Sends one request. Closes it however the iteration ends. */
async function* requestStep(model: SdkModel, request: StepRequest & SdkSettings, signal?: AbortSignal) {
  const controller = new AbortController()
  const abortSignal = signal ? AbortSignal.any([controller.signal, signal]) : controller.signal
  const { output = Infinity, maxOutputTokens = output, options, effort } = request
  const schema = request.hasStructuredOutput ? request.form : undefined
  try {
    const { stream } = await model.doStream({
      ...promptOf(request, request),
      ...(effort !== undefined && { reasoning: effort }),
      ...(maxOutputTokens < Infinity && { maxOutputTokens: Math.min(maxOutputTokens, output) }),
      ...(schema && { responseFormat: { type: 'json' as const, schema: { ...schema } as SdkForm } }),
      ...(options && { providerOptions: options }),
      abortSignal,
    })
    const parts = readStream(stream, request.price)
    yield* request.canThinkInText ? splitThoughts(parts) : parts
  } finally {
    controller.abort()
  }
}
