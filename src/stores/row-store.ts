/** The part of the port that exports and imports everything. */

export type Cell = string | number | Uint8Array | null

/** Rows of one table. Their values are in the order of `columns`. */
export interface Rows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The last number of each counter: a number is never used twice, even after its row is deleted. */
export type Counted = Readonly<Record<string, number>>

export interface RowStore {
  /** The last numbers of counters, by table. */
  counted(): Promise<Counted>
  /** Reads all rows of all tables in their order, as of one moment, in groups. */
  read(each: (rows: Rows) => Promise<void>): Promise<void>
  /** Whether `read` would give nothing. */
  isEmpty(): Promise<boolean>
  /**
   * Replaces the whole content by these rows, in the order of the tables; when the rows end with an error, nothing changes.
   *
   * @throws ContextError `conflict` for a store with content, without `replace`.
   */
  write(rows: AsyncIterable<Rows>, options: { readonly counted: Counted; readonly replace: boolean }): Promise<void>
}
