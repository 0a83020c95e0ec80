/** What is made for each principal, once: those who may do the same share it. */

import { isLocalOwner, keyOf, type Principal } from '../principal.ts'

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
    const key = keyOf(principal)
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
