/** Rows of tables in Markdown and CSV. The time grows linearly with the text. */

const DELIMITERS = [',', ';', '\t', '|']

/** The most frequent delimiter of the first line. A comma before a blank is punctuation, and does not count. */
function guessDelimiter(text: string): string {
  const start = text.slice(0, 64 * 1024).trimStart()
  const [line = ''] = start.split(/[\r\n]/, 1)
  const counts = DELIMITERS.map((delimiter) => line.replaceAll(`${delimiter} `, '').split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The non-empty records of a text in CSV (RFC 4180). An unclosed quote ends with its line. */
export function splitRecords(text: string) {
  return [...recordsIn(text)]
}

/** Yields the records that `splitRecords` returns, one at a time. */
export function* recordsIn(text: string, delimiter: string = guessDelimiter(text)) {
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length; ) {
    const record = readRecord(text, start, delimiter)
    if (record.cells.some((cell) => cell !== '')) yield record
    start = record.end + (text.startsWith('\r\n', record.end) ? 2 : 1)
  }
}

/** The record that starts at an offset. Offsets are in UTF-16 units; `end` is before the line end. */
function readRecord(text: string, start: number, delimiter: string) {
  const cells: string[] = []
  let at = start
  for (;;) {
    const quotedCell = text[at] === '"' ? readQuoted(text, at, delimiter) : undefined
    const end = quotedCell?.end ?? endOfCell(text, at, delimiter)
    cells.push((quotedCell?.cell ?? text.slice(at, end)).trim())
    if (text[end] !== delimiter) return { cells, start, end }
    at = end + 1
  }
}

function endOfCell(text: string, from: number, delimiter: string): number {
  let at = from
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}

/** Maximum UTF-16 units of a quoted cell: the quote of a longer cell counts as unclosed. */
const MAX_CELL_LENGTH = 8 * 1024

/** Reads a quoted cell; undefined if the quotes do not enclose a cell. */
function readQuoted(text: string, start: number, delimiter: string) {
  const limit = Math.min(text.length, start + MAX_CELL_LENGTH)
  for (let at = start + 1; at < limit; at++) {
    if (text[at] !== '"') continue
    if (text[at + 1] === '"') {
      at++
      continue
    }
    const next = text[at + 1]
    const isCellEnd = next === undefined || next === delimiter || next === '\n' || next === '\r'
    return isCellEnd ? { cell: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 } : undefined
  }
  return undefined
}

/** The cells of a row of Markdown: `| a | b |`. */
function splitTableRow(row: string): string[] {
  const withoutOpening = row.trim().replace(/^\|/, '')
  const inner = withoutOpening.replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** A row with the name of the column before each non-empty cell: `Plan: Basic; Price: 12`. */
export function labelCells(header: readonly string[], cells: readonly string[]): string {
  const labelledCells = cells.flatMap((cell, at) => {
    const name = header[at] ?? ''
    return cell === '' ? [] : [name === '' ? cell : `${name}: ${cell}`]
  })
  return labelledCells.join('; ').replace(/\s+/g, ' ')
}

/** The cells of a row as written, in Markdown or in the CSV dialect of the header. */
export function cellsOfRow(row: string, header: string): readonly string[] {
  if (row.trimStart().startsWith('|')) return splitTableRow(row)
  return splitRecords(`${header}\n${row}`).at(-1)?.cells ?? []
}

/** A row on one line: each cell with the name of its column. */
export function plainRow(row: string, header: string): string {
  return labelCells(header === '' ? [] : cellsOfRow(header, ''), cellsOfRow(row, header))
}
