/** Converts the stream of an AI SDK model to parts of a step. */

import { ContextError } from '../../core/errors.ts'
import type { FinishReason, Price, StepPart, Usage } from '../language.ts'
import { costOf } from '../prices.ts'
import { statusError } from '../service/errors.ts'
import type { SdkModel } from './prompt.ts'

type SdkStream = Awaited<ReturnType<SdkModel['doStream']>>['stream']
type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never
type SdkFinish = Extract<SdkPart, { readonly type: 'finish' }>

/**
 * The parts of one answer. The finish reason is `interrupted` if the stream has no terminal event, or if the connection
 * breaks after the first part that is not reasoning. Other errors are thrown.
 */
export async function* readStream(stream: SdkStream, price?: Price): AsyncGenerator<StepPart> {
  const open = new Map<string, OpenPart>()
  let hasBegun = false
  try {
    for await (const part of stream) {
      if (part.type === 'finish') {
        yield* messageOptionsPart(part)
        yield { type: 'finish', reason: finishReason(part), usage: usageOf(part, price) }
        return
      }
      for (const stepPart of readPart(part, open)) {
        hasBegun ||= stepPart.type !== 'thinking'
        yield stepPart
      }
    }
  } catch (error) {
    if (!hasBegun || !isConnectionBroken(error)) throw error
  }
  yield { type: 'finish', reason: 'interrupted', usage: { input: 0, cached: 0, output: 0 } }
}

/** Options that a provider wants back with the whole message. They are known only at its end. */
function messageOptionsPart({ providerMetadata }: SdkFinish): StepPart[] {
  const { openaiCompatible } = providerMetadata ?? {}
  if (openaiCompatible === undefined) return []
  return [{ type: 'part', part: { type: 'reasoning', text: '', extra: { openaiCompatible } } }]
}

/** A text or reasoning that is being streamed. */
interface OpenPart {
  text: string
  extra: Readonly<Record<string, unknown>> | undefined
}

function readPart(part: SdkPart, open: Map<string, OpenPart>): StepPart[] {
  const text = 'delta' in part ? part.delta : ''
  switch (part.type) {
    case 'text-start':
    case 'text-delta':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
      appendPart(open, part.id, { text, extra: part.providerMetadata })
      if (text !== '')
        return [part.type === 'text-delta' ? { type: 'text', text } : { type: 'thinking', length: text.length }]
      return part.type.endsWith('-end') ? closePart(open, part.id, part.type === 'text-end' ? 'text' : 'reasoning') : []
    case 'tool-call': {
      const { toolCallId: id, toolName: tool, input, providerMetadata: extra } = part
      return [{ type: 'call', id, tool, input, ...(extra && { extra }) }]
    }
    case 'error':
      // With this error, the SDK says that the stream ended early. A `finish` part without a reason follows.
      if (part.error instanceof Error && /ended without a finish reason/.test(part.error.message)) return []
      throw reportedError(part.error)
    default:
      return []
  }
}

function appendPart(open: Map<string, OpenPart>, id: string, { text, extra }: OpenPart): void {
  const earlier = open.get(id)
  const merged = earlier?.extra || extra ? mergeExtra(earlier?.extra, extra) : undefined
  open.set(id, { text: (earlier?.text ?? '') + text, extra: merged })
}

/** Merges options that a provider streams in pieces: by provider, then by name. */
function mergeExtra(earlier: OpenPart['extra'] = {}, later: OpenPart['extra'] = {}): NonNullable<OpenPart['extra']> {
  const providers = [...new Set([...Object.keys(earlier), ...Object.keys(later)])]
  return Object.fromEntries(providers.map((name) => [name, { ...Object(earlier[name]), ...Object(later[name]) }]))
}

function closePart(open: Map<string, OpenPart>, id: string, type: 'text' | 'reasoning'): StepPart[] {
  const closed = open.get(id)
  open.delete(id)
  if (!closed || (closed.text === '' && closed.extra === undefined)) return []
  return [{ type: 'part', part: { type, text: closed.text, ...(closed.extra && { extra: closed.extra }) } }]
}

/**
 * Converts the finish reason. A stream that ended early has the `unified` reason `other`, and no `raw` reason of the service. A
 * complete response of OpenAI has no `raw` reason, either, but another `unified` reason.
 */
function finishReason({ finishReason: { unified, raw } }: SdkFinish): FinishReason {
  if (unified === 'interrupted' || unified === 'error') return 'interrupted'
  if (raw === undefined && unified === 'other') return 'interrupted'
  if (unified === 'length') return 'length'
  return unified === 'content-filter' ? 'filter' : 'stop'
}

/** The usage of a step; with its cost, if the service reported the usage. */
function usageOf({ usage: { inputTokens, outputTokens } }: SdkFinish, price: Price | undefined): Usage {
  // A service may report an impossible number. A negative number would raise the limits.
  const count = (tokens = 0) => Math.max(0, tokens)
  const written = count(inputTokens.cacheWrite)
  const usage: Usage = {
    input: count(inputTokens.total),
    cached: count(inputTokens.cacheRead),
    ...(written > 0 && { written }),
    output: count(outputTokens.total),
  }
  const isReported = usage.input > 0 && outputTokens.total !== undefined && outputTokens.total >= 0
  const cost = isReported ? costOf(usage, price) : undefined
  return { ...usage, ...(cost !== undefined && { cost }) }
}

/** Whether the connection broke: `fetch` throws "terminated", which the SDK wraps. A `ContextError` comes from Ambit itself. */
function isConnectionBroken(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof ContextError) return false
    if (one instanceof TypeError && one.message === 'terminated') return true
  }
  return false
}

/** Converts an error that the SDK or the service reports within an answer. */
function reportedError(error: unknown): Error {
  if (error instanceof Error) return error
  const { code, status = code, message } = Object(error)
  const words = typeof message === 'string' ? message : 'its answer reports an error'
  return statusError(typeof status === 'number' ? status : 500, words)
}
