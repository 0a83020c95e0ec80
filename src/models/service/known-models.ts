/** Known models: `assets/models.json`, in the format of models.dev, with the date of its source. */

import { omitUndefined } from '../../core/omit-undefined.ts'
import { readAssetText } from '../../files/home.ts'
import type { Price } from '../language.ts'

export interface KnownModels {
  readonly source: { readonly name: string; readonly date: string }
  readonly models: Readonly<Record<string, KnownModel>>
}

interface KnownModel {
  /** Tokens. */
  readonly limit: { readonly context: number; readonly output: number }
  /** US dollars for a million tokens; `up_to`: tokens of input above which they do not apply. */
  readonly cost?: {
    readonly input: number
    readonly output: number
    readonly cache_read?: number
    readonly cache_write?: number
    readonly up_to?: number
  }
}

/** The limits of a model in tokens, and its price if known. */
export interface ModelFacts {
  readonly reads: number
  readonly output: number
  readonly price?: Price
}

let models: KnownModels['models'] | undefined

/** By `provider/model`. An unlisted dated version, `…-20251001` or `…-2026-10-01`, has the data of the model. */
export function knownModel(name: string): ModelFacts | undefined {
  models ??= (JSON.parse(readAssetText('models.json')) as KnownModels).models
  const key = [name, undatedName(name)].find((one) => Object.hasOwn(models ?? {}, one))
  const model = key === undefined ? undefined : models[key]
  if (!model) return undefined
  const { limit, cost } = model
  return { reads: limit.context, output: limit.output, ...(cost && { price: priceIn(cost) }) }
}

export function undatedName(name: string): string {
  return name.replace(/-(\d{8}|\d{4}-\d\d-\d\d)$/, '')
}

function priceIn({ input, output, cache_read, cache_write, up_to }: NonNullable<KnownModel['cost']>): Price {
  return omitUndefined({ input, output, cached: cache_read, written: cache_write, upTo: up_to })
}
