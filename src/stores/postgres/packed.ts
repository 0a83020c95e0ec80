/** Bytes of many rows, one after the other: a parameter of each is sent as it is, and a list of bytes would be sent as digits. */
export interface Packed {
  readonly data: Uint8Array
  /** From 1, as `substring` counts. */
  readonly offsets: readonly number[]
  readonly lengths: readonly number[]
}

export function packed(parts: readonly Uint8Array[]): Packed {
  const offsets: number[] = []
  let end = 1
  for (const { length } of parts) {
    offsets.push(end)
    end += length
  }
  return { data: Buffer.concat(parts), offsets, lengths: parts.map(({ length }) => length) }
}

/** Bytes that one statement takes. */
const MOST_BYTES = 8_000_000
const MOST_ROWS = 4000

/** Rows in groups that one statement takes each. */
export function* grouped<Row>(rows: Iterable<Row>, sizeOf: (row: Row) => number): Generator<Row[]> {
  let group: Row[] = []
  let bytes = 0
  for (const row of rows) {
    group.push(row)
    bytes += sizeOf(row)
    if (group.length < MOST_ROWS && bytes < MOST_BYTES) continue
    yield group
    group = []
    bytes = 0
  }
  if (group.length > 0) yield group
}
