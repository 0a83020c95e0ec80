/** Processes whose clock is wrong, as those of many machines are. */

import { pathToFileURL } from 'node:url'

export const HOUR = 3_600_000

/** The environment of a process whose clock is so many milliseconds ahead; behind, where it is less than none. */
export function offBy(ms: number): Readonly<Record<string, string>> {
  const preload = pathToFileURL(`${import.meta.dirname}/wrong-clock.ts`)
  return ms === 0 ? {} : { NODE_OPTIONS: `--import=${preload}`, CLOCK_OFF_MS: String(ms) }
}
