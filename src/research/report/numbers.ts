/** The numbers of texts, and whether the numbers of a statement are in its sources, or follow from them by one step of arithmetic. */

import { oncePer } from '../../core/once-per.ts'
import { bisect } from '../../text/bisect.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { trimEnd } from '../../text/trim.ts'
import { findCalculations } from '../explore/tables.ts'
import { nearestParagraphs } from '../routing/route.ts'
import { numbersIn, type WrittenNumber } from './written-numbers.ts'

export interface NumberedPassage {
  readonly text: string
  /** Whether it is a row of a table: `name: cell; name: cell`. */
  readonly isRow?: boolean
}

/** Texts that the numbers of a statement may come from. */
export interface NumberBasis {
  /** Passages that it cites. */
  readonly passages: readonly NumberedPassage[]
  /** Other texts that may hold a number: titles, headings, names of columns, results of computations, the question. */
  readonly otherTexts: readonly string[]
  readonly question: string
}

/** The largest small number: small ones may be words of any language, and often count listed things. */
export const LARGEST_SMALL_NUMBER = 12

/**
 * Maximum numbers of the question, numbers of the sources, characters of a source, and earlier results that a calculation may use:
 * from more of them any number would follow.
 */
const MAX_QUESTION_NUMBERS = 10
const MAX_OPERANDS = 60
const MAX_SOURCE_LENGTH = 2000
const MAX_RESULTS = 5

/** The first number of a statement that no text contains and no calculation gives, as it is written. */
export function findUnsupportedNumber(claim: string, basis: NumberBasis): string | undefined {
  const { passages, otherTexts, question } = basis
  const numberedPassages = passages.map(readNumbers)
  const sums = findCalculations(claim).map(({ result }) => result)
  const results = passages
    .flatMap(({ text }) => CALCULATED.exec(text)?.[1] ?? [])
    .slice(0, MAX_RESULTS)
    .map(Number)
  const totals = totalsOf(results)
  const knownKeys = new Set([...valuesIn([...otherTexts, question]), ...sums, ...totals].map(roundedKey))
  const isKnown = (key: number) => knownKeys.has(key) || numberedPassages.some(({ keys }) => keys.has(key))
  const valuesNear = (number: number) => {
    const [from, to] = [number * (1 - 2 * ROUNDED), number * (1 + 2 * ROUNDED)]
    const near = ({ scaled }: { scaled: number[] }) => scaled.slice(countBelow(scaled, from), countBelow(scaled, to))
    return [...totals, ...numberedPassages.flatMap(near)]
  }
  // Number words of other languages are not read, and a small number in words is often not a quantity.
  const texts = [...passages.map(({ text }) => text), question]
  const isEnglish = texts.some((text) => /\b(?:the|of|and|is|are|was|for|to)\b/i.test(text))
  const lines = passages.map(({ text }) => text.split('\n').filter((line) => line.trim() !== '').length)
  const counts = new Set([passages.length, ...lines])
  // A number within a name, such as `K9-2024-0317`, is never calculated. A short one may be written otherwise.
  const wrongName = namesIn(claim).find((name) =>
    name.match(/\d{3,}/g)?.some((digits) => !isKnown(roundedKey(Number(digits)))),
  )
  if (wrongName !== undefined) return wrongName
  const missing = numbersIn(claim.replace(FACTOR, '')).filter(({ readings, unit, written }) => {
    const [first = 0] = readings
    const isSmall = Number.isInteger(first) && first <= LARGEST_SMALL_NUMBER
    if (isSmall && (!isEnglish || !claim.includes(String(first)) || (unit === '' && counts.has(first)))) return false
    return !readings.some((one) => isKnown(roundedKey(one)) || valuesNear(one).some(roundsTo(one, written)))
  })
  if (missing.length === 0) return undefined
  const operands = operandsOf(claim, basis)
  const maxOperands = operands.length + MAX_RESULTS
  const asked = valuesOf(numbersIn(question)).slice(0, MAX_QUESTION_NUMBERS)
  return missing.find(({ readings, written }) => {
    const value = readings.find((one) => isCalculable(one, written, { operands, asked }))
    // Later numbers may build on this result.
    if (value !== undefined && operands.length < maxOperands) operands.push({ value, group: '' })
    return value === undefined
  })?.written
}

/** Sums and differences of two results. */
function totalsOf(results: readonly number[]): number[] {
  return results.flatMap((one, at) => results.slice(0, at).flatMap((other) => [one + other, Math.abs(one - other)]))
}

/** Words with a sign after letters or digits, such as `K9-2024-0317`. */
function namesIn(claim: string): string[] {
  return claim.split(/[\s()`"“”]/).filter((word) => /^\p{L}[\p{L}\p{N}]*[-_.]/u.test(word))
}

/** The numbers of a passage in all scales, sorted, and their keys, read once per passage. */
const readNumbers = oncePer(({ text }: NumberedPassage) => {
  const scaled = valuesIn([text]).flatMap((value) => SCALES.map((scale) => value * scale))
  scaled.sort((a, b) => a - b)
  return { scaled, keys: new Set(scaled.map(roundedKey)) }
})

function valuesOf(numbers: readonly WrittenNumber[]): number[] {
  return numbers.flatMap(({ readings }) => readings)
}

/** Different numbers of texts, in all their readings. `isSource`: also those within names. */
export function valuesIn(texts: readonly string[], isSource = true): number[] {
  return [...new Set(texts.flatMap((text) => valuesOf(numbersIn(text, isSource))))]
}

/** `3 million` may be 3,000,000 in a table. Scales count without their words, which differ by language; the judge reads them. */
const SCALES = [1, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9] as const

/** The same key for numbers that differ only by rounding errors. */
function roundedKey(value: number): number {
  return Number(value.toPrecision(10))
}

/** Maximum relative error of a rounded number, and of a calculated one. */
const ROUNDED = 0.05
const RESULT_ROUNDED = 0.01

/** Whether a value rounds to a written number: 20,150 to `20,000`, 45.6 to `46`; 21 not to `20`, and nothing to a year. */
function roundsTo(number: number, written: string): (value: number) => boolean {
  const maxDistance = isYear(number, written) ? -1 : stepOf(number) / 2
  const [finest, digits] = [0.5 / 10 ** decimalsOf(number), digitsOf(number) + 2]
  return (value) => {
    const distance = Math.abs(number - value)
    if (distance > maxDistance || distance > Math.abs(value) * ROUNDED) return false
    return (!Number.isInteger(value) && distance <= finest) || digitsOf(value) >= digits
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
  if (!Number.isInteger(number)) return 10 ** -decimalsOf(number)
  const digits = number === 0 ? '' : String(number)
  return 10 ** (digits.length - trimEnd(digits, '0').length)
}

function decimalsOf(number: number): number {
  return String(number).split('.')[1]?.length ?? 0
}

/** The number of significant digits. */
function digitsOf(number: number): number {
  return String(Number(number.toPrecision(12)).toExponential()).replace(/e.*|\D/g, '').length
}

/** A cited calculation: `40 * 3 = 120` and what it is of, or one column of one row and the SQL statement. */
const CALCULATED = /^(?:.* = |.*\n)(-?\d+(?:\.\d+)?)\n+(?:of|By) /

interface Operand {
  readonly value: number
  /** The column or unit of a number; only numbers of one group are added up. Without either: a NUL and the number of its sentence. */
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

/** `100` of a share and `1000` of a unit in a calculation, which need no source. */
const FACTOR =
  /(?:(?<=[/÷][^=\p{L}\n]{0,200}[*×·]\s?|[/÷]\s?)100|(?<=[*×·/÷]\s?)1,?000)(?![\d.,]*\d)(?=[^=\p{L}\n]{0,200}=)/gu

/** Factors between measures: weeks and days, hours and minutes, halves. */
export const MEASURES = [2, 7, 12, 24, 52, 60] as const

/** Whether a number follows by one step of arithmetic, such as a change of measure. */
function isCalculable(number: number, written: string, numbers: Parameters<typeof calculateResults>[0]): boolean {
  const tolerance = isYear(number, written) ? 0 : Math.min(stepOf(number) / 2, number * RESULT_ROUNDED)
  for (const value of calculateResults(numbers, written.endsWith('%'))) {
    const isWhole = Number.isInteger(value) && value < 1000
    if (Math.abs(value - number) <= (isWhole ? 0 : tolerance) + number * 1e-9) return true
  }
  return false
}

function* calculateResults(
  { operands, asked }: { readonly operands: readonly Operand[]; readonly asked: readonly number[] },
  isShare: boolean,
): Generator<number> {
  for (const [at, one] of operands.entries()) {
    const { value: a, group } = one
    if (isShare) yield 100 - a
    else if (group === '%') yield* [1 - a / 100, 1 + a / 100]
    for (const factor of [...MEASURES, ...asked]) yield* [a * factor, a / factor]
    for (const more of asked) yield* [a + more, Math.abs(a - more)]
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
    for (const factor of asked) for (const less of asked) yield Math.abs(a * factor - less)
  }
  // Sums of three numbers of a group, and of consecutive ones.
  for (const group of Map.groupBy(operands, (one) => one.group).values()) {
    for (let from = 0; from < group.length; from++) {
      for (let next = from + 1; next < group.length; next++)
        for (const { value } of group.slice(next + 1))
          yield (group[from]?.value ?? 0) + (group[next]?.value ?? 0) + value
      let sum = 0
      for (const { value } of group.slice(from)) {
        sum += value
        yield sum
      }
    }
  }
}
