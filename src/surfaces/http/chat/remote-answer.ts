/** An answer that another process writes. This process reads it from the store. */

import type { Conversations } from '../../../agent/conversations.ts'
import type { PersonReply } from '../../../agent/remote-commands.ts'
import type { ShownAnswer, ShownPart } from '../../../agent/transcript.ts'
import { ContextError } from '../../../core/errors.ts'
import type { AnswerStreamLimits } from '../events/event-stream.ts'
import type { HttpParts } from '../http-parts.ts'
import { AnswerFollower, type AnswerState, type ApprovalsById, needsApproval } from './chunks.ts'
import { AnswerStream } from './running.ts'

export interface RemoteAnswerParts extends Pick<HttpParts, 'closing' | 'logBug'> {
  readonly limits: AnswerStreamLimits
  /** Whether the assistant has tools that write. The person must approve each call of such a tool. */
  readonly allowWrite: boolean
}

/** Maximum number of attempts to read the store. */
const MAX_ATTEMPTS = 5

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
    const answerId = await this.#findAnswerId()
    if (answerId !== undefined) await this.#conversations.sendCommand(this.#id, answerId, { type: 'stop' })
  }

  /**
   * Sends a reply of the person to the process that writes the answer. `read` makes the reply from the parts of the answer so
   * far, and may throw.
   */
  async reply(read: (parts: readonly ShownPart[]) => PersonReply): Promise<void> {
    const answerId = await this.#findAnswerId()
    const reply = read((answerId === undefined ? undefined : await this.#readState())?.answer.parts ?? [])
    if (answerId !== undefined)
      await this.#conversations.sendCommand(this.#id, answerId, { type: 'approvals', approvals: [reply] })
  }

  /** A stream of the answer in progress, from its beginning; undefined if none is in progress. */
  async join(drop: () => void): Promise<AnswerStream | undefined> {
    const answerId = await this.#findAnswerId()
    if (answerId === undefined) return undefined
    const stream = new AnswerStream(this.#parts.limits, drop)
    this.#follow(new AnswerFollower(stream), answerId)
    return stream
  }

  /**
   * A stream of the rest of the answer after approvals; undefined if none of these approvals is pending.
   *
   * @throws ContextError `denied` if the client may not approve calls.
   */
  async joinAfterApproval(allApprovals: ApprovalsById, drop: () => void): Promise<AnswerStream | undefined> {
    const { limits, allowWrite } = this.#parts
    const answerId = await this.#findAnswerId()
    const state = await this.#readState()
    if (answerId === undefined || !state || state.end !== null) return undefined
    const pendingIds = state.answer.parts.filter(needsApproval).map(({ approval }) => approval?.id)
    // Unknown ids are ignored.
    const approvals = new Map([...allApprovals].filter(([approvalId]) => pendingIds.includes(approvalId)))
    if (approvals.size === 0) return undefined
    if ([...approvals.values()].includes(true) && !allowWrite) throw approvalDenied()
    const stream = new AnswerStream(limits, drop)
    const follower = new AnswerFollower(stream, approvals, state)
    await this.#conversations.sendCommand(this.#id, answerId, { type: 'approvals', approvals: [...approvals] })
    this.#follow(follower, answerId)
    return stream
  }

  #follow(follower: AnswerFollower, answerId: string): void {
    this.#followToEnd(follower, answerId).catch((error: unknown) => {
      const isContextError = error instanceof ContextError
      if (!isContextError) this.#parts.logBug?.(error, 'chat')
      follower.finish([{ type: 'error', errorText: isContextError ? error.message : 'The server failed.' }])
    })
  }

  async #followToEnd(follower: AnswerFollower, answerId: string): Promise<void> {
    const { closing } = this.#parts
    using watch = this.#conversations.watch(this.#id, 'answer')
    let attempts = 0
    while (!follower.hasEnded && !closing?.aborted) {
      try {
        // The order matters: if no answer runs now, the state that is read afterwards is complete.
        const isRunning = (await this.#findAnswerId()) === answerId
        follower.update(await this.#readState(), isRunning)
        attempts = 0
      } catch (error) {
        if (!(error instanceof ContextError) || ++attempts === MAX_ATTEMPTS) throw error
      }
      if (!follower.hasEnded) await watch.changed(closing)
    }
    follower.finish()
  }

  /** The id of the answer in progress; undefined if none is in progress. */
  #findAnswerId(): Promise<string | undefined> {
    return this.#conversations.findAnswer(this.#id)
  }

  async #readState(): Promise<AnswerState | undefined> {
    const exchange = await this.#conversations.last(this.#id)
    if (!exchange) return undefined
    const { parts = [], facts = {} } = Object(exchange.shown) as Partial<ShownAnswer>
    return { id: exchange.id, answer: { parts, facts }, end: exchange.end }
  }
}

function approvalDenied(): ContextError {
  const hint = 'Approve it with a token that may write, at a server that was started with --allow-write; or refuse it.'
  return new ContextError('denied', 'The call writes, and your token may not.', { hint })
}
