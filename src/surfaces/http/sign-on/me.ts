import { type AnswerOf, array, flag, object, orNull, text, withDescription } from '../../../core/answer.ts'
import { scopeOf } from '../../../core/operation.ts'
import { isLocalOwner, type Principal } from '../../../engine/principal.ts'
import type { ServedRoots } from '../../../files/roots.ts'
import type { AnyOperation } from '../../../operations/index.ts'

/** The principal of a request, as the client sees it. */
export const meAnswer = () =>
  object({
    name: withDescription(text, "'' for the owner of the server"),
    isOwner: flag,
    scopes: array(text),
    collections: withDescription(orNull(array(text)), 'names of the collections that the principal sees; null for all'),
    operations: withDescription(array(text), 'names of the operations that the scopes allow'),
    roots: withDescription(array(text), 'directories that are served, for those who may add collections'),
  })
export type Me = AnswerOf<typeof meAnswer>

export function meOf(principal: Principal, allOperations: readonly AnyOperation[], servedRoots: ServedRoots): Me {
  const { name, scopes, collections = null } = principal
  const operations = allOperations.filter((one) => scopes.includes(scopeOf(one))).map((one) => one.name)
  const roots = scopes.includes('admin') ? servedRoots.paths : []
  return { name, isOwner: isLocalOwner(principal), scopes, collections, operations, roots }
}
