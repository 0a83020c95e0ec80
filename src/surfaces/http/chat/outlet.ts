import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { serializeVisibly } from '../../../text/invisible.ts'
import type { StreamChunk } from './chunks.ts'

/** How an outlet behaves. */
export interface OutletLimits {
  /** Bytes that wait for a client, above what there was when it came. One that is further behind is dropped. */
  readonly backlog: number
  /** Milliseconds of silence after which a comment is sent, so that nothing on the way closes the connection. */
  readonly heartbeat: number
}

export const OUTLET_LIMITS: OutletLimits = { backlog: 1_048_576, heartbeat: 15_000 }

const HEARTBEAT = new TextEncoder().encode(': still here\n\n')
const DONE = new TextEncoder().encode('data: [DONE]\n\n')

/** One client of an answer: chunks wait here until it takes them. */
export class Outlet implements UnderlyingSource<Uint8Array> {
  readonly #limits: OutletLimits
  readonly #drop: () => void
  #waiting: Uint8Array[] = []
  /** Bytes that wait, and how many may. */
  #bytes = 0
  #most: number
  #isEnded = false
  #isGone = false
  #wake: (() => void) | undefined

  /** `first`: what it gets at once, however much that is. `drop` cuts the connection. */
  constructor(first: readonly StreamChunk[], { limits, drop }: { readonly limits: OutletLimits; drop(): void }) {
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

  get isGone(): boolean {
    return this.#isGone
  }

  /** The stream of it. */
  stream(): ReadableStream {
    return new ReadableStream<Uint8Array>(this, { highWaterMark: 0 })
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
    this.#wake?.()
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const isTime = this.#waiting.length === 0 && !this.#isEnded && !(await this.#news())
    if (this.#isGone) return
    const bytes = this.#waiting.length > 0 ? Buffer.concat(this.#waiting) : isTime ? HEARTBEAT : undefined
    this.#waiting = []
    this.#bytes = 0
    // Whoever has taken what there was is allowed no more than others.
    this.#most = this.#limits.backlog
    if (bytes) controller.enqueue(bytes)
    if (this.#isEnded) controller.close()
  }

  cancel(): void {
    this.#isGone = true
    this.#wake?.()
  }

  #add(bytes: Uint8Array): void {
    this.#waiting.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > this.#most) {
      this.cancel()
      this.#waiting = []
      this.#drop()
    }
    this.#wake?.()
  }

  /** Waits for something to send; false when only time has passed. */
  async #news(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), this.#limits.heartbeat).unref()
    this.#wake = () => resolve(true)
    return promise.finally(() => {
      clearTimeout(timer)
      this.#wake = undefined
    })
  }
}
