/** The answer of another process, read from the store while it grows. */

import type { Conversations } from '../../../agent/conversations.ts'
import type { PersonReply } from '../../../agent/remote-commands.ts'
import type { ShownAnswer, ShownPart } from '../../../agent/transcript.ts'
import { ContextError } from '../../../core/errors.ts'
import type { AnswerStreamLimits } from '../events/event-stream.ts'
import { AnswerFollower, type ApprovalsById, type GivenAnswer, isWaiting } from './chunks.ts'
import { AnswerStream } from './running.ts'

export interface RemoteAnswerParts {
  readonly limits: AnswerStreamLimits
  /** Whether there are tools that write. The person must approve each call. */
  readonly allowWrite: boolean
  /** Fires when this process ends. */
  readonly closing?: AbortSignal
  /** Receives errors that are bugs. */
  log?(error: unknown, where: string): void
}

/** Maximum number of tries to read the store. */
const TRIES = 5

export class RemoteAnswer {
  readonly #id: string
  readonly #conversations: Conversations
  readonly #parts: RemoteAnswerParts

  constructor(id: string, conversations: Conversations, parts: RemoteAnswerParts) {
    this.#id = id
    this.#conversations = conversations
    this.#parts = parts
  }

  async stop(): Promise<void> {
    const giver = await this.#giver()
    if (giver !== undefined) await this.#conversations.say(this.#id, giver, { type: 'stop' })
  }

  /** Sends a reply of the person to the process that gives the answer. `read` takes the parts of the answer so far, and may throw. */
  async reply(read: (parts: readonly ShownPart[]) => PersonReply): Promise<void> {
    const giver = await this.#giver()
    const said = read((giver === undefined ? undefined : await this.#given())?.answer.parts ?? [])
    if (giver !== undefined) await this.#conversations.say(this.#id, giver, { type: 'approvals', approvals: [said] })
  }

  /** The answer in progress, from its beginning; undefined without one. */
  async join(drop: () => void): Promise<AnswerStream | undefined> {
    const giver = await this.#giver()
    if (giver === undefined) return undefined
    const stream = new AnswerStream(this.#parts.limits, drop)
    this.#follow(new AnswerFollower(stream), giver)
    return stream
  }

  /**
   * The rest of the answer after an approval; undefined if no approval is pending.
   *
   * @throws ContextError `denied` if the client may not approve calls.
   */
  async answered(said: ApprovalsById, drop: () => void): Promise<AnswerStream | undefined> {
    const { limits, allowWrite } = this.#parts
    const giver = await this.#giver()
    const given = await this.#given()
    if (giver === undefined || !given || given.end !== null) return undefined
    const asked = given.answer.parts.filter(isWaiting).map(({ approval }) => approval?.id)
    // Unknown ids are ignored.
    const approvals = new Map([...said].filter(([approvalId]) => asked.includes(approvalId)))
    if (approvals.size === 0) return undefined
    if ([...approvals.values()].includes(true) && !allowWrite) throw mayNot()
    const stream = new AnswerStream(limits, drop)
    const follower = new AnswerFollower(stream, approvals, given)
    await this.#conversations.say(this.#id, giver, { type: 'approvals', approvals: [...approvals] })
    this.#follow(follower, giver)
    return stream
  }

  #follow(follower: AnswerFollower, giver: string): void {
    this.#untilOver(follower, giver).catch((error: unknown) => {
      const isOurs = error instanceof ContextError
      if (!isOurs) this.#parts.log?.(error, 'chat')
      follower.finish([{ type: 'error', errorText: isOurs ? error.message : 'The server failed.' }])
    })
  }

  async #untilOver(follower: AnswerFollower, giver: string): Promise<void> {
    const { closing } = this.#parts
    const watch = this.#conversations.watch(this.#id, 'answer')
    let tries = 0
    try {
      while (!follower.isOver && !closing?.aborted) {
        try {
          // Reads the state of the process before the answer: once no process gives it, the stored answer is complete.
          const isGiven = (await this.#giver()) === giver
          follower.hear(await this.#given(), isGiven)
          tries = 0
        } catch (error) {
          if (!(error instanceof ContextError) || ++tries === TRIES) throw error
        }
        if (!follower.isOver) await watch.changed(closing)
      }
      follower.finish()
    } finally {
      watch.close()
    }
  }

  /** The process that gives the answer. */
  #giver(): Promise<string | undefined> {
    return this.#conversations.giver(this.#id)
  }

  async #given(): Promise<GivenAnswer | undefined> {
    const exchange = await this.#conversations.lastExchange(this.#id)
    if (!exchange) return undefined
    const { parts = [], facts = {} } = Object(exchange.shown) as Partial<ShownAnswer>
    return { id: exchange.id, answer: { parts, facts }, end: exchange.end }
  }
}

function mayNot(): ContextError {
  const hint = 'Approve it with a token that may write, at a server that was started with --allow-write; or refuse it.'
  return new ContextError('denied', 'The call writes, and your token may not.', { hint })
}
