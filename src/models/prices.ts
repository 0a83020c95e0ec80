/** Prices of models. An unknown price is not guessed. */

import { BUILT_IN_MODEL } from '../core/choices.ts'
import type { Price, Usage } from './language.ts'
import { knownModel, valueOfModel } from './service/known-models.ts'

export type Prices = Readonly<Record<string, Price>>

/**
 * The price of a model. A dated version, `…-20251001` or `…-2026-10-01`, has the price of its model. `configured`: prices of the
 * person, which have priority. At a service other than its provider (`isOtherService`), only a configured price counts.
 */
export function priceOf(name: string, configured: Prices = {}, isOtherService = false): Price | undefined {
  const configuredPrice = valueOfModel(configured, name)
  if (configuredPrice) return configuredPrice
  if (name === BUILT_IN_MODEL) return { input: 0, output: 0 }
  return isOtherService ? undefined : knownModel(name)?.price
}

/** The cost of one request in US dollars; undefined if the price is unknown. */
export function costOf({ input, cached, written = 0, output }: Usage, price: Price | undefined): number | undefined {
  if (!price || (price.upTo !== undefined && input > price.upTo)) return undefined
  const uncached = Math.max(0, input - cached - written)
  const { input: base } = price
  const sum =
    uncached * base + cached * (price.cached ?? base) + written * (price.written ?? base) + output * price.output
  return dollars(sum / 1_000_000)
}

/**
 * Usage as limits count it: tokens that a service did not report are estimated, and priced. Otherwise, a service that
 * reports no usage would never reach a limit.
 */
export function countedUsage(
  reported: Usage | undefined,
  estimate: Pick<Usage, 'input' | 'output'>,
  price: Price | undefined,
): Usage {
  if (reported?.cost !== undefined) return reported
  const { input = 0, output = 0, ...rest } = reported ?? { cached: 0 }
  const usage = { ...rest, input: input || estimate.input, output: output || estimate.output }
  const cost = costOf(usage, price)
  return { ...usage, ...(cost !== undefined && { cost }) }
}

/** Rounds off floating-point errors of a sum. */
export function dollars(sum: number): number {
  return Math.round(sum * 1e10) / 1e10
}
