/** Answers of other processes: read from the store while they grow. */

import type { Conversations } from '../../../agent/conversations.ts'
import { answerIdOf, type ShownAnswer, type ShownPart, type ShownTool } from '../../../agent/transcript.ts'
import { ContextError } from '../../../core/errors.ts'
import type { AnswerStreamLimits } from '../events/event-stream.ts'
import { GrowingChunks, type StreamChunk } from './chunks.ts'
import { AnswerStream, PAUSED } from './running.ts'

interface RemoteAnswerParts {
  readonly conversations: Conversations
  readonly limits: AnswerStreamLimits
  /** Whether the client may approve calls. */
  mayApprove(): boolean
  /** Fires when this process ends. */
  readonly closing: AbortSignal | undefined
  /** Hears of errors that are bugs. */
  log(error: unknown): void
}

/** A stored answer. */
interface Given {
  /** Of the question. */
  readonly id: string
  readonly answer: ShownAnswer
  /** The reason of its end; null while it is in progress. */
  readonly end: string | null
}

/** Approvals by id. */
type Approvals = ReadonlyMap<string, boolean>

/** Maximum number of tries to read the store. */
const TRIES = 5

export class RemoteAnswers {
  readonly #parts: RemoteAnswerParts

  constructor(parts: RemoteAnswerParts) {
    this.#parts = parts
  }

  async stop(id: string): Promise<void> {
    const { conversations } = this.#parts
    const giver = await conversations.giver(id)
    if (giver !== undefined) await conversations.say(id, giver, { type: 'stop' })
  }

  /** The answer in progress, from its beginning; undefined where there is none. */
  async join(id: string, drop: () => void): Promise<AnswerStream | undefined> {
    const giver = await this.#parts.conversations.giver(id)
    if (giver === undefined) return undefined
    const stream = new AnswerStream([], { limits: this.#parts.limits, drop })
    this.#follow(new AnswerFollower(stream), { id, giver })
    return stream
  }

  /**
   * The rest of the answer after an approval; undefined where none is pending.
   *
   * @throws ContextError `denied` where who says it may not have it done.
   */
  async answered(id: string, said: Approvals, drop: () => void): Promise<AnswerStream | undefined> {
    const { conversations, limits, mayApprove } = this.#parts
    const giver = await conversations.giver(id)
    const given = await this.#given(id)
    if (giver === undefined || !given || given.end !== null) return undefined
    const asked = given.answer.parts.filter(isWaiting).map(({ approval }) => approval?.id)
    // Other ids are ignored: a client may send anything.
    const approvals = new Map([...said].filter(([approvalId]) => asked.includes(approvalId)))
    if (approvals.size === 0) return undefined
    if ([...approvals.values()].includes(true) && !mayApprove()) throw mayNot()
    const stream = new AnswerStream([], { limits, drop })
    const follower = new AnswerFollower(stream, { given, approvals })
    await conversations.say(id, giver, { type: 'approvals', approvals: [...approvals] })
    this.#follow(follower, { id, giver })
    return stream
  }

  #follow(follower: AnswerFollower, of: { readonly id: string; readonly giver: string }): void {
    this.#untilOver(follower, of).catch((error: unknown) => {
      const isOurs = error instanceof ContextError
      if (!isOurs) this.#parts.log(error)
      follower.fail(isOurs ? error.message : 'The server failed.')
    })
  }

  async #untilOver(
    follower: AnswerFollower,
    { id, giver }: { readonly id: string; readonly giver: string },
  ): Promise<void> {
    const { conversations, closing } = this.#parts
    const watch = conversations.watch(id, 'answer')
    let tries = 0
    try {
      while (!follower.isOver && !closing?.aborted) {
        try {
          // In this order: once no process works on it, the stored answer is complete.
          const isGiven = (await conversations.giver(id)) === giver
          follower.hear(await this.#given(id), isGiven)
          tries = 0
        } catch (error) {
          if (!(error instanceof ContextError) || ++tries === TRIES) throw error
        }
        if (!follower.isOver) await watch.changed(closing)
      }
      follower.end()
    } finally {
      watch.close()
    }
  }

  async #given(id: string): Promise<Given | undefined> {
    const exchange = await this.#parts.conversations.lastExchange(id)
    if (!exchange) return undefined
    const { parts = [], facts = {} } = Object(exchange.shown) as Partial<ShownAnswer>
    return { id: exchange.id, answer: { parts, facts }, end: exchange.end }
  }
}

/** Follows an answer for one client. */
class AnswerFollower {
  readonly #stream: AnswerStream
  readonly #approvals: Approvals
  readonly #chunks = new GrowingChunks()
  #isEnded = false
  /** The id of the question, once it is known. */
  #id: string | undefined
  #facts = ''

  /** `since`: the answer that the client has, and its approvals. */
  constructor(stream: AnswerStream, since?: { readonly given: Given; readonly approvals: Approvals }) {
    this.#stream = stream
    this.#approvals = since?.approvals ?? new Map()
    if (!since) return
    this.#chunks.of(since.given.answer.parts)
    this.#stream.begin(this.#start(since.given))
  }

  get isOver(): boolean {
    return this.#isEnded || this.#stream.isGone
  }

  /** `isGiven`: whether a process worked on the answer before it was read. */
  hear(given: Given | undefined, isGiven: boolean): void {
    // Until the answer is stored, the last exchange is an earlier one, which has ended.
    if (this.#id === undefined && given?.end === null) {
      this.#stream.begin([...this.#start(given), ...this.#chunks.of(given.answer.parts)])
    }
    if (this.#id === undefined && isGiven) return
    if (given === undefined || given.id !== this.#id) this.end()
    else this.#tell(given, isGiven)
  }

  #tell({ answer, end }: Given, isGiven: boolean): void {
    this.#stream.put([...this.#chunks.of(answer.parts), ...this.#news(answer)])
    if (end !== null || !isGiven) this.#finish(this.#chunks.end(end ?? 'abandoned', answer.facts))
    else if (this.#isPaused(answer.parts)) this.#finish(PAUSED)
  }

  fail(errorText: string): void {
    this.#finish([{ type: 'error', errorText }])
  }

  /** Ends without a reason. */
  end(): void {
    this.#finish([])
  }

  #finish(last: readonly StreamChunk[]): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#stream.put(last)
    this.#stream.end()
  }

  #start({ id, answer: { facts } }: Given): readonly StreamChunk[] {
    this.#id = id
    this.#facts = JSON.stringify(facts)
    return [{ type: 'start', messageId: answerIdOf(id), messageMetadata: facts }]
  }

  #news({ facts }: ShownAnswer): StreamChunk[] {
    const now = JSON.stringify(facts)
    if (now === this.#facts) return []
    this.#facts = now
    return [{ type: 'message-metadata', messageMetadata: facts }]
  }

  /** Whether all open calls of a step wait for new approvals. */
  #isPaused(parts: readonly ShownPart[]): boolean {
    const calls = parts.filter((part): part is ShownTool => part.type === 'dynamic-tool' && isUnfinished(part))
    return calls.length > 0 && calls.every((call) => isWaiting(call) && !this.#approvals.has(call.approval?.id ?? ''))
  }
}

function isWaiting(part: ShownPart): part is ShownTool {
  return part.type === 'dynamic-tool' && part.state === 'approval-requested'
}

function isUnfinished({ state, preliminary = false }: ShownTool): boolean {
  return preliminary || state === 'input-available' || state === 'approval-requested' || state === 'approval-responded'
}

function mayNot(): ContextError {
  const hint = 'Approve it with a token that may write, at a server that was started with --allow-write; or refuse it.'
  return new ContextError('denied', 'The call writes, and your token may not.', { hint })
}
