import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError } from '../../../core/errors.ts'
import type { RunEvent } from '../../../research/events.ts'
import { narrationOf } from '../../../research/narration.ts'
import type { EventLimits } from '../events.ts'

/** Where a client is that has been told so much: what comes next is read from the log when it asks for it. */
export interface StreamParts {
  readonly events: AsyncGenerator<RunEvent>
  /** What is sent first. */
  readonly first: readonly string[]
  readonly limits: Pick<EventLimits, 'heartbeat' | 'stall'>
  /** Ends the reading. */
  readonly controller: AbortController
  /** Cuts the connection. */
  drop(): void
  /** It is over, however it ended. */
  done(): void
}

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(': still here\n\n')

/** JSON has no line breaks, so no data can pose as an event. */
export function frame(event: string, data: unknown, id?: number): string {
  const position = id === undefined ? '' : `id: ${id}\n`
  return `${position}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

export function eventFrame(event: RunEvent): string {
  return frame(event.type, { ...event, narration: narrationOf(event) }, event.seq)
}

/** The events of a session for one client. One that is slow costs nothing but its place; one that never asks is dropped. */
export class SessionStream implements UnderlyingSource<Uint8Array> {
  readonly #parts: StreamParts
  readonly #first: string[]
  #coming: Promise<IteratorResult<RunEvent>> | undefined
  #stalled: NodeJS.Timeout | undefined
  #isOver = false

  constructor(parts: StreamParts) {
    this.#parts = parts
    this.#first = [...parts.first]
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    clearTimeout(this.#stalled)
    try {
      const bytes = await this.#next()
      if (this.#isOver) return
      if (bytes) {
        controller.enqueue(bytes)
        this.#stalled = setTimeout(() => this.#drop(controller), this.#parts.limits.stall).unref()
        return
      }
      this.cancel()
      controller.close()
    } catch (error) {
      this.cancel()
      controller.error(error)
    }
  }

  cancel(): void {
    clearTimeout(this.#stalled)
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.controller.abort()
    this.#parts.done()
  }

  /** Undefined at the end. */
  async #next(): Promise<Uint8Array | undefined> {
    const first = this.#first.shift()
    if (first !== undefined) return encoder.encode(first)
    this.#coming ??= this.#parts.events.next()
    const { promise, resolve } = Promise.withResolvers<'quiet'>()
    const timer = setTimeout(() => resolve('quiet'), this.#parts.limits.heartbeat)
    const next = await Promise.race([this.#coming, promise]).finally(() => clearTimeout(timer))
    if (next === 'quiet') return HEARTBEAT
    this.#coming = undefined
    return next.done ? undefined : encoder.encode(eventFrame(next.value))
  }

  #drop(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#isOver) return
    this.cancel()
    this.#parts.drop()
    const error = new ContextError('over-limit', 'The client does not read.')
    setTimeout(() => controller.error(error), 10).unref()
  }
}
