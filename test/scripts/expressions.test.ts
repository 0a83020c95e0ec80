import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Expressions that no checker proves linear, with the most characters that they meet. */
const BOUNDED: readonly { file: string; expression: string; limit: number }[] = JSON.parse(
  readFileSync('scripts/expressions/bounded.json', 'utf8'),
)

/** What gets into the expressions, before what they may try again and again. */
const STARTS = [
  ...'|a|a = |const a|const a = |type a|function a|A = Struct.new|task a|class A |enum A'.split('|'),
  ...['typedef ', 'typedef enum A', 'template <', 'operator', 'public ', 'static int a', 'what version ', 'delegate a'],
]
const REPEATED = ' |a|A|0|<|>|[|]|(|{|=|=>|,|*|$|.|-|do |a |A a('.split('|')

/** Milliseconds that nobody notices. */
const MOST_MS = 250

/** Milliseconds of the worst text; of one that took too long the better of two tries, as other work on the machine counts for nothing. */
function msOf(pattern: RegExp, characters: number): number {
  const attacks = STARTS.flatMap((start) => REPEATED.map((part) => start + part.repeat(characters)))
  const times = attacks.map((text) => {
    const attack = `${text.slice(0, characters - 1)}\u0001`
    const once = () => {
      const started = performance.now()
      pattern.test(attack)
      return performance.now() - started
    }
    const first = once()
    return first < MOST_MS ? first : once()
  })
  return Math.max(...times)
}

describe('An expression that is bounded by the length of its input', () => {
  it.each(BOUNDED)('takes no time that anybody notices at twice its bound: $file $expression', (bounded) => {
    const { expression, limit } = bounded
    const [, pattern = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(expression) ?? []
    expect(msOf(new RegExp(pattern, flags), 2 * limit)).toBeLessThan(MOST_MS)
  })
})
