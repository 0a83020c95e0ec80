/** A language model behind a service: called through a model of the AI SDK, whose errors become errors of ours. */

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

/** The fetch of a provider: it goes nowhere else, and waits no longer than it should. */
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

/** A model as it is set. */
export interface SdkSettings extends Pick<LanguageSettings, 'key' | 'price' | 'effort' | 'output' | 'reads'> {
  /** `provider/model`. */
  readonly name: string
  readonly where: string
  /** Options that each request sends to the provider. */
  readonly options?: SdkOptions['providerOptions']
  /** For a model that can see: position of images of tool results, in them or behind them. Default: it cannot see. */
  readonly images?: 'within' | 'behind' | undefined
  /** Default: it does not. */
  readonly readsPdf?: boolean
  /** Whether the service can be asked for JSON of a form. Default: no. */
  readonly givesJson?: boolean
  /** Whether its models may write what they think in the text. Default: no. */
  readonly thinksInText?: boolean
  /** Says behind a message that the provider may keep what stands before. Default: it keeps by itself, or not. */
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

/** One request. However it ends, nothing of it is left open. */
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
