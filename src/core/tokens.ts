import { invalidInput } from './errors.ts'
import type { Count } from './flow.ts'

const encoder = new TextEncoder()
const scratch = new Uint8Array(16 * 1024)

/** Bytes of a text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = 0
  // No character takes more than three bytes for each of its UTF-16 units.
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = charEnd(text, start + Math.floor(scratch.length / 3))
    bytes += encoder.encodeInto(start === 0 && end === text.length ? text : text.slice(start, end), scratch).written
  }
  return bytes
}

/** The end of a stretch, at most `end`, that does not part a surrogate pair. */
function charEnd(text: string, end: number): number {
  if (end >= text.length) return text.length
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end
}

/**
 * The default estimate: a token for every four bytes of UTF-8, rounded up.
 * Four characters of English, and safe for scripts whose characters take three bytes.
 */
export const bytes4: Count = Object.assign((text: string) => tokensOfBytes(utf8Length(text)), {
  ofParts: (parts: readonly string[]) => tokensOfBytes(parts.reduce((bytes, part) => bytes + utf8Length(part), 0)),
})

function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / 4)
}

/** The default token budget of context. */
export const DEFAULT_BUDGET = 8000

/**
 * A budget that can be kept.
 *
 * @throws ContextError `invalid-input` unless it is a whole number ≥ 1.
 */
export function validBudget(tokens: number = DEFAULT_BUDGET): number {
  if (Number.isInteger(tokens) && tokens >= 1) return tokens
  const hint = 'Give a whole number of tokens, 1 or more.'
  throw invalidInput(`The token budget is ${tokens}.`, hint)
}
