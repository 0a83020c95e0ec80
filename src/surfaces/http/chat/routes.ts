import { BOUNDS } from '../../../core/bounds.ts'
import { jsonBody, toJson } from '../body.ts'
import { methodRefusal } from '../guard.ts'
import type { TakePlace } from '../http-parts.ts'
import { ABSENT, refuse } from '../problem.ts'
import type { AnswerStream } from './answer-stream.ts'
import { chatAsked } from './asked.ts'
import { type ChatServerParts, Chats } from './chats.ts'

/** A request, and how its connection is cut. */
export interface ChatAsk {
  readonly request: Request
  drop(): void
}

interface ChatRouteParts extends ChatServerParts {
  /** Streams that may be open, and bodies that may be read. */
  readonly streams: TakePlace
  readonly bodies: TakePlace
}

/** The routes of the assistant, by what stands behind `/api/chat`. */
export class ChatRoutes {
  readonly #chats: Chats
  readonly #parts: ChatRouteParts
  #streams = 0

  constructor(parts: ChatRouteParts) {
    this.#parts = parts
    this.#chats = new Chats(parts)
  }

  /** Streams that are open. */
  get streams(): number {
    return this.#streams
  }

  /** Answers under way. */
  get running(): number {
    return this.#chats.running
  }

  /** What stands below `/api/chat`: `POST` there asks. */
  async answer(asked: ChatAsk): Promise<Response> {
    const [id, what, ...more] = new URL(asked.request.url).pathname.split('/').slice(3)
    if (id === undefined) return this.#ask(asked)
    if (id === 'models' && what === undefined) return only(asked, 'GET') ?? toJson(this.#chats.models())
    return more.length === 0 && what !== undefined ? this.#one(id, what, asked) : refuse(ABSENT)
  }

  async #ask({ request, drop }: ChatAsk): Promise<Response> {
    if (request.method !== 'POST') return refuse(methodRefusal(['POST']))
    const hasRead = this.#parts.bodies()
    const body = await jsonBody(request, BOUNDS.chatRequest).finally(hasRead)
    return body.ok ? this.#streamed(() => this.#chats.ask(chatAsked(body.value), drop)) : body.response
  }

  async #one(id: string, what: string, asked: ChatAsk): Promise<Response> {
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
    const giveBack = this.#parts.streams()
    const stream = await join().catch((error: unknown) => {
      giveBack()
      throw error
    })
    if (!stream) {
      giveBack()
      return new Response(null, { status: 204 })
    }
    this.#streams++
    const isOver = () => {
      this.#streams--
      giveBack()
    }
    return streamResponse(stream.body(isOver))
  }
}

/** HEAD is refused, too: it has no body. */
function only({ request }: ChatAsk, method: string): Response | undefined {
  return request.method === method ? undefined : refuse(methodRefusal([method]))
}

const WHATS = ['stream', 'stop', 'prompt']

function streamResponse(body: ReadableStream): Response {
  const headers = {
    'Content-Type': 'text/event-stream',
    'X-Accel-Buffering': 'no',
    'X-Vercel-AI-UI-Message-Stream': 'v1',
  }
  return new Response(body, { headers })
}
