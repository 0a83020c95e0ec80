import { narrationOf, type RunEvent } from '../../../research/events.ts'
import { serializeVisibly } from '../../../text/invisible.ts'
import type { EventFeed, EventStream } from '../events/event-stream.ts'

/** The events of a session for a client: each is read from the log when the client takes it. */
export interface SessionEvents {
  readonly events: AsyncGenerator<RunEvent>
  /** Events that are sent first. */
  readonly first: readonly string[]
  /** Ends the reading. */
  readonly controller: AbortController
}

const encoder = new TextEncoder()

/** JSON has no line breaks, so no data can pose as an event. */
export function frame(event: string, data: unknown, id?: number): string {
  const position = id === undefined ? '' : `id: ${id}\n`
  return `${position}event: ${event}\ndata: ${serializeVisibly(data)}\n\n`
}

/** Serialized events: one serves all clients. */
const frames = new WeakMap<RunEvent, Uint8Array>()

function eventFrame(event: RunEvent): Uint8Array {
  const known = frames.get(event)
  if (known) return known
  const bytes = encoder.encode(frame(event.type, { ...event, narration: narrationOf(event) }, event.seq))
  frames.set(event, bytes)
  return bytes
}

/** The events of a session for one client. */
export class SessionFeed implements EventFeed {
  readonly #parts: SessionEvents
  readonly #first: string[]
  #stream: EventStream | undefined
  #isComing = false
  #come: IteratorResult<RunEvent> | undefined
  #failed: { readonly error: unknown } | undefined

  constructor(parts: SessionEvents) {
    this.#parts = parts
    this.#first = [...parts.first]
  }

  get isOver(): boolean {
    return this.#come?.done === true
  }

  /** @throws what the events could not be read by. */
  take(): Uint8Array | undefined {
    const first = this.#first.shift()
    if (first !== undefined) return encoder.encode(first)
    if (this.#failed) throw this.#failed.error
    const come = this.#come
    if (!come) this.#ask()
    if (!come || come.done) return undefined
    this.#come = undefined
    return eventFrame(come.value)
  }

  follow(stream: EventStream): void {
    this.#stream = stream
  }

  close(): void {
    this.#parts.controller.abort()
    // A pending event keeps the iterator open: the signal alone does not end it.
    this.#parts.events.return(undefined).catch(() => {})
  }

  #ask(): void {
    if (this.#isComing) return
    this.#isComing = true
    this.#parts.events.next().then(
      (come) => {
        this.#isComing = false
        this.#come = come
        this.#stream?.wake()
      },
      (error: unknown) => {
        this.#failed = { error }
        this.#stream?.wake()
      },
    )
  }
}
