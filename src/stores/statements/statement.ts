/**
 * One set of statements for two databases. A method of a store yields statements and receives their answers; the database
 * runs them: SQLite to the end in one synchronous step, PostgreSQL one after the other, each awaited.
 *
 * The text is SQL that both databases understand. `?` is the next value, tables are named with the schema `ambit.`, and
 * what each database says in its own way is a word in braces:
 *
 * | word | meaning |
 * | --- | --- |
 * | `{now}` | milliseconds since 1970, by the clock of the database |
 * | `{isoNow}` | the same as ISO 8601, UTC |
 * | `x {anyOf text}` | x is one of a list, which is the next value; of `text` or `number` |
 * | `FROM {each text}` | the items of a list, which is the next value: rows of `a.value`, in the order of `a.key` |
 * | `{hex x}` | bytes as lower-case hexadecimal digits |
 * | `{unhex x}` | the bytes of such digits |
 * | `{least}(x, y)` | the smaller one |
 * | `{position}(x, y)` | where y begins in x, from 1; 0 where it does not |
 * | `{forUpdate x}`, `{forShare}` | locks the rows that are read to the end of the write; `x`: of which table |
 */

import type { Watch } from '../change-notifier.ts'
import type { Cell } from '../row-store.ts'

/** A list is one value: see `{anyOf}` and `{each}`. */
export type StatementValue = Cell | readonly (string | number)[]

export type Dialect = 'sqlite' | 'postgres'

/** SQL that both databases understand, or the text of each where they have too little in common. */
export type StatementText = string | Readonly<Record<Dialect, string>>

/** One statement, and the type of its answer. */
export interface QueryStatement<Answer = unknown> {
  /** `rows`: objects by column. `row`: the first one. `column`: the first column of all. `change`: how many changed. */
  readonly kind: 'rows' | 'row' | 'column' | 'change'
  readonly text: StatementText
  readonly values: readonly StatementValue[]
  /** Never there: it says the type. */
  readonly answer?: Answer
}

/** Many rows for a table of `TABLES`; their cells are in the order of `columns`. */
export interface RowsToWrite {
  /** `update`: the first column is the key of rows that there are. */
  readonly kind: 'insert' | 'update'
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** Wakes whoever watches this name, in any process, once the write is kept. */
export interface Notification {
  readonly kind: 'notify'
  readonly name: string
}

/** The numbers that a column of a table is given by the database are larger from now on. */
export interface Counter {
  readonly kind: 'counter'
  readonly table: string
  readonly column: string
  readonly last: number
}

/** The version of all that searches read: another number whenever any process changed it. */
interface LibraryVersion {
  readonly kind: 'version'
}

export type Statement = QueryStatement | RowsToWrite | Notification | Counter | LibraryVersion

/** Statements, one after the other, and what comes of them. A write may begin them anew, so they change nothing but rows. */
export type Statements<Result> = Generator<Statement, Result, unknown>

export function queryRows<Row>(text: StatementText, ...values: readonly StatementValue[]): QueryStatement<Row[]> {
  return { kind: 'rows', text, values }
}

/** The first row. */
export function queryRow<Row>(
  text: StatementText,
  ...values: readonly StatementValue[]
): QueryStatement<Row | undefined> {
  return { kind: 'row', text, values }
}

/** The first column of all rows. */
export function queryColumn<Item>(text: StatementText, ...values: readonly StatementValue[]): QueryStatement<Item[]> {
  return { kind: 'column', text, values }
}

export function* selectRows<Row>(text: StatementText, ...values: readonly StatementValue[]): Statements<Row[]> {
  return (yield queryRows(text, ...values)) as Row[]
}

/** The first row. */
export function* selectRow<Row>(
  text: StatementText,
  ...values: readonly StatementValue[]
): Statements<Row | undefined> {
  return (yield queryRow(text, ...values)) as Row | undefined
}

/** The first column of all rows. */
export function* selectColumn<Item>(text: StatementText, ...values: readonly StatementValue[]): Statements<Item[]> {
  return (yield queryColumn(text, ...values)) as Item[]
}

/** Returns how many rows changed. */
export function* execute(text: StatementText, ...values: readonly StatementValue[]): Statements<number> {
  return (yield { kind: 'change', text, values }) as number
}

export function* insertMany(table: string, columns: readonly string[], rows: RowsToWrite['rows']): Statements<void> {
  if (rows.length > 0) yield { kind: 'insert', table, columns, rows }
}

/** The first column is the key. */
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

/** Runs statements within a step that takes long. */
export type RunStatements = <Result>(statements: Statements<Result>) => Promise<Result>

/**
 * What a write changes: of one part, one write goes on at a time, so that what is read first still holds when it is
 * written. `library` is all that searches read, and contexts; segments are what they do not read yet; the others are
 * distinguished by the id of what is changed. SQLite has one part for all.
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

/** A database that runs statements. Its failures are `unavailable`, in words that say what to do. */
export interface Database {
  readonly dialect: Dialect
  /** What it is called in messages. */
  readonly name: string
  /** How a person does, in the words of a hint. */
  readonly howToUseAnother: string
  /** One statement that reads. `map`: makes the result of its answer; absent: it is the answer. */
  read<Answer, Result = Answer>(query: QueryStatement<Answer>, map?: (answer: Answer) => Result): Promise<Result>
  /** Statements that read, all as of one moment. */
  readTogether<Result>(statements: () => Statements<Result>): Promise<Result>
  /** Everything or nothing. What was in the way of another write is undone and begun anew. */
  write<Result>(part: Part, statements: () => Statements<Result>): Promise<Result>
  /** One statement that changes rows and waits for no other part. Returns how many rows changed. */
  writeOne(text: StatementText, ...values: readonly StatementValue[]): Promise<number>
  /** Reads for long, as of one moment, while others write. */
  readAtLength(work: (run: RunStatements) => Promise<void>): Promise<void>
  /** Everything or nothing, for long: others read what was there, and who writes waits. It is not begun anew: `input` comes once. */
  writeAtLength<Item>(
    input: AsyncIterable<Item>,
    work: (run: RunStatements, input: AsyncIterable<Item>) => Promise<void>,
  ): Promise<void>
  /** Does something again where the database is in use or out of reach: SQLite for `waitMs` milliseconds, PostgreSQL three times. */
  retry<Result>(work: () => Promise<Result>, waitMs: number): Promise<Result>
  /** Whether a write failed only because another process writes at that moment. */
  isBusy(error: unknown): boolean
  /** Gives back disk that removed rows have left empty, where that is much. */
  compact(): Promise<void>
  watch(name: string): Watch
  /** Wakes those in this process who watch this name. */
  wake(name: string): void
}

/** What a database says for a word in braces, given what stands behind the word. */
export type DialectWords = Readonly<Record<string, (operand: string) => string>>

/** Replaces the words in braces. */
export function translateWords(text: string, words: DialectWords): string {
  return text.replace(/\{(\w+)(?: ([\w.]+))?\}/g, (_, word: string, operand = '') => {
    const say = words[word]
    if (!say) throw new TypeError(`No database knows {${word}}.`)
    return say(operand)
  })
}
