import { jsonBody } from '../body.ts'
import { methodRefusal } from '../guard.ts'
import { refuse } from '../problem.ts'
import { chatAsked } from './asked.ts'
import { type ChatParts, Chats } from './chats.ts'
import type { Outlet } from './outlet.ts'

/** Bytes of a body: clients of the SDK send all that was said, of which the last message is taken. */
const MOST_BODY = 16 * 1024 * 1024

/** A request, and how its connection is cut. */
export interface ChatAsk {
  readonly request: Request
  drop(): void
}

/** The routes of the assistant, by what stands behind `/api/chat`. */
export class ChatRoutes {
  readonly #chats: Chats

  constructor(parts: ChatParts) {
    this.#chats = new Chats(parts)
  }

  /** `POST /api/chat`. */
  async ask({ request, drop }: ChatAsk): Promise<Response> {
    if (request.method !== 'POST') return refuse(methodRefusal(['POST']))
    const body = await jsonBody(request, MOST_BODY)
    return body.ok ? streamed(await this.#chats.ask(chatAsked(body.value), drop)) : body.response
  }

  /** `/api/chat/{id}/stream`, `/stop` and `/prompt`; undefined for what is none. */
  async one(id: string, what: string, { request, drop }: ChatAsk): Promise<Response | undefined> {
    if (!WHATS.includes(what)) return undefined
    const method = what === 'stop' ? 'POST' : 'GET'
    // Nobody would read the stream of a HEAD.
    if (request.method !== method) return refuse(methodRefusal([method]))
    if (what === 'prompt') return json(await this.#chats.prompt(id))
    const outlet = what === 'stream' ? this.#chats.join(id, drop) : this.#chats.stop(id)
    return outlet ? streamed(outlet) : new Response(null, { status: 204 })
  }

  /** `GET /api/chat/models`. */
  models(): Response {
    return json(this.#chats.models())
  }
}

const WHATS = ['stream', 'stop', 'prompt']

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } })
}

function streamed(outlet: Outlet): Response {
  const headers = {
    'Content-Type': 'text/event-stream',
    'X-Accel-Buffering': 'no',
    'X-Vercel-AI-UI-Message-Stream': 'v1',
  }
  return new Response(outlet.stream(), { headers })
}
