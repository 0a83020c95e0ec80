/** Access to a server, loaded with the first request. */

import type { Store } from '../../stores/store.ts'
import { isLocalOwner, LOCAL_OWNER, type Principal, principalKey } from '../principal.ts'

export type Access = ReturnType<typeof accessOver>

/** `tokens`: the access tokens. `signIns`: browsers that signed in at any process. */
export function accessOver(store: () => Promise<Store>) {
  const tokens = async () => new (await import('./tokens.ts')).Tokens(await store())
  const signIns = async () => {
    const [{ SignIns }, { signIns, now }] = await Promise.all([import('../sign-ins.ts'), store()])
    return new SignIns({ signIns, now, tokens: await tokens() })
  }
  return { tokens, signIns }
}

/** Engines of guests, one for each set of equal rights. */
export class Guests<One extends { close(): Promise<void> }> {
  readonly #made = new Map<string, One>()
  readonly #own: () => One
  readonly #make: (principal: Principal) => One

  /** `own`: the engine of the local owner, which is not closed here. */
  constructor(own: () => One, make: (principal: Principal) => One) {
    this.#own = own
    this.#make = make
  }

  of(principal: Principal): One {
    if (isLocalOwner(principal)) return this.#own()
    const key = principalKey(principal)
    const made = this.#made.get(key) ?? this.#make(principal)
    this.#made.set(key, made)
    return made
  }

  all(): One[] {
    return [...this.#made.values()]
  }

  async close(): Promise<void> {
    const all = this.all()
    this.#made.clear()
    await Promise.all(all.map((one) => one.close()))
  }
}

/**
 * Whether the owner of a session may still do research in the same collections, by any token or browser. An owner who never had a token belongs to a
 * program that uses the library, and may.
 */
export async function mayResearch(
  { name, collections }: Pick<Principal, 'name' | 'collections'>,
  { tokens, signIns }: Access,
): Promise<boolean> {
  if (name === LOCAL_OWNER.name) return true
  const { known, good } = await (await tokens()).of(name)
  // Names with a colon come from an identity provider, never from a token.
  const isVouched = name.includes(':')
  if (!isVouched && known === 0) return true
  const all = isVouched ? await (await signIns()).people([name]) : good
  return all.some((one) => one.scopes.includes('research') && areSameNames(one.collections, collections))
}

function areSameNames(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (!one || !other) return one === other
  return one.length === other.length && one.every((name) => other.includes(name))
}
