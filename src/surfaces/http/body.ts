import { createHash } from 'node:crypto'
import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { serializeVisibly } from '../../text/invisible.ts'
import { type Refusal, RefusedRequest } from './problem.ts'

/**
 * Reads a JSON body of at most so many bytes. Anything but JSON is refused: what a form of another site can send
 * without asking is never JSON. No body is `{}`.
 *
 * @throws RefusedRequest; ContextError `invalid-input`.
 */
export async function jsonBody(request: Request, limit: number): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) throw new RefusedRequest(NOT_JSON)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new RefusedRequest(bodyTooLarge(limit))
  const bytes = await bytesAtMost(request, limit)
  if (!bytes) throw new RefusedRequest(bodyTooLarge(limit))
  return bytes.length === 0 ? {} : parseJsonBody(bytes)
}

const NOT_JSON: Refusal = {
  status: 415,
  detail: 'The body must be JSON.',
  hint: 'Send Content-Type: application/json.',
}

function bodyTooLarge(limit: number): Refusal {
  return {
    status: 413,
    detail: `The body has more than ${limit} bytes.`,
    hint: 'Send less at once.',
    // The rest of it is not read.
    headers: { Connection: 'close' },
  }
}

/** The bytes of a body; undefined where they are more. @throws ContextError `cancelled` where it is cut off. */
export async function bytesAtMost(request: Request, limit: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength
      if (length > limit) return undefined
      chunks.push(chunk)
    }
  } catch (cause) {
    // The client disconnected, or was too slow: nobody reads this answer.
    throw new ContextError('cancelled', 'The body was cut off.', { hint: 'Send all of it.', cause })
  }
  return Buffer.concat(chunks)
}

function parseJsonBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalidInput('The body is not JSON in UTF-8.', 'Send an object of inputs.')
  }
}

/** An answer that is not an operation's. */
export function toJson(value: unknown, status = 200): Response {
  return new Response(serializeVisibly(value), { status, headers: { 'Content-Type': 'application/json' } })
}

/** A stream of events. */
export function streamResponse(body: ReadableStream | string, more: Readonly<Record<string, string>> = {}): Response {
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no', ...more } })
}

/** The answer as JSON; for a GET with a strong ETag, and 304 where the client has it. */
export function jsonResponse(request: Request, answer: unknown): Response {
  const body = serializeVisibly(answer)
  if (request.method === 'POST') return new Response(body, { headers: { 'Content-Type': 'application/json' } })
  const tag = createHash('sha256').update(body).digest('base64url')
  const known = tagsOf(request.headers.get('if-none-match'))
  const isKnown = known.includes(tag) || known[0] === '*'
  const headers = { ETag: `"${tag}"`, 'Content-Type': 'application/json' }
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers })
}

/** The ETags that a header `If-None-Match` or `If-Range` lists, without their quotes; `*` is any. */
export function tagsOf(header: string | null): string[] {
  if (header?.trim() === '*') return ['*']
  return [...(header ?? '').matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, tag = '']) => tag)
}

interface PartsOptions {
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

  /** A cut connection ends its stream without an error. */
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
