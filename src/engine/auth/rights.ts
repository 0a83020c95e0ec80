/** Whether research may continue for its owner. */

import { LOCAL_OWNER, type Principal } from '../principal.ts'
import type { Access } from './access.ts'

/**
 * Research continues while its owner may do research in the same collections, by any token or browser. An owner who never had a token
 * is one of a program that uses the library.
 */
export async function mayResearch(
  { name, collections }: Pick<Principal, 'name' | 'collections'>,
  { tokens, signIns }: Access,
): Promise<boolean> {
  if (name === LOCAL_OWNER.name) return true
  const { known, good } = await (await tokens()).of(name)
  // A name with a colon is of a provider, and of no token.
  const isVouched = name.includes(':')
  if (!isVouched && known === 0) return true
  const all = isVouched ? await (await signIns()).people([name]) : good
  return all.some((one) => one.scopes.includes('research') && areSameNames(one.collections, collections))
}

function areSameNames(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (!one || !other) return one === other
  return one.length === other.length && one.every((name) => other.includes(name))
}
