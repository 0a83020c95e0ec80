/** An answer in progress: it continues without clients. */

import { randomBytes } from 'node:crypto'
import type { AskTrust } from '../../../agent/assistant.ts'
import type { PersonReply } from '../../../agent/remote-commands.ts'
import { AGENT_LIMITS, type AnswerServer, type Approve, type FormValues } from '../../../agent/tool.ts'
import { Shown, type ShownEvent, type ShownPart, type ShownQuestion } from '../../../agent/transcript.ts'
import type { ContextError } from '../../../core/errors.ts'
import { Deadline } from '../../../core/steps.ts'
import { serializeVisibly } from '../../../text/invisible.ts'
import { type AnswerStreamLimits, type EventFeed, type EventStream, eventStream } from '../events/event-stream.ts'
import { AnswerFollower, type ApprovalsById, type GivenAnswer, type StreamChunk, transientChunks } from './chunks.ts'

/** Maximum number of pending approvals and questions, so that one place is free for other calls of the step. */
const MOST_ASKED = AGENT_LIMITS.atOnce - 1

export class Running {
  readonly #question: string
  readonly #limits: AnswerStreamLimits
  readonly #abort = new AbortController()
  readonly signal = this.#abort.signal
  readonly #shown = new Shown()
  readonly #clients = new Map<AnswerStream, AnswerFollower>()
  /** Resolves each pending approval and question, by its id. */
  readonly #asked = new Map<string, (said: boolean | FormValues) => void>()
  #end: string | null = null

  #tell: (event: ShownEvent) => void = (event) => this.emit(event)

  constructor(question: string, limits: AnswerStreamLimits) {
    this.#question = question
    this.#limits = limits
  }

  stop(): void {
    this.#abort.abort()
  }

  /** Receives the events in order. */
  readonly emit = (event: ShownEvent): void => {
    if (event.type === 'end') this.#end = event.reason
    this.#shown.apply(event)
    const [once, given] = [transientChunks(event), this.#given(this.#end)]
    for (const [stream, follower] of this.#clients) {
      stream.put(once)
      follower.hear(given)
      if (follower.isOver) this.#clients.delete(stream)
    }
  }

  /** Sets the sender for events of this class. They return through `emit`. */
  through(tell: (event: ShownEvent) => void): void {
    this.#tell = tell
  }

  /** Ends the answer with an error, unless it has ended. */
  fail(error: ContextError): void {
    if (this.#end === null) this.emit({ type: 'end', reason: 'failed', error })
  }

  readonly approve: Approve = async ({ id }, signal) => (await this.#asks(id, signal)) === true

  /** Asks the person whether to follow the instruction files of an address, as a call that needs their approval. */
  readonly trust: AskTrust = async (address, files, signal = this.signal) => {
    const call = { id: randomBytes(16).toString('base64url'), tool: 'trust', input: { address, files } }
    this.#tell({ type: 'tool-started', ...call })
    using late = new Deadline(AGENT_LIMITS.ms)
    const isTrusted = await this.#asks(call.id, late.or(signal))
    const result = isTrusted === undefined ? 'Nobody said.' : 'The answer is stored.'
    this.#tell({ type: isTrusted ? 'tool-finished' : 'tool-failed', ...call, result })
    return isTrusted
  }

  /** Asks the person a question of a tool server through all clients. */
  readonly answer: AnswerServer = async (question, signal) => {
    const tell = (id: string, state: ShownQuestion['data']['state']) =>
      this.#tell({ type: 'question', part: { type: 'data-question', id, data: { ...question, state } } })
    const [id, values] = await this.#said(signal, (asked) => tell(asked, 'asked'))
    if (id !== undefined) tell(id, values ? 'answered' : 'declined')
    return typeof values === 'object' ? values : undefined
  }

  /** Asks the person for an approval through all clients. Undefined without an answer. */
  async #asks(id: string, signal: AbortSignal): Promise<boolean | undefined> {
    const [approvalId, said] = await this.#said(signal, (asked) =>
      this.#tell({ type: 'approval', id, approvalId: asked }),
    )
    if (approvalId !== undefined) this.#tell({ type: 'approved', id, approvalId, isApproved: said === true })
    return said === undefined ? undefined : said === true
  }

  /** Asks the person. Returns the id of the question and the reply; an empty list if `MOST_ASKED` questions are pending. */
  async #said(
    signal: AbortSignal,
    ask: (id: string) => void,
  ): Promise<[id?: string, said?: boolean | FormValues | undefined]> {
    if (this.#asked.size >= MOST_ASKED || signal.aborted) return []
    const { promise, resolve } = Promise.withResolvers<boolean | FormValues | undefined>()
    const id = randomBytes(16).toString('base64url')
    this.#asked.set(id, resolve)
    const stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
    ask(id)
    const said = await promise
    signal.removeEventListener('abort', stop)
    this.#asked.delete(id)
    return [id, said]
  }

  /** Passes the person's approvals on. Returns a stream with the rest of the answer; undefined if no approval is pending. */
  async answered(approvals: ApprovalsById, drop: () => void): Promise<AnswerStream | undefined> {
    if (![...approvals.keys()].some((id) => this.#asked.has(id))) return undefined
    const stream = new AnswerStream(this.#limits, drop)
    this.#clients.set(stream, new AnswerFollower(stream, approvals, this.#given(null)))
    this.say(approvals)
    return stream
  }

  /** Passes on a reply of the person. `read` takes the parts of the answer so far, and may throw. */
  async reply(read: (parts: readonly ShownPart[]) => PersonReply): Promise<void> {
    this.say([read(this.#shown.parts)])
  }

  /** As `answered`, for approvals that another process received, and for answers to questions. */
  readonly say = (all: Iterable<PersonReply>): void => {
    for (const [id, said] of all) this.#asked.get(id)?.(said)
  }

  /** A stream of the answer from its beginning. It ends at a pending approval. */
  join(drop: () => void): AnswerStream {
    const stream = new AnswerStream(this.#limits, drop)
    const follower = new AnswerFollower(stream)
    this.#clients.set(stream, follower)
    follower.hear(this.#given(null))
    if (this.#end !== null) follower.hear(this.#given(this.#end))
    return stream
  }

  #given(end: string | null): GivenAnswer {
    const { parts, facts } = this.#shown
    return { id: this.#question, answer: { parts, facts }, end }
  }
}

const DONE = new TextEncoder().encode('data: [DONE]\n\n')

/** The stream of an answer to one client. Chunks wait here until the client reads them. */
export class AnswerStream implements EventFeed {
  readonly #limits: AnswerStreamLimits
  readonly #drop: () => void
  #waiting: Uint8Array[] = []
  /** Waiting bytes, and their maximum. */
  #bytes = 0
  #most: number
  #isEnded = false
  #isGone = false
  #stream: EventStream | undefined
  #wake = () => {}

  /** `drop` closes the connection. */
  constructor(limits: AnswerStreamLimits, drop: () => void) {
    this.#limits = limits
    this.#drop = drop
    this.#most = limits.backlog
  }

  /** Adds the answer so far, without a limit. */
  begin(first: readonly StreamChunk[]): void {
    this.#most = Number.POSITIVE_INFINITY
    this.put(first)
    this.#most = this.#bytes + this.#limits.backlog
  }

  /** The body of the response. `done` is called when its client is gone. */
  body(done: () => void = () => {}): ReadableStream {
    return eventStream(this, this.#limits, { drop: this.#drop, done })
  }

  get isGone(): boolean {
    return this.#isGone
  }

  put(chunks: readonly StreamChunk[]): void {
    if (this.#isEnded || this.#isGone || chunks.length === 0) return
    // JSON has no line breaks, so data cannot pose as another event.
    this.#add(new TextEncoder().encode(chunks.map((chunk) => `data: ${serializeVisibly(chunk)}\n\n`).join('')))
  }

  end(): void {
    if (this.#isEnded || this.#isGone) return
    this.#add(DONE)
    this.#isEnded = true
  }

  async next(): Promise<Uint8Array | undefined> {
    while (this.#waiting.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const bytes = this.#waiting.length > 0 ? Buffer.concat(this.#waiting) : undefined
    this.#waiting = []
    this.#bytes = 0
    // From now on the normal limit applies.
    this.#most = this.#limits.backlog
    return bytes
  }

  follow(stream: EventStream): void {
    this.#stream = stream
  }

  close(): void {
    this.#isGone = true
  }

  #add(bytes: Uint8Array): void {
    this.#waiting.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > this.#most) this.#leaveBehind()
    else this.#wake()
  }

  /** Disconnects a client that is too slow. */
  #leaveBehind(): void {
    this.#waiting = []
    this.#isGone = true
    if (this.#stream) this.#stream.drop()
    else this.#drop()
  }
}
