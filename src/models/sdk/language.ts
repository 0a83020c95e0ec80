/** A language model of a service, called through the AI SDK, whose errors are translated. */

import { throwIfAborted } from '../../core/errors.ts'
import type { LanguageModel, LanguageSettings, StepPart, StepRequest } from '../language.ts'
import { attempts, type Chance } from '../service/attempts.ts'
import { LANGUAGE, type Service, serviceError } from '../service/errors.ts'
import { SERVICE_PATIENCE, type ServicePatience, serviceFetch, withPatience } from '../service/fetch.ts'
import { type CacheMark, promptOf, type SdkModel, type SdkOptions } from './prompt.ts'
import { readStream } from './step.ts'
import { splitThoughts } from './thoughts.ts'

/** Settings that tests change. */
export interface Timing {
  readonly patience?: ServicePatience
  readonly chance?: Chance
}

/** The fetch of a provider: it follows no redirects, and has time limits. */
export function languageFetch(
  where: string,
  { patience = SERVICE_PATIENCE }: Timing = {},
  { headers, body }: Pick<LanguageSettings, 'headers' | 'body'> = {},
): typeof fetch {
  const ask = withPatience(serviceFetch(where, LANGUAGE), where, patience)
  if (!headers && !body) return ask
  return (input, init) => {
    const all = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value)
    const whole =
      body && typeof init?.body === 'string' ? JSON.stringify({ ...JSON.parse(init.body), ...body }) : init?.body
    return ask(input, { ...init, headers: all, ...(whole !== undefined && { body: whole }) })
  }
}

/** A configured model. */
export interface SdkSettings extends Pick<LanguageSettings, 'key' | 'price' | 'effort' | 'output' | 'reads'> {
  /** `provider/model`. */
  readonly name: string
  readonly where: string
  /** Options that each request sends to the provider. */
  readonly options?: SdkOptions['providerOptions']
  /** Position of images of tool results, in them or after them. Default: the model accepts no images. */
  readonly images?: 'within' | 'behind' | undefined
  /** Default: no. */
  readonly readsPdf?: boolean
  /** Whether the service has structured output. Default: no. */
  readonly givesJson?: boolean
  /** Whether its models may write their reasoning in the text. Default: no. */
  readonly thinksInText?: boolean
  /** Marks a message after which the provider caches the prompt. Default: no marks. */
  readonly mark?: CacheMark | undefined
}

export function overSdk(model: SdkModel, settings: SdkSettings, { chance }: Timing = {}): LanguageModel {
  const { name, where, key } = settings
  const service: Service = { where, key, kind: LANGUAGE }
  return {
    name,
    canSee: settings.images !== undefined,
    readsPdf: settings.readsPdf ?? false,
    price: settings.price,
    ...(settings.reads !== undefined && { reads: settings.reads }),
    async *step(request, signal) {
      try {
        yield* attempts(() => requestStep(model, { ...request, ...settings }, signal), signal, chance)
      } catch (cause) {
        throwIfAborted(signal)
        throw serviceError(service, cause)
      }
    },
  }
}

type SdkForm = Extract<SdkOptions['responseFormat'], { readonly type: 'json' }>['schema']

/** One request, which is closed however it ends. */
async function* requestStep(
  model: SdkModel,
  request: StepRequest &
    Pick<SdkSettings, 'options' | 'price' | 'images' | 'effort' | 'mark' | 'givesJson' | 'thinksInText' | 'output'>,
  signal?: AbortSignal,
): AsyncGenerator<StepPart> {
  throwIfAborted(signal)
  const controller = new AbortController()
  const abortSignal = signal ? AbortSignal.any([controller.signal, signal]) : controller.signal
  const { maxOutputTokens = request.output, options, effort } = request
  try {
    const { stream } = await model.doStream({
      ...promptOf(request, request),
      ...(effort !== undefined && { reasoning: effort }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(request.form &&
        request.givesJson && { responseFormat: { type: 'json' as const, schema: { ...request.form } as SdkForm } }),
      ...(options && { providerOptions: options }),
      abortSignal,
    })
    const parts = readStream(stream, request.price)
    yield* request.thinksInText ? splitThoughts(parts) : parts
  } finally {
    controller.abort()
  }
}
