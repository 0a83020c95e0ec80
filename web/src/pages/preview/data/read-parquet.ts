import { type AsyncBuffer, type Compressors, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { type Cell, MOST_COLUMNS, type RawTable } from './table-data.ts'

/** Maximum cells, and maximum decompressed bytes. */
const MOST_CELLS = 2_000_000
const MOST_BYTES = 256 * 1024 * 1024

/** Decompressors that refuse large pages. `length`: the decompressed size, from the header of the page. */
const BOUNDED: Compressors = Object.fromEntries(
  Object.entries(compressors).map(([name, unpack]) => [
    name,
    (input: Uint8Array, length: number) => {
      if (length > MOST_BYTES) throw new Error('A page of the file has more than 256 MB when it is unpacked.')
      return unpack(input, length)
    },
  ]),
)

/** Reads the first rows of a Parquet file, as many as can be shown. @throws Error that says what is wrong. */
export async function readParquet(file: AsyncBuffer): Promise<RawTable> {
  const metadata = await parquetMetadataAsync(file)
  const total = Number(metadata.num_rows)
  const columns = parquetSchema(metadata).children.slice(0, MOST_COLUMNS)
  const names = columns.map(({ element }) => element.name)
  const [rows, bytes] = rowsWithin(metadata.row_groups, Math.max(1, Math.floor(MOST_CELLS / Math.max(1, names.length))))
  if (bytes > MOST_BYTES) throw new Error('The first rows have more than 256 MB when they are unpacked.')
  const rowEnd = Math.min(total, rows)
  const read = await parquetReadObjects({ file, metadata, columns: names, rowEnd, compressors: BOUNDED })
  return {
    names,
    types: columns.map(({ element }) => typeName(element)),
    rows: read.length,
    cell: (row, column) => read[row]?.[names[column] ?? ''] as Cell,
    ...(read.length < total && { total }),
  }
}

type Groups = Awaited<ReturnType<typeof parquetMetadataAsync>>['row_groups']

/** Number of rows within the limits, and bytes of their row groups. */
function rowsWithin(groups: Groups, most: number): [rows: number, bytes: number] {
  let [rows, bytes] = [0, 0]
  for (const group of groups) {
    if (rows >= most || (rows > 0 && bytes + Number(group.total_byte_size) > MOST_BYTES)) break
    rows += Number(group.num_rows)
    bytes += Number(group.total_byte_size)
  }
  return [Math.min(rows, most), bytes]
}

function typeName(element: {
  readonly type?: string
  readonly converted_type?: string
  readonly logical_type?: { readonly type: string }
}): string {
  const { type = 'GROUP', converted_type: converted, logical_type: logical } = element
  return (logical?.type ?? converted ?? type).toLowerCase()
}
