/** Access to a server, loaded with the first request. */

import type { Store } from '../../stores/store.ts'
import { LOCAL_OWNER, type Principal, principalKey } from '../principal.ts'

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
export class Guests<GuestEngine extends { close(): Promise<void> }> {
  readonly #engines = new Map<string, GuestEngine>()
  readonly #make: (principal: Principal) => GuestEngine

  constructor(make: (principal: Principal) => GuestEngine) {
    this.#make = make
  }

  get(principal: Principal): GuestEngine {
    const key = principalKey(principal)
    const engine = this.#engines.get(key) ?? this.#make(principal)
    this.#engines.set(key, engine)
    return engine
  }

  all(): GuestEngine[] {
    return [...this.#engines.values()]
  }

  async close(): Promise<void> {
    const engines = this.all()
    this.#engines.clear()
    await Promise.all(engines.map((engine) => engine.close()))
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
  const { tokenCount, validPrincipals } = await (await tokens()).of(name)
  // Names with a colon come from an identity provider, never from a token.
  const isOfProvider = name.includes(':')
  if (!isOfProvider && tokenCount === 0) return true
  const principals = isOfProvider ? await (await signIns()).people([name]) : validPrincipals
  return principals.some((one) => one.scopes.includes('research') && areSameNames(one.collections, collections))
}

function areSameNames(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (!one || !other) return one === other
  return one.length === other.length && one.every((name) => other.includes(name))
}
