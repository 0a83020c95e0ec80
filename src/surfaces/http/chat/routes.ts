import { BOUNDS } from '../../../core/bounds.ts'
import { jsonBody, streamResponse, toJson } from '../body.ts'
import { methodRefusal } from '../guard.ts'
import type { ConnectedRequest, TakePlace } from '../http-parts.ts'
import { ABSENT, refuse } from '../problem.ts'
import { chatAsked } from './asked.ts'
import { Chats, type ChatServerParts } from './chats.ts'
import type { AnswerStream } from './running.ts'

interface ChatRouteParts extends ChatServerParts {
  /** Streams that may be open, and bodies that may be read. */
  readonly streams: TakePlace
  readonly bodies: TakePlace
}

/** The routes of the assistant, by what stands behind `/api/chat`. */
export class ChatRoutes {
  readonly #chats: Chats
  readonly #parts: ChatRouteParts

  constructor(parts: ChatRouteParts) {
    this.#parts = parts
    this.#chats = new Chats(parts)
  }

  /** Answers under way. */
  get running(): number {
    return this.#chats.running
  }

  /** What stands below `/api/chat`: `POST` there asks. */
  async answer(asked: ConnectedRequest): Promise<Response> {
    const [id, what, ...more] = new URL(asked.request.url).pathname.split('/').slice(3)
    if (id === undefined) return this.#ask(asked)
    if (id === 'models' && what === undefined) return only(asked, 'GET') ?? toJson(this.#chats.models())
    return more.length === 0 && what !== undefined ? this.#one(id, what, asked) : refuse(ABSENT)
  }

  async #ask({ request, drop }: ConnectedRequest): Promise<Response> {
    if (request.method !== 'POST') return refuse(methodRefusal(['POST']))
    const hasRead = this.#parts.bodies()
    const body = await jsonBody(request, BOUNDS.chatRequest).finally(hasRead)
    return this.#streamed(() => this.#chats.ask(chatAsked(body), drop))
  }

  async #one(id: string, what: string, asked: ConnectedRequest): Promise<Response> {
    if (!WHATS.includes(what)) return refuse(ABSENT)
    const refusal = only(asked, what === 'stop' ? 'POST' : 'GET')
    if (refusal) return refusal
    if (what === 'prompt') return toJson(await this.#chats.prompt(id))
    if (what === 'stream') return this.#streamed(() => this.#chats.join(id, asked.drop))
    await this.#chats.stop(id)
    return new Response(null, { status: 204 })
  }

  /** What comes of it as a stream, while there is a place for one. */
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
}

/** HEAD is refused, too: it has no body. */
function only({ request }: ConnectedRequest, method: string): Response | undefined {
  return request.method === method ? undefined : refuse(methodRefusal([method]))
}

const WHATS = ['stream', 'stop', 'prompt']
