/** The stream to one client: events of any kind, or the bytes of a file. */

import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError } from '../../../core/errors.ts'

/** Times in milliseconds. */
export interface StreamLimits {
  /** Silence after which a comment is sent, so that proxies do not close the stream. Default: none. */
  readonly heartbeat?: number
  /** Maximum time in which a client must read a chunk, or is disconnected. Default: unlimited. */
  readonly stall?: number
  /** Whether the same limit applies to the source. Default: no. */
  readonly isSourceTimed?: boolean
  /** Bytes of a chunk. Default: 65,536. */
  readonly bit?: number
}

/** Settings of event streams of runs. Times in milliseconds. */
export interface EventLimits extends Required<Pick<StreamLimits, 'heartbeat' | 'stall'>> {
  /** How long a run continues without clients, which may reconnect. */
  readonly grace: number
  /**
   * Bytes of a run's events that are stored for clients that reconnect or are slow. A client that is further behind is disconnected. The last event
   * is always stored.
   */
  readonly buffer: number
}

export const EVENT_LIMITS: EventLimits = { heartbeat: 15_000, stall: 30_000, grace: 5_000, buffer: 1_048_576 }

/** Limits of an answer's stream. */
export interface AnswerStreamLimits extends StreamLimits {
  /** Maximum number of waiting bytes, without those at the start. A slower client is disconnected. */
  readonly backlog: number
}

export const ANSWER_STREAM_LIMITS: AnswerStreamLimits = { backlog: 1_048_576, heartbeat: 15_000 }

/** Source of a stream's events, as bytes. */
export interface EventFeed {
  /** The next bytes; undefined while there are none. @throws ContextError if the source fails. */
  take(): Uint8Array | undefined
  /** Whether the source has ended. */
  readonly isOver: boolean
  /** Wakes the stream from now on when there may be new bytes. */
  follow(stream: EventStream): void
  /** The client is gone. Called once. */
  close(): void
}

/** The connection of a stream. */
export interface StreamConnection {
  /** Cuts it. */
  drop(): void
  /** Frees the place of the stream, when the client is gone or has everything. */
  done(): void
}

const BIT = 65_536

const HEARTBEAT = new TextEncoder().encode(': still here\n\n')

/**
 * The events of a feed for one client, which pulls each chunk: a slow client only costs its position in the feed. One that does not read a chunk in
 * time is disconnected.
 */
export class EventStream implements UnderlyingSource<Uint8Array> {
  readonly #feed: EventFeed
  readonly #limits: StreamLimits
  readonly #connection: StreamConnection
  /** The rest of an event that is larger than a chunk. */
  #rest: Uint8Array | undefined
  #wake = (_isNews: boolean) => {}
  #hasSent = false
  #isAsked = false
  #isOver = false
  /** Both timers are reused: a timer for each event of each client would cost more than the events. */
  #stalled: NodeJS.Timeout | undefined
  #quiet: NodeJS.Timeout | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(feed: EventFeed, limits: StreamLimits, connection: StreamConnection) {
    this.#feed = feed
    this.#limits = limits
    this.#connection = connection
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    const { heartbeat, stall, isSourceTimed = false } = this.#limits
    const isLate = () => isSourceTimed || !this.#isAsked
    if (heartbeat !== undefined) this.#quiet = setInterval(() => this.#wake(false), heartbeat).unref()
    if (stall !== undefined) this.#stalled = setInterval(() => isLate() && this.drop(), stall).unref()
    this.#feed.follow(this)
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#isAsked = true
    this.#stalled?.refresh()
    try {
      const bytes = this.#next() ?? (await this.#later())
      if (this.#isOver) return
      if (bytes) {
        this.#isAsked = false
        this.#hasSent = true
        this.#stalled?.refresh()
        controller.enqueue(bytes)
      } else {
        this.cancel()
        controller.close()
      }
    } catch (error) {
      // The source fails, which is not a bug to log. The client may reconnect for the rest.
      if (error instanceof ContextError) return this.drop(error)
      this.cancel()
      controller.error(error)
    }
  }

  cancel(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#quiet)
    clearInterval(this.#stalled)
    this.#connection.done()
    this.#feed.close()
    this.#wake(true)
  }

  /** Whether the client has not read the last chunk. */
  get isLeft(): boolean {
    return this.#hasSent && !this.#isAsked && this.#rest === undefined
  }

  /** Called when there may be new bytes. */
  wake(): void {
    this.#wake(true)
  }

  /** Cuts the connection, so that a client never takes a part for the whole. */
  drop(error = new ContextError('over-limit', 'The client does not read.')): void {
    if (this.#isOver) return
    this.cancel()
    this.#connection.drop()
    // The cut connection ends the stream first: an earlier error would be logged as a bug.
    setTimeout(() => this.#controller?.error(error), 10).unref()
  }

  #next(): Uint8Array | undefined {
    const { bit = BIT } = this.#limits
    const bytes = this.#rest ?? this.#feed.take()
    this.#rest = bytes && bytes.length > bit ? bytes.subarray(bit) : undefined
    return this.#rest ? bytes?.subarray(0, bit) : bytes
  }

  /** The next chunk, or a heartbeat. Undefined at the end. */
  async #later(): Promise<Uint8Array | undefined> {
    this.#quiet?.refresh()
    while (!this.#feed.isOver) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      this.#wake = resolve
      const isNews = await promise
      if (this.#isOver) return undefined
      const bytes = this.#next()
      if (bytes) return bytes
      if (!isNews) return HEARTBEAT
    }
    return undefined
  }
}

/** A stream without a queue: the source is read when the client reads. */
export function eventStream(feed: EventFeed, limits: StreamLimits, connection: StreamConnection): ReadableStream {
  return new ReadableStream<Uint8Array>(new EventStream(feed, limits, connection), { highWaterMark: 0 })
}

/** A feed from an iterator, which is read when the client reads. */
export class IteratorFeed implements EventFeed {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #stop: () => void
  #stream: EventStream | undefined
  #isComing = false
  #come: IteratorResult<Uint8Array> | undefined
  #failed: { readonly error: unknown } | undefined

  /** `stop` ends the work at the source. `first`: the result that was already read. */
  constructor(source: AsyncIterator<Uint8Array>, stop: () => void, first?: IteratorResult<Uint8Array>) {
    this.#source = source
    this.#stop = stop
    this.#come = first
  }

  get isOver(): boolean {
    return this.#come?.done === true
  }

  /** @throws the error of the source. */
  take(): Uint8Array | undefined {
    if (this.#failed) throw this.#failed.error
    const come = this.#come
    if (!come) this.#ask()
    if (!come || come.done) return undefined
    this.#come = undefined
    return come.value
  }

  follow(stream: EventStream): void {
    this.#stream = stream
  }

  close(): void {
    this.#stop()
    // A signal does not end an idle iterator.
    this.#source.return?.().catch(() => {})
  }

  #ask(): void {
    if (this.#isComing) return
    this.#isComing = true
    const come = (next: IteratorResult<Uint8Array>) => {
      this.#isComing = false
      this.#come = next
    }
    const fail = (error: unknown) => {
      this.#failed = { error }
    }
    this.#source
      .next()
      .then(come, fail)
      .finally(() => this.#stream?.wake())
  }
}
