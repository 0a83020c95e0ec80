/** Answers that other processes give: what is kept of them is read while it grows. */

import type { Conversations } from '../../../agent/conversations.ts'
import { answerIdOf, type ShownAnswer, type ShownPart, type ShownTool } from '../../../agent/transcript.ts'
import { ContextError } from '../../../core/errors.ts'
import { AnswerStream, type AnswerStreamLimits } from './answer-stream.ts'
import { GrowingChunks, type StreamChunk } from './chunks.ts'
import { PAUSED } from './running.ts'

interface RemoteAnswerParts {
  readonly conversations: Conversations
  readonly limits: AnswerStreamLimits
  /** Whether who asks may have a call done that waits for the person. */
  mayApprove(): boolean
  /** Fires when this process ends. */
  readonly closing: AbortSignal | undefined
  /** Hears of errors that are bugs. */
  log(error: unknown): void
}

/** What is kept of an answer. */
interface Given {
  /** Of the question. */
  readonly id: string
  readonly answer: ShownAnswer
  /** How it ended; null while it is given. */
  readonly end: string | null
}

/** What the person says to calls. */
type Approvals = ReadonlyMap<string, boolean>

/** Tries to read what is kept, where the store does not answer. */
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

  /** The answer that is on its way, from its beginning; undefined where none is. */
  async join(id: string, drop: () => void): Promise<AnswerStream | undefined> {
    const giver = await this.#parts.conversations.giver(id)
    if (giver === undefined) return undefined
    const stream = new AnswerStream([], { limits: this.#parts.limits, drop })
    this.#follow(new AnswerFollower(stream), { id, giver })
    return stream
  }

  /**
   * What comes of what the person says; undefined where nobody waits for that.
   *
   * @throws ContextError `denied` where who says it may not have it done.
   */
  async answered(id: string, said: Approvals, drop: () => void): Promise<AnswerStream | undefined> {
    const { conversations, limits, mayApprove } = this.#parts
    const giver = await conversations.giver(id)
    const given = await this.#given(id)
    if (giver === undefined || !given || given.end !== null) return undefined
    const asked = given.answer.parts.filter(isWaiting).map(({ approval }) => approval?.id)
    // Nothing else is kept: a client may say anything.
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
          // In this order: what is kept when nobody gives it any more is all of it.
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

/** One client, who follows one answer. */
class AnswerFollower {
  readonly #stream: AnswerStream
  readonly #approvals: Approvals
  readonly #chunks = new GrowingChunks()
  #isEnded = false
  /** The question that it follows the answer to, from when there is one. */
  #id: string | undefined
  #facts = ''

  /** `since`: what the client has seen, and said to it. */
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

  /** `isGiven`: whether it was still given before this was read. */
  hear(given: Given | undefined, isGiven: boolean): void {
    // Until it is kept, the one before is the last, and that has an end.
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

  /** Without a last word. */
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

  /** Whether all that is left of a step waits for the person, and not for what they have just said. */
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
