/** A table of a file, and what its columns are. */

import { termsIn } from '../routing/terms.ts'
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

/** Whether a column numbers the rows. */
export function isKeyColumn(table: EvidenceTable, at: number): boolean {
  return hasOwnValues(table, at) && /(?:^|[\s_-])(?:id|nr|no|number|key|code)$/i.test(table.header[at] ?? '')
}

/** What one column is: a planner asks that many times, and a table has up to 200,000 rows. */
interface ColumnFacts {
  readonly isNumeric: boolean
  readonly hasOwnValues: boolean
}

const FACTS = new WeakMap<EvidenceTable, Map<number, ColumnFacts>>()

function factsOf(table: EvidenceTable, at: number): ColumnFacts {
  const columns = FACTS.get(table) ?? new Map<number, ColumnFacts>()
  FACTS.set(table, columns)
  const facts = columns.get(at) ?? {
    isNumeric: holdsNumbers(table, at),
    hasOwnValues: new Set(table.rows.map((row) => row[at] ?? '')).size === table.rows.length,
  }
  columns.set(at, facts)
  return facts
}

/** Whether each row has a value of its own there. */
export function hasOwnValues(table: EvidenceTable, at: number): boolean {
  return factsOf(table, at).hasOwnValues
}

/** Whether its cells are numbers, of one currency. */
export function isNumeric(table: EvidenceTable, at: number): boolean {
  return factsOf(table, at).isNumeric
}

/** Share of the cells with something in them that are numbers. */
const NUMERIC = 0.9

/** What stands in a cell for which there is no value. */
const NOTHING = /^(?:n\/?a|nan|null|none|[-–—?.]+)$/i

function holdsNumbers(table: EvidenceTable, at: number): boolean {
  const filled = table.rows.flatMap((row) => (row[at] && !NOTHING.test(row[at].trim()) ? [row[at]] : []))
  const signs = new Set(filled.flatMap((cell) => /[€$£%]|[A-Z]{3}$/.exec(cell.trim())?.[0] ?? []))
  // Of two currencies there is no sum, nor of numbers and per cent.
  if (signs.size > 1 || (signs.has('%') && !filled.every((cell) => cell.includes('%')))) return false
  return (
    filled.length > 0 &&
    filled.filter((cell) => readCellNumber(table, at, cell) !== null).length >= filled.length * NUMERIC
  )
}
