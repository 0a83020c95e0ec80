import { ContextError, invalidInput } from '../../core/errors.ts'
import { serializeVisibly } from '../../text/invisible.ts'
import { type Refusal, refuse } from './problem.ts'

/** A body that was read, or the answer to one that was not. */
export type ParsedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly response: Response }

/**
 * Reads a JSON body of at most so many bytes. Anything but JSON is refused: what a form of another site can send
 * without asking is never JSON. No body is `{}`.
 */
export async function jsonBody(request: Request, limit: number): Promise<ParsedBody> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) return no(NOT_JSON)
  if (Number(request.headers.get('content-length') ?? 0) > limit) return no(bodyTooLarge(limit))
  const bytes = await bytesAtMost(request, limit)
  if (!bytes) return no(bodyTooLarge(limit))
  return { ok: true, value: bytes.length === 0 ? {} : parseJsonBody(bytes) }
}

function no(refusal: Refusal): ParsedBody {
  return { ok: false, response: refuse(refusal) }
}

const NOT_JSON: Refusal = {
  status: 415,
  code: 'invalid-input',
  detail: 'The body must be JSON.',
  hint: 'Send Content-Type: application/json.',
}

function bodyTooLarge(limit: number): Refusal {
  return {
    status: 413,
    code: 'over-limit',
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
