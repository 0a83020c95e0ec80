/** Answers in progress, and their clients. */

import type { Conversations } from '../../../agent/conversations.ts'
import type { MakeTools } from '../../../agent/host.ts'
import { receiveCommands } from '../../../agent/remote-commands.ts'
import { Talk } from '../../../agent/talk.ts'
import { answerIdOf, promptTold } from '../../../agent/transcript.ts'
import { BOUNDS } from '../../../core/bounds.ts'
import { BUILT_IN_MODEL } from '../../../core/choices.ts'
import { asContextError, ContextError, invalidInput } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { AnyOperation } from '../../../operations/index.ts'
import { assistantTools } from '../../../operations/tools.ts'
import { verifyAnswer } from '../../../research/answer-check.ts'
import { jsonBody, streamResponse, toJson } from '../body.ts'
import { methodRefusal } from '../guard.ts'
import type { ConnectedRequest, TakePlace } from '../http-parts.ts'
import { Limiter } from '../limiters.ts'
import { ABSENT, refuse } from '../problem.ts'
import {
  type ChatAsked,
  type ChatQuestion,
  chatAsked,
  importMessages,
  nothingWaits,
  readReply,
  storedQuestion,
} from './asked.ts'
import { RemoteAnswer, type RemoteAnswerParts } from './remote-answer.ts'
import { type AnswerStream, Running } from './running.ts'

interface ChatParts extends RemoteAnswerParts {
  /** The engine, confined to the places that the server shows. */
  readonly engine: Engine
  readonly operations: readonly AnyOperation[]
  /** Whether the client is the owner of the server, whose trust in addresses is stored. */
  readonly isOwner: boolean
  /** Work that continues without a client. */
  readonly work?: Set<Promise<void>>
  /** Places for open streams, and for bodies. */
  readonly streams: TakePlace
  readonly bodies: TakePlace
  /** The error as the client may see it. */
  shownError(error: unknown): Promise<unknown>
}

/** Maximum number of answers of one principal at once. They spend most of their time waiting for a model. */
const MOST = 16

/** The assistant over HTTP: the routes below `/api/chat`. */
export class ChatRoutes {
  readonly #parts: ChatParts
  readonly #makeTools: MakeTools
  readonly #running = new Map<string, Running>()
  readonly #slots = new Limiter(MOST, 'operations under way', true)

  constructor(parts: ChatParts) {
    this.#parts = parts
    const offered = parts.operations.filter(({ effect }) => parts.allowWrite || effect === 'read')
    this.#makeTools = assistantTools(parts.engine, offered)
    const stopAll = () => {
      for (const running of this.#running.values()) running.stop()
    }
    parts.closing?.addEventListener('abort', stopAll, { once: true })
  }

  get running(): number {
    return this.#running.size
  }

  /** Answers `POST /api/chat`, which asks, and the routes below it. */
  async answer(asked: ConnectedRequest): Promise<Response> {
    const [id, what, ...more] = new URL(asked.request.url).pathname.split('/').slice(3)
    if (id === undefined) return this.#asked(asked)
    if (id === 'models' && what === undefined) {
      const models = this.#parts.engine.offered().map((name, at) => ({ name, isDefault: at === 0 }))
      return only(asked, 'GET') ?? toJson({ models })
    }
    return more.length === 0 && what !== undefined ? this.#one(id, what, asked) : refuse(ABSENT)
  }

  async #asked({ request, drop }: ConnectedRequest): Promise<Response> {
    if (request.method !== 'POST') return refuse(methodRefusal(['POST']))
    const body = await this.#body(request)
    return this.#streamed(async () => {
      const asked = chatAsked(body)
      return asked.approvals.size > 0 ? this.#answered(asked, drop) : this.#begun(asked, drop)
    })
  }

  #body(request: Request): Promise<unknown> {
    const hasRead = this.#parts.bodies()
    return jsonBody(request, BOUNDS.chatRequest).finally(hasRead)
  }

  async #one(id: string, what: string, asked: ConnectedRequest): Promise<Response> {
    const method = WHATS.get(what)
    const refusal = method === undefined ? refuse(ABSENT) : only(asked, method)
    if (refusal) return refusal
    if (what === 'prompt') return toJson(await this.#prompt(id))
    const body = what === 'answer' ? await this.#body(asked.request) : undefined
    const answer = await this.#answerOf(id)
    if (what === 'stream') return this.#streamed(async () => answer.join(asked.drop))
    if (what === 'answer') await answer.reply((parts) => readReply(body, parts))
    else await answer.stop()
    return new Response(null, { status: 204 })
  }

  /** The answer in progress of a conversation, in this process or in another one. */
  async #answerOf(id: string): Promise<Running | RemoteAnswer> {
    return this.#running.get(id) ?? new RemoteAnswer(id, await this.#parts.engine.conversations(), this.#parts)
  }

  /** Streams an answer, if a place for a stream is free. */
  async #streamed(join: () => Promise<AnswerStream | undefined>): Promise<Response> {
    const done = this.#parts.streams()
    const stream = await join().catch((error: unknown) => {
      done()
      throw error
    })
    if (stream) return streamResponse(stream.body(done), { 'X-Vercel-AI-UI-Message-Stream': 'v1' })
    done()
    return new Response(null, { status: 204 })
  }

  /** The messages that the model got, in order. @throws ContextError `not-found`. */
  async #prompt(id: string) {
    const conversations = await this.#parts.engine.conversations()
    await conversations.show(id)
    const { assistant } = await Talk.open({
      engine: this.#parts.engine,
      makeTools: this.#makeTools,
      conversations,
      id,
    })
    return promptTold(assistant.messages)
  }

  async #answered({ id, approvals }: ChatAsked, drop: () => void): Promise<AnswerStream> {
    const stream = await (await this.#answerOf(id)).answered(approvals, drop)
    if (!stream) throw nothingWaits()
    return stream
  }

  async #begun(asked: ChatAsked, drop: () => void): Promise<AnswerStream> {
    const conversations = await this.#parts.engine.conversations()
    const free = this.#slots.take()
    const { promise: stream, resolve, reject } = Promise.withResolvers<AnswerStream>()
    let refuse: (error: unknown) => void = reject
    const begun = (running: Running) => {
      refuse = (error) => this.#log(error)
      resolve(running.join(drop))
    }
    const work = conversations
      .answering(asked.id, () => this.#given(asked, conversations, begun))
      .catch((error: unknown) => refuse(error))
      .finally(() => {
        this.#parts.work?.delete(work)
        free()
      })
    this.#parts.work?.add(work)
    return stream
  }

  /** Starts the answer, and holds the conversation exclusively until it ends. */
  async #given(asked: ChatAsked, conversations: Conversations, begun: (running: Running) => void): Promise<void> {
    const { id, view } = asked
    const { stays, question } = await this.#turn(asked, conversations)
    const running = new Running(question.id, this.#parts.limits)
    const talk = await this.#talk(asked, { conversations, running, stays })
    running.through((event) => talk.tell(event))
    this.#running.set(id, running)
    try {
      begun(running)
      if (this.#parts.closing?.aborted) running.stop()
      const asking = () => this.#answer(talk, running, { ...question, ...(view !== undefined && { view }) })
      await receiveCommands(conversations, { id, stop: () => running.stop(), approve: running.say }, asking)
    } finally {
      this.#running.delete(id)
    }
  }

  #talk(
    { id, place, model, trust, questions }: ChatAsked,
    { conversations, running, stays }: { conversations: Conversations; running: Running; stays: number },
  ): Promise<Talk> {
    const { engine, allowWrite, isOwner } = this.#parts
    return Talk.open({
      engine,
      makeTools: this.#makeTools,
      conversations,
      id,
      stays,
      check: checkAnswer,
      view: { navigate: (to) => running.emit({ type: 'navigate', place: to }) },
      ...(allowWrite && { approve: running.approve }),
      ...(trust && isOwner && { trust: running.trust }),
      ...(questions && { answer: running.answer }),
      ...(place !== undefined && { place }),
      ...(model !== undefined && { model }),
    })
  }

  /** The question, and the number of earlier exchanges that stay. The client's copy of them is ignored. */
  async #turn(
    asked: ChatAsked,
    conversations: Conversations,
  ): Promise<{ readonly stays: number; readonly question: ChatQuestion }> {
    const kept = await conversations.find(asked.id)
    if (!kept && asked.before.length > 0) {
      await importMessages(conversations, asked, asked.model ?? this.#parts.engine.offered()[0] ?? '')
      return this.#turn({ ...asked, before: [] }, conversations)
    }
    const exchanges = kept?.exchanges ?? []
    const { trigger, messageId, question } = asked
    const at = exchanges.findIndex(({ id }) => id === messageId || answerIdOf(id) === messageId)
    if (trigger === 'regenerate-message') {
      const stays = at === -1 ? exchanges.length - 1 : at
      const again = exchanges[stays]
      if (again) return { stays, question: storedQuestion(again) }
    }
    if (!question) throw invalidInput('There is no question.', 'Send a message of the person.')
    // A question with a known id was sent again or edited.
    const known = exchanges.findIndex(({ id }) => id === question.id)
    return { stays: at !== -1 ? at : known !== -1 ? known : exchanges.length, question }
  }

  #log(error: unknown): void {
    this.#parts.log?.(error, 'chat')
  }

  async #answer(talk: Talk, running: Running, question: Parameters<Talk['ask']>[0]): Promise<void> {
    try {
      await talk.ask(question, { signal: running.signal, emit: running.emit })
    } catch (error) {
      const shown = await this.#parts.shownError(error)
      if (!(error instanceof ContextError)) this.#log(error)
      running.fail(
        asContextError(shown) ??
          new ContextError('unavailable', 'The server failed.', { hint: 'This is a bug in Ambit.' }),
      )
    }
  }
}

/** Checks answers only by code: a judging model would need requests that the person did not ask for. */
const checkAnswer: NonNullable<Parameters<typeof Talk.open>[0]['check']> = async ({ model, ...given }) => {
  const today = new Date().toISOString().slice(0, 10)
  const how = { today, isQuoted: model === BUILT_IN_MODEL, isRenumbered: false }
  const { text, claims } = await verifyAnswer({ ...given, ...how })
  const doubts = claims.flatMap((claim) => (claim.why === undefined ? [] : [{ text: claim.text, why: claim.why }]))
  return doubts.length > 0 ? { checked: { text, doubts } } : {}
}

/** Refuses other methods, also HEAD, which has no body. */
function only({ request }: ConnectedRequest, method: string): Response | undefined {
  return request.method === method ? undefined : refuse(methodRefusal([method]))
}

/** The last part of a route of one conversation, and its method. */
const WHATS = new Map(Object.entries({ stream: 'GET', prompt: 'GET', stop: 'POST', answer: 'POST' }))
