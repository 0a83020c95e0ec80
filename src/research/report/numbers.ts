/**
 * Checks the numbers of a statement. Each number must be in the statement's sources, or follow from their numbers by one step of
 * arithmetic.
 */

import { cachePerObject } from '../../core/cache-per-object.ts'
import { bisect } from '../../text/bisect.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { calculatedDays, findCalculations } from '../explore/tables.ts'
import { nearestParagraphs } from '../routing/route.ts'
import { numbersIn } from './written-numbers.ts'

export interface NumberedPassage {
  readonly text: string
  /** Whether it is a row of a table: `name: cell; name: cell`. */
  readonly isRow?: boolean
}

/** Texts that the numbers of a statement may come from. */
export interface NumberBasis {
  /** Passages that the statement cites. */
  readonly passages: readonly NumberedPassage[]
  /** Other texts that may hold a number: titles, headings, names of columns, results of computations, the question. */
  readonly otherTexts: readonly string[]
  readonly question: string
}

/** The largest small number. Texts often write such numbers as words, in any language, or count things with them. */
export const LARGEST_SMALL_NUMBER = 12

/**
 * Limits of a calculation: maximum numbers of the question, numbers of the sources, characters of a source, and earlier
 * results. With more numbers, some calculation would give almost any number.
 */
const MAX_QUESTION_NUMBERS = 10
const MAX_OPERANDS = 60
const MAX_SOURCE_LENGTH = 2000
const MAX_RESULTS = 5

/**
 * The first number of a statement that no text contains and no calculation gives, as the statement writes it. Undefined if there
 * is none.
 */
export function findUnsupportedNumber(claim: string, basis: NumberBasis): string | undefined {
  const { passages, otherTexts, question } = basis
  const sortedNumbers = passages.map(readNumbers)
  const sums = findCalculations(claim).map(({ result }) => result)
  const results = passages
    .flatMap(({ text }) => CALCULATION_RESULT.exec(text)?.[1] ?? [])
    .slice(0, MAX_RESULTS)
    .map(Number)
  // Sums and differences of two results.
  const totals = results.flatMap((a, at) => results.slice(0, at).flatMap((b) => [a + b, Math.abs(a - b)]))
  const known = valuesIn([...otherTexts, question, ...calculatedDays(claim)])
  const knownKeys = new Set([...known, ...sums, ...totals].map(roundedKey))
  const hasSource = (number: number, fits = (value: number) => Math.abs(value - number) <= number * 1e-10) => {
    // The upper end is exclusive. MIN_VALUE is added so that zero is in its own range.
    const [from, to] = [number * (1 - 2 * MAX_ROUNDING_ERROR), number * (1 + 2 * MAX_ROUNDING_ERROR) + Number.MIN_VALUE]
    const near = sortedNumbers.flatMap((sorted) => sorted.slice(countBelow(sorted, from), countBelow(sorted, to)))
    return knownKeys.has(roundedKey(number)) || [...totals, ...near].some(fits)
  }
  // A small number is not checked in three cases. In a language other than English, the sources may write it as a word,
  // and such words are not read. If the statement writes it as a word, it is often not a quantity. If it has no unit,
  // it may count the passages or their lines.
  const texts = [...passages.map(({ text }) => text), question]
  const isEnglish = texts.some((text) => /\b(?:the|of|and|is|are|was|for|to)\b/i.test(text))
  const counts = new Set([passages.length, ...passages.map(({ text }) => [...text.matchAll(/\S[^\n]*/g)].length)])
  // No calculation gives a number within a name, such as `K9-2024-0317`. Only numbers of three digits or more are checked:
  // sources may write shorter numbers in another way.
  const names = claim.split(/[\s()`"“”]/).filter((word) => /^\p{L}[\p{L}\p{N}]*[-_.]/u.test(word))
  const wrongName = names.find((name) => name.match(/\d{3,}/g)?.some((digits) => !hasSource(Number(digits))))
  if (wrongName !== undefined) return wrongName
  const missing = numbersIn(claim.replace(FREE_FACTOR, '')).filter(({ readings, unit, written }) => {
    const [first = 0] = readings
    const isSmall = Number.isInteger(first) && first <= LARGEST_SMALL_NUMBER
    if (isSmall && (!isEnglish || !claim.includes(String(first)) || (unit === '' && counts.has(first)))) return false
    return !readings.some((one) => hasSource(one, roundsTo(one, written)))
  })
  if (missing.length === 0) return undefined
  const operands = operandsOf(claim, basis)
  const maxOperands = operands.length + MAX_RESULTS
  const asked = valuesIn([question], false).slice(0, MAX_QUESTION_NUMBERS)
  return missing.find(({ readings, written }) => {
    const value = readings.find((one) => isCalculable(one, written, { operands, asked }))
    // Later numbers may build on this result.
    if (value !== undefined && operands.length < maxOperands) operands.push({ value, group: '' })
    return value === undefined
  })?.written
}

/** The numbers of a passage in all scales, sorted, read once per passage. */
const readNumbers = cachePerObject(({ text }: NumberedPassage) => {
  const scaled = valuesIn([text]).flatMap((value) => SCALES.map((scale) => value * scale))
  return scaled.sort((a, b) => a - b)
})

/** The different numbers of texts, in all their readings. `isSource`: whether to read numbers within names, too. */
export function valuesIn(texts: readonly string[], isSource = true): number[] {
  return [...new Set(texts.flatMap((text) => numbersIn(text, isSource).flatMap(({ readings }) => readings)))]
}

/**
 * Factors for `3 million`, which may be 3,000,000 in a table. They apply to each number, whatever words follow it: such words
 * differ by language, and the judge compares them.
 */
const SCALES = [1, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9] as const

/** The same key for numbers that differ only by rounding errors. */
function roundedKey(value: number): number {
  return Number(value.toPrecision(10))
}

/** Maximum relative error of a rounded number, and of a calculated number. */
const MAX_ROUNDING_ERROR = 0.05
const MAX_RESULT_ERROR = 0.01

/**
 * Tests whether a value rounds to a written number: 20,150 to `20,000`, and 45.6 to `46`, but not 21 to `20`. A year must match
 * exactly.
 */
function roundsTo(number: number, written: string): (value: number) => boolean {
  const maxDistance = isYear(number, written) ? -1 : stepOf(number) / 2
  return (value) => {
    const distance = Math.abs(number - value)
    if (distance <= number * 1e-10) return true
    if (distance > maxDistance || distance > Math.abs(value) * MAX_ROUNDING_ERROR) return false
    return !Number.isInteger(value) || digitsOf(value) >= digitsOf(number) + 2
  }
}

/** The number of sorted values below a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  return bisect(-1, sorted.length, (at) => (sorted[at] ?? 0) < limit) + 1
}

function isYear(number: number, written: string): boolean {
  return /^\d{4}$/.test(written) && number >= 1500 && number <= 2100
}

/** Unit of the last digit other than zero: 10,000 for 20,000. */
function stepOf(number: number): number {
  return 10 ** (Math.floor(Math.log10(number)) - digitsOf(number) + 1)
}

/** The number of significant digits. */
function digitsOf(number: number): number {
  return String(Number(number.toPrecision(12)).toExponential()).replace(/e.*|\D/g, '').length
}

/**
 * Matches the result in a passage that is a calculation: `40 * 3 = 120` above a line that begins with `of`, or the name
 * and value of one column above a line with `By` and the SQL statement.
 */
const CALCULATION_RESULT = /^(?:.* = |.*\n)(-?\d+(?:\.\d+)?)\n+(?:of|By) /

interface Operand {
  readonly value: number
  /**
   * The column or unit of the number. Only numbers of one group are added up. For a number without column and unit: a
   * NUL character and the index of its sentence.
   */
  readonly group: string
}

/** The numbers of cells, and of the sentences nearest to the statement. */
function operandsOf(claim: string, { passages }: NumberBasis): Operand[] {
  const parts = passages.flatMap(({ text, isRow = false }) => {
    if (isRow) return text.split('; ')
    return sentencesOf(nearestParagraphs(text, [claim], MAX_SOURCE_LENGTH)).map((sentence) => sentence.text)
  })
  const operands = parts.flatMap((part, at) => {
    const column = /^([^:\n]+): [^;]*$/.exec(part)?.[1] ?? ''
    return numbersIn(part).map(({ readings: [value = 0], unit }) => ({ value, group: column || unit || `\0${at}` }))
  })
  return operands.slice(0, MAX_OPERANDS)
}

/**
 * Factors of a calculation that need no source: `100` for a share, `1000` for a unit, and divisors for months, weeks, hours and
 * minutes.
 */
const FREE_FACTOR =
  /(?:(?<=[/÷][^=\p{L}\n]{0,200}[*×·]\s?|[/÷]\s?)100|(?<=[*×·/÷]\s?)1,?000|(?<=[/÷]\s?)(?:12|24|52|60))(?![\d.,]*\d)(?=[^=\p{L}\n]{0,200}[=≈)])/gu

/** Factors between measures: weeks and days, hours and minutes, halves. */
export const MEASURES = [2, 7, 12, 24, 52, 60] as const

/** Whether a number follows by one step of arithmetic, such as a change of measure. */
function isCalculable(number: number, written: string, numbers: CalculationBasis): boolean {
  const tolerance = isYear(number, written) ? 0 : Math.min(stepOf(number) / 2, number * MAX_RESULT_ERROR)
  const toleranceAt = (value: number) => (Number.isInteger(value) && value < 1000 ? 0 : tolerance) + number * 1e-9
  for (const value of calculateResults(numbers, written.endsWith('%')))
    if (Math.abs(value - number) <= toleranceAt(value)) return true
  for (const value of calculateProducts(numbers)) if (Math.abs(value - number) <= number * 1e-9) return true
  return false
}

/**
 * Yields an amount plus or minus a share, times one or two numbers of the question. There are so many results that only
 * an exact match counts.
 */
function* calculateProducts({ operands, asked }: CalculationBasis): Generator<number> {
  const products = asked.flatMap((one, at) => [one, ...asked.slice(0, at).map((other) => one * other)])
  const shares = operands.filter(({ group }) => group === '%')
  for (const { value: share } of shares)
    for (const { value, group } of operands)
      if (group !== '%')
        for (const factor of products) yield* [value * factor * (1 + share / 100), value * factor * (1 - share / 100)]
}

interface CalculationBasis {
  readonly operands: readonly Operand[]
  /** Numbers of the question. */
  readonly asked: readonly number[]
}

/** Yields the results of one step of arithmetic. `isShare`: whether the number to find is a percentage. */
function* calculateResults({ operands, asked }: CalculationBasis, isShare: boolean): Generator<number> {
  for (const [at, { value: a, group }] of operands.entries()) {
    if (isShare) yield 100 - a
    else if (group === '%') yield* [1 - a / 100, 1 + a / 100]
    for (const factor of [...MEASURES, ...asked]) yield* [a * factor, a / factor]
    for (const term of asked) yield* [a + term, Math.abs(a - term), ...asked.map((less) => Math.abs(a * term - less))]
    for (const other of operands.slice(at + 1)) {
      const b = other.value
      const [part, whole] = [(a * b) / 100, group === '%' ? b : a]
      // Two numbers without a column or unit must be in one sentence.
      if (group === other.group || ![group, other.group].every((name) => name.startsWith('\0'))) {
        yield* [a + b, Math.abs(a - b), a * b, a / b, b / a, a + 2 * b, 2 * a + b, part]
        if (isShare) yield* [(100 * a) / b, (100 * b) / a]
        for (const factor of asked) yield (a + b) * factor
      }
      if (!isShare && [group, other.group].includes('%')) yield* [whole + part, whole - part]
      for (const factor of asked) yield a * b * factor
    }
  }
  // Sums of any three numbers of a group, and of its consecutive numbers.
  for (const group of Map.groupBy(operands, (one) => one.group).values()) {
    const values = group.map(({ value }) => value)
    for (const [at, one] of values.entries()) {
      for (const [next, other] of values.slice(at + 1).entries())
        yield* values.slice(at + next + 2).map((third) => one + other + third)
      let sum = 0
      yield* values.slice(at).map((value) => (sum += value))
    }
  }
}
