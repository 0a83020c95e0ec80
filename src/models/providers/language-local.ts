import { BUILT_IN_MODEL } from '../../core/choices.ts'
import { extractive } from '../extractive/extractive.ts'
import type { LanguageModel } from '../language.ts'
import { PRICES } from '../prices.ts'
import { overSdk } from '../sdk/language.ts'

/** The model that is there without a network, and without a key. `readTable`: the bytes of the table of word vectors. */
export function local(readTable?: () => Uint8Array): LanguageModel {
  return overSdk(extractive(readTable), {
    name: BUILT_IN_MODEL,
    where: 'this machine',
    price: PRICES[BUILT_IN_MODEL],
  })
}
