/** A model whose requests stay within limits of usage. */

import { ContextError } from '../../core/errors.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { LanguageModel, StepPart, StepRequest, Usage } from '../../models/language.ts'
import { costOf } from '../../models/prices.ts'
import { addSpent, leftOf, NOTHING_SPENT, type Spent, type UsageLimits } from '../run/stages.ts'

/** If at least this number of tokens is left, only the model's own limit applies to an answer. */
const MODEL_LIMIT = 128_000

/** Minimum tokens of an answer; safety factor of estimates; tokens that a price is for. */
const LEAST_ANSWER = 500
const MARGIN = 1.2
const MILLION = 1_000_000

export class BudgetedModel implements LanguageModel {
  readonly name: string
  readonly canSee = false
  readonly #model: LanguageModel
  readonly #most: UsageLimits
  spent: Spent = NOTHING_SPENT
  /** The limit that was reached. */
  exhausted: 'calls' | 'tokens' | 'cost' | undefined

  constructor(model: LanguageModel, most: UsageLimits) {
    this.#model = model
    this.#most = most
    this.name = model.name
  }

  get callsLeft(): number {
    return this.#most.calls - this.spent.calls
  }

  async *step(request: StepRequest, signal?: AbortSignal): AsyncGenerator<StepPart> {
    const estimate = this.#estimate(request)
    const most = this.#mostOutput(estimate)
    const limit = most < MODEL_LIMIT ? { maxOutputTokens: most } : {}
    let said = 0
    let usage: Usage | undefined
    try {
      for await (const part of this.#model.step({ ...request, ...limit }, signal)) {
        if (part.type === 'text') said += bytes4(part.text)
        if (part.type === 'call') said += bytes4(part.input)
        if (part.type === 'finish') usage = part.usage
        yield part
      }
    } finally {
      // A service may report no usage, or break off.
      const own = usage ?? { input: estimate, output: said, cached: 0 }
      // The usage has no cost if the person gave the price.
      const cost = own.cost ?? costOf(own, this.#model.price)
      const tokens = { input: own.input || estimate, output: own.output || said }
      this.spent = addSpent(this.spent, { calls: 1, ...tokens, ...(cost !== undefined && { cost }) })
    }
  }

  /** Tokens of a request, estimated high because services count differently. */
  #estimate({ system, messages, tools }: StepRequest): number {
    const sum = bytes4(system) + bytes4(JSON.stringify(messages)) + bytes4(JSON.stringify(tools))
    return Math.ceil(sum * MARGIN)
  }

  /** Maximum tokens of the answer to a request. @throws ContextError `over-limit` if it could exceed a limit. */
  #mostOutput(estimate: number): number {
    const { calls, tokens, cost } = leftOf(this.#most, this.spent)
    if (calls < 1) throw this.#over('calls', 'No request to a model is left.')
    if (estimate + LEAST_ANSWER > tokens)
      throw this.#over('tokens', `The request has about ${estimate} tokens, and ${tokens} are left.`)
    const affordable = this.#affordableOutput(estimate, cost)
    if (affordable < LEAST_ANSWER) throw this.#over('cost', 'A further request may cost more than is left.')
    return Math.min(tokens - estimate, affordable)
  }

  #affordableOutput(estimate: number, cost: number): number {
    const { input, written = input, output } = this.#model.price ?? { input: 0, output: 0 }
    const left = cost * MILLION - estimate * Math.max(input, written)
    return left < 0 ? 0 : output === 0 ? left : Math.floor(left / output)
  }

  #over(what: 'calls' | 'tokens' | 'cost', message: string): ContextError {
    this.exhausted = what
    return new ContextError('over-limit', message)
  }
}
