import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError } from '../../core/errors.ts'

export interface PartsOptions {
  /** Milliseconds that the source may take for a part, and the client to take one. */
  readonly stall: number
  /** Ends the work at the source. */
  stop(): void
  /** Cuts the connection: what was promised is not sent. */
  drop(): void
  /** The work is over, however it ended. */
  done(): void
}

/**
 * Bytes as a stream that is asked for each part: a client that is slow holds one part, and one that takes none for too long
 * is dropped. A failure of the source cuts the connection, so that a part is never taken for the whole.
 */
export class PartStream implements UnderlyingSource<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #options: PartsOptions
  #first: IteratorResult<Uint8Array> | undefined
  #stalled: NodeJS.Timeout | undefined
  #isOver = false

  /** `first`: the part that was already read. */
  constructor(source: AsyncIterator<Uint8Array>, first: IteratorResult<Uint8Array>, options: PartsOptions) {
    this.#source = source
    this.#first = first
    this.#options = options
    this.#wait()
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#wait()
    try {
      const next = this.#first ?? (await this.#source.next())
      this.#first = undefined
      if (this.#isOver) return
      if (!next.done) {
        controller.enqueue(next.value)
        this.#wait()
        return
      }
      this.#end()
      controller.close()
    } catch (error) {
      this.#fail(controller, error)
    }
  }

  cancel(): void {
    this.#end()
    this.#options.stop()
    // This closes the file.
    this.#source.return?.().catch(() => {})
  }

  #wait(): void {
    clearTimeout(this.#stalled)
    if (this.#isOver) return
    this.#stalled = setTimeout(() => {
      this.cancel()
      this.#options.drop()
    }, this.#options.stall).unref()
  }

  /** Where a connection was cut, its end is heard first, and the stream is over. */
  #fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void {
    if (this.#isOver) return
    this.#end()
    this.#options.drop()
    const shown = error instanceof ContextError ? error : new Error('The source failed.', { cause: error })
    setTimeout(() => controller.error(shown), 10).unref()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#stalled)
    this.#options.done()
  }
}
