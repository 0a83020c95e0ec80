import { serializeVisibly } from '../../../text/invisible.ts'
import { type EventFeed, type EventStream, eventStream, type StreamLimits, withPlace } from '../events/event-stream.ts'
import type { StreamChunk } from './chunks.ts'

/** Limits of an answer's stream. */
export interface AnswerStreamLimits extends StreamLimits {
  /** Bytes that wait for a client, above what there was when it came. One that is further behind is dropped. */
  readonly backlog: number
}

export const ANSWER_STREAM_LIMITS: AnswerStreamLimits = { backlog: 1_048_576, heartbeat: 15_000 }

const DONE = new TextEncoder().encode('data: [DONE]\n\n')

/** One client of an answer: chunks wait here until it takes them. */
export class AnswerStream implements EventFeed {
  readonly #limits: AnswerStreamLimits
  readonly #drop: () => void
  #waiting: Uint8Array[] = []
  /** Bytes that wait, and how many may. */
  #bytes = 0
  #most: number
  #isEnded = false
  #isGone = false
  #stream: EventStream | undefined

  /** `first`: what it gets at once, however much that is. `drop` cuts the connection. */
  constructor(first: readonly StreamChunk[], { limits, drop }: { readonly limits: AnswerStreamLimits; drop(): void }) {
    this.#limits = limits
    this.#drop = drop
    this.#most = limits.backlog
    this.begin(first)
  }

  /** Gives what there was before it came, however much that is. */
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

  /** Nothing comes any more. */
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
    // Whoever has taken what there was is allowed no more than others.
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

  /** Drops a client that is too far behind, also before it has read anything. */
  #leaveBehind(): void {
    this.#waiting = []
    this.#isGone = true
    if (this.#stream) this.#stream.drop()
    else this.#drop()
  }
}
