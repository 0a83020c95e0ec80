/** A table of a file, and what its columns are. */

import { termsIn } from '../routing/terms.ts'
import { plainWords } from './plain-words.ts'
import { readCellNumber } from './table-numbers.ts'

/** A table of a file: its columns, and its rows as text. */
export interface EvidenceTable {
  /** What it is cited by: its first row. */
  readonly ref: string
  /** The name of its file, its headings. */
  readonly about: string
  readonly name: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** `unitPrice` and `Unit price (EUR)` are asked for as the unit price. */
export function columnTerms(name: string): string[] {
  const bare = name.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
  return termsIn(/[\p{L}\p{N}]/u.test(bare) ? bare : name)
}

/** Whether a column numbers the rows: its name says so, or it is the first column and counts up by one. */
export function isKeyColumn(table: EvidenceTable, at: number): boolean {
  const isNamed = /(?:^|[\s_-])(?:id|nr|no|number|key|code)\.?$/i.test(table.header[at] ?? '')
  return hasOwnValues(table, at) && (isNamed || (at === 0 && isCounted(table, at) && !isTime(table.header[at] ?? '')))
}

const TIMES = new Set(termsIn('year years date day month quarter period season week hour jahr datum monat'))

/** Whether a column tells when: what a bare `in 2020` means. */
export function isTime(name: string): boolean {
  const terms = columnTerms(name)
  return terms.length === 1 && TIMES.has(terms[0] ?? '')
}

/** What one column is, found once: a planner asks it many times, and a table has up to 200,000 rows. */
function ofColumn(find: (table: EvidenceTable, at: number) => boolean): (table: EvidenceTable, at: number) => boolean {
  const known = new WeakMap<EvidenceTable, Map<number, boolean>>()
  return (table, at) => {
    const columns = known.get(table) ?? new Map<number, boolean>()
    known.set(table, columns)
    const found = columns.get(at) ?? find(table, at)
    columns.set(at, found)
    return found
  }
}

/** Whether each row has a value of its own there. */
export const hasOwnValues = ofColumn((table, at) => new Set(cellsOf(table, at)).size === table.rows.length)

/** Whether its cells are numbers, of one currency. */
export const isNumeric = ofColumn(holdsNumbers)

/** Whether each of its cells with something in it is read as a number: else a figure would leave some out. */
export const isAllNumbers = ofColumn((table, at) =>
  filledCells(table, at).every((cell) => readCellNumber(table, at, cell) !== null),
)

/** Whether no cell is empty, and no two say the same in other letters: what is counted by value is what is meant. */
export const isPlain = ofColumn((table, at) => {
  const spelled = new Set(cellsOf(table, at))
  const isFilled = [...spelled].every((cell) => cell.trim() !== '')
  return isFilled && new Set([...spelled].map(plainWords)).size === spelled.size
})

/** Whether each number follows that of the row before. */
const isCounted = ofColumn((table, at) => {
  const numbers = cellsOf(table, at).map(Number)
  return numbers.every((number, place) => place === 0 || number - (numbers[place - 1] ?? 0) === 1)
})

function cellsOf(table: EvidenceTable, at: number): string[] {
  return table.rows.map((row) => row[at] ?? '')
}

/** All ways in which a column spells a value. */
export function spellingsOf(table: EvidenceTable, at: number, value: string): string[] {
  const plain = plainWords(value)
  return [...new Set(cellsOf(table, at))].filter((cell) => plainWords(cell) === plain)
}

/** Share of the cells with something in them that are numbers. */
const NUMERIC = 0.9

/** What stands in a cell for which there is no value. */
const NOTHING = /^(?:n\/?a|nan|null|none|[-–—?.]+)$/i

function filledCells(table: EvidenceTable, at: number): string[] {
  return cellsOf(table, at).filter((cell) => cell.trim() !== '' && !NOTHING.test(cell.trim()))
}

function holdsNumbers(table: EvidenceTable, at: number): boolean {
  const filled = filledCells(table, at)
  const signs = new Set(filled.flatMap((cell) => /[€$£%]|[A-Z]{3}$/.exec(cell.trim())?.[0] ?? []))
  // Of two currencies there is no sum, nor of numbers and per cent.
  if (signs.size > 1 || (signs.has('%') && !filled.every((cell) => cell.includes('%')))) return false
  return (
    filled.length > 0 &&
    filled.filter((cell) => readCellNumber(table, at, cell) !== null).length >= filled.length * NUMERIC
  )
}
