/** Access to a server: its tokens, its sign-ins, and the engines of its guests. The first request loads their modules. */

import type { Store } from '../../stores/store.ts'
import { LOCAL_OWNER, type Principal, principalKey } from '../principal.ts'

export type Access = ReturnType<typeof accessOver>

/**
 * Opens the access tokens and the sign-ins of a store.
 *
 * @returns `tokens`: the access tokens. `signIns`: browsers that signed in through any process of the server.
 */
export function accessOver(store: () => Promise<Store>) {
  const tokens = async () => new (await import('./tokens.ts')).Tokens(await store())
  const signIns = async () => {
    const [{ SignIns }, { signIns, now }] = await Promise.all([import('../sign-ins.ts'), store()])
    return new SignIns({ signIns, now, tokens: await tokens() })
  }
  return { tokens, signIns }
}

/** The engines of guests (clients of a server other than its owner). Guests with equal rights share an engine. */
export function guestEngines<Guest extends { close(): Promise<void> }>(make: (principal: Principal) => Guest) {
  const engines = new Map<string, Guest>()
  return {
    get: (principal: Principal): Guest => {
      const key = principalKey(principal)
      const engine = engines.get(key) ?? make(principal)
      engines.set(key, engine)
      return engine
    },
    all: () => [...engines.values()],
    close: async (): Promise<void> => {
      const closing = [...engines.values()]
      engines.clear()
      await Promise.all(closing.map((engine) => engine.close()))
    },
  }
}

/**
 * Whether the owner of a session may still do research in the same collections, by any token or browser. An owner who never had a token belongs to a
 * program that uses the library, and may do research.
 */
export async function mayResearch(
  { name, collections }: Pick<Principal, 'name' | 'collections'>,
  { tokens, signIns }: Access,
): Promise<boolean> {
  if (name === LOCAL_OWNER.name) return true
  const { tokenCount, validPrincipals } = await (await tokens()).tokensOf(name)
  // Names with a colon come from an identity provider, never from a token.
  const isOfProvider = name.includes(':')
  if (!isOfProvider && tokenCount === 0) return true
  const principals = isOfProvider ? await (await signIns()).people([name]) : validPrincipals
  return principals.some((one) => one.scopes.includes('research') && areSameNames(one.collections, collections))
}

function areSameNames(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  if (!a || !b) return a === b
  return a.length === b.length && a.every((name) => b.includes(name))
}
