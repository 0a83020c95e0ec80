import { Readable } from 'node:stream'
import { ContextError } from '../../core/errors.ts'

/** Which part of what comes is wanted. */
export interface BodyPart {
  /** Bytes to leave out first: where a service sent the whole, though a part was asked for. */
  readonly skip: number
  /** Bytes that are wanted then. */
  readonly length: number
  /** Bytes that come. */
  readonly total: number
}

/** The body of an answer as a stream of Node, as which it came. */
export function nodeStream(body: unknown): Readable {
  if (body instanceof Readable) return body
  throw new ContextError('unavailable', 'The answer of the service has no body.')
}

/** Lets go of a body that is not wanted, and of its connection. */
export function dropBody(body: unknown): void {
  if (body instanceof Readable) body.destroy()
}

/** Reads a part. A body is read to its end, so that its connection is of use again, unless far more than is wanted comes. */
export async function readBodyPart(body: unknown, { skip, length, total }: BodyPart): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = -skip
  for await (const chunk of nodeStream(body)) {
    const from = Math.min(chunk.length, Math.max(0, -at))
    at += from
    if (at >= 0) at += chunk.copy(bytes, at, from)
    if (at >= length && skip + length < total) break
  }
  if (at < length) throw truncatedBody(at, length)
  return bytes
}

/** The code of a connection that ended before its time. */
export const CONNECTION_LOST = 'ECONNRESET'

/** What a body lacks that ended before its time. As if the connection had been lost, which it may have been. */
export function truncatedBody(came: number, length: number): Error {
  return Object.assign(new Error(`${came} of ${length} bytes came.`), { code: CONNECTION_LOST })
}
