import { invalidInput } from './errors.ts'
import type { Count } from './flow.ts'

/** Bytes of a text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text)
}

/**
 * The default counter, which estimates: a token for every four bytes of UTF-8, rounded up. So a token is four
 * characters of English, or one and a third characters of Chinese.
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
 * Returns a valid token budget.
 *
 * @throws ContextError `invalid-input` unless `tokens` is a whole number ≥ 1.
 */
export function validBudget(tokens: number = DEFAULT_BUDGET): number {
  if (Number.isInteger(tokens) && tokens >= 1) return tokens
  throw invalidInput(`The token budget is ${tokens}.`, 'Give a whole number of tokens, 1 or more.')
}
