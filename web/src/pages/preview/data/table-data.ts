/** A table that is read, sorted and returned in parts. Pure: it runs in a worker. */

/** A table without its rows. */
export interface TableHead {
  readonly columns: readonly TableColumn[]
  /** Number of rows that can be shown. */
  readonly rows: number
  /** Number of rows in the file, if it is known and greater than `rows`. */
  readonly total?: number
  /** Number of columns in the file. */
  readonly columnCount: number
  /** How many rows have more or fewer cells than the header, and the row numbers of the first such rows, from 1. */
  readonly ragged?: { readonly count: number; readonly first: readonly number[] }
  /** Notes for the person: sentences. */
  readonly notes: readonly string[]
}

export interface TableColumn {
  readonly name: string
  /** The type in the file; absent if the file has none. */
  readonly type?: string
  readonly isNumeric: boolean
  /** Width in characters. */
  readonly width: number
}

export interface TableRow {
  /** Number of the row in the file, from 1. */
  readonly number: number
  readonly cells: readonly string[]
  /** Whether the row has more or fewer cells than the header. */
  readonly isRagged: boolean
}

export interface Sorting {
  /** Index of a column. */
  readonly column: number
  readonly descends: boolean
}

/** A value as a file has it. */
export type Cell = string | number | bigint | boolean | null | undefined | object

/** A table that was read from a file. */
export interface RawTable {
  readonly names: readonly string[]
  readonly types?: readonly string[]
  readonly rows: number
  cell(row: number, column: number): Cell
  /** Number of cells of a row. Default: the number of `names`. */
  cellCount?(row: number): number
  /** As `TableHead.total`. */
  readonly total?: number
  readonly notes?: readonly string[]
}

/** Maximum number of columns to show. */
export const MOST_COLUMNS = 200

/** Maximum characters to show of a cell. */
const LONGEST_CELL = 1_000

/** Number of rows that decide the width and type of a column; minimum and maximum width in characters. */
const SAMPLE = 200
const [MIN_WIDTH, MAX_WIDTH] = [6, 44]

/** Maximum number of ragged rows that are named. */
const EXAMPLES = 5

export class TableData {
  readonly head: TableHead
  readonly #table: RawTable
  readonly #shownColumns: number
  #order: Uint32Array | undefined

  constructor(table: RawTable) {
    this.#table = table
    const widest = widestRow(table)
    const names = [...table.names, ...Array.from({ length: widest - table.names.length }, () => '')]
    this.#shownColumns = Math.min(names.length, MOST_COLUMNS)
    const ragged = raggedRows(table)
    this.head = {
      columns: names.slice(0, this.#shownColumns).map((name, at) => this.#column(name, at)),
      rows: table.rows,
      columnCount: names.length,
      notes: table.notes ?? [],
      ...(table.total !== undefined && { total: table.total }),
      ...(ragged.count > 0 && { ragged }),
    }
  }

  /** The rows from `from` to before `to`, in the order of the last sorting. */
  rows(from: number, to: number): TableRow[] {
    const rows: TableRow[] = []
    for (let at = from; at < Math.min(to, this.#table.rows); at++) {
      const row = this.#order?.[at] ?? at
      const count = this.#table.cellCount?.(row) ?? this.#table.names.length
      const cells = Array.from({ length: Math.min(count, this.#shownColumns) }, (_, column) => this.#text(row, column))
      rows.push({ number: row + 1, cells, isRagged: count !== this.#table.names.length })
    }
    return rows
  }

  /** Sorts, with empty cells last. Undefined: the order of the file. */
  sort(sorting: Sorting | undefined): void {
    if (!sorting) {
      this.#order = undefined
      return
    }
    const { column, descends } = sorting
    const { rows } = this.#table
    const isNumeric = this.head.columns[column]?.isNumeric ?? false
    const texts = Array.from({ length: rows }, (_, row) => cellText(this.#table.cell(row, column)))
    const numbers = isNumeric ? Float64Array.from(texts, numberIn) : undefined
    const isEmpty = (row: number) => (numbers ? Number.isNaN(numbers[row]) : texts[row] === '')
    const compare = (a: number, b: number) =>
      numbers ? (numbers[a] ?? 0) - (numbers[b] ?? 0) : COLLATOR.compare(texts[a] ?? '', texts[b] ?? '')
    const sign = descends ? -1 : 1
    this.#order = Uint32Array.from({ length: rows }, (_, row) => row).sort(
      (a, b) => Number(isEmpty(a)) - Number(isEmpty(b)) || (isEmpty(a) ? 0 : sign * compare(a, b)) || a - b,
    )
  }

  #text(row: number, column: number): string {
    const text = cellText(this.#table.cell(row, column))
    return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)} … (${text.length} characters)` : text
  }

  #column(name: string, at: number): TableColumn {
    const rows = Math.min(SAMPLE, this.#table.rows)
    const cells = Array.from({ length: rows }, (_, row) => this.#text(row, at))
    const isNumeric = cells.some((cell) => cell !== '') && cells.every((cell) => cell === '' || isNumber(cell))
    const longest = Math.max(name.length + 2, ...cells.map((cell) => cell.length))
    const type = this.#table.types?.[at]
    return {
      name,
      isNumeric,
      width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, longest)),
      ...(type !== undefined && { type }),
    }
  }
}

const COLLATOR = new Intl.Collator('en')

function isNumber(cell: string): boolean {
  return cell.length < 400 && /^[-+]?[\d.,]*\d(?:e[-+]?\d+)?\s*%?$/i.test(cell.trim())
}

function numberIn(text: string): number {
  return Number.parseFloat(text.replaceAll(',', ''))
}

function widestRow({ rows, names, cellCount }: RawTable): number {
  let widest = names.length
  for (let row = 0; cellCount && row < rows; row++) widest = Math.max(widest, cellCount(row))
  return widest
}

function raggedRows({ rows, names, cellCount }: RawTable): NonNullable<TableHead['ragged']> {
  const first: number[] = []
  let count = 0
  for (let row = 0; cellCount && row < rows; row++) {
    if (cellCount(row) === names.length) continue
    count++
    if (first.length < EXAMPLES) first.push(row + 1)
  }
  return { count, first }
}

/** A value as people read it. */
function cellText(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid date' : value.toISOString()
  if (ArrayBuffer.isView(value) && value instanceof Uint8Array) return bytesText(value)
  if (typeof value !== 'object') return String(value)
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? ''
}

/** Maximum bytes to show of a cell that is not text. */
const MOST_BYTES = 64

function bytesText(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, MOST_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(' ')
  return bytes.length > MOST_BYTES ? `${shown} … (${bytes.length} bytes)` : shown
}
