import { scopeOf } from '../../../core/operation.ts'
import type { Principal } from '../../../engine/principal.ts'
import { isLocalOwner } from '../../../engine/principal.ts'
import type { ServedRoots } from '../../../files/roots.ts'
import type { AnyOperation } from '../../../operations/index.ts'

/** The principal of a request, as the client sees it. */
export interface Me {
  /** `''` for whoever runs the server. */
  readonly name: string
  readonly isOwner: boolean
  readonly scopes: readonly string[]
  /** The only ones that there are for them; null for all. */
  readonly collections: readonly string[] | null
  /** Names of the operations that their scopes let them do. */
  readonly operations: readonly string[]
  /** Directories that are served; none where they are not theirs to see. */
  readonly roots: readonly string[]
}

export function meOf(
  principal: Principal,
  { operations, roots }: { readonly operations: readonly AnyOperation[]; readonly roots: ServedRoots },
): Me {
  const { name, scopes, collections = null } = principal
  const mine = operations.filter((one) => scopes.includes(scopeOf(one))).map((one) => one.name)
  return {
    name,
    isOwner: isLocalOwner(principal),
    scopes,
    collections,
    operations: mine,
    roots: scopes.includes('admin') ? roots.paths : [],
  }
}
