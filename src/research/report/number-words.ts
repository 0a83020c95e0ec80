/** English number words as digits: `forty-five` is `45`, `two and a half` is `2.5`. Other languages keep their words. */

const UNITS = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(' ')
const MORE_UNITS = 'sixteen seventeen eighteen nineteen'.split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const FACTORS: Readonly<Record<string, number>> = { hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9 }

const VALUES: ReadonlyMap<string, number> = new Map([
  ...[...UNITS, ...MORE_UNITS].map((word, at) => [word, at + 1] as const),
  ...TENS.map((word, at) => [word, (at + 2) * 10] as const),
])

const WORD = [...VALUES.keys(), ...Object.keys(FACTORS)].join('|')
const NUMBER = new RegExp(String.raw`(?<![\p{L}\p{N}-])(?:${WORD})(?:(?:-| and | )(?:${WORD}))*(?![\p{L}\p{N}])`, 'giu')

export function toDigits(text: string): string {
  return text
    .replace(NUMBER, (words) => {
      const value = numberOf(words.toLowerCase().split(/-| and | /))
      return value === undefined ? words : String(value)
    })
    .replace(/(?<![\p{L}\p{N}.,])(\d+) and a half\b/gu, '$1.5')
}

/** Undefined for words in a row that are not one number: `two three`, `ten and eleven`. */
function numberOf(words: readonly string[]): number | undefined {
  let [sum, part, last] = [0, 0, Number.POSITIVE_INFINITY]
  for (const word of words) {
    const factor = FACTORS[word]
    const value = VALUES.get(word) ?? 0
    if (factor !== undefined && part > 0) {
      if (factor > 100) [sum, part] = [sum + part * factor, 0]
      else part *= factor
      last = factor
    } else if (factor === undefined && value < last && (part === 0 || last >= 20)) {
      part += value
      last = value
    } else return undefined
  }
  return sum + part
}
