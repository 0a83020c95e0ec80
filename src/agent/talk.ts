/** A conversation that is saved continuously, so that it outlasts the process. */

import { ContextError, orElse } from '../core/errors.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { Message } from '../models/language.ts'
import type { SentFile } from './assistant/attachments.ts'
import { type Answer, Assistant, type AssistantParts, type AssistantState } from './assistant.ts'
import { type Conversations, newConversationId } from './conversations.ts'
import { type AnswerFacts, contextSizeIn, Shown, type ShownEvent } from './transcript.ts'

export interface TalkParts extends Omit<AssistantParts, 'before'> {
  readonly conversations: Conversations
  /** Id of the stored or the new conversation. */
  readonly id: string
  /** Number of exchanges that stay; later ones are replaced. Default: all. */
  readonly stays?: number
  /** Checks an answer against its sources. Default: no check. */
  check?(given: AnswerToCheck): Promise<Pick<AnswerFacts, 'checked'>>
}

/** An answer with its question and its conversation. */
interface AnswerToCheck {
  readonly question: string
  readonly answer: string
  readonly messages: readonly Message[]
  /** `provider/model`. */
  readonly model: string
}

export interface UserQuestion {
  /** Id for clients. */
  readonly id: string
  readonly text: string
  /** The view of the person, as lines. */
  readonly view?: string
  readonly files?: readonly SentFile[]
}

type StoredConversation = NonNullable<Awaited<ReturnType<Conversations['find']>>>
type Exchange = StoredConversation['exchanges'][number]
type EndEvent = Extract<ShownEvent, { readonly type: 'end' }>

/** Milliseconds between two saves of incomplete text. Complete parts are saved at once. */
const PAUSE_MS = 1_000

/** Stored as the name of a model that could not be found. */
const UNKNOWN = 'unknown'

export class Talk {
  readonly id: string
  readonly assistant: Assistant
  readonly #parts: TalkParts
  /** The number of the next exchange. */
  #at: number
  #isKept: boolean
  /** The model that was requested now or before; undefined for the configured one. */
  readonly #model: string | undefined
  /** The id of the last known exchange. */
  #last: string | undefined
  /** Receives the events of the current answer. */
  #emit: ((event: ShownEvent) => void) | undefined

  /** Opens a stored conversation, or one that begins with the first question. */
  static async open(parts: TalkParts): Promise<Talk> {
    return new Talk(parts, await parts.conversations.find(parts.id))
  }

  /**
   * Opens a new conversation, the one with `id`, or with `''` the last changed one.
   *
   * @throws ContextError `not-found` for an unknown id, or without any conversation.
   */
  static async continued(parts: AssistantParts, id?: string): Promise<Talk> {
    const conversations = await parts.engine.conversations()
    if (id === undefined) return Talk.open({ ...parts, conversations, id: newConversationId() })
    const known = id === '' ? (await conversations.last())?.id : id
    if (known === undefined)
      throw new ContextError('not-found', 'There is no conversation yet.', { hint: 'Begin one: ambit chat' })
    return Talk.open({ ...parts, conversations, id: (await conversations.show(known)).id })
  }

  private constructor(parts: TalkParts, kept: StoredConversation | undefined) {
    const exchanges = (kept?.exchanges ?? []).slice(0, parts.stays)
    const last = exchanges.at(-1)
    const place = parts.place ?? last?.place
    const model = parts.model ?? (last?.model === UNKNOWN ? undefined : last?.model)
    const before = last && { messages: exchanges.reduce(appendMessages, []), state: last.state as AssistantState }
    this.id = parts.id
    this.#parts = parts
    this.#at = exchanges.length
    this.#isKept = kept !== undefined
    this.#last = last?.id
    this.#model = model
    this.assistant = new Assistant({ ...parts, ...omitUndefined({ place, model, before }) })
  }

  /** Emits an event of the current answer. */
  tell(event: ShownEvent): void {
    this.#emit?.(event)
  }

  /** This conversation; if another process continued it, a new object with its current content, at the same place and with the same model. */
  async current(): Promise<Talk> {
    const { stays: _, ...parts } = this.#parts
    const kept = await parts.conversations.find(this.id)
    const exchanges = kept?.exchanges ?? []
    if (exchanges.length === this.#at && exchanges.at(-1)?.id === this.#last) return this
    const model = await this.#modelName()
    return new Talk({ ...parts, place: this.assistant.place, ...(model !== UNKNOWN && { model }) }, kept)
  }

  /**
   * Asks a question. Question and answer are saved continuously. `emit` receives events in order; `end` is the last, and everything is saved by then.
   *
   * @throws ContextError for a place that cannot be loaded, or a model that cannot be used: that is kept, too.
   */
  async ask(
    { id, text, view, files }: UserQuestion,
    { signal, emit }: { readonly signal?: AbortSignal; emit(event: ShownEvent): void },
  ): Promise<Answer> {
    const about = { place: this.assistant.place, model: await this.#modelName(), askedAt: new Date().toISOString() }
    if (!this.#isKept) await this.#parts.conversations.begin(text, { id: this.id, ...about })
    this.#isKept = true
    this.#last = id
    const writing = { talk: this, at: this.#at++, id, question: text, about }
    const writer = new ExchangeWriter(this.#parts.conversations, writing)
    const emitKept = (event: ShownEvent) => {
      writer.hear(event)
      emit(event)
    }
    this.#emit = emitKept
    emitKept({ type: 'facts', facts: about })
    const run = {
      ...omitUndefined({ signal, view, files }),
      // The end follows later, after the sources and when everything is saved.
      emit: (event: ShownEvent) => event.type !== 'end' && emitKept(event),
      kept: (messages: readonly Message[]) => {
        writer.messages = messages
        emitKept({ type: 'facts', facts: { context: { place: this.assistant.place, ...contextSizeIn(messages) } } })
      },
    }
    const finish = async (end: EndEvent) => {
      const problem = await writer.end(end)
      if (problem !== undefined) this.#parts.notice?.(`The conversation was not kept: ${problem}`)
      emit(end)
    }
    try {
      const answer = await this.assistant.ask(text, run)
      const { citations, reason, error } = answer
      const given = { question: text, answer: answer.answer, messages: this.assistant.messages, model: about.model }
      const checked = reason === 'done' ? await this.#parts.check?.(given) : {}
      const sources = { type: 'facts', facts: { citations, ...checked } } as const
      writer.hear(sources)
      emit(sources)
      await finish({ type: 'end', reason, ...(error && { error }) })
      return answer
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
      await finish({ type: 'end', reason: 'failed', error })
      throw error
    }
  }

  /** The name of the model; if it cannot be used, the stored name. */
  async #modelName(): Promise<string> {
    return orElse(this.assistant.modelName(), () => this.#model ?? UNKNOWN)
  }
}

/** Random, so that nobody can guess it. */
export const newQuestionId = newConversationId

/** The messages of a conversation, exchange after exchange. */
function appendMessages(before: readonly Message[], { messages, isWhole }: Exchange): readonly Message[] {
  const added = Array.isArray(messages) ? (messages as Message[]) : []
  return isWhole ? added : [...before, ...added]
}

interface WritingParts {
  readonly talk: Talk
  readonly at: number
  readonly id: string
  readonly question: string
  readonly about: Pick<Exchange, 'place' | 'model' | 'askedAt'>
}

/** One exchange while it is written. */
class ExchangeWriter {
  readonly #parts: WritingParts
  readonly #shown: Shown
  readonly #saving: ReturnType<typeof coalesce>
  readonly #before: readonly Message[]
  #end: string | null = null
  /** Messages of the whole conversation. */
  messages: readonly Message[]

  constructor(conversations: Conversations, parts: WritingParts) {
    this.#parts = parts
    this.#shown = new Shown(parts.about)
    this.#before = parts.talk.assistant.messages
    this.messages = this.#before
    this.#saving = coalesce(() => conversations.put(parts.talk.id, parts.at, this.#exchange()))
    this.#saving.now()
  }

  hear(event: ShownEvent): void {
    this.#shown.hear(event)
    if (event.type === 'text') this.#saving.later()
    else if (event.type !== 'waiting' && event.type !== 'navigate') this.#saving.now()
  }

  /** Why the exchange was not saved; undefined if it was, or if the conversation was removed meanwhile. */
  async end(end: EndEvent): Promise<string | undefined> {
    this.messages = this.#parts.talk.assistant.messages
    this.#shown.hear(end)
    this.#end = end.reason
    const saved = this.#saving.done().then(() => undefined)
    return orElse(saved, ({ code, message }) => (code === 'not-found' ? undefined : message))
  }

  #exchange(): Exchange {
    const { talk, id, question, about } = this.#parts
    const isWhole = this.#before.some((message, at) => message !== this.messages[at])
    return {
      id,
      question,
      ...about,
      place: talk.assistant.place,
      end: this.#end,
      shown: this.#shown.answer,
      messages: isWhole ? this.messages : this.messages.slice(this.#before.length),
      isWhole,
      state: talk.assistant.state,
    }
  }
}

/** Coalesces calls of `work`: one run at a time, and one more if it is requested meanwhile. */
function coalesce(work: () => Promise<void>) {
  let last: Promise<void> = Promise.resolve()
  let isQueued = false
  let timer: NodeJS.Timeout | undefined
  /** Runs at once, or after the current run. */
  const now = () => {
    clearTimeout(timer)
    timer = undefined
    if (isQueued) return
    isQueued = true
    const run = () => {
      isQueued = false
      return work()
    }
    last = last.then(run, run)
    // `done` throws this error.
    last.catch(() => {})
  }
  return {
    now,
    /** Runs after a pause. */
    later: () => {
      timer ??= setTimeout(now, PAUSE_MS).unref()
    },
    /** Runs once more, and waits for it. Throws the error of that run. */
    done: () => {
      now()
      return last
    },
  }
}
