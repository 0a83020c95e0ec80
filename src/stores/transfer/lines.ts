/** Reads and writes exports. An export is lines of JSON: a header, a line for each row, and a checksum at the end. */

import { createHash } from 'node:crypto'
import { ContextError, INSTALL_NEWER, invalidInput, tryToRead } from '../../core/errors.ts'
import type { Cell, Counters, Rows } from '../row-store.ts'
import { type ColumnKind, TABLES } from '../statements/tables.ts'

const FORMAT = 'ambit-export'
const VERSION = 1

/** Number of rows in a group. */
const GROUP_SIZE = 500

/** Returns the lines of an export as texts, counts the rows, and computes the checksum. */
export class ExportWriter {
  readonly #hash = createHash('sha256')
  rows = 0

  writeHeader(counted: Counters): string {
    const tables = Object.fromEntries(Object.entries(TABLES).map(([name, { columns }]) => [name, Object.keys(columns)]))
    return this.#hashLine({ format: FORMAT, version: VERSION, counted, tables })
  }

  writeRows({ table, rows }: Rows): string {
    this.rows += rows.length
    return rows.map((row) => this.#hashLine([table, ...row.map(writeCell)])).join('')
  }

  writeEnd(): string {
    return `${JSON.stringify({ end: true, rows: this.rows, sha256: this.#hash.digest('hex') })}\n`
  }

  #hashLine(value: unknown): string {
    const line = `${JSON.stringify(value)}\n`
    this.#hash.update(line)
    return line
  }
}

function writeCell(cell: Cell): string | number | null {
  if (!(cell instanceof Uint8Array)) return cell
  return Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64')
}

export interface Header {
  readonly counted: Counters
  readonly tables: Readonly<Record<string, readonly string[]>>
}

type Lines = AsyncIterator<string>

/**
 * Reads the header of an export. `name`: the name of the file, for messages.
 *
 * @throws ContextError `invalid-input` for a file that is not an export, or is of a newer version.
 */
export async function readHeader(name: string, lines: Lines, hash: Hash): Promise<Header> {
  const { value, done } = await lines.next()
  const { format, version, counted, tables } = Object(done ? undefined : parseLine(value))
  if (format !== FORMAT) throw brokenExport(name, 'it is not an export of Ambit')
  if (typeof version === 'number' && version > VERSION) throw newerExport(name)
  if (version !== VERSION || !isCounters(counted) || !isColumnLists(tables))
    throw brokenExport(name, 'its first line is damaged')
  for (const [table, columns] of Object.entries(tables)) {
    const knownColumns = TABLES[table]?.columns
    if (!knownColumns || columns.some((column) => !Object.hasOwn(knownColumns, column))) throw newerExport(name)
  }
  hash.update(`${value}\n`)
  return { counted, tables }
}

type Hash = ReturnType<typeof createHash>

/**
 * Yields the rows after the header, in groups. If the generator ends without an error, the file is complete and
 * unchanged.
 *
 * @throws ContextError `invalid-input` for an invalid line, or a file that is cut off or changed. The caller must then
 * discard the rows that it already has.
 */
export async function* importRows(name: string, lines: Lines, { tables, hash }: Header & { readonly hash: Hash }) {
  const tableOrder = Object.keys(TABLES)
  let count = 0
  let group: { readonly table: string; readonly columns: readonly string[]; readonly rows: Cell[][] } | undefined
  for (;;) {
    const { value, done } = await lines.next()
    if (done) throw brokenExport(name, `it is cut off after ${count} rows`)
    const line = parseLine(value)
    if (!Array.isArray(line)) {
      assertEnd(name, { line, count, digest: hash.digest('hex') })
      if (!(await lines.next()).done) throw brokenExport(name, 'it continues after its end')
      if (group) yield group
      return
    }
    hash.update(`${value}\n`)
    count++
    const [table, ...cells] = line
    const columns = typeof table === 'string' && Object.hasOwn(tables, table) ? tables[table] : undefined
    if (!columns || tableOrder.indexOf(table) < tableOrder.indexOf(group?.table ?? ''))
      throw brokenExport(name, `row ${count} is misplaced`)
    if (!group || table !== group.table || group.rows.length >= GROUP_SIZE) {
      if (group) yield group
      group = { table, columns, rows: [] }
    }
    group.rows.push(parseRow(name, cells, { table, columns, count }))
  }
}

function assertEnd(name: string, { line, count, digest }: { line: unknown; count: number; digest: string }): void {
  const { end, rows, sha256 } = Object(line)
  if (end !== true) throw brokenExport(name, `it is damaged after row ${count}`)
  if (rows !== count || sha256 !== digest) throw brokenExport(name, 'its checksum does not hold: it was changed')
}

function parseRow(
  name: string,
  cells: readonly unknown[],
  { table, columns, count }: { table: string; columns: readonly string[]; count: number },
): Cell[] {
  const kinds = TABLES[table]?.columns ?? {}
  const row = columns.map((column, at) => parseCell(cells[at], kinds[column] ?? 'text'))
  if (cells.length !== columns.length || row.includes(undefined)) throw brokenExport(name, `row ${count} is damaged`)
  return row as Cell[]
}

/** Returns undefined for an invalid value. */
function parseCell(value: unknown, kind: ColumnKind): Cell | undefined {
  if (value === null) return null
  if (kind === 'number') return Number.isSafeInteger(value) ? Number(value) : undefined
  if (kind === 'real') return typeof value === 'number' ? value : undefined
  if (typeof value !== 'string') return undefined
  if (kind === 'text') return value
  return /^[A-Za-z0-9+/]*={0,2}$/.test(value) ? new Uint8Array(Buffer.from(value, 'base64')) : undefined
}

function parseLine(line: string): unknown {
  return tryToRead(() => JSON.parse(line))
}

function isCounters(value: unknown): value is Counters {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => Number.isSafeInteger(one))
}

function isColumnLists(value: unknown): value is Header['tables'] {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).every((one) => Array.isArray(one) && one.every((each) => typeof each === 'string'))
}

export function brokenExport(name: string, why: string, cause?: unknown): ContextError {
  const hint = 'Nothing was changed. Create the file again with "ambit export FILE".'
  return new ContextError('invalid-input', `${name} cannot be imported: ${why}.`, { hint, cause })
}

function newerExport(name: string): ContextError {
  return invalidInput(`${name} was written by a newer version of Ambit.`, `Nothing was changed. ${INSTALL_NEWER}`)
}
