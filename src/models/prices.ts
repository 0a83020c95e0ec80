/** What models cost. A model whose price is not known has none: nothing is guessed. */

import { BUILT_IN_MODEL } from '../core/choices.ts'
import type { Price, Usage } from './language.ts'
import { knownModel, undatedName } from './service/known-models.ts'

export type Prices = Readonly<Record<string, Price>>

/**
 * The price of a model; of a dated version, `…-20251001` or `…-2026-10-01`, that of the model. `own`: what the person set,
 * which wins. At another service than its provider (`isElsewhere`) a model has only a price that was set.
 */
export function priceOf(name: string, own: Prices = {}, isElsewhere = false): Price | undefined {
  const set = [name, undatedName(name)].find((one) => Object.hasOwn(own, one))
  if (set !== undefined) return own[set]
  if (name === BUILT_IN_MODEL) return { input: 0, output: 0 }
  return isElsewhere ? undefined : knownModel(name)?.price
}

/** US dollars of one request; undefined where its price is not known. */
export function costOf({ input, cached, written = 0, output }: Usage, price: Price | undefined): number | undefined {
  if (!price || (price.upTo !== undefined && input > price.upTo)) return undefined
  const fresh = Math.max(0, input - cached - written)
  const { input: base } = price
  const sum = fresh * base + cached * (price.cached ?? base) + written * (price.written ?? base) + output * price.output
  return dollars(sum / 1_000_000)
}

/** Without what adding up fractions leaves behind. */
export function dollars(sum: number): number {
  return Math.round(sum * 1e10) / 1e10
}
