/** The stream of events that one client is given, whatever they are of. */

import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError } from '../../../core/errors.ts'

/** Times in milliseconds. */
export interface StreamLimits {
  /** Silence after which a comment is sent, so that nothing on the way closes the stream. */
  readonly heartbeat: number
  /** How long a client may leave what was sent to it before it is dropped. Default: as long as it likes. */
  readonly stall?: number
}

/** How event streams of runs behave. Times in milliseconds. */
export interface EventLimits extends Required<StreamLimits> {
  /** How long a run continues without clients: one may come back. */
  readonly grace: number
  /**
   * Bytes of events that are kept of a run, for those who come back and for those who are slow: a client that is further
   * behind is dropped. The last event is always kept.
   */
  readonly buffer: number
}

export const EVENT_LIMITS: EventLimits = { heartbeat: 15_000, stall: 30_000, grace: 5_000, buffer: 1_048_576 }

/** Limits of an answer's stream. */
export interface AnswerStreamLimits extends StreamLimits {
  /** Maximum number of waiting bytes, beyond those at the start. A slower client is dropped. */
  readonly backlog: number
}

export const ANSWER_STREAM_LIMITS: AnswerStreamLimits = { backlog: 1_048_576, heartbeat: 15_000 }

/** Source of a stream's events, as bytes. */
export interface EventFeed {
  /** The next bytes; undefined while there are none. @throws ContextError where they cannot be read now. */
  take(): Uint8Array | undefined
  /** Whether nothing comes after what can be taken. */
  readonly isOver: boolean
  /** From now on it wakes the stream when there may be something to take. */
  follow(stream: EventStream): void
  /** The client is gone. Called once. */
  close(): void
}

/** The connection of a stream. */
export interface StreamConnection {
  /** Cuts it. */
  drop(): void
  /** The client is gone, or has all: gives back its place among the streams. */
  done(): void
}

/** Bytes that are handed over at once. */
const CHUNK = 65_536

const HEARTBEAT = new TextEncoder().encode(': still here\n\n')

/**
 * The events of a feed for one client, which asks for each bit: one that is slow costs nothing but its place in the feed.
 * One that leaves its bit too long is dropped.
 */
export class EventStream implements UnderlyingSource<Uint8Array> {
  readonly #feed: EventFeed
  readonly #limits: StreamLimits
  readonly #connection: StreamConnection
  /** Rest of an event that is larger than a chunk. */
  #rest: Uint8Array | undefined
  #wake = (_isNews: boolean) => {}
  #hasSent = false
  #isAsked = false
  #isOver = false
  /** Both are made once: a timer for each event of each client costs more than the events do. */
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
    const { heartbeat, stall } = this.#limits
    this.#quiet = setInterval(() => this.#wake(false), heartbeat).unref()
    if (stall !== undefined) this.#stalled = setInterval(() => this.#isAsked || this.drop(), stall).unref()
    this.#feed.follow(this)
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#isAsked = true
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
      this.cancel()
      // The database is unavailable: a client resumes after its last event. This is not a bug to log.
      if (error instanceof ContextError) this.#connection.drop()
      else controller.error(error)
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

  /** Whether its client has left the last bit of an event where it is. */
  get isLeft(): boolean {
    return this.#hasSent && !this.#isAsked && this.#rest === undefined
  }

  /** There may be something to take. */
  wake(): void {
    this.#wake(true)
  }

  /** Its client does not read. */
  drop(): void {
    if (this.#isOver) return
    this.cancel()
    this.#connection.drop()
    // A cut connection ends its stream; an error would be logged as ours.
    const error = new ContextError('over-limit', 'The client does not read.')
    setTimeout(() => this.#controller?.error(error), 10).unref()
  }

  #next(): Uint8Array | undefined {
    const bytes = this.#rest ?? this.#feed.take()
    if (!bytes || bytes.length <= CHUNK) {
      this.#rest = undefined
      return bytes
    }
    this.#rest = bytes.subarray(CHUNK)
    return bytes.subarray(0, CHUNK)
  }

  /** The next bit when it comes, or a heartbeat. Undefined when nothing comes any more. */
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

/** As a stream that holds nothing ready: what comes next is read when it is asked for. */
export function eventStream(feed: EventFeed, limits: StreamLimits, connection: StreamConnection): ReadableStream {
  return new ReadableStream<Uint8Array>(new EventStream(feed, limits, connection), { highWaterMark: 0 })
}
