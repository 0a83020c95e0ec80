/** An answer that this process writes. It continues without clients. */

import { randomBytes } from 'node:crypto'
import type { AskTrust } from '../../../agent/assistant.ts'
import type { PersonReply } from '../../../agent/remote-commands.ts'
import { AGENT_LIMITS, type AnswerServer, type Approve, type FormValues } from '../../../agent/tool.ts'
import { AnswerBuilder, type ShownEvent, type ShownPart, type ShownQuestion } from '../../../agent/transcript.ts'
import type { ContextError } from '../../../core/errors.ts'
import { Deadline } from '../../../core/steps.ts'
import { serializeVisibly } from '../../../text/invisible.ts'
import { type AnswerStreamLimits, type EventFeed, type EventStream, eventStream } from '../events/event-stream.ts'
import { AnswerFollower, type AnswerState, type ApprovalsById, type StreamChunk, transientChunks } from './chunks.ts'

/** Maximum number of pending approvals and questions. It leaves room for one other call of the step. */
const MAX_PENDING = AGENT_LIMITS.atOnce - 1

export class RunningAnswer {
  readonly #questionId: string
  readonly #limits: AnswerStreamLimits
  readonly #abort = new AbortController()
  readonly signal = this.#abort.signal
  readonly #transcript = new AnswerBuilder()
  readonly #clients = new Map<AnswerStream, AnswerFollower>()
  /** Resolves each pending approval and question, by its id. */
  readonly #pending = new Map<string, (reply: boolean | FormValues) => void>()
  #end: string | null = null

  constructor(questionId: string, limits: AnswerStreamLimits) {
    this.#questionId = questionId
    this.#limits = limits
  }

  stop(): void {
    this.#abort.abort()
  }

  /** Receives the events in order. */
  readonly emit = (event: ShownEvent): void => {
    if (event.type === 'end') this.#end = event.reason
    this.#transcript.apply(event)
    const [chunks, state] = [transientChunks(event), this.#stateAt(this.#end)]
    for (const [stream, follower] of this.#clients) {
      stream.put(chunks)
      follower.update(state)
      if (follower.hasEnded) this.#clients.delete(stream)
    }
  }

  #sendEvent = this.emit

  /** Sets the function that sends events of this class to the conversation, which passes them to `emit`. */
  sendEventsTo(sendEvent: (event: ShownEvent) => void): void {
    this.#sendEvent = sendEvent
  }

  /** Ends the answer with an error, unless it has ended. */
  fail(error: ContextError): void {
    if (this.#end === null) this.emit({ type: 'end', reason: 'failed', error })
  }

  readonly approve: Approve = async ({ id }, signal) => (await this.#askApproval(id, signal)) === true

  /**
   * Asks the person whether to follow the instruction files of an address. The question is shown as a call that needs approval.
   */
  readonly trust: AskTrust = async (address, files, signal = this.signal) => {
    const call = { id: randomBytes(16).toString('base64url'), tool: 'trust', input: { address, files } }
    this.#sendEvent({ type: 'tool-started', ...call })
    using deadline = new Deadline(AGENT_LIMITS.ms)
    const isTrusted = await this.#askApproval(call.id, deadline.or(signal))
    const result = isTrusted === undefined ? 'Nobody answered.' : 'The answer is stored.'
    this.#sendEvent({ type: isTrusted ? 'tool-finished' : 'tool-failed', ...call, result })
    return isTrusted
  }

  /** Asks the person a question of a tool server through all clients. */
  readonly answer: AnswerServer = async (question, signal) => {
    const show = (id: string, state: ShownQuestion['data']['state']) =>
      this.#sendEvent({ type: 'question', part: { type: 'data-question', id, data: { ...question, state } } })
    const [id, values] = await this.#askPerson(signal, (questionId) => show(questionId, 'asked'))
    if (id !== undefined) show(id, values ? 'answered' : 'declined')
    return typeof values === 'object' ? values : undefined
  }

  /** Asks the person for an approval through all clients. Returns undefined if nobody answers. */
  async #askApproval(id: string, signal: AbortSignal): Promise<boolean | undefined> {
    const [approvalId, approved] = await this.#askPerson(signal, (newId) =>
      this.#sendEvent({ type: 'approval', id, approvalId: newId }),
    )
    if (approvalId !== undefined) this.#sendEvent({ type: 'approved', id, approvalId, isApproved: approved === true })
    return approved === undefined ? undefined : approved === true
  }

  /**
   * Asks the person, and returns the id of the question and the reply; undefined without a reply. Returns an empty list if
   * `MAX_PENDING` questions are pending or the signal has fired.
   */
  async #askPerson(
    signal: AbortSignal,
    ask: (id: string) => void,
  ): Promise<[id?: string, reply?: boolean | FormValues | undefined]> {
    if (this.#pending.size >= MAX_PENDING || signal.aborted) return []
    const { promise, resolve } = Promise.withResolvers<boolean | FormValues | undefined>()
    const id = randomBytes(16).toString('base64url')
    this.#pending.set(id, resolve)
    const giveUp = () => resolve(undefined)
    signal.addEventListener('abort', giveUp, { once: true })
    ask(id)
    const reply = await promise
    signal.removeEventListener('abort', giveUp)
    this.#pending.delete(id)
    return [id, reply]
  }

  /**
   * Delivers the person's approvals. Returns a stream of the rest of the answer; undefined if none of these approvals is pending.
   */
  async joinAfterApproval(approvals: ApprovalsById, drop: () => void): Promise<AnswerStream | undefined> {
    if (![...approvals.keys()].some((id) => this.#pending.has(id))) return undefined
    const stream = new AnswerStream(this.#limits, drop)
    this.#clients.set(stream, new AnswerFollower(stream, approvals, this.#stateAt(null)))
    this.deliverReplies(approvals)
    return stream
  }

  /** Delivers a reply of the person. `read` makes the reply from the parts of the answer so far, and may throw. */
  async reply(read: (parts: readonly ShownPart[]) => PersonReply): Promise<void> {
    this.deliverReplies([read(this.#transcript.parts)])
  }

  /** Delivers replies of the person: approvals, and answers to questions. Ignores replies to anything that is not pending. */
  readonly deliverReplies = (replies: Iterable<PersonReply>): void => {
    for (const [id, reply] of replies) this.#pending.get(id)?.(reply)
  }

  /** A stream of the answer from its beginning. The stream ends at a pending approval. */
  join(drop: () => void): AnswerStream {
    const stream = new AnswerStream(this.#limits, drop)
    const follower = new AnswerFollower(stream)
    this.#clients.set(stream, follower)
    follower.update(this.#stateAt(null))
    if (this.#end !== null) follower.update(this.#stateAt(this.#end))
    return stream
  }

  #stateAt(end: string | null): AnswerState {
    const { parts, facts } = this.#transcript
    return { id: this.#questionId, answer: { parts, facts }, end }
  }
}

const DONE_EVENT = new TextEncoder().encode('data: [DONE]\n\n')

/** The stream of an answer to one client. Chunks wait here until the client reads them. */
export class AnswerStream implements EventFeed {
  readonly #limits: AnswerStreamLimits
  readonly #drop: () => void
  #waitingChunks: Uint8Array[] = []
  /** Waiting bytes, and their maximum. */
  #waitingBytes = 0
  #maxBytes: number
  #isEnded = false
  isGone = false
  #stream: EventStream | undefined
  #wake = () => {}

  /** `drop` closes the connection. */
  constructor(limits: AnswerStreamLimits, drop: () => void) {
    this.#limits = limits
    this.#drop = drop
    this.#maxBytes = limits.backlog
  }

  /** Adds the answer so far, regardless of the limit on waiting bytes. */
  begin(first: readonly StreamChunk[]): void {
    this.#maxBytes = Number.POSITIVE_INFINITY
    this.put(first)
    this.#maxBytes = this.#waitingBytes + this.#limits.backlog
  }

  /** The body of the response. `done`: called when the client is gone. */
  body(done: () => void = () => {}): ReadableStream {
    return eventStream(this, this.#limits, { drop: this.#drop, done })
  }

  put(chunks: readonly StreamChunk[]): void {
    if (this.#isEnded || this.isGone || chunks.length === 0) return
    // JSON has no line breaks, so data cannot pose as another event.
    this.#add(new TextEncoder().encode(chunks.map((chunk) => `data: ${serializeVisibly(chunk)}\n\n`).join('')))
  }

  end(): void {
    if (this.#isEnded || this.isGone) return
    this.#add(DONE_EVENT)
    this.#isEnded = true
  }

  async next(): Promise<Uint8Array | undefined> {
    while (this.#waitingChunks.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const bytes = this.#waitingChunks.length > 0 ? Buffer.concat(this.#waitingChunks) : undefined
    this.#waitingChunks = []
    this.#waitingBytes = 0
    // From now on the normal limit applies.
    this.#maxBytes = this.#limits.backlog
    return bytes
  }

  follow(stream: EventStream): void {
    this.#stream = stream
  }

  close(): void {
    this.isGone = true
  }

  #add(bytes: Uint8Array): void {
    this.#waitingChunks.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes > this.#maxBytes) this.#disconnect()
    else this.#wake()
  }

  /** Disconnects a client that is too slow. */
  #disconnect(): void {
    this.#waitingChunks = []
    this.isGone = true
    if (this.#stream) this.#stream.drop()
    else this.#drop()
  }
}
