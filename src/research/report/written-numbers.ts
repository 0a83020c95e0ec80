/** Reads the numbers of a text, in digits and in English words. */

/** English number words, which are read as digits: `forty-five` is `45`. Words of other languages are not read. */
const UNITS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const FACTORS: Readonly<Record<string, number>> = { hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9 }

const VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.split(' ').map((word, at) => [word, at + 1] as const),
  ...TENS.split(' ').map((word, at) => [word, (at + 2) * 10] as const),
])

const FACTOR = Object.keys(FACTORS).join('|')
const WORD = `${[...VALUES.keys()].join('|')}|${FACTOR}`
// `nine and fourteen` are two numbers, and so are `one hundred and two hundred`.
const JOINT = String.raw`(?:-| |(?<=(${FACTOR})) and (?!\S+ \1))`
const NUMBER = new RegExp(String.raw`(?<![\p{L}\p{N}-])(?:${WORD})(?:${JOINT}(?:${WORD}))*(?![\p{L}\p{N}])`, 'giu')

/** The value of number words; undefined if they are not one number: `two three`, `sixty forty`. */
function numberOf(words: readonly string[]): number | undefined {
  // `part`: the value after the last factor `scale` (1,000 or more). `last`: the value of the previous word.
  let [sum, part, last, scale] = [0, 0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const word of words) {
    const factor = FACTORS[word]
    const value = VALUES.get(word) ?? 0
    if (factor !== undefined && part > 0 && (factor === 100 ? part < 100 : factor < scale)) {
      if (factor === 100) part *= factor
      else [sum, part, scale] = [sum + part * factor, 0, factor]
      last = factor
    } else if (factor === undefined && value < (last < 100 ? 10 : last) && last >= 20) {
      part += value
      last = value
    } else return undefined
  }
  return sum + part
}

export interface WrittenNumber {
  /** Possible values: `1,250` is 1250, and 1.25 if the comma is a decimal point. */
  readonly readings: readonly number[]
  /** A sign of a currency, or `%`; else `''`. */
  readonly unit: string
  /** The number with its unit, as the text writes it. */
  readonly written: string
}

/**
 * A letter of a script with spaces between words. Four such letters right after digits make a name, as in `37signals`, because
 * units are shorter; but `10million` is a number.
 */
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]`
const NUMBER_TOKEN = new RegExp(
  String.raw`(?<sign>[€$£¥])?\s?(?<!${LETTER}|\p{N})(?<![\p{L}\p{N}][-_.])(?<number>\d+(?:[.,:/-]\d+)*)(?:(?<name>(?!${FACTOR})${LETTER}{4})|\s?(?<unit>[%€$£¥]))?`,
  'giu',
)

/** The numbers of a text. `isSource`: reads numbers within names, too: a statement may use a part of a name. */
export function numbersIn(text: string, isSource = false): WrittenNumber[] {
  const plain = text
    .replace(NUMBER, (words) => String(numberOf(words.toLowerCase().split(/-| and | /)) ?? words))
    .replace(/(?<![\p{L}\p{N}.,])(\d+) and a half\b/gu, '$1.5')
    .replace(/(?<=\d)[\u00A0\u202F'’](?=\d{3}(?!\d))/g, '')
  const numbers = [...plain.matchAll(NUMBER_TOKEN)].flatMap(({ groups }) => {
    const { sign = '', number = '', unit = '', name } = groups ?? {}
    if (name !== undefined) return []
    return readNumber(number).map((readings) => ({ readings, unit: sign || unit, written: `${sign}${number}${unit}` }))
  })
  if (!isSource) return numbers
  const readPhrases = (pattern: RegExp, valuesOf: (word: string) => readonly number[]) =>
    [...plain.matchAll(pattern)].flatMap(([written, word = '']) =>
      valuesOf(word.toLowerCase()).map((value) => ({ readings: [value], unit: '', written })),
    )
  return [
    ...numbers,
    ...readPhrases(/(\d+)/g, (digits) => [Number(digits)]),
    // `3 p.m.` is `15:00`, `half past nine` is `9:30`, and `a quarter to nine` is `8:45`.
    ...readPhrases(/(\d{1,2})(?:[:.]\d\d)?\s?p\.?m\b/gi, (hour) => [(Number(hour) % 12) + 12]),
    ...readPhrases(/\b(half|quarter) past\b/gi, (part) => [part === 'half' ? 30 : 15]),
    ...readPhrases(/\bquarter to (\d{1,2})\b/gi, (hour) => [Number(hour) - 1 || 12, 45]),
    // `a minute` is `60` seconds, except in a rate such as `10 requests a minute`.
    ...readPhrases(/(?<!\d \w{1,20} )\b(half )?an? (?:hour|minute)\b/gi, (half) => [half === '' ? 60 : 30]),
  ]
}

/** The possible values of each number in a token. A date, a time or a range has several numbers. */
function readNumber(token: string): number[][] {
  const value = (text: string) => Number(text.replace(',', '.'))
  const [, mark] = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/.exec(token) ?? []
  if (mark !== undefined) {
    const readings = [value(token.replaceAll(mark, '')), ...(/^\d+[.,]\d{3}$/.test(token) ? [value(token)] : [])]
    return [mark === ',' ? readings : readings.toReversed()]
  }
  if (/^\d+(?:[.,]\d+)?$/.test(token)) return [[value(token)]]
  // The month of a date is skipped, because a statement may write it as a word.
  const day = /^(\d{4})-\d\d-(\d\d)$/.exec(token)
  const [, first, second, year] = /^(\d\d?)[./](\d\d?)[./](\d{4})$/.exec(token) ?? []
  const written =
    year === undefined ? token.split(/[.,:/-]/) : [year, ...[first, second].filter((one) => Number(one) > 12)]
  return (day ? [day[1], day[2]] : written).map((part) => [Number(part)])
}
