/** Retries after temporary failures of a service. */

import { setTimeout as pause } from 'node:timers/promises'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { retryAfterMs } from '../../internet/responses.ts'
import type { StepPart } from '../language.ts'
import { httpStatus, isQuotaUsedUp } from './errors.ts'

/** Maximum requests of one step. */
const MAX_ATTEMPTS = 3

/** Maximum milliseconds of the first wait. The maximum doubles for each later wait. */
const MAX_FIRST_PAUSE_MS = 1000

/** Maximum wait in milliseconds, whatever the service says. */
const MAX_PAUSE_MS = 60_000

/** Sources of the waits: random numbers from 0 to 1, and the time in milliseconds since 1970. Tests replace them. */
const SYSTEM_RETRY_TIMING = { random: () => Math.random(), now: Date.now }
export type RetryTiming = typeof SYSTEM_RETRY_TIMING

/** The parts of a step. After a temporary failure, the request is sent again if only reasoning was received so far. */
export async function* retrySteps(
  open: () => AsyncIterable<StepPart>,
  signal: AbortSignal | undefined,
  retryTiming: RetryTiming = SYSTEM_RETRY_TIMING,
): AsyncGenerator<StepPart> {
  for (let attempt = 1; ; attempt++) {
    let hasBegun = false
    try {
      for await (const part of open()) {
        hasBegun ||= part.type !== 'thinking'
        yield part
      }
      return
    } catch (error) {
      throwIfAborted(signal)
      const ms = hasBegun || attempt === MAX_ATTEMPTS ? undefined : pauseAfter(error, attempt, retryTiming)
      if (ms === undefined) throw error
      yield { type: 'waiting', ms, attempt: attempt + 1 }
      await pause(ms, undefined, { signal }).catch(() => throwIfAborted(signal))
    }
  }
}

/**
 * Milliseconds to wait after a failure: a random number below a bound that doubles with each attempt. At least the wait that the
 * service asks for, and at most a minute. Undefined for failures that a retry does not fix.
 */
export function pauseAfter(error: unknown, attempt: number, { random, now }: RetryTiming = SYSTEM_RETRY_TIMING) {
  if (error instanceof ContextError || isQuotaUsedUp(error) || !isTemporary(error)) return undefined
  const headers = Object(Object(error).responseHeaders)
  const ms = Number(headers['retry-after-ms'] || Number.NaN)
  const requestedMs = ms >= 0 ? ms : retryAfterMs(headers['retry-after'] ?? null, now())
  return Math.round(Math.min(MAX_PAUSE_MS, Math.max(requestedMs, random() * MAX_FIRST_PAUSE_MS * 2 ** (attempt - 1))))
}

/** Whether a failure may pass: too many requests, a fault of the service, or a connection that broke before there was an answer. */
function isTemporary(error: unknown): boolean {
  const status = httpStatus(error)
  if (Number.isNaN(status)) return Object(error).isRetryable === true
  return status === 408 || status === 429 || status >= 500
}
