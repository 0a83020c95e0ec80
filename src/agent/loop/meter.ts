import type { Usage } from '../../models/language.ts'
import { dollars } from '../../models/prices.ts'
import type { Limits } from '../limits.ts'

/** Counts what a question takes. Whoever works on a part of it shares it. */
export class Meter {
  #total: Usage = { input: 0, cached: 0, output: 0, cost: 0 }
  #known = 0

  get total(): Usage {
    return this.#total
  }

  add(step: Usage): void {
    this.#known += step.cost ?? 0
    this.#total = sumOf(this.#total, step)
  }

  /** Tokens that are left. */
  tokensLeft({ tokens }: Pick<Limits, 'tokens'>): number {
    return tokens - this.#total.input - this.#total.output
  }

  /** By the prices that are known: what is not known is not guessed. */
  isPaidOut({ cost }: Pick<Limits, 'cost'>): boolean {
    return this.#known >= cost
  }
}

/** What both took. Where what one costs is not known, what both cost is not. */
export function sumOf(one: Usage, other: Usage): Usage {
  const written = (one.written ?? 0) + (other.written ?? 0)
  const isKnown = one.cost !== undefined && other.cost !== undefined
  return {
    input: one.input + other.input,
    cached: one.cached + other.cached,
    ...(written > 0 && { written }),
    output: one.output + other.output,
    ...(isKnown && { cost: dollars((one.cost ?? 0) + (other.cost ?? 0)) }),
  }
}
