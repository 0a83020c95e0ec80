/** What was worked out in a run, by what it is kept by. */

import type { Done } from './stages.ts'

/** What the brief of a run is kept by. */
export const BRIEF_WORK = 'brief'

export function isDone(value: unknown): value is Done<unknown> {
  return typeof value === 'object' && value !== null && 'spent' in value && 'by' in value
}

/** The stage of `1.2/synthesis-2`. */
export function stageOf(key: string): string {
  return (key.split('/').at(-1) ?? '').split('-').findLast((part) => /^[a-z]+$/.test(part)) ?? ''
}

/** Why stages before the report were done without their models: each reason once, with the stage. */
export function failuresIn(made: ReadonlyMap<string, unknown>): string[] {
  const told = [...made].flatMap(([key, value]) => {
    const failed = isDone(value) && !key.startsWith('/report') ? value.failed : undefined
    return failed === undefined ? [] : [`${stageOf(key)}: ${failed}`]
  })
  return [...new Set(told)].sort()
}
