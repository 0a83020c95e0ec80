/** Whether the numbers of a statement stand in what it cites, or follow from it by a step of arithmetic. */

import { sentencesOf } from '../../text/sentences.ts'
import { trimEnd } from '../../text/trim.ts'
import { calculate } from '../explore/tables.ts'
import { termsIn } from '../routing/terms.ts'
import { numbersIn, type WrittenNumber } from './number-words.ts'

/** What a statement may take its numbers from. */
export interface NumberBasis {
  /** Passages that it cites. `isRow`: a row of a table, as `name: cell; name: cell`. */
  readonly passages: readonly { readonly text: string; readonly isRow?: boolean }[]
  /** Where else a number may stand: titles, headings, names of columns, results of computations, the question. */
  readonly beside: readonly string[]
  readonly question: string
}

/** Small numbers, which words write in any language, and which count what is listed. */
const SMALL = 12

/** Numbers of a question, of sources, and of the statement itself that a result may be made with: of more of them anything follows. */
const MOST_ASKED = 10
const MOST_OPERANDS = 60
const MOST_RESULTS = 5

/** The first number of a statement that stands nowhere, as it is written. */
export function unheldNumber(claim: string, basis: NumberBasis): string | undefined {
  const { passages, beside, question } = basis
  const own = valuesIn(passages.map(({ text }) => text))
  const scaled = own.flatMap((value) => SCALES.map((scale) => value * scale)).sort((a, b) => a - b)
  const held = new Set([...scaled, ...valuesIn([...beside, question]), ...shownResults(claim)].map(roundedKey))
  const near = (number: number) => {
    const [from, to] = [number * (1 - 2 * ROUNDED), number * (1 + 2 * ROUNDED)]
    return scaled.slice(countBelow(scaled, from), countBelow(scaled, to))
  }
  const counts = countsIn(basis)
  // Words of other languages are not read, and a small number in words is often no quantity.
  const isEnglish = [...passages, { text: question }].some(({ text }) =>
    /\b(?:the|of|and|is|are|was|for|to)\b/i.test(text),
  )
  const missing = numbersIn(claim).filter(({ readings, unit, written }) => {
    const [first = 0] = readings
    const isSmall = Number.isInteger(first) && first <= SMALL
    if (isSmall && (!isEnglish || !claim.includes(String(first)) || (unit === '' && counts.has(first)))) return false
    return !readings.some((one) => held.has(roundedKey(one)) || near(one).some(roundsTo(one, written)))
  })
  if (missing.length === 0) return undefined
  const sources = operandsOf(claim, basis)
  const most = sources.length + MOST_RESULTS
  const asked = valuesOf(numbersIn(question)).slice(0, MOST_ASKED)
  return missing.find(({ readings, written, unit }) => {
    const value = readings.find((one) => follows(one, written, { sources, asked }))
    // What is left is told beside what was spent.
    if (value !== undefined && sources.length < most) sources.push({ value, unit, passage: 0, sentence: RESULT })
    return value === undefined
  })?.written
}

/** A calculation that a statement shows: `3 × 19 + 24 = 81`. */
const SHOWN = /(?<expression>[\d(][\d\s.,()+*/×·÷%−–€$£¥-]{2,200})=\s?[€$£¥]?(?<result>\d[\d,]*(?:\.\d+)?)/g

/** The results that follow from what is shown, rounded as they are written; what they are made of is looked at like any number. */
function shownResults(claim: string): number[] {
  return [...claim.matchAll(SHOWN)].flatMap(({ groups: { expression = '', result = '' } = {} }) => {
    const value = Number(result.replaceAll(',', ''))
    try {
      return Math.abs(calculate(expression) - value) <= 0.5 / 10 ** decimalsOf(value) ? [value] : []
    } catch {
      return []
    }
  })
}

function valuesOf(numbers: readonly WrittenNumber[]): number[] {
  return numbers.flatMap(({ readings }) => readings)
}

function valuesIn(texts: readonly string[]): number[] {
  return [...new Set(texts.flatMap((text) => valuesOf(numbersIn(text, true))))]
}

/** How many passages there are, and lines of each. */
function countsIn({ passages }: NumberBasis): Set<number> {
  const listed = passages.map(({ text }) => text.split('\n').filter((line) => line.trim() !== '').length)
  return new Set([passages.length, ...listed])
}

/** `3 million` is the 3,000,000 of a table: words of factors differ by language, and the judge reads them. */
const SCALES = [1, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9] as const

/** The same for numbers that differ by less than a computer can say. */
function roundedKey(value: number): number {
  return Number(value.toPrecision(10))
}

function isNear(number: number, value: number): boolean {
  return Math.abs(number - value) <= Math.abs(number) * 1e-9
}

/** How far a rounded number may be from what it was made of, and a result from what gives it, as a share of it. */
const ROUNDED = 0.05
const RESULT_ROUNDED = 0.01

/** What may be rounded to a number: `20,000` is of 20,150, and `46` of 45.6; `20` is not of 21, and no year is of anything. */
function roundsTo(number: number, written: string): (value: number) => boolean {
  const most = isYear(number, written) ? -1 : stepOf(number) / 2
  const [finest, digits] = [0.5 / 10 ** decimalsOf(number), digitsOf(number) + 2]
  return (value) => {
    const away = Math.abs(number - value)
    if (away > most || away > Math.abs(value) * ROUNDED) return false
    return (!Number.isInteger(value) && away <= finest) || digitsOf(value) >= digits
  }
}

/** How many of sorted numbers are less than one. */
export function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

function isYear(number: number, written: string): boolean {
  return /^\d{4}$/.test(written) && number >= 1500 && number <= 2100
}

/** What the last digit of a number counts that is not a zero: 1000 for 20,000. */
function stepOf(number: number): number {
  if (!Number.isInteger(number)) return 10 ** -decimalsOf(number)
  const digits = number === 0 ? '' : String(number)
  return 10 ** (digits.length - trimEnd(digits, '0').length)
}

function decimalsOf(number: number): number {
  return String(number).split('.')[1]?.length ?? 0
}

/** Significant digits. */
function digitsOf(number: number): number {
  return String(Number(number.toPrecision(12)).toExponential()).replace(/e.*|\D/g, '').length
}

interface Operand {
  readonly value: number
  readonly unit: string
  /** Which passage, and which sentence of it. */
  readonly passage: number
  readonly sentence: number
}

interface Operands {
  readonly sources: readonly Operand[]
  /** Numbers of the question. */
  readonly asked: readonly number[]
}

/** The sentence of a number of the statement itself that follows from others. */
const RESULT = -1

/** The numbers of the rows and sentences, those first that have most words of the statement. */
function operandsOf(claim: string, { passages }: NumberBasis): Operand[] {
  const terms = new Set(termsIn(claim))
  const sharedBy = (text: string) => termsIn(text).filter((term) => terms.has(term)).length
  const texts = passages.flatMap(({ text, isRow = false }, passage) => {
    const parts = isRow ? [text] : sentencesOf(text).map((sentence) => sentence.text)
    return parts.map((part, sentence) => ({ part, isRow, passage, sentence, shared: sharedBy(part) }))
  })
  const near = texts.filter(({ shared, isRow }) => shared > 0 || isRow || texts.length <= MOST_OPERANDS)
  return near
    .toSorted((a, b) => b.shared - a.shared)
    .flatMap(({ part, isRow, passage, sentence }) => {
      const numbers = isRow ? cellNumbers(part) : numbersIn(part)
      return numbers.map(({ readings: [value = 0], unit }) => ({ value, unit, passage, sentence }))
    })
    .slice(0, MOST_OPERANDS)
}

/** Of a row the numbers of each cell, whose unit is its column. */
function cellNumbers(row: string): WrittenNumber[] {
  return row.split('; ').flatMap((cell) => {
    const colon = cell.indexOf(': ')
    return numbersIn(cell.slice(colon + 1)).map((number) => ({ ...number, unit: cell.slice(0, Math.max(0, colon)) }))
  })
}

/** Factors between measures: weeks and days, hours and minutes, halves. */
const MEASURES = [2, 7, 12, 24, 52, 60] as const

/** Whether a number is the same in another measure, or what one step of arithmetic gives. */
function follows(number: number, written: string, operands: Operands): boolean {
  const isOther = (value: number) =>
    MEASURES.some(
      (factor) =>
        isNear(number, value * factor) || (Number.isInteger(value / factor) && isNear(number, value / factor)),
    )
  if (operands.sources.some(({ value }) => isOther(value))) return true
  const slack = isYear(number, written) ? 0 : Math.min(stepOf(number) / 2, number * RESULT_ROUNDED)
  for (const value of resultsOf(operands, written.endsWith('%'))) {
    const isWhole = Number.isInteger(value) && value < 1000
    if (Math.abs(value - number) <= (isWhole ? 0 : slack) + number * 1e-9) return true
  }
  return false
}

function* resultsOf({ sources, asked }: Operands, isShare: boolean): Generator<number> {
  for (const { value, unit } of sources) {
    if (unit === '%') yield* isShare ? [100 - value] : [1 - value / 100, 1 + value / 100]
    for (const factor of asked) yield* [value * factor, value / factor]
  }
  for (const [at, one] of sources.entries()) {
    for (const other of sources.slice(at + 1)) {
      yield* ofTwo(one, other, isShare)
      for (const factor of asked) yield one.value * other.value * factor
    }
  }
  const groups = Map.groupBy(sources, ({ unit, passage, sentence }) => unit || `\0${passage} ${sentence}`)
  for (const group of groups.values())
    yield* sumsOf(group.toSorted((a, b) => a.passage - b.passage || a.sentence - b.sentence))
}

function* ofTwo(one: Operand, other: Operand, isShare: boolean): Generator<number> {
  const [a, b] = [one.value, other.value]
  const isBeside = other.sentence === RESULT || (one.passage === other.passage && one.sentence === other.sentence)
  const isOfShare = one.unit === '%' || other.unit === '%'
  // Numbers of nothing in particular have to do with each other in one sentence.
  if (one.unit === other.unit && (one.unit !== '' || isBeside)) {
    yield* [a + b, Math.abs(a - b), a / b, b / a]
    if (isShare) yield* [(100 * a) / b, (100 * b) / a]
    if (one.unit !== '') yield* [a + 2 * b, 2 * a + b]
  } else if (one.unit !== other.unit && !isOfShare) yield* [a * b, a / b, b / a]
  if (isOfShare && !isShare) {
    const [part, whole] = [(a * b) / 100, one.unit === '%' ? b : a]
    yield* [part, whole + part, whole - part]
  }
  if (isBeside && Math.min(a, b) <= SMALL) yield a * b
}

/** All that stand in a row, and some of them. */
function* sumsOf(group: readonly Operand[]): Generator<number> {
  for (let from = 0; from < group.length; from++) {
    let sum = group[from]?.value ?? 0
    for (const { value } of group.slice(from + 1)) {
      sum += value
      yield sum
    }
  }
}
