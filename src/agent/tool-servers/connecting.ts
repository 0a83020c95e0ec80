/** Connecting with a server: for how long, and what went wrong. */

import { UnauthorizedError } from '@modelcontextprotocol/client'
import { oneLine, stripControls } from '../../text/controls.ts'

/** Waits for a connection: `ms` at most, and no longer than until `closing` fires. */
export async function connectWithin<Value>(work: Promise<Value>, { ms, closing }: ConnectLimits): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const close = () => reject(new Error('It was closed.'))
  closing.addEventListener('abort', close, { once: true })
  const timer = setTimeout(() => reject(new Error(`It did not answer within ${ms / 1000} seconds.`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', close)
  }
}

interface ConnectLimits {
  readonly ms: number
  readonly closing: AbortSignal
}

/** One short line: what servers say is not to be trusted. */
export function errorLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return oneLine(stripControls(message).trim().split('\n')[0] ?? '').slice(0, 300)
}

/** Whether the server wants a sign-in. The SDK throws another error where it was given a provider of sign-ins. */
export function isUnauthorized(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('status' in one && one.status === 401) return true
    const isKnown: boolean = UnauthorizedError.isInstance(one)
    if (isKnown) return true
  }
  return false
}
