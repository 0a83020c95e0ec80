/** The routes of the assistant. */

import type { Conversations } from '../../../agent/conversations.ts'
import type { MakeTools } from '../../../agent/host.ts'
import { receiveCommands } from '../../../agent/remote-commands.ts'
import { Talk, type UserQuestion } from '../../../agent/talk.ts'
import { answerIdOf, promptText } from '../../../agent/transcript.ts'
import { BOUNDS } from '../../../core/bounds.ts'
import { BUILT_IN_MODEL } from '../../../core/choices.ts'
import { asContextError, ContextError, invalidInput } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { assistantTools } from '../../../operations/tools.ts'
import { verifyAnswer } from '../../../research/answer-check.ts'
import { jsonBody, jsonResponse, streamResponse } from '../body.ts'
import { methodRefusal } from '../guard.ts'
import type { ConnectedRequest, HttpParts, TakeSlot } from '../http-parts.ts'
import { NOT_FOUND, refuse } from '../problem.ts'
import { RemoteAnswer, type RemoteAnswerParts } from './remote-answer.ts'
import { type ChatRequest, importMessages, notPending, parseChatRequest, readReply, storedQuestion } from './request.ts'
import { type AnswerStream, RunningAnswer } from './running.ts'

interface ChatParts extends RemoteAnswerParts, Pick<HttpParts, 'operations' | 'backgroundWork'> {
  /** The engine, confined to the served places. */
  readonly engine: Engine
  /** Whether the client is the owner of the server. Only the owner may decide to trust an address. */
  readonly isOwner: boolean
  /** Take a slot for an open stream, for a body, and for an answer. */
  readonly takeStreamSlot: TakeSlot
  readonly takeBodySlot: TakeSlot
  readonly takeAnswerSlot: TakeSlot
  /** The error as the client may see it. */
  shownError(error: unknown, request: unknown): Promise<unknown>
}

/** Answers `/api/chat` and the routes below it. */
export class ChatRoutes {
  readonly #parts: ChatParts
  readonly #makeTools: MakeTools
  readonly #running = new Map<string, RunningAnswer>()

  constructor(parts: ChatParts) {
    this.#parts = parts
    const offeredOperations = parts.operations.filter(({ effect }) => parts.allowWrite || effect === 'read')
    this.#makeTools = assistantTools(parts.engine, offeredOperations)
    const stopAll = () => {
      for (const running of this.#running.values()) running.stop()
    }
    parts.closing?.addEventListener('abort', stopAll, { once: true })
  }

  get running(): number {
    return this.#running.size
  }

  /** Answers a request. `POST /api/chat` asks the assistant. */
  async answer(connected: ConnectedRequest): Promise<Response> {
    const [id, route, ...more] = new URL(connected.request.url).pathname.split('/').slice(3)
    if (id === undefined) return this.#answerChat(connected)
    if (id === 'models' && route === undefined) {
      const models = this.#parts.engine.offeredModels().map((name, at) => ({ name, isDefault: at === 0 }))
      return methodRefusalFor(connected, 'GET') ?? jsonResponse({ models })
    }
    return more.length === 0 && route !== undefined ? this.#answerRoute(id, route, connected) : refuse(NOT_FOUND)
  }

  async #answerChat({ request, drop }: ConnectedRequest): Promise<Response> {
    if (request.method !== 'POST') return refuse(methodRefusal(['POST']))
    const body = await this.#readBody(request)
    return this.#stream(async () => {
      const chatRequest = parseChatRequest(body)
      return chatRequest.approvals.size > 0 ? this.#approve(chatRequest, drop) : this.#start(chatRequest, drop)
    })
  }

  #readBody(request: Request): Promise<unknown> {
    const freeSlot = this.#parts.takeBodySlot()
    return jsonBody(request, BOUNDS.chatRequest).finally(freeSlot)
  }

  async #answerRoute(id: string, route: string, connected: ConnectedRequest): Promise<Response> {
    const method = ROUTE_METHODS.get(route)
    const refusal = method === undefined ? refuse(NOT_FOUND) : methodRefusalFor(connected, method)
    if (refusal) return refusal
    if (route === 'prompt') return jsonResponse(await this.#sentMessages(id))
    const body = route === 'answer' ? await this.#readBody(connected.request) : undefined
    const answer = await this.#answerOf(id)
    if (route === 'stream') return this.#stream(async () => answer.join(connected.drop))
    if (route === 'answer') await answer.reply((parts) => readReply(body, parts))
    else await answer.stop()
    return new Response(null, { status: 204 })
  }

  /** The answer in progress of a conversation, in this process or in another process. */
  async #answerOf(id: string): Promise<RunningAnswer | RemoteAnswer> {
    return this.#running.get(id) ?? new RemoteAnswer(id, await this.#parts.engine.conversations(), this.#parts)
  }

  /** Responds with a stream, or with 204 if `openStream` returns none. @throws ContextError if no slot for a stream is free. */
  async #stream(openStream: () => Promise<AnswerStream | undefined>): Promise<Response> {
    const freeSlot = this.#parts.takeStreamSlot()
    let stream: AnswerStream | undefined
    try {
      stream = await openStream()
    } finally {
      if (!stream) freeSlot()
    }
    if (stream) return streamResponse(stream.body(freeSlot), { 'X-Vercel-AI-UI-Message-Stream': 'v1' })
    return new Response(null, { status: 204 })
  }

  /** The messages that the model got, in order. @throws ContextError `not-found`. */
  async #sentMessages(id: string) {
    const { engine } = this.#parts
    const conversations = await engine.conversations()
    await conversations.show(id)
    const { assistant } = await Talk.open({ engine, makeTools: this.#makeTools, conversations, id })
    return promptText(assistant.messages)
  }

  async #approve({ id, approvals }: ChatRequest, drop: () => void): Promise<AnswerStream> {
    const stream = await (await this.#answerOf(id)).joinAfterApproval(approvals, drop)
    if (!stream) throw notPending()
    return stream
  }

  async #start(request: ChatRequest, drop: () => void): Promise<AnswerStream> {
    const conversations = await this.#parts.engine.conversations()
    const freeSlot = this.#parts.takeAnswerSlot()
    const { promise: stream, resolve, reject } = Promise.withResolvers<AnswerStream>()
    let onError: (error: unknown) => void = reject
    const onStarted = (running: RunningAnswer) => {
      onError = (error) => this.#parts.logBug?.(error, 'chat')
      resolve(running.join(drop))
    }
    const work = conversations
      .runExclusively(request.id, () => this.#runAnswer(request, conversations, onStarted))
      .catch((error: unknown) => onError(error))
      .finally(() => {
        this.#parts.backgroundWork?.delete(work)
        freeSlot()
      })
    this.#parts.backgroundWork?.add(work)
    return stream
  }

  /** Runs the answer to its end. The caller must hold the conversation exclusively. */
  async #runAnswer(
    request: ChatRequest,
    conversations: Conversations,
    onStarted: (running: RunningAnswer) => void,
  ): Promise<void> {
    const { id, view } = request
    const { keepCount, question } = await this.#resolveTurn(request, conversations)
    const running = new RunningAnswer(question.id, this.#parts.limits)
    const talk = await this.#openTalk(request, { conversations, running, keepCount })
    running.sendEventsTo((event) => talk.emit(event))
    this.#running.set(id, running)
    try {
      onStarted(running)
      if (this.#parts.closing?.aborted) running.stop()
      const answer = () => this.#answer(talk, running, { ...question, ...(view !== undefined && { view }) })
      await receiveCommands(conversations, { id, stop: () => running.stop(), approve: running.deliverReplies }, answer)
    } finally {
      this.#running.delete(id)
    }
  }

  #openTalk(
    { id, place, model, canAskTrust, canAskQuestions }: ChatRequest,
    { conversations, running, keepCount }: { conversations: Conversations; running: RunningAnswer; keepCount: number },
  ): Promise<Talk> {
    const { engine, allowWrite, isOwner } = this.#parts
    return Talk.open({
      engine,
      makeTools: this.#makeTools,
      conversations,
      id,
      keptExchanges: keepCount,
      check: checkAnswer,
      view: { navigate: (to) => running.emit({ type: 'navigate', place: to }) },
      ...(allowWrite && { approve: running.approve }),
      ...(canAskTrust && isOwner && { trust: running.trust }),
      ...(canAskQuestions && { answer: running.answer }),
      ...(place !== undefined && { place }),
      ...(model !== undefined && { model }),
    })
  }

  /** The question, and the number of earlier exchanges to keep. The client's copy of stored exchanges is ignored. */
  async #resolveTurn(
    request: ChatRequest,
    conversations: Conversations,
  ): Promise<{ readonly keepCount: number; readonly question: UserQuestion }> {
    const stored = await conversations.get(request.id)
    if (!stored && request.earlier.length > 0) {
      await importMessages(conversations, request, request.model ?? this.#parts.engine.offeredModels()[0] ?? '')
      return this.#resolveTurn({ ...request, earlier: [] }, conversations)
    }
    const exchanges = stored?.exchanges ?? []
    const { trigger, messageId, question } = request
    const at = exchanges.findIndex(({ id }) => id === messageId || answerIdOf(id) === messageId)
    if (trigger === 'regenerate-message') {
      const keepCount = at === -1 ? exchanges.length - 1 : at
      const exchange = exchanges[keepCount]
      if (exchange) return { keepCount, question: storedQuestion(exchange) }
    }
    if (!question) throw invalidInput('There is no question.', 'Send a message of the person.')
    // A question with a known id was sent again, or was edited.
    const known = exchanges.findIndex(({ id }) => id === question.id)
    return { keepCount: at !== -1 ? at : known !== -1 ? known : exchanges.length, question }
  }

  async #answer(talk: Talk, running: RunningAnswer, question: UserQuestion): Promise<void> {
    try {
      await talk.ask(question, { signal: running.signal, emit: running.emit })
    } catch (error) {
      const shown = await this.#parts.shownError(error, question.text)
      if (!(error instanceof ContextError)) this.#parts.logBug?.(error, 'chat')
      const hint = 'This is a bug in Ambit.'
      running.fail(asContextError(shown) ?? new ContextError('unavailable', 'The server failed.', { hint }))
    }
  }
}

/** Checks answers only by code, because a judging model would need requests that the person did not ask for. */
const checkAnswer: NonNullable<Parameters<typeof Talk.open>[0]['check']> = async ({ model, ...request }) => {
  const today = new Date().toISOString().slice(0, 10)
  const options = { today, isQuoted: model === BUILT_IN_MODEL, isRenumbered: false }
  const { text, claims, citations } = await verifyAnswer({ ...request, ...options })
  const doubts = claims.flatMap((claim) => (claim.why === undefined ? [] : [{ text: claim.text, why: claim.why }]))
  return { citations, ...(doubts.length > 0 && { checked: { text, doubts } }) }
}

/** Refuses other methods, including HEAD. */
function methodRefusalFor({ request }: ConnectedRequest, method: string): Response | undefined {
  return request.method === method ? undefined : refuse(methodRefusal([method]))
}

/** The method of each route of a conversation, by the last segment of the route. */
const ROUTE_METHODS = new Map(Object.entries({ stream: 'GET', prompt: 'GET', stop: 'POST', answer: 'POST' }))
