/** Numbers, amounts, quarters, days and times of a text in one notation: two texts that say the same hold the same digits then. */

import { trimBoth } from '../../text/trim.ts'
import { toDigits } from './number-words.ts'

/** `€12.5 million` is `12500000 euros`, `Q3` `quarter 3`, `3 pm` `15:00`, `12.03.1998` `1998-03-12`, `forty-five` `45`. */
export function toOneNotation(text: string): string {
  return NOTATIONS.reduce((rest, [pattern, write]) => rest.replace(pattern, write), toDigits(text))
}

type Notation = readonly [pattern: RegExp, write: (...groups: string[]) => string]

const ORDINALS = ['first', 'second', 'third', 'fourth']

/** Zeros of a factor, by how it is written. `m` is metres, except of money. */
const ZEROS: Readonly<Record<string, number>> = {
  hundred: 2,
  k: 3,
  thousand: 3,
  million: 6,
  millions: 6,
  mn: 6,
  m: 6,
  billion: 9,
  billions: 9,
  bn: 9,
  b: 9,
  trillion: 12,
  tn: 12,
}
const FACTORS = 'hundred|thousand|millions?|mn|billions?|bn|trillion|tn'

const MONEY: Readonly<Record<string, string>> = {
  '€': 'euros',
  eur: 'euros',
  $: 'dollars',
  us$: 'dollars',
  usd: 'dollars',
  '£': 'pounds',
  gbp: 'pounds',
}

/** Of each month its names in English and German, whole and short. */
const MONTHS = [
  'jan(?:uary|uar)?',
  'feb(?:ruary|ruar)?',
  'mar(?:ch)?|märz?',
  'apr(?:il)?',
  'may|mai',
  'june?|juni',
  'july?|juli',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'o[ck]t(?:ober)?',
  'nov(?:ember)?',
  'de[cz](?:ember)?',
]
const MONTH = String.raw`(${MONTHS.join('|')})\.?`
const MONTH_NAMES = MONTHS.map((names) => new RegExp(`^(?:${names})$`, 'iu'))
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|\.)?`

function dayOf(year: string, month: string, day: string): string {
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
}

function monthOf(name: string): string {
  return String(MONTH_NAMES.findIndex((names) => names.test(name)) + 1)
}

const NUMBER = String.raw`\d{1,20}(?:\.\d{1,20})?`
const NO_WORD_BEFORE = String.raw`(?<![\p{L}\p{N}.,:/-])`

/** In this order: what one writes, the next ones read. */
const NOTATIONS: readonly Notation[] = [
  // 12 500 000 with spaces that do not break; 1.234,50; 1,234.50 and 12,500,000.
  [/(?<![\d.,])\d{1,3}(?:[\u00a0\u202f\u2009]\d{3}){1,6}(?!\d)/g, (all) => all.replace(/\D/g, '')],
  [
    /(?<![\d.,])(\d{1,3}(?:\.\d{3}){1,6}),(\d{1,20})(?![\d.,]?\d)/g,
    (_, whole = '', part = '') => `${whole.replaceAll('.', '')}.${part}`,
  ],
  [/(?<![\d.,])\d{1,3}(?:,\d{3}){1,6}(?![\d,]?\d)/g, (all) => all.replaceAll(',', '')],
  [
    /(?<![\p{L}\d./-])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\d.]?\d)/gu,
    (all, day = '', month = '', year = '') =>
      Number(month) <= 12 && Number(day) <= 31 ? dayOf(year, month, day) : all,
  ],
  [
    new RegExp(`${NO_WORD_BEFORE}${DAY}(?: of)? ${MONTH},? (\\d{4})(?!\\d)`, 'giu'),
    (_, day = '', month = '', year = '') => dayOf(year, monthOf(month), day),
  ],
  [
    new RegExp(`${NO_WORD_BEFORE}${MONTH} ${DAY},? (\\d{4})(?!\\d)`, 'giu'),
    (_, month = '', day = '', year = '') => dayOf(year, monthOf(month), day),
  ],
  // Of no year: as in a day that has one.
  [
    new RegExp(`${NO_WORD_BEFORE}${DAY}(?: of)? ${MONTH}(?![\\p{L}\\p{N}])`, 'giu'),
    (_, day = '', month = '') => dayOf('', monthOf(month), day).slice(1),
  ],
  [
    new RegExp(`${NO_WORD_BEFORE}${MONTH} ${DAY}(?![\\p{L}\\p{N}:]|[.,]\\d)`, 'giu'),
    (_, month = '', day = '') => dayOf('', monthOf(month), day).slice(1),
  ],
  [
    new RegExp(
      `${NO_WORD_BEFORE}(US\\$|USD|EUR|GBP|[€$£])[ \\u00a0]?(${NUMBER})(?:[ \\u00a0-]?(${FACTORS}|[kmb])(?![\\p{L}\\p{N}]))?`,
      'giu',
    ),
    (_, unit = '', number = '', factor = '') => `${applyFactor(number, factor)} ${MONEY[unit.toLowerCase()] ?? unit}`,
  ],
  [
    new RegExp(`${NO_WORD_BEFORE}(${NUMBER})(?:[ \\u00a0-]?(${FACTORS})|(k))(?![\\p{L}\\p{N}])`, 'giu'),
    (_, number = '', factor = '', short = '') => applyFactor(number, factor || short),
  ],
  [/(?<=\d[ \u00a0]?)(?:€|EUR)(?![\p{L}\p{N}])/gu, () => ' euros'],
  [/\bper cent\b/gi, () => 'percent'],
  [
    /(?<=\d[ \u00a0]?)(?:degrees?|deg) (celsius|fahrenheit)\b/gi,
    (_, scale = '') => `°${scale.charAt(0).toUpperCase()}`,
  ],
  [/\bQ([1-4])(?![\p{L}\p{N}])/gu, (_, at = '') => `quarter ${at}`],
  [/\bH([12])(?= (?:of )?(?:1[89]|20)\d\d\b)/g, (_, at = '') => `half ${at}`],
  [
    /\b(?:(first|second|third|fourth)|([1-4])(?:st|nd|rd|th)) (quarter|half)\b/gi,
    (_, word = '', digit = '', part = '') => `${part} ${digit || ORDINALS.indexOf(word.toLowerCase()) + 1}`,
  ],
  [
    /(?<![\d.:])(\d{1,2})(?::([0-5]\d))? ?([ap])(?:m\b|\.m\.)/gi,
    (all, hour = '', minutes = '', half = '') =>
      Number(hour) > 12 || hour === '0'
        ? all
        : `${String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')}:${minutes || '00'}`,
  ],
  [/(?<![\d.:])\d:[0-5]\d(?![\d:])/g, (all) => `0${all}`],
]

/** The number with its factor written out: as text, since 12.55 times a million is not exact. */
function applyFactor(number: string, factor: string): string {
  const zeros = ZEROS[factor.toLowerCase()]
  if (zeros === undefined) return number
  const [whole = '', part = ''] = number.split('.')
  const shifted = whole + part.slice(0, zeros).padEnd(zeros, '0')
  const rest = part.slice(zeros)
  return `${shifted.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`
}

const ABOUT =
  /\b(?:about|around|approximately|roughly|circa|rund|etwa|ungefähr)\s+(\d{1,20}(?:\.\d{1,20})?)(?![\d.,:]?\d)/gi

/** Parts of a number by which one that is told as rounded may differ from it. */
const ROUNDED = 0.1

/**
 * A claim with the number of its source in the place of one that is told as rounded: `about 12000000` of `12487000`. Both in one
 * notation.
 */
export function toUnrounded(claim: string, source: string): string {
  const byDigits = new Map<number, ReadonlyMap<number, number>>()
  const roundedTo = (digits: number) => {
    const held = () => (source.match(/\d{1,20}(?:\.\d{1,20})?/g) ?? []).map(Number)
    const known = byDigits.get(digits) ?? new Map(held().map((one) => [Number(one.toPrecision(digits)), one]))
    byDigits.set(digits, known)
    return known
  }
  return claim.replace(ABOUT, (all, number = '') => {
    const digits = Math.max(1, trimBoth(number.replace('.', ''), '0').length)
    const meant = roundedTo(digits).get(Number(number))
    const isNear = meant !== undefined && Math.abs(meant - Number(number)) <= meant * ROUNDED
    return isNear ? all.replace(number, String(meant)) : all
  })
}
