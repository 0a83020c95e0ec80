/** Access to a server, loaded with the first request. */

import type { Store } from '../../stores/store.ts'
import { isLocalOwner, type Principal, principalKey } from '../principal.ts'
import type { SignIns } from '../sign-ins.ts'
import type { Tokens } from '../tokens.ts'

export interface Access {
  /** Who may ask a server. */
  tokens(): Promise<Tokens>
  /** Browsers that were let in, at whichever process. */
  signIns(): Promise<SignIns>
}

export function accessOver(store: () => Promise<Store>): Access {
  const tokens = async () => new (await import('../tokens.ts')).Tokens(await store())
  const signIns = async () => {
    const [{ SignIns }, { signIns, now }] = await Promise.all([import('../sign-ins.ts'), store()])
    return new SignIns({ signIns, now, tokens: await tokens() })
  }
  return { tokens, signIns }
}

/** What is made for each principal, once: those who may do the same share it. */

interface Closable {
  close(): Promise<void>
}

export class Guests<One extends Closable> {
  readonly #made = new Map<string, One>()
  readonly #own: () => One
  readonly #make: (principal: Principal) => One

  /** `own`: what the local owner has, who closes it. */
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
