/** The stream to one client: events of any kind, or the bytes of a file. */

import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError } from '../../../core/errors.ts'

/** Times in milliseconds. */
export interface StreamLimits {
  /** Silence after which a comment is sent, so that proxies do not close the stream. Default: none. */
  readonly heartbeat?: number
  /** Time in which a client must read a chunk; a slower one is disconnected. Default: unlimited. */
  readonly stall?: number
  /** Whether `stall` also limits the time of the source. Default: no. */
  readonly isSourceTimed?: boolean
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

export interface AnswerStreamLimits extends StreamLimits {
  /** Maximum number of waiting bytes, without those at the start. A slower client is disconnected. */
  readonly backlog: number
}

export const ANSWER_STREAM_LIMITS: AnswerStreamLimits = { backlog: 1_048_576, heartbeat: 15_000 }

/** Source of a stream's events, as bytes. */
export interface EventFeed {
  /** The next bytes, as soon as they exist; undefined at the end. @throws ContextError if the source fails. */
  next(): Promise<Uint8Array | undefined>
  /** Called once, with the stream that reads it. */
  follow?(stream: EventStream): void
  /** The client is gone. Called once. */
  close(): void
}

export interface StreamConnection {
  /** Cuts the connection. */
  drop(): void
  /** Frees the place of the stream. Called when the client is gone or has everything. */
  done(): void
}

/** Maximum bytes of a chunk. */
const MAX_CHUNK_BYTES = 65_536

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
  #remaining: Uint8Array | undefined
  /** The pending read of the feed. */
  #pendingRead: Promise<Uint8Array | undefined> | undefined
  #sendHeartbeat = () => {}
  #hasSent = false
  #isWanted = false
  #hasEnded = false
  /** Both timers are reused: a timer for each event of each client would cost more than the events. */
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
      // The source failed, which is not a bug. A cut connection is not logged, and lets the client reconnect for the rest.
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

  /** Cuts the connection, so that a client never takes a part for the whole. */
  drop(error = new ContextError('over-limit', 'The client does not read.')): void {
    if (this.#hasEnded) return
    this.cancel()
    this.#connection.drop()
    // The cut connection ends the stream first: an earlier error would be logged as a bug.
    setTimeout(() => this.#controller?.error(error), 10).unref()
  }

  /** The next chunk, or a heartbeat. Undefined at the end. */
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

/** A stream without a queue: the source is read when the client reads. */
export function eventStream(feed: EventFeed, limits: StreamLimits, connection: StreamConnection): ReadableStream {
  return new ReadableStream<Uint8Array>(new EventStream(feed, limits, connection), { highWaterMark: 0 })
}

/**
 * A feed from an iterator, which is read when the client reads. `stop` ends the work at the source. `first`: the result that was already read.
 */
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
