import type { Principal } from '../../auth/principal.ts'

/** People at once, and browsers of one of them; the first to come is the first to go. */
const MOST = 10_000
const MOST_EACH = 20

interface Session {
  readonly principal: Principal
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Who came in by a provider, by the digest of their cookie, until then. Kept by this process alone. */
export class SignedIn {
  readonly #sessions = new Map<string, Session>()

  add(key: string, principal: Principal, until: number): void {
    const own = [...this.#sessions].filter(([, one]) => one.principal.name === principal.name)
    // What somebody may is what was found when they last signed in: not more in a browser where they are still signed in.
    for (const [other, one] of own) this.#sessions.set(other, { ...one, principal })
    const [oldest] = this.#sessions.keys()
    const first = own.length >= MOST_EACH ? own[0]?.[0] : this.#sessions.size >= MOST ? oldest : undefined
    if (first !== undefined) this.#sessions.delete(first)
    this.#sessions.set(key, { principal, until })
  }

  of(key: string, now = Date.now()): Principal | undefined {
    const found = this.#sessions.get(key)
    if (!found || found.until > now) return found?.principal
    this.#sessions.delete(key)
    return undefined
  }

  remove(key: string): void {
    this.#sessions.delete(key)
  }

  /** All who are signed in. */
  principals(now = Date.now()): Principal[] {
    for (const [key, { until }] of this.#sessions) if (until <= now) this.#sessions.delete(key)
    return [...this.#sessions.values()].map(({ principal }) => principal)
  }
}
