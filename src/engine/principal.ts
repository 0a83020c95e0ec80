/** The client of a server, and its rights. */

import { SCOPES, type Scope } from '../core/choices.ts'

export interface Principal {
  /** Their data is stored under it. `''` is the local owner, who runs the program. */
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The only collections there are for them; absent: all. */
  readonly collections?: readonly string[]
}

/** May do everything: a command line, and a client with the server's own token. */
export const LOCAL_OWNER: Principal = { name: '', scopes: SCOPES }

/** A key of the principal: principals with the same rights share it. */
export function principalKey({ name, scopes, collections }: Principal): string {
  return JSON.stringify([name, [...scopes].sort(), collections === undefined ? null : [...collections].sort()])
}

/** Whether it is the local owner. */
export function isLocalOwner({ name }: Principal): boolean {
  return name === ''
}
