/** Answers of other processes, read from the store while they grow. */

import type { Conversations } from '../../../agent/conversations.ts'
import type { PersonReply } from '../../../agent/remote-commands.ts'
import type { ShownAnswer, ShownPart } from '../../../agent/transcript.ts'
import { ContextError } from '../../../core/errors.ts'
import type { AnswerStreamLimits } from '../events/event-stream.ts'
import { AnswerFollower, type ApprovalsById, type GivenAnswer, isWaiting } from './chunks.ts'
import { AnswerStream } from './running.ts'

interface RemoteAnswerParts {
  readonly conversations: Conversations
  readonly limits: AnswerStreamLimits
  /** Whether the client may approve calls. */
  mayApprove(): boolean
  /** Fires when this process ends. */
  readonly closing: AbortSignal | undefined
  /** Receives errors that are bugs. */
  log(error: unknown): void
}

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

  /** Sends a reply of the person to the process that gives the answer. `read` takes the parts of the answer so far, and may throw. */
  async reply(id: string, read: (parts: readonly ShownPart[]) => PersonReply): Promise<void> {
    const { conversations } = this.#parts
    const giver = await conversations.giver(id)
    const said = read((giver === undefined ? undefined : await this.#given(id))?.answer.parts ?? [])
    if (giver !== undefined) await conversations.say(id, giver, { type: 'approvals', approvals: [said] })
  }

  /** The answer in progress, from its beginning; undefined where there is none. */
  async join(id: string, drop: () => void): Promise<AnswerStream | undefined> {
    const giver = await this.#parts.conversations.giver(id)
    if (giver === undefined) return undefined
    const stream = new AnswerStream(this.#parts.limits, drop)
    this.#follow(new AnswerFollower(stream), { id, giver })
    return stream
  }

  /**
   * The rest of the answer after an approval; undefined where none is pending.
   *
   * @throws ContextError `denied` if the client may not approve calls.
   */
  async answered(id: string, said: ApprovalsById, drop: () => void): Promise<AnswerStream | undefined> {
    const { conversations, limits, mayApprove } = this.#parts
    const giver = await conversations.giver(id)
    const given = await this.#given(id)
    if (giver === undefined || !given || given.end !== null) return undefined
    const asked = given.answer.parts.filter(isWaiting).map(({ approval }) => approval?.id)
    // Unknown ids are ignored.
    const approvals = new Map([...said].filter(([approvalId]) => asked.includes(approvalId)))
    if (approvals.size === 0) return undefined
    if ([...approvals.values()].includes(true) && !mayApprove()) throw mayNot()
    const stream = new AnswerStream(limits, drop)
    const follower = new AnswerFollower(stream, approvals, given)
    await conversations.say(id, giver, { type: 'approvals', approvals: [...approvals] })
    this.#follow(follower, { id, giver })
    return stream
  }

  #follow(follower: AnswerFollower, of: { readonly id: string; readonly giver: string }): void {
    this.#untilOver(follower, of).catch((error: unknown) => {
      const isOurs = error instanceof ContextError
      if (!isOurs) this.#parts.log(error)
      follower.finish([{ type: 'error', errorText: isOurs ? error.message : 'The server failed.' }])
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
          // Reads the state of the process before the answer: once no process gives it, the stored answer is complete.
          const isGiven = (await conversations.giver(id)) === giver
          follower.hear(await this.#given(id), isGiven)
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

  async #given(id: string): Promise<GivenAnswer | undefined> {
    const exchange = await this.#parts.conversations.lastExchange(id)
    if (!exchange) return undefined
    const { parts = [], facts = {} } = Object(exchange.shown) as Partial<ShownAnswer>
    return { id: exchange.id, answer: { parts, facts }, end: exchange.end }
  }
}

function mayNot(): ContextError {
  const hint = 'Approve it with a token that may write, at a server that was started with --allow-write; or refuse it.'
  return new ContextError('denied', 'The call writes, and your token may not.', { hint })
}
