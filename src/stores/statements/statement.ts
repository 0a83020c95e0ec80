/**
 * Statements that run in both databases, SQLite and PostgreSQL. A method of a store is a generator: it yields
 * statements, and receives their answers. SQLite runs all statements of a method in one synchronous step; PostgreSQL
 * awaits each.
 *
 * The text is SQL that both databases understand. `?` is the next value, tables have the schema `ambit.`, and a word in
 * braces stands for SQL that differs between the databases:
 *
 * | word | meaning | | --- | --- | | `{now}` | milliseconds since 1970, by the clock of the database | | `{isoNow}` |
 * the same as ISO 8601, UTC | | `x {anyOf text}` | whether x is in a list, which is the next value; items are `text` or
 * `number` | | `FROM {each text}` | the items of a list, which is the next value: rows of `a.value`, in the order of
 * `a.key` | | `{hex x}` | the bytes x as lower-case hexadecimal digits | | `{unhex x}` | the bytes of hexadecimal
 * digits | | `{least}(x, y)` | the smaller value | | `{position}(x, y)` | position of y in x, from 1; 0 if x does not
 * contain y | | `{forUpdate x}`, `{forShare}` | locks the selected rows until the end of the write; `x`: only rows of
 * this table |
 */

import type { Watch } from '../change-notifier.ts'

export type Cell = string | number | Uint8Array | null

/** A value for a `?` of a statement. A list is one value: see `{anyOf}` and `{each}`. */
export type StatementValue = Cell | readonly Cell[]

export type Dialect = 'sqlite' | 'postgres'

/** SQL that both databases understand, or one text for each database. */
export type StatementText = string | Readonly<Record<Dialect, string>>

export interface QueryStatement<Answer = unknown> {
  /**
   * The kind of the answer. `rows`: all rows, as objects by column. `row`: the first row. `column`: the first column of all rows.
   * `change`: the number of changed rows.
   */
  readonly kind: 'rows' | 'row' | 'column' | 'change'
  readonly text: StatementText
  readonly values: readonly StatementValue[]
  /** Never set. It exists for the type of the answer. */
  readonly answer?: Answer
}

/** Rows to write to a table of `TABLES`. */
export interface RowsToWrite extends Rows {
  /** `update`: the first column is the key of existing rows. */
  readonly kind: 'insert' | 'update'
}

/** Rows of one table. The cells of a row are in the order of `columns`. */
export interface Rows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** Sets a counter (a column of ascending ids), so that its next numbers are larger than `last`. */
export interface Counter {
  readonly kind: 'counter'
  readonly table: string
  readonly column: string
  readonly last: number
}

export type Statement =
  | QueryStatement
  | RowsToWrite
  /** Wakes watchers of this name, in any process, once the write is committed. */
  | { readonly kind: 'notify'; readonly name: string }
  | Counter
  /** The version of all data that searches read: a number that changes with every change by any process. */
  | { readonly kind: 'version' }

/**
 * Yields statements in order, and returns a result. A write may run the generator twice, so it must have no effects other than
 * its statements.
 */
export type Statements<Result> = Generator<Statement, Result, unknown>

export function queryRows<Row>(text: StatementText, ...values: StatementValue[]): QueryStatement<Row[]> {
  return { kind: 'rows', text, values }
}

/** A query for the first row. */
export function queryRow<Row>(text: StatementText, ...values: StatementValue[]): QueryStatement<Row | undefined> {
  return { kind: 'row', text, values }
}

/** A query for the first column of all rows. */
export function queryColumn<Item>(text: StatementText, ...values: StatementValue[]): QueryStatement<Item[]> {
  return { kind: 'column', text, values }
}

export function* selectRows<Row>(text: StatementText, ...values: StatementValue[]): Statements<Row[]> {
  return (yield queryRows(text, ...values)) as Row[]
}

/** Selects the first row. */
export function* selectRow<Row>(text: StatementText, ...values: StatementValue[]): Statements<Row | undefined> {
  return (yield queryRow(text, ...values)) as Row | undefined
}

/** Selects the first column of all rows. */
export function* selectColumn<Item>(text: StatementText, ...values: StatementValue[]): Statements<Item[]> {
  return (yield queryColumn(text, ...values)) as Item[]
}

/** Runs a statement that changes rows. Returns how many rows changed. */
export function* execute(text: StatementText, ...values: StatementValue[]): Statements<number> {
  return (yield { kind: 'change', text, values }) as number
}

export function* insertMany(table: string, columns: readonly string[], rows: RowsToWrite['rows']): Statements<void> {
  if (rows.length > 0) yield { kind: 'insert', table, columns, rows }
}

/** Updates rows. The first column is the key. */
export function* updateMany(table: string, columns: readonly string[], rows: RowsToWrite['rows']): Statements<void> {
  if (rows.length > 0) yield { kind: 'update', table, columns, rows }
}

export function* notify(name: string): Statements<void> {
  yield { kind: 'notify', name }
}

export function* setCounter(table: string, column: string, last: number): Statements<void> {
  if (last > 0) yield { kind: 'counter', table, column, last }
}

export function* readLibraryVersion(): Statements<number> {
  return (yield { kind: 'version' }) as number
}

/**
 * Converts a row to an object without its NULL values. `json`: columns to parse as JSON. `flags`: columns to convert from numbers
 * to booleans.
 */
export function readRow<Read>(
  row: object,
  { json = [], flags = [] }: { readonly json?: readonly string[]; readonly flags?: readonly string[] } = {},
): Read {
  const read = (name: string, value: unknown) =>
    json.includes(name) ? JSON.parse(String(value)) : flags.includes(name) ? Boolean(value) : value
  const presentEntries = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(presentEntries.map(([name, value]) => [name, read(name, value)])) as Read
}

/** Runs statements within a long read or write. */
export type RunStatements = <Result>(statements: Statements<Result>) => Promise<Result>

/** The work of a long write: `run` runs statements, `input` are the items to write. */
export type LongWork<Item> = (run: RunStatements, input: AsyncIterable<Item>) => Promise<void>

/**
 * The part of the data that a write changes. Writes of one part run one at a time, so that no other write changes what
 * a write has read. (In SQLite, all writes run one at a time.) `library`: everything that searches read, and path
 * contexts. `segments`: new segments of the index, which searches do not read yet. Some parts are a single session or
 * conversation, named by its id.
 */
export type Part =
  | 'library'
  | 'research'
  | 'tokens'
  | 'segments'
  | 'jobs'
  | `segment ${number}`
  | `conversation ${string}`
  | `session ${string}`
  | `sign-in ${string}`
  | `runs ${string}`

/** A database that runs statements. Its failures are ContextErrors `unavailable`, with a hint. */
export interface Database {
  readonly dialect: Dialect
  /** Its name in messages. */
  readonly name: string
  /** Runs one statement that reads. `map` converts the answer to the result. Default: the answer. */
  read<Answer, Result = Answer>(query: QueryStatement<Answer>, map?: (answer: Answer) => Result): Promise<Result>
  /** Runs statements that read. All of them see the database as of one moment. */
  readTogether<Result>(statements: () => Statements<Result>): Promise<Result>
  /** Runs a write atomically. After a conflict with another write, undoes this write and runs it again. */
  write<Result>(part: Part, statements: () => Statements<Result>): Promise<Result>
  /** Runs one statement that changes rows, without waiting for writes of a part. Returns the number of changed rows. */
  writeOne(text: StatementText, ...values: StatementValue[]): Promise<number>
  /** Runs a long read, as of one moment. Other processes can write meanwhile. */
  readAtLength(work: (run: RunStatements) => Promise<void>): Promise<void>
  /**
   * Runs a long write atomically. Meanwhile, other processes read the old state, and their writes wait. Never repeats
   * the write, because `input` cannot be read again.
   */
  writeAtLength<Item>(input: AsyncIterable<Item>, work: LongWork<Item>): Promise<void>
  /** Frees the disk space of deleted rows, if there is much of it. */
  compact(): Promise<void>
  watch(name: string): Watch
  /** Wakes watchers of this name in this process. */
  wake(name: string): void
}

/** For each word in braces, a function that returns its SQL for an operand. */
export type DialectWords = Readonly<Record<string, (operand: string) => string>>

/** Replaces the words in braces. */
export function translateWords(text: string, words: DialectWords): string {
  return text.replace(/\{(\w+)(?: ([\w.]+))?\}/g, (_, word: string, operand = '') => {
    const toSql = words[word]
    if (!toSql) throw new TypeError(`No database knows {${word}}.`)
    return toSql(operand)
  })
}
