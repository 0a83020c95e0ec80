/**
 * Finds tables of a PDF page by the positions of its text, because a PDF does not mark tables. In doubt, lines stay
 * unchanged. The time grows linearly with the number of cells.
 */

/** A text within a line, between wide gaps. Positions are in points from the left and lower edges of the page. */
export interface PdfCell {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly font: string
}

export interface PdfLine {
  readonly text: string
  readonly baseline: number
  readonly height: number
  /** Empty for a line that does not run from left to right. */
  readonly cells: readonly PdfCell[]
}

/** Minimum rows and columns of a table, and maximum columns. */
const MIN_TABLE = { rows: 3, columns: 2 } as const
const MAX_COLUMNS = 40

/** Maximum lines of a row. */
const MAX_ROW_LINES = 12

/** Maximum distances in line heights: between lines of a cell; between two rows; and between lines at the same level. */
const SPACING = { cell: 1.5, row: 4, level: 0.5 } as const

/** Maximum difference of the edges of a column, in points. */
const TOLERANCE = 3

/** Minimum share of the cells of a column that are aligned, and minimum share of a table's cells that are filled. */
const MIN_ALIGNED = 0.8
const MIN_FILLED = 0.6

/** The lines of a page as text: tables become Markdown between blank lines. */
export function layOutLines(lines: readonly PdfLine[]): string {
  const parts: string[] = []
  let isAfterTable = false
  for (const { lines: runLines, table } of runsOf(rowsOf(lines))) {
    if (parts.length > 0 && (table || isAfterTable)) parts.push('')
    parts.push(...(table ?? runLines.map(({ text }) => text)))
    isAfterTable = table !== undefined
  }
  return parts.join('\n').replace(/\n{3,}/g, '\n\n')
}

/** The texts of pages, with the header of a table repeated on the next page if the table continues on that page. */
export function repeatHeaders(texts: readonly string[]): string[] {
  const newTexts: string[] = []
  for (const text of texts) {
    const above = newTexts.at(-1) ?? ''
    const [header = '', delimiter = ''] = above
      .slice(above.lastIndexOf('\n\n') + 1)
      .trimStart()
      .split('\n', 2)
    const headerless = `${delimiter.replaceAll('---', '')}\n${delimiter}\n`
    const continuesTable = /^\|(?: --- \|)+$/.test(delimiter) && text.startsWith(headerless)
    newTexts.push(continuesTable ? `${header}\n${text.slice(text.indexOf('\n') + 1)}` : text)
  }
  return newTexts
}

/** Lines that would form one row of a table. */
interface Row {
  readonly lines: readonly PdfLine[]
  readonly cells: readonly PdfCell[]
  readonly top: number
  readonly bottom: number
}

function rowsOf(lines: readonly PdfLine[]): Row[] {
  const rows: Row[] = []
  for (const line of lines) {
    const lastRow = rows.at(-1)
    const grownRow = lastRow && lastRow.lines.length < MAX_ROW_LINES ? growRow(lastRow, line) : undefined
    if (grownRow) rows[rows.length - 1] = grownRow
    else rows.push({ lines: [line], cells: line.cells, top: line.baseline, bottom: line.baseline })
  }
  return rows
}

/**
 * The row with `line` added. Undefined unless the line continues the last cell, or is at the same height, right of the
 * cells.
 */
function growRow(row: Row, line: PdfLine): Row | undefined {
  const last = row.cells.at(-1)
  const [first, ...others] = line.cells
  // An empty line joins the row, because the next text may be in the next cell, at any height.
  if (line.text === '' && last) return { ...row, lines: [...row.lines, line] }
  if (!last || !first) return undefined
  const lines = [...row.lines, line]
  const level = line.height * SPACING.level
  const distance = row.lines.reduce((lowest, one) => (one.text === '' ? lowest : one.baseline), row.top) - line.baseline
  const bottom = Math.min(row.bottom, line.baseline)
  /** Whether a cell is above this line and right of the continued cell: it is centred in its row. */
  const isRaised = ({ baseline, left }: PdfCell) => baseline > line.baseline + 1 && left > last.right
  const isBelow = distance > level && distance <= line.height * SPACING.cell
  if (isBelow && Math.abs(first.left - last.left) <= TOLERANCE && others.every(isRaised)) {
    const joinedCell = { ...last, text: `${last.text} ${first.text}`, right: Math.max(last.right, first.right) }
    return { ...row, lines, cells: [...row.cells.slice(0, -1), joinedCell, ...others], bottom }
  }
  const isLevel = line.baseline <= row.top + level && line.baseline >= row.bottom - level
  if (isLevel && first.left > last.right) return { ...row, lines, cells: [...row.cells, ...line.cells], bottom }
  return undefined
}

interface LineRun {
  readonly lines: readonly PdfLine[]
  readonly table?: readonly string[]
}

/** Position of a column. */
interface Column {
  left: number
  right: number
}

function runsOf(rows: readonly Row[]): LineRun[] {
  const runs: LineRun[] = []
  let [openRows, columns]: [Row[], Column[]] = [[], []]
  const closeRun = () => {
    const lines = openRows.flatMap((row) => row.lines)
    const table = pdfTable(openRows, columns)
    if (lines.length > 0) runs.push(table ? { lines, table } : { lines })
    openRows = []
    columns = []
  }
  for (const row of rows) {
    const endsRun = row.cells.length < MIN_TABLE.columns || !isBelow(row, openRows.at(-1))
    const widened = endsRun ? undefined : widenColumns(columns, row.cells)
    if (!widened) closeRun()
    openRows.push(row)
    columns = widened ?? row.cells.map(({ left, right }) => ({ left, right }))
    if (row.cells.length < MIN_TABLE.columns) closeRun()
  }
  closeRun()
  return runs
}

function isBelow(row: Row, above: Row | undefined): boolean {
  if (!above) return true
  const distance = above.bottom - row.top
  return distance > 0 && distance <= (row.lines[0]?.height ?? 0) * SPACING.row
}

/** The columns, widened by the cells of a row. Undefined if a cell covers two columns, or shares its column with another cell. */
function widenColumns(columns: readonly Column[], cells: readonly PdfCell[]): Column[] | undefined {
  const widened = columns.map((column) => ({ ...column }))
  const usedColumns = new Set<Column>()
  for (const { left, right } of cells) {
    const [column, secondColumn] = widened.filter((one) => one.left < right && left < one.right)
    if (secondColumn || (column && usedColumns.has(column)) || widened.length >= MAX_COLUMNS) return undefined
    const cellColumn = column ?? { left, right }
    cellColumn.left = Math.min(cellColumn.left, left)
    cellColumn.right = Math.max(cellColumn.right, right)
    usedColumns.add(cellColumn)
    if (!column) widened.push(cellColumn)
  }
  return widened.sort((a, b) => a.left - b.left)
}

type Grid = readonly (readonly (PdfCell | undefined)[])[]

function pdfTable(rows: readonly Row[], columns: readonly Column[]): string[] | undefined {
  if (rows.length < MIN_TABLE.rows || columns.length < MIN_TABLE.columns) return undefined
  const grid = rows.map(({ cells }) => placeCells(cells, columns))
  const byColumn = columns.map((_, at) => grid.flatMap((row) => row[at] ?? []))
  const filledCells = byColumn.reduce((sum, cells) => sum + cells.length, 0)
  if (filledCells < rows.length * columns.length * MIN_FILLED) return undefined
  if (!byColumn.every(isAligned) || byColumn.filter(isProse).length > 1) return undefined
  if (byColumn[0]?.slice(1).every(isMark) || byColumn.some((cells) => cells.some(isLeader))) return undefined
  const [firstRow = [], ...otherRows] = grid
  const [header, body] = isHeader(grid) ? [firstRow, otherRows] : [columns.map(() => undefined), grid]
  return [rowText(header), `|${' --- |'.repeat(columns.length)}`, ...body.map(rowText)]
}

/** The cells of a row, by column. */
function placeCells(cells: readonly PdfCell[], columns: readonly Column[]): (PdfCell | undefined)[] {
  let nextCell = 0
  return columns.map(({ right }) => {
    const cell = cells[nextCell]
    if (!cell || cell.left >= right) return undefined
    nextCell++
    return cell
  })
}

/** Whether the cells of a column are aligned. The first cell does not count, because it may be a centred name. */
function isAligned([, ...cells]: readonly PdfCell[]): boolean {
  type Edge = (cell: PdfCell) => number
  const edges: Edge[] = [({ left }) => left, ({ right }) => right, ({ left, right }) => (left + right) / 2]
  return edges.some((edge) => {
    const places = cells.map(edge).sort((a, b) => a - b)
    const middle = places[places.length >> 1] ?? 0
    return places.filter((place) => Math.abs(place - middle) <= TOLERANCE).length >= places.length * MIN_ALIGNED
  })
}

/**
 * Minimum mean words per cell of prose: `words`; `minWords` if the share `midSentence` of cells starts mid-sentence.
 */
const PROSE = { words: 5, minWords: 3, midSentence: 0.3 } as const

/** Whether a column may be running text of a page with several columns of text. */
function isProse(cells: readonly PdfCell[]): boolean {
  const words = cells.reduce((sum, { text }) => sum + countWords(text), 0) / Math.max(1, cells.length)
  const startsMidSentence = cells.filter(({ text }) => /^\p{Ll}/u.test(text)).length
  return words >= PROSE.words || (words >= PROSE.minWords && startsMidSentence >= cells.length * PROSE.midSentence)
}

function countWords(text: string): number {
  return text.split(/\s+/).length
}

/** Whether a cell is a bullet, or the number of an item or of a line. */
function isMark({ text }: PdfCell): boolean {
  return /^(?:[^\p{L}\p{N}]{1,2}|\(?(?:\d{1,4}|\p{L}|[ivx]{1,4})[.):\]]|\[\d+\])$/u.test(text)
}

/** Whether a cell has the leader dots of a table of contents. */
function isLeader({ text }: PdfCell): boolean {
  return /(?:\.\s?){5}/.test(text)
}

/** Maximum words of the name of a column. */
const MAX_NAME_WORDS = 4

/** Whether the first row is a header: it has another font, words above numbers, or a short name above each column. */
function isHeader([first = [], ...body]: Grid): boolean {
  const names = first.flatMap((cell) => cell ?? [])
  if (names.some(({ text }) => isNumber(text))) return false
  const below = first.map((_, at) => body.flatMap((row) => row[at] ?? []))
  const hasOtherFont = first.every((name, at) => !name || below[at]?.every(({ font }) => font !== name.font))
  const hasNumbers = below.some((cells) => cells.length > 0 && cells.every(({ text }) => isNumber(text)))
  if (hasOtherFont || hasNumbers) return true
  const isShort = names.length === first.length && names.every(({ text }) => countWords(text) <= MAX_NAME_WORDS)
  return isShort && (first.length > MIN_TABLE.columns || (names.every(isTitled) && below.some(isProse)))
}

function isTitled({ text }: PdfCell): boolean {
  return /^\p{Lu}/u.test(text)
}

/** Maximum characters of a number with its unit. */
const MAX_NUMBER_LENGTH = 40

/** Whether a text is a number, such as `1,200`, `12.5 %`, `€ 9`, or a dash for a missing number. */
function isNumber(text: string): boolean {
  if (text.length > MAX_NUMBER_LENGTH) return false
  return /^[€$£]?\s*(?:[-+−–]\s*)?(?:\d[\d.,'\s]*)?(?:[%‰€$£]|[\p{L}]{1,3})?$/u.test(text) && /[\d–−-]/.test(text)
}

function rowText(row: readonly (PdfCell | undefined)[]): string {
  const cells = row.map((cell) => cell?.text.replace(/\s+/g, ' ').replaceAll('|', '\\|') ?? '')
  return `| ${cells.join(' | ')} |`
}
