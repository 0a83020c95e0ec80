/** Answers that other processes give: what is kept of them is read while it grows. */

import { answerIdOf, type ShownAnswer, type ShownPart, type ShownTool } from '../../../conversations/shown.ts'
import { ContextError } from '../../../core/errors.ts'
import { type Chunk, GrowingChunks } from './chunks.ts'
import { Outlet, type OutletLimits } from './outlet.ts'
import { PAUSED } from './running.ts'
import type { Conversations, Word } from './words.ts'

interface ElsewhereParts {
  readonly conversations: Conversations
  readonly limits: OutletLimits
  /** Fires when this process ends. */
  readonly closing: AbortSignal | undefined
}

interface Given {
  /** Of the question. */
  readonly id: string
  readonly answer: ShownAnswer
  /** How it ended; null while it is given. */
  readonly end: string | null
}

/** Why somebody listens: to all of it, or to what comes of what they said to calls. */
type Approvals = ReadonlyMap<string, boolean>

export class Elsewhere {
  readonly #parts: ElsewhereParts

  constructor(parts: ElsewhereParts) {
    this.#parts = parts
  }

  async stop(id: string): Promise<void> {
    if (await this.#parts.conversations.isAnswered(id)) await this.#say(id, { type: 'stop' })
  }

  /** The answer that is on its way, from its beginning; undefined where none is. */
  async join(id: string, drop: () => void): Promise<Outlet | undefined> {
    if (!(await this.#parts.conversations.isAnswered(id))) return undefined
    const outlet = new Outlet([], { limits: this.#parts.limits, drop })
    this.#follow(new Following(outlet), id)
    return outlet
  }

  /** What comes of what the person says; undefined where nobody waits for that. */
  async answered(id: string, approvals: Approvals, drop: () => void): Promise<Outlet | undefined> {
    const given = await this.#given(id)
    const isAsked = given?.answer.parts.some((part) => isWaiting(part) && approvals.has(part.approval?.id ?? ''))
    if (!given || given.end !== null || !isAsked || !(await this.#parts.conversations.isAnswered(id))) return undefined
    const outlet = new Outlet([], { limits: this.#parts.limits, drop })
    const following = new Following(outlet, { given, approvals })
    await this.#say(id, { type: 'approvals', approvals: [...approvals] })
    this.#follow(following, id)
    return outlet
  }

  #say(id: string, word: Word): Promise<void> {
    return this.#parts.conversations.say(id, JSON.stringify(word))
  }

  #follow(following: Following, id: string): void {
    this.#untilOver(following, id).catch((error: unknown) => {
      if (!(error instanceof ContextError)) throw error
      following.fail(error.message)
    })
  }

  async #untilOver(following: Following, id: string): Promise<void> {
    const { conversations, closing } = this.#parts
    const watch = conversations.watch(id, 'answer')
    try {
      while (!following.isOver && !closing?.aborted) {
        // In this order: what is kept when nobody gives it any more is all of it.
        const isAnswered = await conversations.isAnswered(id)
        following.hear(await this.#given(id), isAnswered)
        if (!following.isOver) await watch.changed(closing)
      }
    } finally {
      watch.close()
      following.end()
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
class Following {
  readonly #outlet: Outlet
  readonly #approvals: Approvals
  readonly #chunks = new GrowingChunks()
  #isEnded = false
  /** The question that it follows the answer to, from when there is one. */
  #id: string | undefined
  #facts = ''

  /** `since`: what the client has seen, and said to it. */
  constructor(outlet: Outlet, since?: { readonly given: Given; readonly approvals: Approvals }) {
    this.#outlet = outlet
    this.#approvals = since?.approvals ?? new Map()
    if (!since) return
    this.#chunks.of(since.given.answer.parts)
    this.#start(since.given)
  }

  get isOver(): boolean {
    return this.#isEnded || this.#outlet.isGone
  }

  /** `isAnswered`: whether anybody gave an answer there before this was read. */
  hear(given: Given | undefined, isAnswered: boolean): void {
    if (this.#id === undefined && given?.end === null) this.#start(given)
    // Until it is kept, the one before is the last.
    if (this.#id === undefined && isAnswered) return
    if (given === undefined || given.id !== this.#id) this.end()
    else this.#tell(given, isAnswered)
  }

  #tell({ answer, end }: Given, isAnswered: boolean): void {
    this.#outlet.put([...this.#chunks.of(answer.parts), ...this.#news(answer)])
    if (end !== null) this.#finish(this.#chunks.end(end, answer.facts))
    else if (!isAnswered) this.fail('The answer was cut off: whoever gave it is no more.')
    else if (this.#isPaused(answer.parts)) this.#finish(PAUSED)
  }

  fail(errorText: string): void {
    this.#finish([{ type: 'error', errorText }])
  }

  /** Without a last word. */
  end(): void {
    this.#finish([])
  }

  #finish(last: readonly Chunk[]): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#outlet.put(last)
    this.#outlet.end()
  }

  #start({ id, answer }: Given): void {
    this.#id = id
    this.#facts = JSON.stringify(answer.facts)
    this.#outlet.put([{ type: 'start', messageId: answerIdOf(id), messageMetadata: answer.facts }])
  }

  #news({ facts }: ShownAnswer): Chunk[] {
    const now = JSON.stringify(facts)
    if (now === this.#facts) return []
    this.#facts = now
    return [{ type: 'message-metadata', messageMetadata: facts }]
  }

  /** Whether all that is left of a step waits for the person, and not for what they have just said. */
  #isPaused(parts: readonly ShownPart[]): boolean {
    const calls = parts.filter((part): part is ShownTool => part.type === 'dynamic-tool' && isOpen(part))
    return calls.length > 0 && calls.every((call) => isWaiting(call) && !this.#approvals.has(call.approval?.id ?? ''))
  }
}

function isWaiting(part: ShownPart): part is ShownTool {
  return part.type === 'dynamic-tool' && part.state === 'approval-requested'
}

function isOpen({ state, preliminary = false }: ShownTool): boolean {
  return preliminary || state === 'input-available' || state === 'approval-requested' || state === 'approval-responded'
}
