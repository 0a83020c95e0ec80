/** Finds the tables in files, queries them with SQL, and does arithmetic. SQLite runs both. */

import { fork } from 'node:child_process'
import Database from 'better-sqlite3'
import { ContextError, invalidInput, tryToRead } from '../../core/errors.ts'
import { untilAborted, withTimeout } from '../../core/steps.ts'
import { plainHeading } from '../../text/headings.ts'
import { cellsOfRow } from '../../text/tables.ts'
import type { Span } from '../run/evidence.ts'

export interface FileTable {
  readonly name: string
  /** The citation of the row that names the columns. */
  readonly ref: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

export interface QueryRequest {
  readonly tables: readonly FileTable[]
  readonly sql: string
}

export interface QueryRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** Whether the result has more rows. */
  readonly isCut: boolean
}

export type QueryAnswer = QueryRows | { readonly error: string }

/** Maximum rows of all tables together. A table that no longer fits is left out. */
const MAX_ROWS = 100_000

/** The tables of CSV files and of texts. */
export function tablesIn(files: Iterable<{ readonly alias: string; readonly spans: Iterable<Span> }>): FileTable[] {
  const fileTables: FileTable[] = []
  let remainingRows = MAX_ROWS
  for (const { alias, spans } of files) {
    const stem = identifierOf(alias.replace(/\.[^.]*$/, '').toLowerCase()).replace(/^[\d_]+/, '')
    const tables: { readonly header: string; readonly ref: string; readonly rows: (readonly string[])[] }[] = []
    let previous: Span | undefined
    for (const span of spans) {
      const { header, text } = span
      if (header !== undefined && header !== previous?.header)
        tables.push({ header, ref: `${alias}::${previous?.id}`, rows: [] })
      if (header !== undefined) tables.at(-1)?.rows.push(cellsOfRow(text, header))
      previous = span
    }
    for (const { header, ref, rows } of tables) {
      if (rows.length > remainingRows) continue
      remainingRows -= rows.length
      const name = uniqueName(stem || 'file', new Set(fileTables.map((one) => one.name)))
      const columns: string[] = []
      for (const [at, cell] of cellsOfRow(header, header).entries())
        columns.push(uniqueName(identifierOf(plainHeading(cell)) || `column_${at + 1}`, new Set(columns)))
      fileTables.push({ name, ref, columns, rows: rows.map((row) => columns.map((_, at) => cellValue(row[at] ?? ''))) })
    }
  }
  return fileTables
}

/** A name that needs no quotation marks in SQL. */
function identifierOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '_')
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  let unique = name
  for (let number = 2; taken.has(unique); number++) unique = `${name}_${number}`
  return unique
}

/** The value of a cell. Amounts and shares are numbers: `€1,200`, `45 %`. */
function cellValue(cell: string): string | number | null {
  const text = cell.trim()
  const plain = text.replace(/^[€$£¥]\s?|\s?[€$£¥%]$/g, '')
  const isNumber = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(plain)
  return text === '' ? null : isNumber ? Number(plain.replaceAll(',', '')) : text
}

/** Time limit of a statement, in milliseconds. */
const MAX_QUERY_MS = 10_000

/** Runs a SELECT. @throws ContextError `invalid-input` if SQLite refuses it; `over-limit` if it takes too long. */
export async function queryTables(request: QueryRequest, signal: AbortSignal): Promise<QueryRows> {
  const here = import.meta.url
  const program = new URL(`./table-process${here.slice(here.lastIndexOf('.'))}`, here)
  const child = fork(program, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const { promise, resolve } = Promise.withResolvers<QueryAnswer | undefined>()
  const stop = () => resolve(undefined)
  child.on('message', (answer: QueryAnswer) => resolve(answer))
  child.on('exit', stop).on('error', stop)
  child.send(request, () => {})
  try {
    const answer = await untilAborted(withTimeout(promise, MAX_QUERY_MS, undefined), signal, ({ reason }) => reason)
    if (!answer) throw new ContextError('over-limit', 'The statement took too long, or too much memory.')
    if ('error' in answer) throw invalidInput(answer.error)
    return answer
  } finally {
    child.kill('SIGKILL')
  }
}

/** A day in an expression. */
export const DAY = /(?<!\d)(\d{4})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/g

/** The parts of an expression: a day with what is added to it in days, weeks, months and years; a number, a sign, a space. */
const PART = new RegExp(
  String.raw`(?<moved>${DAY.source}(?:\s*[+-]\s*\d{1,6}\s*(?:day|week|month|year)s?\b)*)|(?<number>\d+(?:\.\d+)?|\.\d+)(?<percent>\s*%)?|[-+*/()]|\s+`,
  'g',
)

/** An empty database that calculates. */
let calculator: Database.Database | undefined

/** Days by which a second evaluation moves all days of an expression. If its value moves as far, the value is a day. */
const SHIFT = 1_000_000

const MAX_EXPRESSION = 2000

/**
 * The value of an expression of numbers, days, `+ - * / ( )` and `%`. A day plus or minus a number of days is a day.
 * @throws ContextError `invalid-input`.
 */
export function calculate(expression: string): number | string {
  if (expression.length > MAX_EXPRESSION) throw invalidInput(`An expression may have ${MAX_EXPRESSION} characters.`)
  const plain = expression
    .replace(/[×·]/g, '*')
    .replace(/[÷:]/g, '/')
    .replace(/[−–]/g, '-')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/[€$£¥]/g, '')
  const hint =
    'Write numbers, days, + - * / ( ) only: (180 + 2 * 95) / 3, 2027-04-30 - 2 weeks, 2027-04-30 + 18 months.'
  const refuse = (message: string) => invalidInput(message, hint)
  const sqlAt = (shift: number) =>
    plain.replace(PART, (part, ...match) => {
      const { moved, number, percent } = match.at(-1)
      // `floor`: if the new month is too short for the day, the result is its last day.
      if (moved !== undefined) return `(julianday('${moved.slice(0, 10)}'${modifiersIn(moved)}) + ${shift})`
      // Spaces around signs, so that two minus signs do not begin a comment. Each number becomes a fraction, so that
      // SQLite does not divide integers.
      if (number === undefined) return ` ${part} `
      return `(${number} / ${percent === undefined ? '1.0' : '100.0'})`
    })
  calculator ??= new Database(':memory:')
  const statement = () => `SELECT ${sqlAt(0)}, ${sqlAt(SHIFT)}, date(${sqlAt(0)})`
  const isArithmetic = plain.replace(PART, '') === ''
  const row = isArithmetic ? tryToRead(() => calculator?.prepare(statement()).raw().get()) : undefined
  if (!Array.isArray(row)) throw refuse('This is not arithmetic.')
  const [value, moved, day] = row
  if (!Number.isFinite(value)) throw refuse('It has no finite value, or a day outside of the years 0 to 9999.')
  const distance = Number((moved - value).toFixed(8))
  if (distance === 0) return Number(value.toPrecision(12))
  if (distance === SHIFT && /^\d{4}-/.test(day)) return day
  throw refuse('Days can only be moved within the years 0 to 9999, and subtracted from each other.')
}

/** Months and years in a row, which are added together, or days and weeks in a row. */
const MOVES = /(?:[+-] ?\d+ ?(?:month|year)s? ?)+|(?:[+-] ?\d+ ?(?:day|week)s? ?)+/g

/** The modifiers of SQLite that move a day, in the order in which they are written: `2027-04-30 + 1 year - 2 weeks`. */
function modifiersIn(moved: string): string {
  const runs = moved.replace(/\s+/g, ' ').match(MOVES) ?? []
  return runs
    .map((run) => {
      const steps = [...run.matchAll(/([+-]) ?(\d+) ?(day|week|month|year)/g)]
      const sizeOf = (unit = '') => ({ week: 7, year: 12 })[unit] ?? 1
      const sum = steps.reduce((total, [, sign, count, unit]) => total + Number(`${sign}${count}`) * sizeOf(unit), 0)
      return `, '${sum} ${/month|year/.test(run) ? 'months' : 'days'}', 'floor'`
    })
    .join('')
}

/** A calculation of a day that a statement shows: `2026-12-01 + 6 weeks = 2027-01-12`. */
const DAY_CALCULATION = new RegExp(
  String.raw`(?<expression>${DAY.source}(?:\s?[+−–-]\s?\d{1,4}(?:\s?[*×]\s?\d{1,3})?(?:\s(?:day|week|month|year)s?)?){1,4})\s?=\s?(?<result>${DAY.source})`,
  'g',
)

/** The days that right calculations of a statement give. */
export function calculatedDays(claim: string): string[] {
  return [...claim.matchAll(DAY_CALCULATION)].flatMap(({ groups: { expression = '', result = '' } = {} }) =>
    tryToRead(() => calculate(expression)) === result ? [result] : [],
  )
}

/** A calculation that a statement shows: `3 × 19 + 24 = 81`, `81 (3 × 19 + 24)`. */
const CALCULATION =
  /(?<expression>[\d(][\d\s.,()+*/×·÷%−–€$£¥-]{2,200})[=≈]\s?[€$£¥]?(?<result>\d[\d,]*(?:\.\d+)?)(?<percent>\s?%)?/g
const BRACKETED =
  /(?<![\d.,])(?<result>\d[\d,]*(?:\.\d+)?)(?<percent>\s?%)?(?:\s\p{L}{1,20})?\s\((?<expression>[\d(€$£¥][\d\s.,()+*/×·÷%−–€$£¥-]{2,200})\)/gu

/**
 * The calculations of a statement that are right, within the rounding of the result. A calculation that uses its own
 * result, as in `81 × 1 = 81`, does not count.
 */
export function findCalculations(claim: string) {
  const numberOf = (text: string) => Number(text.replaceAll(',', ''))
  return [...claim.matchAll(CALCULATION), ...claim.matchAll(BRACKETED)].flatMap(({ 0: calculation, groups }) => {
    const { expression: shown = '', result: written = '', percent = '' } = groups ?? {}
    // `81 (3 * 19 + 24 = 81)`, `81 % (…)`, `81 tonnes (…)`: the calculation stands in brackets.
    const expression = shown.replace(/^(?:[\d,.]+\s?[%€$£¥]?\s)?\((?=[^()]*(?:\([^()]*\)[^()]*)*$)/, '')
    const result = numberOf(written)
    const usesResult = (expression.match(/\d[\d,.]*/g) ?? []).some((one) => numberOf(one) === result)
    const value = Number(
      usesResult || !/\d\s?[+*/×·÷−–-]/.test(expression) ? undefined : tryToRead(() => calculate(expression)),
    )
    const isRight = (scale: number) => Math.abs(scale * value - result) <= roundingOf(written, value)
    return isRight(1) || (percent !== '' && isRight(100)) ? [{ result, calculation }] : []
  })
}

/**
 * Maximum error of a written result: half of its last decimal. If the value is a fraction: half of the last digit of
 * the result that is not zero, and at most 1 % of the value.
 */
function roundingOf(written: string, value: number): number {
  const result = Number(written.replaceAll(',', ''))
  let step = 1
  while (!Number.isInteger(value) && result > 0 && result % (10 * step) === 0) step *= 10
  return Math.max(0.5 / 10 ** (String(result).split('.')[1]?.length ?? 0), Math.min(step / 2, value / 100))
}
