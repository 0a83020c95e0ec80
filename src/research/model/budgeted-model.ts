/** A model that is asked no more than may be taken. */

import { ContextError } from '../../core/errors.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { LanguageModel, StepPart, StepRequest } from '../../models/language.ts'
import { costOf } from '../../models/prices.ts'
import { addSpent, NOTHING_SPENT, type Spent } from '../run/stages.ts'

/** Tokens of an answer that no service refuses to be asked for; where more is left, the model's own limit holds. */
const MODEL_LIMIT = 128_000

/** Rest of a limit. */
export function leftOf(most: Spent, spent: Spent): Spent {
  return {
    ...most,
    calls: most.calls - spent.calls,
    input: most.input - spent.input - spent.output,
    ...(most.cost !== undefined && { cost: most.cost - (spent.cost ?? 0) }),
  }
}

/** Tokens that an answer must have room for; the factor on estimates; tokens that prices are for. */
const LEAST_ANSWER = 500
const MARGIN = 1.2
const MILLION = 1_000_000

export class BudgetedModel implements LanguageModel {
  readonly name: string
  readonly canSee = false
  readonly #model: LanguageModel
  readonly #most: Spent
  spent: Spent = NOTHING_SPENT
  /** The limit that was reached. */
  exhausted: 'calls' | 'tokens' | 'cost' | undefined

  constructor(model: LanguageModel, most: Spent) {
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
    let own: Spent | undefined
    try {
      for await (const part of this.#model.step({ ...request, ...limit }, signal)) {
        if (part.type === 'text') said += bytes4(part.text)
        if (part.type === 'call') said += bytes4(part.input)
        if (part.type === 'finish') {
          const { usage } = part
          // A price that the person gave the model does not know.
          const cost = usage.cost ?? costOf(usage, this.#model.price)
          const [input, output] = [usage.input || estimate, usage.output || said]
          own = { calls: 1, input, output, ...(cost !== undefined && { cost }) }
          this.spent = addSpent(this.spent, own)
        }
        yield part
      }
    } finally {
      if (!own) this.spent = addSpent(this.spent, this.#brokenOff(estimate, said))
    }
  }

  /** Estimated use of a request whose service did not report it. */
  #brokenOff(input: number, output: number): Spent {
    const cost = costOf({ input, output, cached: 0 }, this.#model.price)
    return { calls: 1, input, output, ...(cost !== undefined && { cost }) }
  }

  /** Tokens of a request, rather too many: services count in other ways. */
  #estimate({ system, messages, tools }: StepRequest): number {
    const sum = bytes4(system) + bytes4(JSON.stringify(messages)) + bytes4(JSON.stringify(tools))
    return Math.ceil(sum * MARGIN)
  }

  /** Tokens that the answer to a request may have. @throws ContextError `over-limit` where it could take more than is left. */
  #mostOutput(estimate: number): number {
    const { calls, input, cost } = leftOf(this.#most, this.spent)
    if (calls < 1) throw this.#over('calls', 'No request to a model is left.')
    if (estimate + LEAST_ANSWER > input)
      throw this.#over('tokens', `The request has about ${estimate} tokens, and ${input} are left.`)
    const affordable = this.#affordableOutput(estimate, cost)
    if (affordable < LEAST_ANSWER) throw this.#over('cost', 'A further request may cost more than is left.')
    return Math.min(input - estimate, affordable)
  }

  #affordableOutput(estimate: number, cost = Number.POSITIVE_INFINITY): number {
    const { input, written = input, output } = this.#model.price ?? { input: 0, output: 0 }
    const left = cost * MILLION - estimate * Math.max(input, written)
    return left < 0 ? 0 : output === 0 ? left : Math.floor(left / output)
  }

  #over(what: 'calls' | 'tokens' | 'cost', message: string): ContextError {
    this.exhausted = what
    return new ContextError('over-limit', message)
  }
}
