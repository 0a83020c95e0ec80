/** Converts the events of an answer to chunks of the AI SDK's UI message stream. */

import {
  type AnswerFacts,
  answerIdOf,
  type ShownAnswer,
  type ShownEvent,
  type ShownPart,
  type ShownTool,
} from '../../../agent/transcript.ts'

/** One chunk, with the fields of the SDK for its type. */
export interface StreamChunk {
  readonly type: string
  readonly [field: string]: unknown
}

/** Error messages, by how the answer ended. After these ends, the answer may be incomplete. */
const FAILURE_TEXTS: Readonly<Record<string, string>> = {
  failed: 'The answer failed.',
  abandoned: 'The answer was cut off: the process that gave it has ended.',
  interrupted: 'The service broke off in the middle of the answer.',
  refused: 'The model refused to answer. Use other words, or another model.',
}

/** The finish reasons of the SDK, by how the answer ended. Default: `other`. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  done: 'stop',
  'token-limit': 'length',
  'step-limit': 'length',
}

/** Chunks of an event that does not become a part of the answer. */
export function transientChunks(event: ShownEvent): StreamChunk[] {
  if (event.type === 'navigate') return [{ type: 'data-navigate', data: { place: event.place }, transient: true }]
  if (event.type !== 'waiting') return []
  return [{ type: 'data-waiting', data: { ms: event.ms, attempt: event.attempt }, transient: true }]
}

/** The end of a stream whose answer waits for approvals. */
const PAUSE_CHUNKS: readonly StreamChunk[] = [{ type: 'finish-step' }, { type: 'finish', finishReason: 'tool-calls' }]

/** The current state of an answer. */
export interface AnswerState {
  /** Id of the question. */
  readonly id: string
  readonly answer: ShownAnswer
  /** How the answer ended; null while it is in progress. */
  readonly end: string | null
}

/** The person's approvals, by the id of the request. */
export type ApprovalsById = ReadonlyMap<string, boolean>

/** Receives the chunks for a client. */
interface ChunkSink {
  readonly isGone: boolean
  /** Adds the answer so far, regardless of the limit on waiting bytes. */
  begin(first: readonly StreamChunk[]): void
  put(chunks: readonly StreamChunk[]): void
  end(): void
}

/** Sends a growing answer to one client. Computes the new chunks from each state of the answer. */
export class AnswerFollower {
  readonly #sink: ChunkSink
  readonly #approvals: ApprovalsById
  #sentParts: readonly ShownPart[] = []
  #sentFacts: AnswerFacts | undefined
  #isEnded = false
  /** The id of the question; undefined until it is known. */
  #id: string | undefined

  /** `approvals`: approvals by the client. `sentState`: the part of the answer that the client has. */
  constructor(sink: ChunkSink, approvals: ApprovalsById = new Map(), sentState?: AnswerState) {
    this.#sink = sink
    this.#approvals = approvals
    if (sentState) {
      this.#sentParts = sentState.answer.parts
      sink.begin(this.#start(sentState))
    }
  }

  get hasEnded(): boolean {
    return this.#isEnded || this.#sink.isGone
  }

  /** Sends the new chunks of an answer. `isRunning`: whether a process was writing the answer when the state was read. */
  update(state: AnswerState | undefined, isRunning = true): void {
    if (this.#isEnded) return
    // Until the answer is stored, `state` is the earlier exchange, which has ended.
    if (this.#id === undefined && state?.end === null)
      this.#sink.begin([...this.#start(state), ...this.#newChunks(state.answer.parts)])
    if (this.#id === undefined && isRunning) return
    if (state === undefined || state.id !== this.#id) this.finish()
    else this.#sendNews(state, isRunning)
  }

  finish(last: readonly StreamChunk[] = []): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#sink.put(last)
    this.#sink.end()
  }

  #sendNews({ answer: { parts, facts }, end }: AnswerState, isRunning: boolean): void {
    this.#sink.put(this.#newChunks(parts))
    if (end !== null || !isRunning) {
      const last = parts.length - 1
      const stepEnd = hasStep(parts) ? [{ type: 'finish-step' }] : []
      this.finish([...textEnd(parts[last], last), ...stepEnd, ...endChunks(end ?? 'abandoned', facts)])
      return
    }
    if (JSON.stringify(facts) !== JSON.stringify(this.#sentFacts))
      this.#sink.put([{ type: 'message-metadata', messageMetadata: facts }])
    this.#sentFacts = facts
    if (this.#isPaused(parts)) this.finish(PAUSE_CHUNKS)
  }

  #start({ id, answer: { facts } }: AnswerState): readonly StreamChunk[] {
    this.#id = id
    this.#sentFacts = facts
    return [{ type: 'start', messageId: answerIdOf(id), messageMetadata: facts }]
  }

  /** Chunks of the parts that are new or changed since the last call. */
  #newChunks(parts: readonly ShownPart[]): StreamChunk[] {
    const before = this.#sentParts
    this.#sentParts = parts
    return parts.flatMap((part, at) => {
      const known = before[at]
      if (known) return known === part ? [] : changedChunks(known, part, at)
      return [...textEnd(parts[at - 1], at - 1), ...startChunks(part, at, !hasStep(parts.slice(0, at)))]
    })
  }

  /** Whether all open calls of a step wait for new approvals. */
  #isPaused(parts: readonly ShownPart[]): boolean {
    const calls = parts.filter((part): part is ShownTool => part.type === 'dynamic-tool' && isUnfinished(part))
    const isPending = (call: ShownTool) => needsApproval(call) && !this.#approvals.has(call.approval?.id ?? '')
    return calls.length > 0 && calls.every(isPending)
  }
}

export function needsApproval(part: ShownPart): part is ShownTool {
  return part.type === 'dynamic-tool' && part.state === 'approval-requested'
}

function isUnfinished({ state, preliminary = false }: ShownTool): boolean {
  return preliminary || state === 'input-available' || state === 'approval-requested' || state === 'approval-responded'
}

function hasStep(parts: readonly ShownPart[]): boolean {
  return parts.some(({ type }) => type === 'step-start')
}

function textEnd(part: ShownPart | undefined, at: number): StreamChunk[] {
  return part?.type === 'text' ? [{ type: 'text-end', id: textId(at) }] : []
}

function startChunks(part: ShownPart, at: number, isFirst: boolean): StreamChunk[] {
  if (part.type === 'dynamic-tool') return callChunks(part)
  if (part.type === 'reasoning') {
    const id = `thought-${at}`
    const delta = { type: 'reasoning-delta', id, delta: part.text }
    return [{ type: 'reasoning-start', id }, delta, { type: 'reasoning-end', id }]
  }
  if (part.type === 'file') return []
  if (part.type === 'data-question') return [{ ...part }]
  if (part.type === 'step-start') return [...(isFirst ? [] : [{ type: 'finish-step' }]), { type: 'start-step' }]
  const id = textId(at)
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: part.text },
  ]
}

/** Chunks that change `known` to `part`. A stream cannot change the kind of a part or replace its text: no chunks. */
function changedChunks(known: ShownPart, part: ShownPart, at: number): StreamChunk[] {
  if (part.type === 'text' && known.type === 'text') {
    const delta = part.text.startsWith(known.text) ? part.text.slice(known.text.length) : ''
    return delta === '' ? [] : [{ type: 'text-delta', id: textId(at), delta }]
  }
  if (part.type === 'data-question' && known.type === part.type) return [{ ...part }]
  if (part.type !== 'dynamic-tool' || known.type !== part.type) return []
  const before = callChunks(known).map((chunk) => JSON.stringify(chunk))
  return callChunks(part).filter((chunk) => !before.includes(JSON.stringify(chunk)))
}

function endChunks(reason: string, messageMetadata: AnswerFacts): StreamChunk[] {
  const { message, hint = '' } = messageMetadata.end ?? {}
  const errorText = message === undefined ? FAILURE_TEXTS[reason] : `${message} ${hint}`.trim()
  if (Object.hasOwn(FAILURE_TEXTS, reason) && errorText !== undefined) {
    return [
      { type: 'message-metadata', messageMetadata },
      { type: 'error', errorText },
    ]
  }
  const abortChunks = reason === 'cancelled' ? [{ type: 'abort', reason: 'It was stopped.' }] : []
  return [...abortChunks, { type: 'finish', finishReason: FINISH_REASONS[reason] ?? 'other', messageMetadata }]
}

/** The id of a text is its index among the parts, so that later clients get the same id. */
function textId(at: number): string {
  return `text-${at}`
}

function callChunks(part: ShownTool): StreamChunk[] {
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
    const flags = { dynamic: true, ...(preliminary && { preliminary }) }
    return [{ type: 'tool-output-available', toolCallId, output, ...flags }]
  }
  if (part.state === 'output-error') return [{ type: 'tool-output-error', toolCallId, errorText, dynamic: true }]
  return part.state === 'output-denied' ? [{ type: 'tool-output-denied', toolCallId }] : []
}
