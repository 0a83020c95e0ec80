/** How long a service may be silent. */

import { ContextError } from '../../core/errors.ts'
import { LANGUAGE } from './errors.ts'

export interface Patience {
  /** Milliseconds until it begins to answer. To connect takes 10 seconds at most, which Node sees to. Default: 5 minutes. */
  readonly answerMs: number
  /** Milliseconds between two pieces of an answer. Default: 2 minutes. */
  readonly pieceMs: number
}

export const PATIENCE: Patience = { answerMs: 300_000, pieceMs: 120_000 }

/** A fetch that gives up when nothing comes, and then closes the connection. `where`: what the service is called. */
export function patient(ask: typeof fetch, where: string, { answerMs, pieceMs }: Patience): typeof fetch {
  return async (input, init) => {
    const controller = new AbortController()
    const giveUpAfter = (ms: number, what: string) => setTimeout(() => controller.abort(late(where, what, ms)), ms)
    const given = init?.signal
    const signal = given ? AbortSignal.any([controller.signal, given]) : controller.signal
    const timer = giveUpAfter(answerMs, 'did not begin to answer')
    const response = await ask(input, { ...init, signal })
      .catch((error: unknown) => {
        throw controller.signal.aborted ? controller.signal.reason : error
      })
      .finally(() => clearTimeout(timer))
    const { body, status, headers } = response
    if (!body) return response
    const start = () => giveUpAfter(pieceMs, 'stopped in the middle of an answer')
    return new Response(timed(body, controller.signal, start), { status, headers })
  }
}

function late(where: string, what: string, ms: number): ContextError {
  const hint = `It may be overloaded. Look at ${LANGUAGE.variable}_URL, or try again.`
  const message = `The ${LANGUAGE.name} service at ${where} ${what}: nothing for ${ms / 1000} seconds.`
  return new ContextError('unavailable', message, { hint })
}

/** A body whose reader is never kept waiting longer than a timer runs. */
function timed(
  body: ReadableStream<Uint8Array>,
  gaveUp: AbortSignal,
  start: () => NodeJS.Timeout,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      const timer = start()
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(gaveUp.aborted ? gaveUp.reason : error)
      } finally {
        clearTimeout(timer)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
