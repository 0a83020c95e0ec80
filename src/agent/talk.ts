/** A conversation that is saved continuously, so that it outlasts the process. */

import { ContextError, orElse } from '../core/errors.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { Message } from '../models/language.ts'
import { type Answer, type AskRun, Assistant, type AssistantParts, type AssistantState } from './assistant.ts'
import { type Conversations, newConversationId } from './conversations.ts'
import { AnswerBuilder, type AnswerFacts, contextSizeIn, type ShownEvent } from './transcript.ts'

export interface TalkParts extends Omit<AssistantParts, 'history'> {
  readonly conversations: Conversations
  /** Id of the stored or the new conversation. */
  readonly id: string
  /** Number of exchanges (question and answer) to keep. A new question replaces later exchanges. Default: all. */
  readonly keptExchanges?: number
  /** Checks an answer against its sources, and finds the cited parts of the sources. Default: no check. */
  check?(answer: AnswerToCheck): Promise<Pick<AnswerFacts, 'checked' | 'citations'>>
}

/** An answer with its question and its conversation. */
interface AnswerToCheck {
  readonly question: string
  readonly answer: string
  readonly messages: readonly Message[]
  /** `provider/model`. */
  readonly model: string
}

export interface UserQuestion extends Pick<AskRun, 'view' | 'files'> {
  /** Id of the question and its exchange, which clients see. */
  readonly id: string
  readonly text: string
}

type StoredConversation = NonNullable<Awaited<ReturnType<Conversations['get']>>>
type Exchange = StoredConversation['exchanges'][number]
type EndEvent = Extract<ShownEvent, { readonly type: 'end' }>

/** Milliseconds between two saves of incomplete text. Complete parts are saved immediately. */
const SAVE_PAUSE_MS = 1_000

/** Stored as the name of a model that could not be found. */
const UNKNOWN_MODEL = 'unknown'

export class Talk {
  readonly id: string
  readonly assistant: Assistant
  readonly #parts: TalkParts
  /** The number of the next exchange. */
  #nextNumber: number
  #isStored: boolean
  /** The model that this process or an earlier exchange named; undefined for the configured model. */
  readonly #model: string | undefined
  /** The id of the last known exchange. */
  #lastId: string | undefined
  /** Receives the events of the current answer. */
  #emit: ((event: ShownEvent) => void) | undefined

  /** Opens a stored conversation, or a conversation that begins with the first question. */
  static async open(parts: TalkParts): Promise<Talk> {
    return new Talk(parts, await parts.conversations.get(parts.id))
  }

  /**
   * Opens the conversation with `id`; with `''`, the conversation that changed last; without an id, a new conversation.
   *
   * @throws ContextError `not-found` for an unknown id, or without any conversation.
   */
  static async resume(parts: AssistantParts, id?: string): Promise<Talk> {
    const conversations = await parts.engine.conversations()
    if (id === undefined) return Talk.open({ ...parts, conversations, id: newConversationId() })
    const knownId = id === '' ? (await conversations.list({ limit: 1 })).conversations[0]?.id : id
    if (knownId === undefined)
      throw new ContextError('not-found', 'There is no conversation yet.', { hint: 'Begin one: ambit chat' })
    return Talk.open({ ...parts, conversations, id: (await conversations.show(knownId)).id })
  }

  private constructor(parts: TalkParts, stored: StoredConversation | undefined) {
    const exchanges = (stored?.exchanges ?? []).slice(0, parts.keptExchanges)
    const last = exchanges.at(-1)
    const place = parts.place ?? last?.place
    const model = parts.model ?? (last?.model === UNKNOWN_MODEL ? undefined : last?.model)
    const history = last && { messages: exchanges.reduce(appendMessages, []), state: last.state as AssistantState }
    this.id = parts.id
    this.#parts = parts
    this.#nextNumber = exchanges.length
    this.#isStored = stored !== undefined
    this.#lastId = last?.id
    this.#model = model
    this.assistant = new Assistant({ ...parts, ...omitUndefined({ place, model, history }) })
  }

  emit(event: ShownEvent): void {
    this.#emit?.(event)
  }

  /**
   * This conversation. If another process continued it: a new object with the current exchanges, the same place and the
   * same model.
   */
  async current(): Promise<Talk> {
    const { keptExchanges: _, ...parts } = this.#parts
    const stored = await parts.conversations.get(this.id)
    const exchanges = stored?.exchanges ?? []
    if (exchanges.length === this.#nextNumber && exchanges.at(-1)?.id === this.#lastId) return this
    const model = await this.#modelName()
    return new Talk({ ...parts, place: this.assistant.place, ...(model !== UNKNOWN_MODEL && { model }) }, stored)
  }

  /**
   * Asks a question. Question and answer are saved continuously. `emit` receives events in order; `end` is the last,
   * and the whole exchange is saved before it.
   *
   * @throws ContextError for a place that cannot be loaded, or a model that cannot be used; the exchange is saved with
   * this error.
   */
  async ask(
    { id, text, view, files }: UserQuestion,
    { signal, emit }: { readonly signal?: AbortSignal; emit(event: ShownEvent): void },
  ): Promise<Answer> {
    const details = { place: this.assistant.place, model: await this.#modelName(), askedAt: new Date().toISOString() }
    if (!this.#isStored) await this.#parts.conversations.begin(text, { id: this.id, ...details })
    this.#isStored = true
    this.#lastId = id
    const exchange = { talk: this, number: this.#nextNumber++, id, question: text, details }
    const writer = writeExchange(this.#parts.conversations, exchange)
    const emitAndSave = (event: ShownEvent) => {
      writer.record(event)
      emit(event)
    }
    this.#emit = emitAndSave
    emitAndSave({ type: 'facts', facts: details })
    const run = {
      ...omitUndefined({ signal, view, files }),
      // `end` is emitted later, after the sources are known and everything is saved.
      emit: (event: ShownEvent) => event.type !== 'end' && emitAndSave(event),
      onMessages: (messages: readonly Message[]) => {
        writer.setMessages(messages)
        emitAndSave({ type: 'facts', facts: { context: { place: this.assistant.place, ...contextSizeIn(messages) } } })
      },
    }
    const finish = async (end: EndEvent) => {
      const problem = await writer.end(end)
      if (problem !== undefined) this.#parts.notice?.(`The conversation was not saved: ${problem}`)
      emit(end)
    }
    try {
      const answer = await this.assistant.ask(text, run)
      const { citations, reason, error } = answer
      const toCheck = { question: text, answer: answer.answer, messages: this.assistant.messages, model: details.model }
      const checked = reason === 'done' ? await this.#parts.check?.(toCheck) : {}
      emitAndSave({ type: 'facts', facts: { citations, ...checked } })
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
    return orElse(this.assistant.modelName(), () => this.#model ?? UNKNOWN_MODEL)
  }
}

/** An id that nobody can guess. */
export const newQuestionId = newConversationId

/** The messages of a conversation, exchange after exchange. */
function appendMessages(before: readonly Message[], { messages, isWhole }: Exchange): readonly Message[] {
  const stored = Array.isArray(messages) ? (messages as Message[]) : []
  return isWhole ? stored : [...before, ...stored]
}

interface NewExchange extends Pick<Exchange, 'id' | 'question'> {
  readonly talk: Talk
  readonly number: number
  readonly details: Pick<Exchange, 'place' | 'model' | 'askedAt'>
}

/** Writes one exchange as its events arrive. */
function writeExchange(conversations: Conversations, { talk, number, id, question, details }: NewExchange) {
  const builder = new AnswerBuilder()
  const earlierMessages = talk.assistant.messages
  let messages = earlierMessages
  let endReason: string | null = null
  const exchange = (): Exchange => {
    // If earlier messages were compacted, the exchange stores the whole conversation instead of its new messages.
    const isWhole = earlierMessages.some((message, index) => message !== messages[index])
    return {
      id,
      question,
      ...details,
      place: talk.assistant.place,
      end: endReason,
      shown: builder.answer,
      messages: isWhole ? messages : messages.slice(earlierMessages.length),
      isWhole,
      state: talk.assistant.state,
    }
  }
  const saving = coalesce(() => conversations.put(talk.id, number, exchange()))
  saving.now()
  return {
    /** Sets the messages of the whole conversation. They are saved with the next event. */
    setMessages: (all: readonly Message[]) => {
      messages = all
    },
    record: (event: ShownEvent) => {
      builder.apply(event)
      if (event.type === 'text') saving.afterPause()
      else if (event.type !== 'waiting' && event.type !== 'navigate') saving.now()
    },
    /**
     * Saves the end. Returns why the exchange was not saved; undefined if it was saved, or if the conversation was removed
     * meanwhile.
     */
    end: async (end: EndEvent): Promise<string | undefined> => {
      messages = talk.assistant.messages
      builder.apply(end)
      endReason = end.reason
      const saved = saving.now().then(() => undefined)
      return orElse(saved, ({ code, message }) => (code === 'not-found' ? undefined : message))
    },
  }
}

/** Coalesces calls of `work`: one run at a time, then one further run for all calls that were made meanwhile. */
function coalesce(work: () => Promise<void>) {
  let last: Promise<void> = Promise.resolve()
  let isQueued = false
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    isQueued = false
    return work()
  }
  /** Runs immediately, or after the current run. Rejects with the error of that run; callers may ignore it. */
  const now = () => {
    clearTimeout(timer)
    timer = undefined
    if (!isQueued) last = last.then(run, run)
    isQueued = true
    last.catch(() => {})
    return last
  }
  const afterPause = () => {
    timer ??= setTimeout(now, SAVE_PAUSE_MS).unref()
  }
  return { now, afterPause }
}
