/** Who asks, and what they may. */

import { SCOPES, type Scope } from '../core/choices.ts'

export interface Principal {
  /** What is theirs is kept under it. `''` is the local owner: whoever runs the program. */
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The only collections there are for them; absent: all. */
  readonly collections?: readonly string[]
}

/** May do everything: a command line, and whoever has the server's own token. */
export const LOCAL_OWNER: Principal = { name: '', scopes: SCOPES }

/** One text for each principal that is unlike the others: what is made for one serves all alike. */
export function principalKey({ name, scopes, collections }: Principal): string {
  return JSON.stringify([name, [...scopes].sort(), collections === undefined ? null : [...collections].sort()])
}

/** Whether they stand for whoever runs the program. */
export function isLocalOwner({ name }: Principal): boolean {
  return name === ''
}
