import { CompressionType, setCompressionCodec, tableFromIPC } from '@uwdata/flechette'
import { unpackLz4 } from './lz4.ts'
import { type Cell, MOST_COLUMNS, type ReadTable } from './table-data.ts'

/** Rows that are shown. */
const MOST_ROWS = 1_000_000

/** What pandas and R write by default. */
setCompressionCodec(CompressionType.LZ4_FRAME, { decode: unpackLz4, encode: (bytes) => bytes })

/** Reads Arrow's stream and file formats. @throws Error that says what is wrong. */
export function readArrow(bytes: Uint8Array<ArrayBuffer>): ReadTable {
  const table = tableFromIPC(bytes, { useDate: true, useBigInt: true })
  const rows = Math.min(table.numRows, MOST_ROWS)
  const columns = table.schema.fields.slice(0, MOST_COLUMNS).map((_, at) => table.getChildAt(at))
  return {
    names: table.schema.fields.map(({ name }) => name),
    rows,
    cell: (row, column) => columns[column]?.at(row) as Cell,
    ...(rows < table.numRows && { total: table.numRows }),
  }
}
