/** What models cost as the person says, and what a question may: `prices` and `costLimit`, `AMBIT_COST_LIMIT`. */

import { type ContextError, invalidInput } from '../../core/errors.ts'
import type { ConfigSources } from './language.ts'

/** US dollars for a million tokens. */
export interface PriceConfig {
  readonly input: number
  readonly cached?: number
  readonly written?: number
  readonly output: number
}

export type PricesConfig = Readonly<Record<string, PriceConfig>>

const FIELDS = ['input', 'cached', 'written', 'output']

/** By `provider/model`; undefined where none is set. @throws ContextError `invalid-input` for what is not a price. */
export function pricesIn({ values, file = '' }: ConfigSources): PricesConfig | undefined {
  const { prices } = values
  if (prices === undefined) return undefined
  if (!isRecord(prices)) throw invalidPrices(file, '"prices" must name models.')
  for (const [name, price] of Object.entries(prices)) {
    const isPrice = isRecord(price) && Object.entries(price).every(([field, value]) => isPart(field, value))
    if (!isPrice || price.input === undefined || price.output === undefined) {
      throw invalidPrices(file, `The price of ${JSON.stringify(name)} is not valid: it takes ${FIELDS.join(', ')}.`)
    }
  }
  return prices as PricesConfig
}

/** US dollars that one question may take; undefined where none is set. The environment wins. */
export function costLimitIn({ environment, values, file = '' }: ConfigSources): number | undefined {
  const value = environment.AMBIT_COST_LIMIT || values.costLimit
  if (value === undefined) return undefined
  const limit = typeof value === 'string' ? Number(value) : value
  if (typeof limit === 'number' && limit > 0 && Number.isFinite(limit)) return limit
  const hint = 'It is in US dollars, such as 0.5.'
  const where = environment.AMBIT_COST_LIMIT ? 'AMBIT_COST_LIMIT' : `"costLimit" in the configuration file ${file}`
  throw invalidInput(`${where} is ${JSON.stringify(value)}.`, hint)
}

function isPart(field: string, value: unknown): boolean {
  return FIELDS.includes(field) && typeof value === 'number' && value >= 0 && Number.isFinite(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalidPrices(file: string, problem: string): ContextError {
  const hint =
    'Write US dollars for a million tokens: prices: { openai-compatible/qwen3: { input: 0.1, output: 0.4 } }.'
  return invalidInput(`The configuration file ${file} cannot be used: ${problem}`, hint)
}
