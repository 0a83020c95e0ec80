/**
 * Writes assets/models.json, the known models with their sizes and prices, in the format of models.dev.
 * `npm run models -- FILE`: FILE is `litellm/model_prices_and_context_window_backup.json` of the PyPI package
 * `litellm` (MIT). SOURCE has the version of the package and the date of its release.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import type { KnownModels } from '../src/models/service/known-models.ts'

const SOURCE = { name: 'litellm 1.110.2', date: '2026-11-28' }

/** Providers with the same names for their models in Ambit: litellm's name for the provider, and Ambit's. */
const PROVIDERS: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  gemini: 'google',
  bedrock_converse: 'bedrock',
}

/** Thousands of input tokens above which some models have another price. */
const THRESHOLDS = [128, 200, 256, 272]

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: npm run models -- FILE')
const rows: Record<string, Record<string, unknown>> = JSON.parse(readFileSync(file, 'utf8'))

const models = Object.entries(rows).flatMap(([key, row]) => {
  const provider = PROVIDERS[String(row.litellm_provider)]
  const context = Number(row.max_input_tokens)
  const output = Number(row.max_output_tokens)
  // Skips models that cannot call tools, which the assistant needs.
  if (provider === undefined || !row.supports_function_calling || !['chat', 'responses'].includes(String(row.mode)))
    return []
  if (!(context > 0 && output > 0)) return []
  const name = `${provider}/${key.replace(/^(gemini|bedrock\/converse)\//, '')}`
  const perMillion = (field: string) => {
    const price = row[field]
    return typeof price === 'number' ? Math.round(price * 1e10) / 1e4 : undefined
  }
  const upTo = THRESHOLDS.find((thousands) => row[`input_cost_per_token_above_${thousands}k_tokens`] !== undefined)
  const input = perMillion('input_cost_per_token')
  const cost = {
    input,
    output: perMillion('output_cost_per_token'),
    cache_read: perMillion('cache_read_input_token_cost'),
    cache_write: perMillion('cache_creation_input_token_cost'),
    up_to: upTo && upTo * 1000,
  }
  return [[name, { limit: { context, output }, ...(input !== undefined && { cost }) }] as const]
})
const known: KnownModels = {
  source: SOURCE,
  models: Object.fromEntries(models.sort(([a], [b]) => (a < b ? -1 : 1))) as KnownModels['models'],
}
const lines = Object.entries(known.models).map(([name, model]) => `${JSON.stringify(name)}:${JSON.stringify(model)}`)
writeFileSync(
  new URL('../assets/models.json', import.meta.url),
  `{"source":${JSON.stringify(SOURCE)},"models":{\n${lines.join(',\n')}\n}}\n`,
)
console.log(`${lines.length} models`)
