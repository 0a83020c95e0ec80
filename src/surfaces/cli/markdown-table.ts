/** Tables of Markdown on a terminal: columns under each other, the header bold. */

import { displayWidth } from '../../text/columns.ts'
import { cellsOfRow } from '../../text/tables.ts'
import { type Style, table } from './table.ts'

/** Columns of the terminal that the widest column of a table needs. */
const LEAST = 20

/**
 * Rows that follow each other as a table. Undefined for what is not a table, for one whose columns do not fit beside each
 * other, and for one with cells beyond its columns: such rows are shown as they are.
 */
export function shownTable(rows: readonly string[], { bold, width }: Style): string | undefined {
  const [header = [], rule = [], ...below] = rows.map((row) => cellsOfRow(row, ''))
  if (rule.length === 0 || !rule.every((cell) => /^:?-+:?$/.test(cell))) return undefined
  const lines = [header, ...below].map((cells) => cells.map(plainCell))
  if (lines.some((cells) => cells.slice(rule.length).some((cell) => cell !== ''))) return undefined
  const widths = rule.map((_, column) => Math.max(...lines.map((cells) => displayWidth(cells[column] ?? ''))))
  const wrap = widths.indexOf(Math.max(...widths))
  const others = widths.reduce((sum, each, column) => sum + (column === wrap ? 0 : each + 2), 0)
  if (others + LEAST > width) return undefined
  const cellOf = (line: readonly string[], isHeader: boolean) => (side: string, column: number) => ({
    text: line[column] ?? '',
    right: side.endsWith(':') && !side.startsWith(':'),
    ...(isHeader && { paint: bold }),
  })
  return table(
    lines.map((line, at) => rule.map(cellOf(line, at === 0))),
    { width, wrap },
  )
}

/** A cell without the marks of strong text and code. */
function plainCell(text: string): string {
  return text.replace(/\*\*|`/g, '').trim()
}
