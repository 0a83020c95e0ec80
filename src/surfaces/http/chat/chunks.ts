/** Events of an answer, as chunks of the AI SDK's UI message stream. */

import type { AnswerFacts, Shown, ShownEvent, ShownPart, ShownTool } from '../../../agent/transcript.ts'

/** One chunk: its fields are those that the SDK has for its type. */
export interface StreamChunk {
  readonly type: string
  readonly [field: string]: unknown
}

/** Ends after which the answer may be incomplete: the person should ask again. */
const FAILED: Readonly<Record<string, string>> = {
  failed: 'The answer failed.',
  abandoned: 'The answer was cut off: the process that gave it has ended.',
  interrupted: 'The service broke off in the middle of the answer.',
  refused: 'The model refused to answer. Use other words, or another model.',
}

/** How the SDK calls the ends of an answer; all others are `other`. */
const FINISHED: Readonly<Record<string, string>> = { done: 'stop', 'token-limit': 'length', 'step-limit': 'length' }

/** Makes chunks of events; `shown` has each event first. */
export class Chunks {
  readonly #shown: Shown
  readonly #growing = new GrowingChunks()

  constructor(shown: Shown) {
    this.#shown = shown
  }

  of(event: ShownEvent): StreamChunk[] {
    const { parts, facts } = this.#shown
    const grown = this.#growing.of(parts)
    switch (event.type) {
      case 'usage':
      case 'facts':
      case 'compacted':
        return [{ type: 'message-metadata', messageMetadata: facts }]
      case 'waiting':
        return [{ type: 'data-waiting', data: { ms: event.ms, attempt: event.attempt }, transient: true }]
      case 'navigate':
        return [{ type: 'data-navigate', data: { place: event.place }, transient: true }]
      case 'end':
        return this.#growing.end(event.reason, facts)
      default:
        return grown
    }
  }

  /** The answer so far, for a new client: later chunks continue it. */
  soFar(): StreamChunk[] {
    return new GrowingChunks().of(this.#shown.parts)
  }
}

/** Makes chunks of an answer that is read again and again while it grows. */
export class GrowingChunks {
  #sent: readonly ShownPart[] = []

  /** Chunks of what is new since the last call. A text at the end may grow. */
  of(parts: readonly ShownPart[]): StreamChunk[] {
    const before = this.#sent
    this.#sent = parts
    return parts.flatMap((part, at) => {
      const known = before[at]
      if (known) return known === part ? [] : grown(known, part, at)
      return [...textEnd(parts[at - 1], at - 1), ...startChunks(part, { at, isFirst: !hasStep(parts.slice(0, at)) })]
    })
  }

  /** The chunks that end the answer. */
  end(reason: string, facts: AnswerFacts): StreamChunk[] {
    const last = this.#sent.length - 1
    const step = hasStep(this.#sent) ? [{ type: 'finish-step' }] : []
    return [...textEnd(this.#sent[last], last), ...step, ...endChunks(reason, facts)]
  }
}

function hasStep(parts: readonly ShownPart[]): boolean {
  return parts.some(({ type }) => type === 'step-start')
}

function textEnd(part: ShownPart | undefined, at: number): StreamChunk[] {
  return part?.type === 'text' ? [{ type: 'text-end', id: textId(at) }] : []
}

function startChunks(
  part: ShownPart,
  { at, isFirst }: { readonly at: number; readonly isFirst: boolean },
): StreamChunk[] {
  if (part.type === 'dynamic-tool') return callOf(part)
  if (part.type === 'reasoning') return thoughtChunks(part.text, at)
  if (part.type === 'file') return []
  if (part.type === 'step-start') return [...(isFirst ? [] : [{ type: 'finish-step' }]), { type: 'start-step' }]
  const id = textId(at)
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: part.text },
  ]
}

function thoughtChunks(delta: string, at: number): StreamChunk[] {
  const id = `thought-${at}`
  return [
    { type: 'reasoning-start', id },
    { type: 'reasoning-delta', id, delta },
    { type: 'reasoning-end', id },
  ]
}

function grown(known: ShownPart, part: ShownPart, at: number): StreamChunk[] {
  if (part.type === 'text' && known.type === 'text') {
    // A different text replaced this one: it does not continue it.
    if (!part.text.startsWith(known.text)) return []
    const delta = part.text.slice(known.text.length)
    return delta === '' ? [] : [{ type: 'text-delta', id: textId(at), delta }]
  }
  if (part.type !== 'dynamic-tool' || known.type !== 'dynamic-tool') return []
  const [before, now] = [known, part].map((call) => callOf(call).map((chunk) => JSON.stringify(chunk)))
  return callOf(part).filter((_, index) => !before?.includes(now?.[index] ?? ''))
}

function endChunks(reason: string, messageMetadata: AnswerFacts): StreamChunk[] {
  const { message, hint = '' } = messageMetadata.end ?? {}
  const sent = message === undefined ? FAILED[reason] : `${message} ${hint}`.trim()
  if (Object.hasOwn(FAILED, reason) && sent !== undefined) {
    return [
      { type: 'message-metadata', messageMetadata },
      { type: 'error', errorText: sent },
    ]
  }
  const stopped = reason === 'cancelled' ? [{ type: 'abort', reason: 'It was stopped.' }] : []
  return [...stopped, { type: 'finish', finishReason: FINISHED[reason] ?? 'other', messageMetadata }]
}

/** The id of a text is its index among the parts, so later clients get the same. */
function textId(at: number): string {
  return `text-${at}`
}

function callOf(part: ShownTool): StreamChunk[] {
  const { toolCallId, toolName, input, approval } = part
  const { id: approvalId, approved } = approval ?? {}
  return [
    { type: 'tool-input-available', toolCallId, toolName, input, dynamic: true },
    ...(approval ? [{ type: 'tool-approval-request', approvalId, toolCallId }] : []),
    ...(approved === undefined ? [] : [{ type: 'tool-approval-response', approvalId, approved }]),
    ...resultChunks(part),
  ]
}

function resultChunks(part: ShownTool): StreamChunk[] {
  const { toolCallId, output, errorText, preliminary = false } = part
  if (part.state === 'output-available') {
    const how = { dynamic: true, ...(preliminary && { preliminary }) }
    return [{ type: 'tool-output-available', toolCallId, output, ...how }]
  }
  if (part.state === 'output-error') return [{ type: 'tool-output-error', toolCallId, errorText, dynamic: true }]
  return part.state === 'output-denied' ? [{ type: 'tool-output-denied', toolCallId }] : []
}
