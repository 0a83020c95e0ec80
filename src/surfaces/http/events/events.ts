import { randomBytes } from 'node:crypto'
import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError, invalidInput } from '../../../core/errors.ts'
import type { RunLog } from './run-log.ts'

/** How event streams behave. Times in milliseconds. */
export interface EventLimits {
  /** Silence after which a comment is sent, so that nothing on the way closes the stream. */
  readonly heartbeat: number
  /** How long a client may leave what was sent to it before it is dropped. */
  readonly stall: number
  /** How long a run goes on when nobody listens any more: a client may come back. */
  readonly grace: number
  /**
   * Bytes of events that are kept of a run, for those who come back and for those who are slow: a client that is further
   * behind is dropped. The last event is always kept.
   */
  readonly buffer: number
}

export const EVENT_LIMITS: EventLimits = { heartbeat: 15_000, stall: 30_000, grace: 5_000, buffer: 1_048_576 }

/** Bytes that are handed over at once. */
const CHUNK = 65_536

const HEARTBEAT = new TextEncoder().encode(': still here\n\n')

/** The id of a run: nobody can guess it. */
export function newRunId(): string {
  return randomBytes(16).toString('base64url')
}

/** Where a client was, from `Last-Event-ID`: `RUN.SEQ`. */
export function positionOf(id: string): { readonly run: string; readonly seq: number } {
  const [, run, seq] = /^([\w-]{22})\.(\d{1,15})$/.exec(id) ?? []
  if (run !== undefined && seq !== undefined) return { run, seq: Number(seq) }
  const hint = 'Send the id of the last event that arrived, as it was.'
  throw invalidInput('Last-Event-ID is not the id of an event.', hint)
}

/**
 * The events of a run after one of them, as a stream that is asked for each bit: a client that is slow costs nothing but
 * its place in the run's buffer. One that leaves its bit too long, or that the buffer has moved on from meanwhile, is
 * dropped.
 */
export function eventStream(
  log: RunLog,
  after: number,
  options: { limits: EventLimits; drop(): void },
): ReadableStream {
  return new ReadableStream<Uint8Array>(new LogReader(log, after, options), { highWaterMark: 0 })
}

/** One client of a run. */
export class LogReader implements UnderlyingSource<Uint8Array> {
  readonly #log: RunLog
  readonly #options: { limits: EventLimits; drop(): void }
  #seq: number
  /** What is left of an event that is larger than a bit. */
  #rest: Uint8Array | undefined
  #stalled: NodeJS.Timeout | undefined
  #wake: (() => void) | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(log: RunLog, after: number, options: { limits: EventLimits; drop(): void }) {
    this.#log = log
    this.#seq = after
    this.#options = options
    log.join(this)
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#controller = controller
    clearTimeout(this.#stalled)
    this.#stalled = undefined
    const bit = this.#next() ?? (await this.#later())
    if (!this.#log.has(this)) return
    if (bit) {
      controller.enqueue(bit)
      this.#stalled = setTimeout(() => this.drop(), this.#options.limits.stall).unref()
    } else {
      this.cancel()
      controller.close()
    }
  }

  cancel(): void {
    clearTimeout(this.#stalled)
    this.#log.leave(this)
    this.#wake?.()
  }

  /** There is news, or the buffer has moved on. */
  tell(): void {
    if (this.#stalled !== undefined && this.#rest === undefined && this.#log.isGone(this.#seq + 1)) this.drop()
    else this.#wake?.()
  }

  drop(): void {
    if (!this.#log.has(this)) return
    this.cancel()
    this.#options.drop()
    // Where a connection was cut, its end is heard first, and the stream is over; an error would be logged as one of ours.
    const error = new ContextError('over-limit', 'The client does not read.')
    setTimeout(() => this.#controller?.error(error), 10).unref()
  }

  /** The next bit that is there; undefined when there is none yet, or no more. */
  #next(): Uint8Array | undefined {
    if (!this.#rest) {
      const event = this.#log.after(this.#seq)
      if (!event) return undefined
      this.#seq = event.seq
      this.#rest = event.bytes
    }
    const bit = this.#rest.subarray(0, CHUNK)
    this.#rest = bit.length < this.#rest.length ? this.#rest.subarray(CHUNK) : undefined
    return bit
  }

  /** Waits for the next bit, or for the time of a heartbeat. Undefined when the run is over. */
  async #later(): Promise<Uint8Array | undefined> {
    if (this.#log.isOver || !this.#log.has(this)) return undefined
    const isTime = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), this.#options.limits.heartbeat).unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve(false)
      }
    })
    this.#wake = undefined
    return isTime ? HEARTBEAT : (this.#next() ?? (await this.#later()))
  }
}
