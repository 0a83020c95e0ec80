/** Conditional puts that could not be decided: for a moment after a write, a disk cannot tell whether another followed. */

import { setTimeout as sleep } from 'node:timers/promises'

/** How often a put is tried again, which takes longer each time: longer together than the moment is. */
export const MOST_UNDECIDED = 5

const WAIT_MS = 60

/** Waits before a put is tried again. @throws AbortError. */
export async function waitUndecided(tries: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(WAIT_MS * tries, undefined, { signal })
}
