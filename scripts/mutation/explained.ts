/** Changes that no test can notice, or that need not be noticed, each with why. */

import type { Mutant } from './mutants.ts'

interface Explanation {
  readonly path: string
  /** Begins the changed line, without its indentation; with `after`, of this change alone. */
  readonly before: string
  readonly after?: string
  readonly why: string
}

export const explanations: readonly Explanation[] = []

/** Why a change need not be noticed; undefined where it must. */
export function explanationOf({ path, before, after }: Mutant & { readonly path: string }): string | undefined {
  return explanations.find(
    (one) =>
      one.path === path &&
      before.trim().startsWith(one.before) &&
      (one.after === undefined || after.trim().startsWith(one.after)),
  )?.why
}
