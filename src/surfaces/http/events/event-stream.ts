/** The stream that one client is given: events, whatever they are of, or the bytes of a file. */

import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError } from '../../../core/errors.ts'

/** Times in milliseconds. */
export interface StreamLimits {
  /** Silence after which a comment is sent, so that nothing on the way closes the stream. Default: none is. */
  readonly heartbeat?: number
  /** How long a client may leave what was sent to it before it is dropped. Default: as long as it likes. */
  readonly stall?: number
  /** Whether the source may take no longer for what comes next. Default: as long as it likes. */
  readonly isSourceTimed?: boolean
  /** Bytes that are handed over at once. Default: 65,536. */
  readonly bit?: number
}

/** How event streams of runs behave. Times in milliseconds. */
export interface EventLimits extends Required<Pick<StreamLimits, 'heartbeat' | 'stall'>> {
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

const BIT = 65_536

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
      // The source is away: a client comes back for the rest. This is not a bug to log.
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

  /** Whether its client has left the last bit of an event where it is. */
  get isLeft(): boolean {
    return this.#hasSent && !this.#isAsked && this.#rest === undefined
  }

  /** There may be something to take. */
  wake(): void {
    this.#wake(true)
  }

  /** Cuts the connection, so that a part is never taken for the whole. */
  drop(error = new ContextError('over-limit', 'The client does not read.')): void {
    if (this.#isOver) return
    this.cancel()
    this.#connection.drop()
    // A cut connection ends its stream; an error would be logged as ours.
    setTimeout(() => this.#controller?.error(error), 10).unref()
  }

  #next(): Uint8Array | undefined {
    const { bit = BIT } = this.#limits
    const bytes = this.#rest ?? this.#feed.take()
    this.#rest = bytes && bytes.length > bit ? bytes.subarray(bit) : undefined
    return this.#rest ? bytes?.subarray(0, bit) : bytes
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

/** A feed of what an iterator gives: the next is asked for when the client takes it. */
export class IteratorFeed implements EventFeed {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #stop: () => void
  #stream: EventStream | undefined
  #isComing = false
  #come: IteratorResult<Uint8Array> | undefined
  #failed: { readonly error: unknown } | undefined

  /** `stop` ends the work at the source. `first`: what was read already. */
  constructor(source: AsyncIterator<Uint8Array>, stop: () => void, first?: IteratorResult<Uint8Array>) {
    this.#source = source
    this.#stop = stop
    this.#come = first
  }

  get isOver(): boolean {
    return this.#come?.done === true
  }

  /** @throws what the source failed by. */
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
    // An iterator that waits to be asked is not ended by a signal.
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
