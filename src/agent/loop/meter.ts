import type { ContextError } from '../../core/errors.ts'
import type { LanguageModel, Usage } from '../../models/language.ts'
import { dollars } from '../../models/prices.ts'
import type { AgentCall } from '../events.ts'
import type { AgentLimits } from './limits.ts'

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
  tokensLeft({ tokens }: Pick<AgentLimits, 'tokens'>): number {
    return tokens - this.#total.input - this.#total.output
  }

  /** By the prices that are known: what is not known is not guessed. */
  isPaidOut({ cost }: Pick<AgentLimits, 'cost'>): boolean {
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

/** How services say that a prompt is longer than they read. */
const TOO_LONG =
  /\b(prompt|input|messages?|request)\b.*\btoo (long|large|big)|\bcontext[_ ](length|window|size)|too many tokens/i

/** Whether a service refused a prompt for its length, of which nothing was known before. */
export function isOverflow(error: ContextError | undefined): boolean {
  return error?.code === 'invalid-input' && TOO_LONG.test(error.message)
}

/** Of what a model reads: the rest is for its answer. */
const READ = 0.8

/** What services said that they read, by our estimate. */
const learned = new WeakMap<LanguageModel, number>()

/** Tokens that can be sent to a model, by our estimate. */
export function mostTokens(model: LanguageModel, { promptTokens }: Pick<AgentLimits, 'promptTokens'>): number {
  const { reads = Number.POSITIVE_INFINITY } = model
  return Math.min(promptTokens, learned.get(model) ?? reads * READ)
}

/** Learns the limit from a refusal of a prompt of `size`, and returns it. */
export function learnLimit(model: LanguageModel, error: ContextError, size: number): number {
  const most = learnedLimit(error, size)
  learned.set(model, most)
  return most
}

/**
 * Tokens that can be sent, by our estimate, after a service refused a prompt of `size`: what it says that it reads, in
 * proportion where it says how many it counted; half of the prompt where it says nothing.
 */
export function learnedLimit({ message }: ContextError, size: number): number {
  const numbers = (message.match(/\d[\d,]*/g) ?? []).map((one) => Number(one.replaceAll(',', '')))
  const counts = numbers.filter((one) => one >= LEAST_TOLD).sort((a, b) => a - b)
  const [limit, counted = size] = counts
  if (limit === undefined) return Math.floor(size / 2)
  const most = Math.floor((limit / Math.max(counted, limit)) * size * SAFE)
  return Math.min(most, Math.floor(size * SAFE))
}

/** Smaller numbers in a message are no sizes of a context. */
const LEAST_TOLD = 512

/** A part is left for the answer, and for what the estimate does not see. */
const SAFE = 0.8

/** Finds that a model goes in circles: the same calls three times in a row, or two steps that alternate, twice each. */
export class Repeats {
  readonly #steps: string[] = []

  /** Whether these calls, which are about to be done, go round once more. */
  isLoop(calls: readonly Pick<AgentCall, 'tool' | 'input'>[]): boolean {
    this.#steps.push(
      calls
        .map(({ tool, input }) => `${tool} ${sortedJson(input)}`)
        .sort()
        .join('\n'),
    )
    const [d, c, b, a] = this.#steps.slice(-4).reverse()
    return (d === c && c === b) || (d !== c && d === b && c === a && a !== undefined)
  }
}

/** The same for objects that differ only in the order of their names. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${sortedJson(one)}`).join()}}`
}
