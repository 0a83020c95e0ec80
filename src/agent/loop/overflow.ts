import type { ContextError } from '../../core/errors.ts'

/** How services say that a prompt is longer than they read. */
const TOO_LONG =
  /\b(prompt|input|messages?|request)\b.*\btoo (long|large|big)|\bcontext[_ ](length|window|size)|too many tokens/i

/** Whether a service refused a prompt for its length, of which nothing was known before. */
export function isOverflow(error: ContextError | undefined): boolean {
  return error?.code === 'invalid-input' && TOO_LONG.test(error.message)
}
