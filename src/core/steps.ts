import { throwIfAborted } from './errors.ts'

/** Work in slices of a few milliseconds, with a pause after each but the last. */
export type Steps<Value> = Generator<void, Value, void>

/** Does it all, while everybody else waits. */
export function atOnce<Value>(steps: Steps<Value>): Value {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/**
 * Does it while others have their turns.
 *
 * @throws ContextError `cancelled` when the signal fires.
 */
export async function inTurns<Value>(steps: Steps<Value>, signal?: AbortSignal): Promise<Value> {
  let step = steps.next()
  try {
    for (; !step.done; step = steps.next()) await pause(signal)
    return step.value
  } finally {
    // Whoever is stopped half-way closes what it holds open.
    if (!step.done) stop(steps)
  }
}

function stop(steps: Iterator<void, unknown, void>): void {
  steps.return?.()
}

/**
 * Lets others have their turn.
 *
 * @throws ContextError `cancelled` when the signal has fired, by then or meanwhile.
 */
export async function pause(signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal)
  await new Promise((resume) => setImmediate(resume))
  throwIfAborted(signal)
}
