import { isLocalOwner } from '../../engine/principal.ts'
import type { HttpLimits, Visitor } from './http-parts.ts'
import type { Refusal } from './problem.ts'

/** How many requests are answered at once: one more is refused at once, since a queue would make all of them slow. */
export class Gate {
  readonly #limits: Pick<HttpLimits, 'requests' | 'requestsEach'>
  #asked = 0

  constructor(limits: Pick<HttpLimits, 'requests' | 'requestsEach'>) {
    this.#limits = limits
  }

  get asked(): number {
    return this.#asked
  }

  /** Lets a request in: the function that is returned is called when it is answered, once. */
  enter(visitor: Visitor): (() => void) | Refusal {
    if (this.#asked >= this.#limits.requests) return OVERLOADED
    if (visitor.asked >= this.#limits.requestsEach && !isLocalOwner(visitor.principal)) return TOO_MANY
    this.#asked++
    visitor.asked++
    return () => {
      this.#asked--
      visitor.asked--
    }
  }
}

const OVERLOADED: Refusal = {
  status: 503,
  code: 'unavailable',
  detail: 'The server has too many requests.',
  hint: 'Ask again in a moment.',
}

const TOO_MANY: Refusal = {
  status: 429,
  code: 'over-limit',
  detail: 'You have too many requests under way.',
  hint: 'Wait for the answers to some of them.',
}
