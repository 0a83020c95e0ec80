/** Tables of a document whose rows a script writes. Headings, columns and prose are written by people. */

export type TableRow = readonly string[]

/**
 * The page with these rows in the first table below the heading. A row takes the place of the one with the same first cells, else
 * it comes last; rows that are not given stay.
 *
 * @param keys How many cells tell rows apart. Default: 1.
 */
export function putRows(page: string, heading: string, rows: readonly TableRow[], keys = 1): string {
  const lines = page.split('\n')
  const first = firstRowLine(lines, heading)
  const count = lines.slice(first).findIndex((line) => !line.startsWith('|'))
  const keyOf = (row: TableRow) => row.slice(0, keys).join('|')
  const merged = new Map(
    lines.slice(first, first + count).map((line) => [keyOf(cellsOf(line)), cellsOf(line)] as const),
  )
  for (const row of rows) merged.set(keyOf(row), row)
  return lines.toSpliced(first, count, ...[...merged.values()].map((row) => `| ${row.join(' | ')} |`)).join('\n')
}

/** The line after the rule below the columns. */
function firstRowLine(lines: readonly string[], heading: string): number {
  const section = lines.indexOf(heading)
  const rule = lines.findIndex((line, at) => at > section && /^\| :?-/.test(line))
  if (section < 0 || rule < 0) throw new Error(`There is no table below "${heading}".`)
  return rule + 1
}

function cellsOf(line: string): TableRow {
  return line.replace(/^\| | \|$/g, '').split(' | ')
}
