/** Streams to one client: events of any kind, or the bytes of a file. */

import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError } from '../../../core/errors.ts'

/** Time limits of a stream, in milliseconds. */
export interface StreamLimits {
  /** Time without an event after which a comment is sent, so that proxies do not close the stream. Default: no comments. */
  readonly heartbeat?: number
  /** Time in which a client must read a chunk. A slower client is disconnected. Default: unlimited. */
  readonly stall?: number
  /** Whether `stall` also limits the time that the source takes for a chunk. Default: false. */
  readonly isSourceTimed?: boolean
}

/** Settings of event streams of runs. Times in milliseconds. */
export interface EventLimits extends Required<Pick<StreamLimits, 'heartbeat' | 'stall'>> {
  /** Time that a run continues without clients, so that a client can reconnect. */
  readonly grace: number
  /**
   * Maximum bytes of a run's events to store, for clients that reconnect or are slow. A client that falls further behind is
   * disconnected. The last event is always stored.
   */
  readonly buffer: number
}

export const EVENT_LIMITS: EventLimits = { heartbeat: 15_000, stall: 30_000, grace: 5_000, buffer: 1_048_576 }

export interface AnswerStreamLimits extends StreamLimits {
  /**
   * Maximum number of bytes that wait for the client, in addition to the answer so far at the start. A slower client is
   * disconnected.
   */
  readonly backlog: number
}

export const ANSWER_STREAM_LIMITS: AnswerStreamLimits = { backlog: 1_048_576, heartbeat: 15_000 }

/** Source of a stream's events, as bytes. */
export interface EventFeed {
  /** The next bytes, as soon as they exist; undefined at the end. @throws ContextError if the source fails. */
  next(): Promise<Uint8Array | undefined>
  /** Called once, with the stream that reads this feed. */
  follow?(stream: EventStream): void
  /** Called once, when the client is gone. */
  close(): void
}

export interface StreamConnection {
  /** Cuts the connection. */
  drop(): void
  /** Frees the slot of the stream. Called when the client is gone or has everything. */
  done(): void
}

/** Maximum bytes of a chunk. */
const MAX_CHUNK_BYTES = 65_536

const HEARTBEAT = new TextEncoder().encode(': still here\n\n')

/**
 * Streams the events of a feed to one client. The client pulls each chunk, so a slow client needs no buffer. A client that does
 * not read a chunk in time is disconnected.
 */
export class EventStream implements UnderlyingSource<Uint8Array> {
  readonly #feed: EventFeed
  readonly #limits: StreamLimits
  readonly #connection: StreamConnection
  /** The rest of an event that is larger than a chunk. */
  #remaining: Uint8Array | undefined
  /** The pending read of the feed. */
  #pendingRead: Promise<Uint8Array | undefined> | undefined
  #sendHeartbeat = () => {}
  #hasSent = false
  #isWanted = false
  #hasEnded = false
  /** Both timers are reused, because a timer for each event of each client would cost more than the events. */
  #stallTimer: NodeJS.Timeout | undefined
  #heartbeatTimer: NodeJS.Timeout | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(feed: EventFeed, limits: StreamLimits, connection: StreamConnection) {
    this.#feed = feed
    this.#limits = limits
    this.#connection = connection
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    const { heartbeat, stall, isSourceTimed = false } = this.#limits
    const isLate = () => isSourceTimed || !this.#isWanted
    if (heartbeat !== undefined) this.#heartbeatTimer = setInterval(() => this.#sendHeartbeat(), heartbeat).unref()
    if (stall !== undefined) this.#stallTimer = setInterval(() => isLate() && this.drop(), stall).unref()
    this.#feed.follow?.(this)
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#isWanted = true
    this.#stallTimer?.refresh()
    try {
      const bytes = await this.#next()
      if (this.#hasEnded) return
      if (bytes) {
        this.#isWanted = false
        this.#hasSent = true
        this.#stallTimer?.refresh()
        controller.enqueue(bytes)
      } else {
        this.cancel()
        controller.close()
      }
    } catch (error) {
      // The failure of a source is not a bug. Cuts the connection, which is not logged, so that the client reconnects
      // for the rest.
      if (error instanceof ContextError) return this.drop(error)
      this.cancel()
      controller.error(error)
    }
  }

  cancel(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearInterval(this.#heartbeatTimer)
    clearInterval(this.#stallTimer)
    this.#connection.done()
    this.#feed.close()
  }

  /** Whether the client has not read the last chunk. */
  get isUnread(): boolean {
    return this.#hasSent && !this.#isWanted && this.#remaining === undefined
  }

  /** Cuts the connection, so that a client never takes an incomplete stream for a complete one. */
  drop(error = new ContextError('over-limit', 'The client does not read.')): void {
    if (this.#hasEnded) return
    this.cancel()
    this.#connection.drop()
    // Delayed, because the cut connection must end the stream first. Otherwise the error would be logged as a bug.
    setTimeout(() => this.#controller?.error(error), 10).unref()
  }

  /** The next chunk, or a heartbeat; undefined at the end. */
  async #next(): Promise<Uint8Array | undefined> {
    const bytes = this.#remaining ?? (await this.#nextOrHeartbeat())
    this.#remaining = bytes && bytes.length > MAX_CHUNK_BYTES ? bytes.subarray(MAX_CHUNK_BYTES) : undefined
    return this.#remaining ? bytes?.subarray(0, MAX_CHUNK_BYTES) : bytes
  }

  async #nextOrHeartbeat(): Promise<Uint8Array | undefined> {
    this.#heartbeatTimer?.refresh()
    const { promise: beat, resolve } = Promise.withResolvers<Uint8Array>()
    this.#sendHeartbeat = () => resolve(HEARTBEAT)
    this.#pendingRead ??= this.#feed.next()
    const bytes = await Promise.race([this.#pendingRead, beat])
    if (bytes !== HEARTBEAT) this.#pendingRead = undefined
    return bytes
  }
}

/** A stream without a queue. The source is read when the client reads. */
export function eventStream(feed: EventFeed, limits: StreamLimits, connection: StreamConnection): ReadableStream {
  return new ReadableStream<Uint8Array>(new EventStream(feed, limits, connection), { highWaterMark: 0 })
}

/** A feed from an iterator. `stop` ends the work at the source. `first`: the result that was already read. */
export function iteratorFeed(
  source: AsyncIterator<Uint8Array>,
  stop: () => void,
  first?: IteratorResult<Uint8Array>,
): EventFeed {
  let pending = first
  return {
    next: async () => {
      const { done, value } = pending ?? (await source.next())
      pending = undefined
      return done ? undefined : value
    },
    close: () => {
      stop()
      // A signal does not end an idle iterator.
      source.return?.().catch(() => {})
    },
  }
}
