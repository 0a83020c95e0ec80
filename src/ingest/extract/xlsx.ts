import readWorkbook from 'read-excel-file/universal'
import { foldSpace } from '../../text/trim.ts'
import { type Extraction, type ExtractLimits, toExtraction } from '../extracted.ts'
import { type ArchiveParts, archiveReader, propertiesIn } from './archive.ts'
import { storedZip } from './zip.ts'

/** Matches the parts (files in the zip) with cells and formats. */
const PART =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/(?:core|app)\.xml|xl\/(?:workbook|sharedStrings|styles)\.xml|xl\/(?:worksheets|chartsheets)\/[^/]+\.xml|xl\/_rels\/[^/]+\.rels)$/i

/** Reads an XLSX file as Markdown: a heading and a table for each sheet. The first row is the header. */
export const readXlsx = archiveReader(PART, readSheets)

async function readSheets(path: string, parts: ArchiveParts, limits: ExtractLimits): Promise<Extraction> {
  const sheets = await readWorkbook(new Uint8Array(storedZip(parts)).buffer)
  const tables = sheets.map(({ sheet, data }) => ({ sheet: foldSpace(sheet), rows: rowsOf(data) }))
  const filledTables = tables.filter(({ rows }) => rows.length > 0)
  const text = filledTables.map(({ sheet, rows }) => `## ${sheet}\n\n${rows.join('\n')}`).join('\n\n')
  const { title = '', ...metadata } = propertiesIn(parts, 'docProps/core.xml')
  const emptyCount = tables.length - filledTables.length
  const workbook = {
    title,
    text,
    metadata: { ...metadata, sheets: JSON.stringify(tables.map(({ sheet }) => sheet)) },
    warnings: emptyCount === 0 ? [] : [`No cells with a value in ${emptyCount} of ${tables.length} sheets.`],
  }
  return toExtraction(path, { ...workbook, format: 'xlsx', syntax: 'markdown' }, limits)
}

/** The non-empty rows as lines of a Markdown table, without empty columns at the right. */
function rowsOf(data: readonly (readonly unknown[])[]): string[] {
  const rows = data.map((row) => row.map(cellOf)).filter((row) => row.some((cell) => cell !== ''))
  const width = rows.reduce((most, row) => Math.max(most, row.findLastIndex((cell) => cell !== '') + 1), 0)
  const lines = rows.map((row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`)
  const [head] = lines
  return head === undefined ? [] : [head, `|${' --- |'.repeat(width)}`, ...lines.slice(1)]
}

/** The text of a cell. A date has its time, unless that is midnight. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!(value instanceof Date)) return foldSpace(String(value)).replaceAll('|', '\\|')
  if (Number.isNaN(value.getTime())) return ''
  return value
    .toISOString()
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/\.000Z$/, 'Z')
}
