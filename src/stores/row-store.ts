/** The part of the port that gives and takes all that is kept. */

export type Cell = string | number | Uint8Array | null

/** Rows of one table. Their values are in the order of `columns`. */
export interface Rows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** What a table has counted up to: a number that was given is never given again, also where its row is gone. */
export type Counted = Readonly<Record<string, number>>

export interface RowStore {
  /** What tables have counted up to, by name. */
  counted(): Promise<Counted>
  /** Gives all rows of all tables in their order, as of one moment, some at a time. */
  read(each: (rows: Rows) => Promise<void>): Promise<void>
  /** Whether anything is kept that `read` would give. */
  isEmpty(): Promise<boolean>
  /**
   * Puts rows of all tables, in their order, in the place of all that is kept; all of them or, where the rows end with an
   * error, none.
   *
   * @throws ContextError `conflict` where something is kept and is not to be replaced.
   */
  write(rows: AsyncIterable<Rows>, options: { readonly counted: Counted; readonly replace: boolean }): Promise<void>
}
