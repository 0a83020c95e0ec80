/** A model whose requests stay within limits of usage. */

import { ContextError } from '../../core/errors.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { LanguageModel, StepPart, StepRequest, Usage } from '../../models/language.ts'
import { costOf } from '../../models/prices.ts'
import { addUsage, NO_USAGE, type StageUsage, subtractUsage, type UsageLimits } from '../run/stages.ts'

/** If at least this number of tokens is left, only the model's own limit applies to an answer. */
const UNLIMITED_FROM = 128_000

/** Minimum tokens of an answer; safety factor of estimates; tokens that a price is for. */
const MIN_ANSWER = 500
const MARGIN = 1.2
const MILLION = 1_000_000

export class BudgetedModel implements LanguageModel {
  readonly name: string
  readonly canSee = false
  readonly #model: LanguageModel
  readonly #most: UsageLimits
  spent: StageUsage = NO_USAGE
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
    const most = this.#maxOutput(estimate)
    const limit = most < UNLIMITED_FROM ? { maxOutputTokens: most } : {}
    let answerTokens = 0
    let usage: Usage | undefined
    try {
      for await (const part of this.#model.step({ ...request, ...limit }, signal)) {
        if (part.type === 'text') answerTokens += bytes4(part.text)
        if (part.type === 'call') answerTokens += bytes4(part.input)
        if (part.type === 'finish') usage = part.usage
        yield part
      }
    } finally {
      // A service may report no usage, or break off.
      const own = usage ?? { input: estimate, output: answerTokens, cached: 0 }
      // The usage has no cost if the person gave the price.
      const cost = own.cost ?? costOf(own, this.#model.price)
      const tokens = { input: own.input || estimate, output: own.output || answerTokens }
      this.spent = addUsage(this.spent, { calls: 1, ...tokens, ...(cost !== undefined && { cost }) })
    }
  }

  /** Tokens of a request, estimated high because services count differently. */
  #estimate({ system, messages, tools }: StepRequest): number {
    const sum = bytes4(system) + bytes4(JSON.stringify(messages)) + bytes4(JSON.stringify(tools))
    return Math.ceil(sum * MARGIN)
  }

  /** Maximum tokens of the answer to a request. @throws ContextError `over-limit` if it could exceed a limit. */
  #maxOutput(estimate: number): number {
    const { calls, tokens, cost } = subtractUsage(this.#most, this.spent)
    if (calls < 1) throw this.#overLimit('calls', 'No request to a model is left.')
    if (estimate + MIN_ANSWER > tokens)
      throw this.#overLimit('tokens', `The request has about ${estimate} tokens, and ${tokens} are left.`)
    const affordable = this.#affordableOutput(estimate, cost)
    if (affordable < MIN_ANSWER) throw this.#overLimit('cost', 'A further request may cost more than is left.')
    return Math.min(tokens - estimate, affordable)
  }

  #affordableOutput(estimate: number, cost: number): number {
    const { input, written = input, output } = this.#model.price ?? { input: 0, output: 0 }
    const left = cost * MILLION - estimate * Math.max(input, written)
    return left < 0 ? 0 : output === 0 ? left : Math.floor(left / output)
  }

  #overLimit(what: 'calls' | 'tokens' | 'cost', message: string): ContextError {
    this.exhausted = what
    return new ContextError('over-limit', message)
  }
}
