import { serializeVisibly } from '../../../text/invisible.ts'
import { type EventFeed, type EventStream, eventStream, type StreamLimits, withPlace } from '../events/event-stream.ts'
import type { StreamChunk } from './chunks.ts'

/** Limits of an answer's stream. */
export interface AnswerStreamLimits extends StreamLimits {
  /** Maximum number of waiting bytes, beyond those at the start. A slower client is dropped. */
  readonly backlog: number
}

export const ANSWER_STREAM_LIMITS: AnswerStreamLimits = { backlog: 1_048_576, heartbeat: 15_000 }

const DONE = new TextEncoder().encode('data: [DONE]\n\n')

/** The stream of an answer to one client: chunks wait here until the client takes them. */
export class AnswerStream implements EventFeed {
  readonly #limits: AnswerStreamLimits
  readonly #drop: () => void
  #waiting: Uint8Array[] = []
  /** Waiting bytes, and their maximum. */
  #bytes = 0
  #most: number
  #isEnded = false
  #isGone = false
  #stream: EventStream | undefined

  /** `first`: chunks that the client gets at once, without a limit. `drop` closes the connection. */
  constructor(first: readonly StreamChunk[], { limits, drop }: { readonly limits: AnswerStreamLimits; drop(): void }) {
    this.#limits = limits
    this.#drop = drop
    this.#most = limits.backlog
    this.begin(first)
  }

  /** Adds the answer so far, without a limit. */
  begin(first: readonly StreamChunk[]): void {
    this.#most = Number.POSITIVE_INFINITY
    this.put(first)
    this.#most = this.#bytes + this.#limits.backlog
  }

  /** The body of the response. `giveBack` is called when its client is gone. */
  body(giveBack: () => void = () => {}): ReadableStream {
    return eventStream(withPlace(this, giveBack), this.#limits, this.#drop)
  }

  get isGone(): boolean {
    return this.#isGone
  }

  put(chunks: readonly StreamChunk[]): void {
    if (this.#isEnded || this.#isGone || chunks.length === 0) return
    // JSON has no line breaks, so no data can pose as another event.
    this.#add(new TextEncoder().encode(chunks.map((chunk) => `data: ${serializeVisibly(chunk)}\n\n`).join('')))
  }

  /** Ends the stream. */
  end(): void {
    if (this.#isEnded || this.#isGone) return
    this.#add(DONE)
    this.#isEnded = true
    this.#stream?.wake()
  }

  get isOver(): boolean {
    return this.#isEnded
  }

  take(): Uint8Array | undefined {
    const bytes = this.#waiting.length > 0 ? Buffer.concat(this.#waiting) : undefined
    this.#waiting = []
    this.#bytes = 0
    // From now on the client has the normal limit.
    this.#most = this.#limits.backlog
    return bytes
  }

  follow(stream: EventStream): void {
    this.#stream = stream
  }

  close(): void {
    this.#isGone = true
  }

  #add(bytes: Uint8Array): void {
    this.#waiting.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > this.#most) this.#leaveBehind()
    else this.#stream?.wake()
  }

  /** Drops a client that is too slow. */
  #leaveBehind(): void {
    this.#waiting = []
    this.#isGone = true
    if (this.#stream) this.#stream.drop()
    else this.#drop()
  }
}
