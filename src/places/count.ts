import { ContextError } from '../core/errors.ts'
import type { Count } from '../core/flow.ts'
import { bytes4 } from '../core/tokens.ts'

/** The names of the token counters. */
export const COUNTERS = ['bytes4', 'o200k'] as const

/** `bytes4`: a token for every four bytes, the default. `o200k`: exact for OpenAI's models of 2024 and later. */
export type CounterName = (typeof COUNTERS)[number]

/** The counter of that name. The exact one takes some 190 ms and 100 MB to load, and is loaded only when asked for. */
export async function counter(name: CounterName = 'bytes4'): Promise<Count> {
  return name === 'o200k' ? exact() : bytes4
}

async function exact(): Promise<Count> {
  try {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    return (text) => countTokens(text, { disallowedSpecial: new Set() })
  } catch (cause) {
    const hint = 'Install gpt-tokenizer, or count with bytes4.'
    throw new ContextError('unavailable', 'The o200k tokenizer cannot be loaded.', { hint, cause })
  }
}
