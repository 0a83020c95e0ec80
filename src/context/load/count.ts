import type { Count } from '../../core/flow.ts'
import { bytes4 } from '../../core/tokens.ts'
import { laterPattern } from '../../text/wildcards.ts'

/** The names of the token counters. */
export const COUNTERS = ['bytes4', 'o200k'] as const

/**
 * `bytes4`: a token for every four bytes, the default. `o200k`: exact for OpenAI's models of 2024 and later, but for words
 * of more than `LONGEST_RUN` characters, which may count for a little more.
 */
export type CounterName = (typeof COUNTERS)[number]

/** The counter of that name. The exact one takes some 190 ms and 100 MB to load, and is loaded on demand. */
export async function counter(name: CounterName = 'bytes4'): Promise<Count> {
  return name === 'o200k' ? exact() : bytes4
}

async function exact(): Promise<Count> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => splitRuns(text).reduce((sum, part) => sum + countTokens(part, options), 0)
}

/** UTF-16 units of letters, signs or white space in a row. The tokenizer's time grows with the square of them. */
const LONGEST_RUN = 256

/** Every text is a sequence of these. */
const runPattern = laterPattern(String.raw`[\p{L}\p{M}]+|\p{N}+|\s+|[^\p{L}\p{M}\p{N}\s]+`, 'gu')

/** The text, cut within the runs that are longer, and between the halves of no character. */
function splitRuns(text: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  const run = runPattern()
  run.lastIndex = 0
  for (let start = 0; run.test(text); start = run.lastIndex) {
    for (let end = start + LONGEST_RUN; end < run.lastIndex; end += LONGEST_RUN) {
      if (/[\udc00-\udfff]/.test(text.charAt(end))) end--
      parts.push(text.slice(from, end))
      from = end
    }
  }
  return from === 0 ? [text] : [...parts, text.slice(from)]
}
