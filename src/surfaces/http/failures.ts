/** Failures that an address has in a minute. */
const MOST = 20
const WINDOW_MS = 60_000

/** Addresses that are remembered; the one that failed first is forgotten first. */
const MAX_ADDRESSES = 10_000

/** Counts failures by address, in windows of a minute. */
export class Failures {
  readonly #byAddress = new Map<string, { count: number; readonly until: number }>()

  /** Counts one more. Returns the seconds that the address has to wait; 0 while it has not failed too often. */
  count(address: string, now = Date.now()): number {
    const name = prefixOf(address)
    const known = this.#byAddress.get(name)
    const current = known && known.until > now ? known : this.#started(name, now)
    current.count++
    return current.count > MOST ? Math.ceil((current.until - now) / 1000) : 0
  }

  #started(name: string, now: number) {
    const fresh = { count: 0, until: now + WINDOW_MS }
    this.#byAddress.delete(name)
    this.#byAddress.set(name, fresh)
    const [oldest] = this.#byAddress.keys()
    if (this.#byAddress.size > MAX_ADDRESSES && oldest !== undefined) this.#byAddress.delete(oldest)
    return fresh
  }
}

/**
 * Who an address stands for: an IPv4 address by itself, also where it is written as IPv6 (`::ffff:192.0.2.1`); of IPv6 the
 * network of 64 bits, all of which one customer has.
 */
export function prefixOf(address: string): string {
  const lower = address.toLowerCase().replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(lower)?.[1]
  if (mapped !== undefined || !lower.includes(':')) return mapped ?? lower
  const [head = '', tail = ''] = lower.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = lower.includes('::') ? Array(Math.max(0, 8 - before.length - after.length)).fill('0') : []
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
