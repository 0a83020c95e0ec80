import { extractive } from '../extractive/extractive.ts'
import type { LanguageModel } from '../language.ts'
import { PRICES } from '../prices.ts'
import { overSdk } from '../sdk/language.ts'

/** The model that is there without a network, and without a key. */
export function local(): LanguageModel {
  return overSdk(extractive(), {
    name: 'local/extractive',
    where: 'this machine',
    key: undefined,
    price: PRICES['local/extractive'],
  })
}
