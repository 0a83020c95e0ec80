import Papa from 'papaparse'
import type { RawTable } from './table-data.ts'

/** Maximum number of reported errors. */
const MOST_NOTES = 3

/** Parses CSV with a header line. `isCut`: the last line may end within a cell. */
export function readCsv(text: string, options: { readonly delimiter?: string; readonly isCut?: boolean }): RawTable {
  const { delimiter = '', isCut = false } = options
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimiter, skipEmptyLines: true })
  if (isCut) data.pop()
  const [names = [], ...rows] = data
  const quoteErrors = errors.filter(({ type }) => type === 'Quotes')
  return {
    names,
    rows: rows.length,
    cell: (row, column) => rows[row]?.[column],
    cellCount: (row) => rows[row]?.length ?? 0,
    notes: isCut
      ? []
      : quoteErrors.slice(0, MOST_NOTES).map(({ row, message }) => `${sentence(message)} in row ${(row ?? 0) + 1}.`),
  }
}

function sentence(message: string): string {
  return message.replace(/\.$/, '')
}
