/** The answers that are on their way, and who listens to them. */

import { Talk } from '../../../assistant/talk.ts'
import { promptTold } from '../../../assistant/told.ts'
import { answerIdOf } from '../../../conversations/shown.ts'
import { ContextError } from '../../../core/errors.ts'
import type { Engine } from '../../../engine.ts'
import type { AnyOperation } from '../../../operations/index.ts'
import { Slots } from '../slots.ts'
import type { ChatAsked } from './asked.ts'
import { imported } from './imported.ts'
import { OUTLET_LIMITS, type Outlet, type OutletLimits } from './outlet.ts'
import { Running } from './running.ts'

export interface ChatParts {
  /** Kept to what the server shows. */
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
  /** Whether there are tools that write. The person is asked each time. */
  readonly allowWrite: boolean
  readonly closing?: AbortSignal
  /** What goes on whether somebody waits for it or not. */
  readonly work?: Set<Promise<void>>
  readonly outlet?: OutletLimits
  /** Hears of errors that are bugs. */
  log?(error: unknown, where: string): void
}

/** Answers of one principal at once. One waits for a model most of its time. */
const MOST = 16

type Conversations = Awaited<ReturnType<Engine['conversations']>>

/** What is to be asked, and how many exchanges before it stay. */
interface Turn {
  readonly stays: number
  readonly question: { readonly id: string; readonly text: string }
}

export class Chats {
  readonly #parts: ChatParts
  readonly #operations: readonly AnyOperation[]
  readonly #running = new Map<string, Running>()
  readonly #starting = new Set<string>()
  readonly #slots = new Slots(MOST, true)

  constructor(parts: ChatParts) {
    this.#parts = parts
    this.#operations = parts.allowWrite ? parts.operations : parts.operations.filter(({ effect }) => effect === 'read')
    parts.closing?.addEventListener('abort', () => this.#stopAll(), { once: true })
  }

  get running(): number {
    return this.#running.size
  }

  /**
   * Begins an answer, or goes on with one that waits for the person.
   *
   * @throws ContextError `conflict` while another answer is given there; `invalid-input`; `unavailable`.
   */
  async ask(asked: ChatAsked, drop: () => void): Promise<Outlet> {
    const { id, approvals } = asked
    const running = this.#running.get(id)
    if (approvals.size > 0) return answered(running, approvals, drop)
    if (running || this.#starting.has(id)) throw busy()
    this.#starting.add(id)
    try {
      return await this.#begun(asked, drop)
    } finally {
      this.#starting.delete(id)
    }
  }

  /** The answer that is on its way, from its beginning; undefined where none is. */
  join(id: string, drop: () => void): Outlet | undefined {
    return this.#running.get(id)?.join(drop)
  }

  /** Stops what is on its way. */
  stop(id: string): void {
    this.#running.get(id)?.stop()
  }

  /** What the model has been sent, a text for each message, in order. @throws ContextError `not-found`. */
  async prompt(id: string) {
    const conversations = await this.#parts.engine.conversations()
    await conversations.show(id)
    const { assistant } = await Talk.open({
      engine: this.#parts.engine,
      operations: this.#operations,
      conversations,
      id,
    })
    return promptTold(assistant.messages)
  }

  /** The models that can be asked for: the one that is set, and the one that is built in. */
  models(): { readonly models: readonly { readonly name: string; readonly isDefault: boolean }[] } {
    const { model } = this.#parts.engine.config
    const name = model ? `${model.provider}/${model.model}` : LOCAL
    const others = name === LOCAL ? [] : [{ name: LOCAL, isDefault: false }]
    return { models: [{ name, isDefault: true }, ...others] }
  }

  #stopAll(): void {
    for (const running of this.#running.values()) running.stop()
  }

  async #begun(asked: ChatAsked, drop: () => void): Promise<Outlet> {
    const { engine } = this.#parts
    const conversations = await engine.conversations()
    const { stays, question } = await this.#turn(asked, conversations)
    const free = this.#slots.take()
    const running = new Running(question.id, this.#parts.outlet ?? OUTLET_LIMITS)
    try {
      const talk = await this.#talk(asked, { conversations, running, stays })
      running.through((event) => talk.tell(event))
      this.#running.set(asked.id, running)
      const outlet = running.join(drop)
      const view = asked.view === undefined ? {} : { view: asked.view }
      const work = this.#answer(talk, running, { ...question, ...view }).finally(() => {
        this.#running.delete(asked.id)
        this.#parts.work?.delete(work)
        free()
      })
      this.#parts.work?.add(work)
      return outlet
    } catch (error) {
      free()
      throw error
    }
  }

  #talk(
    { id, place, model }: ChatAsked,
    { conversations, running, stays }: { conversations: Conversations; running: Running; stays: number },
  ): Promise<Talk> {
    const { engine, allowWrite } = this.#parts
    return Talk.open({
      engine,
      operations: this.#operations,
      conversations,
      id,
      stays,
      view: { navigate: (to) => running.emit({ type: 'navigate', place: to }) },
      ...(allowWrite && { approve: running.approve }),
      ...(place !== undefined && { place }),
      ...(model !== undefined && { model }),
    })
  }

  /** Which question is asked, and behind which exchange: what the client has of those before does not count. */
  async #turn(asked: ChatAsked, conversations: Conversations): Promise<Turn> {
    const kept = await conversations.find(asked.id)
    if (!kept && asked.before.length > 0) {
      await imported(conversations, asked, asked.model ?? this.models().models[0]?.name ?? LOCAL)
      return this.#turn({ ...asked, before: [] }, conversations)
    }
    const exchanges = kept?.exchanges ?? []
    const { trigger, messageId, question } = asked
    const at = exchanges.findIndex(({ id }) => id === messageId || answerIdOf(id) === messageId)
    if (trigger === 'regenerate-message') {
      const stays = at === -1 ? exchanges.length - 1 : at
      const again = exchanges[stays]
      if (again) return { stays, question: { id: again.id, text: again.question } }
    }
    if (!question) throw nothingAsked()
    // The same question by the same id is the one that is there already: sent again, or changed.
    const known = exchanges.findIndex(({ id }) => id === question.id)
    return { stays: at !== -1 ? at : known !== -1 ? known : exchanges.length, question }
  }

  async #answer(talk: Talk, running: Running, question: Parameters<Talk['ask']>[0]): Promise<void> {
    try {
      await talk.ask(question, { signal: running.signal, emit: running.emit })
    } catch (error) {
      const isOurs = error instanceof ContextError
      if (!isOurs) this.#parts.log?.(error, 'chat')
      running.fail(
        isOurs ? error : new ContextError('unavailable', 'The server failed.', { hint: 'This is a bug in Ambit.' }),
      )
    }
  }
}

const LOCAL = 'local/extractive'

function answered(running: Running | undefined, approvals: ReadonlyMap<string, boolean>, drop: () => void): Outlet {
  if (running && [...approvals.keys()].some((id) => running.isAsked(id))) return running.answered(approvals, drop)
  const hint = 'Read the conversation again: it says what became of it.'
  throw new ContextError('conflict', 'Nobody waits for that any more.', { hint })
}

function busy(): ContextError {
  const hint = 'Wait until it is there, or stop it.'
  return new ContextError('conflict', 'An answer is being given in this conversation.', { hint })
}

function nothingAsked(): ContextError {
  return new ContextError('invalid-input', 'There is no question.', { hint: 'Send a message of the person.' })
}
