import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError } from '../../../core/errors.ts'
import type { RunEvent } from '../../../research/events.ts'
import { narrationOf } from '../../../research/narration.ts'
import { serializeVisibly } from '../../../text/invisible.ts'
import type { EventLimits } from '../events/events.ts'

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
  return `${position}event: ${event}\ndata: ${serializeVisibly(data)}\n\n`
}

/** Of events that are told to many: each is written once. */
const frames = new WeakMap<RunEvent, Uint8Array>()

function eventFrame(event: RunEvent): Uint8Array {
  const known = frames.get(event)
  if (known) return known
  const bytes = encoder.encode(frame(event.type, { ...event, narration: narrationOf(event) }, event.seq))
  frames.set(event, bytes)
  return bytes
}

/** The events of a session for one client. One that is slow costs nothing but its place; one that never asks is dropped. */
export class SessionStream implements UnderlyingSource<Uint8Array> {
  readonly #parts: StreamParts
  readonly #first: string[]
  #isComing = false
  #come: IteratorResult<RunEvent> | undefined
  #failed: { readonly error: unknown } | undefined
  #wake = () => {}
  /** Made once, since a timer for each event of each client costs more than the events do. */
  #stalled: NodeJS.Timeout | undefined
  #quiet: NodeJS.Timeout | undefined
  #isAsked = false
  #isOver = false

  constructor(parts: StreamParts) {
    this.#parts = parts
    this.#first = [...parts.first]
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { heartbeat, stall } = this.#parts.limits
    this.#quiet = setInterval(() => this.#wake(), heartbeat).unref()
    this.#stalled = setInterval(() => this.#isAsked || this.#drop(controller), stall).unref()
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#isAsked = true
    try {
      const bytes = await this.#next()
      if (this.#isOver) return
      if (bytes) {
        this.#isAsked = false
        this.#stalled?.refresh()
        controller.enqueue(bytes)
        return
      }
      this.cancel()
      controller.close()
    } catch (error) {
      this.cancel()
      // The database went away: whoever comes back goes on with the last event that they had. It is not a bug to be told of.
      if (error instanceof ContextError) this.#parts.drop()
      else controller.error(error)
    }
  }

  cancel(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#quiet)
    clearInterval(this.#stalled)
    this.#parts.controller.abort()
    // Where it stands at an event nobody took, the signal alone does not end it.
    this.#parts.events.return(undefined).catch(() => {})
    this.#parts.done()
  }

  /** Undefined at the end. */
  async #next(): Promise<Uint8Array | undefined> {
    const first = this.#first.shift()
    if (first !== undefined) return encoder.encode(first)
    this.#ask()
    this.#quiet?.refresh()
    if (!this.#come && !this.#failed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    if (this.#failed) throw this.#failed.error
    const come = this.#come
    if (!come) return HEARTBEAT
    this.#come = undefined
    return come.done ? undefined : eventFrame(come.value)
  }

  #ask(): void {
    if (this.#isComing || this.#come) return
    this.#isComing = true
    this.#parts.events.next().then(
      (come) => {
        this.#isComing = false
        this.#come = come
        this.#wake()
      },
      (error: unknown) => {
        this.#failed = { error }
        this.#wake()
      },
    )
  }

  #drop(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#isOver) return
    this.cancel()
    this.#parts.drop()
    const error = new ContextError('over-limit', 'The client does not read.')
    setTimeout(() => controller.error(error), 10).unref()
  }
}
