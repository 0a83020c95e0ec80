/** The client of a server, and its rights. */

import { SCOPES, type Scope } from '../core/choices.ts'

export interface Principal {
  /** The name under which the principal's data is stored; `''` for the local owner, who runs the program. */
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Names of the collections that the principal sees. Default: all. */
  readonly collections?: readonly string[]
}

/** The principal of a command line, and of a client with the server's own token. It may do everything. */
export const LOCAL_OWNER: Principal = { name: '', scopes: SCOPES }

/** The scopes that this version knows. */
export function knownScopes(scopes: readonly string[]): Scope[] {
  return SCOPES.filter((scope) => scopes.includes(scope))
}

/** A key that is the same for principals with the same rights. */
export function principalKey({ name, scopes, collections }: Principal): string {
  return JSON.stringify([name, [...scopes].sort(), collections === undefined ? null : [...collections].sort()])
}

export function isLocalOwner({ name }: Principal): boolean {
  return name === ''
}
