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
  /** US dollars for a million tokens. `up_to`: tokens of input above which these prices do not apply. */
  readonly cost?: {
    readonly input: number
    readonly output: number
    readonly cache_read?: number
    readonly cache_write?: number
    readonly up_to?: number
  }
}

let models: KnownModels['models'] | undefined

/** The limits of a model in tokens, and its price if known. `name`: `provider/model`. Undefined for an unknown model. */
export function knownModel(name: string) {
  models ??= (JSON.parse(readAssetText('models.json')) as KnownModels).models
  const model = valueOfModel(models, name)
  if (!model) return undefined
  const { limit, cost } = model
  return { contextTokens: limit.context, output: limit.output, ...(cost && { price: priceIn(cost) }) }
}

/** The value of a model. An unlisted dated version, `…-20251001` or `…-2026-10-01`, has the value of its model. */
export function valueOfModel<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  const undated = name.replace(/-(\d{8}|\d{4}-\d\d-\d\d)$/, '')
  const key = [name, undated].find((one) => Object.hasOwn(values, one))
  return key === undefined ? undefined : values[key]
}

function priceIn({ input, output, cache_read, cache_write, up_to }: NonNullable<KnownModel['cost']>): Price {
  return omitUndefined({ input, output, cached: cache_read, written: cache_write, upTo: up_to })
}
