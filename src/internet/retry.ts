/** Reads when a busy service allows the next request. */

/** Milliseconds that a `Retry-After` asks for, in seconds or as a date; 0 for none and for nonsense. `now`: milliseconds since 1970. */
export function retryAfterMs(text: string | null, now: number): number {
  if (text === null || text.trim() === '') return 0
  const ms = /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return ms > 0 ? ms : 0
}
