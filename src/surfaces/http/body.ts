import { createHash } from 'node:crypto'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { serializeVisibly } from '../../text/invisible.ts'
import { type Refusal, RefusedRequest } from './problem.ts'

/**
 * Reads a JSON body of at most `limit` bytes; `{}` without a body. Other media types are refused, because a page of another site
 * can send some of them without a preflight request.
 *
 * @throws RefusedRequest; ContextError `invalid-input`.
 */
export async function jsonBody(request: Request, limit: number): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) throw new RefusedRequest(NOT_JSON)
  const bytes = await readLimitedBody(request, limit)
  if (!bytes) throw new RefusedRequest(bodyTooLarge(limit))
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalidInput('The body is not JSON in UTF-8.', 'Send an object of inputs.')
  }
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
    // The rest of the body is not read, so the connection cannot be reused.
    headers: { Connection: 'close' },
  }
}

/**
 * The bytes of a body; undefined if the body or its `Content-Length` exceeds `limit` bytes. @throws ContextError `cancelled` if
 * it is cut off.
 */
export async function readLimitedBody(request: Request, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength
      if (length > limit) return undefined
      chunks.push(chunk)
    }
  } catch (cause) {
    // The client disconnected, or was too slow. Nobody reads this response.
    throw new ContextError('cancelled', 'The body was cut off.', { hint: 'Send all of it.', cause })
  }
  return Buffer.concat(chunks)
}

export function jsonResponse(value: unknown, status = 200): Response {
  return new Response(serializeVisibly(value), { status, headers: { 'Content-Type': 'application/json' } })
}

export function streamResponse(body: ReadableStream | string, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no', ...headers } })
}

/** An answer as JSON. Except for POST, it has a strong ETag, and is an empty 304 if the client has the same answer. */
export function taggedJsonResponse(request: Request, answer: unknown): Response {
  const body = serializeVisibly(answer)
  if (request.method === 'POST') return new Response(body, { headers: { 'Content-Type': 'application/json' } })
  const tag = createHash('sha256').update(body).digest('base64url')
  const clientTags = tagsOf(request.headers.get('if-none-match'))
  const isKnown = clientTags.includes(tag) || clientTags[0] === '*'
  const headers = { ETag: `"${tag}"`, 'Content-Type': 'application/json' }
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers })
}

/** The ETags in a header `If-None-Match` or `If-Range`, without their quotes; `['*']` for any. */
export function tagsOf(header: string | null): string[] {
  if (header?.trim() === '*') return ['*']
  return [...(header ?? '').matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, tag = '']) => tag)
}
