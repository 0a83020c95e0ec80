/** Bytes of many rows, one after the other: a parameter of each is sent as it is, and a list of bytes would be sent as digits. */
export interface Packed {
  readonly data: Uint8Array
  /** From 1, as `substring` counts. */
  readonly offsets: readonly number[]
  /** Null where there are no bytes, as `substring` gives none then. */
  readonly lengths: readonly (number | null)[]
}

export function packed(parts: readonly (Uint8Array | null)[]): Packed {
  const offsets: number[] = []
  let end = 1
  for (const part of parts) {
    offsets.push(end)
    end += part?.length ?? 0
  }
  const data = Buffer.concat(parts.filter((part) => part !== null))
  return { data, offsets, lengths: parts.map((part) => part?.length ?? null) }
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
