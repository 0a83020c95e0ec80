/** Whether the numbers, units and dates of a claim are those of its source. */

import { toOneNotation } from './claim-notation.ts'
import { toDigits } from './number-words.ts'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/** Numbers as digits, whether they are written so or as a word; without marks of thousands. */
export function numeralsOf(text: string): Set<string> {
  const digits = (toDigits(text).match(/\d+(?:[.,:]\d+)*/g) ?? []).flatMap((number) => [
    number.replace(/,(?=\d{3}(?:\D|$))/g, ''),
    number.replace(/\.(?=\d{3}(?:\D|$))/g, ''),
  ])
  // `2024-03-05` and `5 March 2024` are the same day.
  const days = [...text.matchAll(/\b\d{4}-(\d\d)-(\d\d)\b/g)].flatMap(([, month = '', day = '']) => [month, day])
  return new Set([...digits, ...days.map((part) => part.replace(/^0/, ''))])
}

/** The month, and not the verb. */
const MAY = /\bMay\b(?=\s+\d|,)|(?:\d|\b(?:in|of|since|until|till|by|from|last|this|next|early|late|mid))[\s-]+May\b/

/** Names of months, of a day as it is written in digits, too. */
function monthsOf(text: string): Set<string> {
  const isMonth = (word: string) => word !== 'may' || MAY.test(text)
  const named = (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => {
    const month = MONTHS.find((one) => one === word || (word.length === 3 && one.startsWith(word) && word !== 'may'))
    return month !== undefined && isMonth(word) ? [month] : []
  })
  const digits = [...text.matchAll(/\b\d{4}-(\d\d)-\d\d\b/g)].flatMap(
    ([, month = '']) => MONTHS[Number(month) - 1] ?? [],
  )
  return new Set([...named, ...digits])
}

const UNITS: readonly (readonly string[])[] = [
  ['ms', 'millisecond', 'milliseconds'],
  ['s', 'sec', 'secs', 'second', 'seconds'],
  ['min', 'mins', 'minute', 'minutes'],
  ['h', 'hour', 'hours'],
  ['day', 'days'],
  ['week', 'weeks'],
  ['month', 'months'],
  ['year', 'years'],
  ['byte', 'bytes'],
  ['kb', 'kilobyte', 'kilobytes'],
  ['mb', 'megabyte', 'megabytes'],
  ['gb', 'gigabyte', 'gigabytes'],
  ['tb', 'terabyte', 'terabytes'],
  ['kib'],
  ['mib'],
  ['gib'],
  ['mm', 'millimetre', 'millimetres', 'millimeter', 'millimeters'],
  ['cm', 'centimetre', 'centimetres', 'centimeter', 'centimeters'],
  ['m', 'metre', 'metres', 'meter', 'meters'],
  ['km', 'kilometre', 'kilometres', 'kilometer', 'kilometers'],
  ['mile', 'miles'],
  ['g', 'gram', 'grams'],
  ['kg', 'kilogram', 'kilograms'],
  ['t', 'ton', 'tons', 'tonne', 'tonnes'],
  ['l', 'litre', 'litres', 'liter', 'liters'],
  ['%', 'percent', 'prozent'],
  ['€', 'eur', 'euro', 'euros'],
  ['$', 'usd', 'dollar', 'dollars'],
  ['£', 'gbp', 'pound', 'pounds'],
  ['hz', 'hertz'],
  ['khz'],
  ['mhz'],
  ['ghz'],
  ['w', 'watt', 'watts'],
  ['kw', 'kilowatt', 'kilowatts'],
  ['mw', 'megawatt', 'megawatts'],
  ['v', 'volt', 'volts'],
  ['°c'],
  ['°f'],
  ['knot', 'knots'],
  ['thousand'],
  ['million', 'millions'],
  ['billion', 'billions'],
]
const UNIT_OF = new Map(UNITS.flatMap((names) => names.map((name) => [name, names[0] ?? ''] as const)))

/** `5 ms` of each number that has a known unit. */
function quantitiesOf(text: string): Set<string> {
  const behind = [
    ...text.matchAll(/(\d[\d.,]{0,30})[\s\u00a0-]?(%|€|\$|£|°[CF]|\p{L}{1,12})/gu),
    ...text.matchAll(/(\d[\d.,]{0,30})\s(?:thousand|million|billion)\s(%|€|\$|£|\p{L}{1,12})/gu),
  ]
  const before = [...text.matchAll(/([€$£])\s?(\d[\d.,]{0,30})/g)].map(([all, unit = '', number = '']) => [
    all,
    number,
    unit,
  ])
  const found = [...behind, ...before].flatMap(([, number = '', unit = '']) => {
    const known = UNIT_OF.get(unit.toLowerCase())
    return known === undefined ? [] : [`${number.replace(/,(?=\d{3}(?:\D|$))|[.,]$/g, '')} ${known}`]
  })
  return new Set(found)
}

export function whyOtherNumber(asWritten: string, sourceAsWritten: string): string | undefined {
  const [claim, source] = [toDigits(asWritten), toDigits(sourceAsWritten)]
  const [numbers, months, quantities] = [numeralsOf(source), monthsOf(source), quantitiesOf(source)]
  const number = [...numeralsIn(claim)].find((one) => !one.some((form) => numbers.has(form)))
  if (number) return `Its source does not hold ${number[0]}.`
  const month = [...monthsOf(claim)].find((one) => !months.has(one))
  if (month !== undefined) return `Its source does not hold ${month}.`
  const units = new Set((source.toLowerCase().match(/%|€|\$|£|°[cf]|\p{L}+/gu) ?? []).map((word) => UNIT_OF.get(word)))
  const other = [...quantitiesOf(claim)].find((one) => {
    const [value = '', unit = ''] = one.split(' ')
    const hasOther = [...quantities].some((held) => held.startsWith(`${value} `))
    return !quantities.has(one) && (hasOther || !units.has(unit))
  })
  return other === undefined ? undefined : `Its source does not hold ${other}.`
}

const DAYS = /\b\d{4}-(\d\d-\d\d)\b/g

/** A day with its year, where the source tells of another: its parts may stand there apart. */
export function whyOtherDay(claim: string, source: string): string | undefined {
  const days = [...toOneNotation(claim).matchAll(DAYS)]
  if (days.length === 0) return undefined
  const same = toOneNotation(source)
  const held = new Set([...same.matchAll(/\b\d\d-\d\d\b/g)].map(([day]) => day))
  const other = same.search(DAYS) < 0 ? undefined : days.find(([, ofYear = '']) => !held.has(ofYear))
  return other && `Its source does not hold the day ${other[0]}.`
}

/** A number of the sentence that is meant has another one in its place, between the same words, whatever the headings hold. */
export function whyReplacedNumber(claim: string, sentence: string): string | undefined {
  const [own, theirs] = [numbersByPlace(claim), numbersByPlace(sentence)]
  for (const [place, numbers] of own) {
    const held = theirs.get(place)
    const other = held && [...numbers].find((number) => !held.has(number))
    if (other !== undefined) return `Its source does not hold ${other} there.`
  }
  return undefined
}

/** The numbers of a text by the words before and behind them. */
function numbersByPlace(text: string): Map<string, Set<string>> {
  const words = toDigits(text).match(/\p{L}+|\d+(?:[.,:]\d+)*/gu) ?? []
  const found = new Map<string, Set<string>>()
  for (const [at, word] of words.entries()) {
    if (!/^\d/.test(word)) continue
    const place = `${words[at - 1] ?? ''} ${words[at + 1] ?? ''}`.toLowerCase()
    found.set(place, (found.get(place) ?? new Set()).add(word.replace(/,(?=\d{3}(?:\D|$))/g, '')))
  }
  return found
}

/** Each number of a claim, in the forms that it may have in a source. */
function numeralsIn(claim: string): string[][] {
  // The month of a day that is written in digits is looked for by its name, too.
  const plain = toDigits(claim).replace(/\b(\d{4})-\d\d-0?(\d{1,2})\b/g, '$1 $2')
  return (plain.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((number) => [...numeralsOf(number)])
}
