/** What models cost, as their makers' pages said. A model that is not here has no price: nothing is guessed. */

import { BUILT_IN_MODEL } from '../core/choices.ts'
import type { Price, Usage } from './language.ts'

export type Prices = Readonly<Record<string, Price>>

/**
 * By `provider/model`, compared with its sources on 2026-11-21. Anthropic: platform.claude.com/docs, the pricing page and
 * those of the models, what is kept for five
 * minutes. OpenAI: developers.openai.com/api/docs/pricing, the standard tier, as several who read it in June 2026 agree.
 * Left out: what has several prices by the size of a prompt that we send, and what sources disagree about.
 */
export const PRICES: Prices = {
  'anthropic/claude-fable-5-1': { input: 10, cached: 0.25, written: 12.5, output: 50 },
  'anthropic/claude-fable-5': { input: 10, cached: 1, written: 12.5, output: 50 },
  'anthropic/claude-opus-5-5': { input: 4, cached: 0.2, written: 5, output: 20 },
  'anthropic/claude-opus-5': { input: 5, cached: 0.5, written: 6.25, output: 25 },
  'anthropic/claude-opus-4-8': { input: 5, cached: 0.5, written: 6.25, output: 25 },
  'anthropic/claude-opus-4-7': { input: 5, cached: 0.5, written: 6.25, output: 25 },
  'anthropic/claude-opus-4-6': { input: 5, cached: 0.5, written: 6.25, output: 25 },
  'anthropic/claude-opus-4-5': { input: 5, cached: 0.5, written: 6.25, output: 25 },
  'anthropic/claude-sonnet-5': { input: 2, cached: 0.2, written: 2.5, output: 10 },
  'anthropic/claude-sonnet-4-6': { input: 3, cached: 0.3, written: 3.75, output: 15, upTo: 200_000 },
  'anthropic/claude-sonnet-4-5': { input: 3, cached: 0.3, written: 3.75, output: 15, upTo: 200_000 },
  'anthropic/claude-haiku-4-5': { input: 1, cached: 0.1, written: 1.25, output: 5 },
  'openai/gpt-5.5': { input: 5, cached: 0.5, output: 30, upTo: 272_000 },
  'openai/gpt-5.4': { input: 2.5, cached: 0.25, output: 15, upTo: 272_000 },
  'openai/gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5, upTo: 272_000 },
  'openai/gpt-5.4-nano': { input: 0.2, cached: 0.02, output: 1.25, upTo: 272_000 },
  [BUILT_IN_MODEL]: { input: 0, output: 0 },
}

/**
 * The price of a model; of a dated version, `…-20251001` or `…-2026-10-01`, that of the model. `own`: what the person set,
 * which wins. At another service than its provider (`isElsewhere`) a model has only a price that was set.
 */
export function priceOf(name: string, own: Prices = {}, isElsewhere = false): Price | undefined {
  const plain = name.replace(/-(\d{8}|\d{4}-\d\d-\d\d)$/, '')
  const known = isElsewhere ? {} : PRICES
  for (const prices of [own, known]) {
    for (const one of [name, plain]) if (Object.hasOwn(prices, one)) return prices[one]
  }
  return undefined
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
