/** Whether the numbers of a statement stand in what it cites, or follow from it by a step of arithmetic. */

import { sentencesOf } from '../../text/sentences.ts'
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

/** The first number of a statement that stands nowhere, as it is written. */
export function unheldNumber(claim: string, basis: NumberBasis): string | undefined {
  const wanted = numbersIn(claim)
  if (wanted.length === 0) return undefined
  const passages = basis.passages.map(({ text }) => text)
  const beside = [...basis.beside, basis.question]
  const texts = [...passages, ...beside]
  const valuesIn = (some: readonly string[]) =>
    some.flatMap((text) => numbersIn(text, true)).flatMap(({ readings }) => readings)
  const held = new HeldNumbers(valuesIn(passages))
  const others = valuesIn(beside)
  const isSpelled = !isEnglish(texts.join(' '))
  const missing = wanted.filter((one) => {
    const [first = 0] = one.readings
    const isSmall = Number.isInteger(first) && first <= SMALL
    // A small number in words is often no quantity, and words of other languages are not read.
    if (isSmall && (isSpelled || isCount(one, basis) || !claim.includes(String(first)))) return false
    // The number of a heading is no thousands.
    const isHeld = (reading: number) =>
      held.holds(reading, one.written) || others.some((value) => isNear(reading, value))
    return !one.readings.some(isHeld)
  })
  if (missing.length === 0) return undefined
  const sources = operandsOf(claim, basis)
  const asked = numbersIn(basis.question)
    .flatMap(({ readings }) => readings)
    .slice(0, MOST_ASKED)
  return missing.find(({ readings, written }) => !readings.some((one) => follows(one, written, { sources, asked })))
    ?.written
}

/** Number words are read in English alone. */
function isEnglish(text: string): boolean {
  return /\b(?:the|of|and|is|are|was|for|to)\b/i.test(text)
}

function isCount({ readings: [number = 0], unit }: WrittenNumber, { passages }: NumberBasis): boolean {
  if (unit !== '') return false
  const listed = passages.map(({ text }) => text.split('\n').filter((line) => line.trim() !== '').length)
  return number === passages.length || listed.includes(number)
}

/** `3 million` is the 3,000,000 of a table: words of factors differ by language, and the judge reads them. */
const FACTORS = [1, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9] as const

/** Numbers of the sources in order, so that a number is compared with those near it alone. */
class HeldNumbers {
  readonly #values: Float64Array

  constructor(values: readonly number[]) {
    this.#values = Float64Array.from(new Set(values)).sort()
  }

  holds(number: number, written: string): boolean {
    return FACTORS.some((factor) => {
      const [least, most] = [(number / factor) * (1 - 2 * ROUNDED), (number / factor) * (1 + 2 * ROUNDED)]
      for (let at = this.#firstFrom(least); at < this.#values.length; at++) {
        const value = (this.#values[at] ?? 0) * factor
        if (value > most * factor) return false
        if (isNear(number, value) || isRounded(number, value, written)) return true
      }
      return false
    })
  }

  /** Where the first value stands that is not below. */
  #firstFrom(least: number): number {
    let [from, to] = [0, this.#values.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#values[middle] ?? 0) < least) from = middle + 1
      else to = middle
    }
    return from
  }
}

function isNear(number: number, value: number): boolean {
  return Math.abs(number - value) <= Math.abs(number) * 1e-9
}

/** How far a rounded number may be from what it was made of, as a share of it. */
const ROUNDED = 0.05

/** `20,000` of 20,150, and `46` of 45.6; not `20` of 21, and no year. */
function isRounded(number: number, value: number, written: string): boolean {
  const isYear = /^\d{4}$/.test(written) && number >= 1500 && number <= 2100
  if (isYear || Math.abs(number - value) > Math.min(stepOf(number) / 2, Math.abs(value) * ROUNDED)) return false
  const isFiner = !Number.isInteger(value) && Math.abs(number - value) <= 0.5 / 10 ** decimalsOf(number)
  return isFiner || digitsOf(value) >= digitsOf(number) + 2
}

/** What the last digit of a number counts that is not a zero: 1000 for 20,000. */
function stepOf(number: number): number {
  if (!Number.isInteger(number)) return 10 ** -decimalsOf(number)
  let step = 1
  while (number !== 0 && number % (step * 10) === 0) step *= 10
  return step
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
  /** Which passage, which sentence of it, and which number of that. */
  readonly passage: number
  readonly sentence: number
  readonly at: number
}

/** Numbers of a question that a result may be multiplied by: of more of them anything does. */
const MOST_ASKED = 10

interface Operands {
  readonly sources: readonly Operand[]
  /** Numbers of the question. */
  readonly asked: readonly number[]
}

/** Numbers among which something is looked for that follows from them: of more of them anything does. */
const MOST_OPERANDS = 60

/** The numbers of the rows, and of the sentences that have a word of the statement, those with most of them first. */
function operandsOf(claim: string, { passages }: NumberBasis): Operand[] {
  const terms = new Set(termsIn(claim))
  const sharedBy = (text: string) => termsIn(text).filter((term) => terms.has(term)).length
  const texts = passages.flatMap(({ text, isRow = false }, passage) => {
    const parts = isRow ? [text] : sentencesOf(text).map((sentence) => sentence.text)
    return parts.map((part, at) => ({ part, isRow, passage, at, shared: sharedBy(part) }))
  })
  const isShort = texts.length <= MOST_OPERANDS
  const near = texts.filter(({ shared, isRow }) => shared > 0 || isRow || isShort)
  const ranked = near.toSorted((a, b) => b.shared - a.shared)
  return ranked
    .flatMap(({ part, isRow, passage, at }) =>
      (isRow ? cellNumbers(part) : numbersIn(part)).map(({ readings: [value = 0], unit }, place) => ({
        value,
        unit,
        passage,
        sentence: at,
        at: place,
      })),
    )
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

/** Share by which a result may be rounded. */
const RESULT_ROUNDED = 0.01

/** Whether a number is what one step of arithmetic gives. */
function follows(number: number, written: string, operands: Operands): boolean {
  const isYear = /^\d{4}$/.test(written) && number >= 1500 && number <= 2100
  const slack = isYear ? 0 : Math.min(stepOf(number) / 2, number * RESULT_ROUNDED)
  const isShare = written.endsWith('%')
  for (const value of measuresOf(operands)) if (isNear(number, value)) return true
  for (const value of resultsOf(operands, isShare)) {
    const isWhole = Number.isInteger(value) && value < 1000
    if (Math.abs(value - number) <= (isWhole ? 0 : slack) + number * 1e-9) return true
  }
  return false
}

/** The same in another measure, which is not rounded. */
function* measuresOf({ sources }: Operands): Generator<number> {
  for (const { value } of sources) {
    for (const factor of MEASURES) {
      yield value * factor
      if (Number.isInteger(value / factor)) yield value / factor
    }
  }
}

function* resultsOf({ sources, asked }: Operands, isShare: boolean): Generator<number> {
  for (const { value, unit } of sources) {
    if (unit === '%' && isShare) yield 100 - value
    for (const factor of asked) {
      yield value * factor
      yield value / factor
    }
  }
  for (const [at, one] of sources.entries()) {
    for (const other of sources.slice(at + 1)) yield* ofTwo(one, other, { asked, isShare })
  }
  yield* sumsOf(sources)
}

function* ofTwo(
  one: Operand,
  other: Operand,
  { asked, isShare }: { readonly asked: readonly number[]; readonly isShare: boolean },
): Generator<number> {
  const [a, b] = [one.value, other.value]
  const isBeside = one.passage === other.passage && one.sentence === other.sentence
  // Numbers of nothing in particular have to do with each other in one sentence.
  const isAlike = one.unit === other.unit && (one.unit !== '' || isBeside)
  if (isAlike) {
    yield a + b
    yield Math.abs(a - b)
    yield a / b
    yield b / a
    if (isShare) {
      yield (100 * a) / b
      yield (100 * b) / a
    }
    if (one.unit !== '') {
      yield a + 2 * b
      yield 2 * a + b
    }
  }
  const isOfShare = one.unit === '%' || other.unit === '%'
  if (isOfShare && !isShare) yield (a * b) / 100
  if (!isAlike && one.unit !== other.unit && !isOfShare) {
    yield a * b
    yield a / b
    yield b / a
  }
  if (isBeside && Math.min(a, b) <= SMALL) yield a * b
  for (const factor of asked) yield a * b * factor
}

/** Values of one column, and of one passage in a row: all, and three or four of them. */
function* sumsOf(sources: readonly Operand[]): Generator<number> {
  const groups = Map.groupBy(sources, ({ unit, passage, sentence }) =>
    unit === '' ? `\0${passage} ${sentence}` : unit,
  )
  for (const group of groups.values()) {
    const values = group
      .toSorted((a, b) => a.passage - b.passage || a.sentence - b.sentence || a.at - b.at)
      .map(({ value }) => value)
    for (let from = 0; from < values.length; from++) {
      let sum = values[from] ?? 0
      for (const value of values.slice(from + 1)) {
        sum += value
        yield sum
      }
    }
  }
}
