/** Reads the responses of services. */

/**
 * The wait in milliseconds that a `Retry-After` header asks for; 0 for a missing or invalid header. `text`: seconds, or a date. `now`: milliseconds
 * since 1970.
 */
export function retryAfterMs(text: string | null, now: number): number {
  if (text === null || text.trim() === '') return 0
  const ms = /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return ms > 0 ? ms : 0
}

/** The bytes of a body. @throws the error of `tooLong` for more than `maxBytes`. */
export async function readBody(body: AsyncIterable<Uint8Array> | null, maxBytes: number, tooLong: () => Error) {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > maxBytes) throw tooLong()
    parts.push(part)
  }
  return Buffer.concat(parts)
}
