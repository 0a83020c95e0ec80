/** Reads and writes all rows of a database, for exports and imports. */

import { ContextError } from '../core/errors.ts'
import {
  type Cell,
  type Database,
  execute,
  insertMany,
  type Rows,
  type RunStatements,
  type Statements,
  selectColumn,
  selectRows,
  setCounter,
} from './statements/statement.ts'
import { BATCH_SIZE, TABLES, type Table } from './statements/tables.ts'

export type { Cell, Rows } from './statements/statement.ts'

/** The last number of each counter (a column of ascending ids), by table. Numbers of deleted rows are never reused. */
export type Counters = Readonly<Record<string, number>>

type TableRow = Readonly<Record<string, Cell>>

const TABLE_NAMES = Object.keys(TABLES)

const ANY_ROW = `SELECT 1 WHERE ${TABLE_NAMES.map((name) => `EXISTS (SELECT * FROM ambit.${name})`).join(' OR ')}`

export function createRowStore(database: Database) {
  const assertEmpty = function* () {
    if (!(yield* isEmpty())) throw notEmpty(database.name)
  }
  return {
    /** The last number of each counter. */
    readCounters: () => database.readTogether(readCounters),
    /** Whether all exported tables are empty. */
    isEmpty: () => database.readTogether(isEmpty),
    /** Reads all rows of all exported tables, as of one moment, in batches. Tables and rows come in a fixed order. */
    read: (onRows: (rows: Rows) => Promise<void>): Promise<void> =>
      database.readAtLength(async (run) => {
        for (const [name, table] of Object.entries(TABLES)) {
          for await (const rows of readTable(run, name, table)) await onRows(rows)
        }
      }),
    /**
     * Replaces the whole content by these rows, which must be in the order of `TABLES`. If `rows` throws, nothing
     * changes.
     *
     * @throws ContextError `conflict` for a store with content, without `replace`.
     */
    write: async (
      rows: AsyncIterable<Rows>,
      { counted, replace }: { readonly counted: Counters; readonly replace: boolean },
    ): Promise<void> => {
      if (!replace) await database.readTogether(assertEmpty)
      await database.writeAtLength(rows, async (run, groups) => {
        if (!replace) await run(assertEmpty())
        for (const name of TABLE_NAMES.toReversed()) await run(execute(`DELETE FROM ambit.${name}`))
        for await (const { table, columns, rows: group } of groups) await run(insertMany(table, columns, group))
        await run(setCounters(counted))
      })
    },
  }
}

export type RowStore = ReturnType<typeof createRowStore>

export function notEmpty(name: string): ContextError {
  const hint = 'Give --replace to replace its content, or use another database.'
  return new ContextError('conflict', `The database ${name} is not empty.`, { hint })
}

function* isEmpty(): Statements<boolean> {
  return (yield* selectColumn(ANY_ROW)).length === 0
}

async function* readTable(run: RunStatements, name: string, table: Table): AsyncGenerator<Rows> {
  const columns = Object.keys(table.columns)
  for (let last: TableRow | undefined; ; ) {
    const rows = await run(selectAfter(name, table, last))
    if (rows.length === 0) return
    yield { table: name, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }
    last = rows.at(-1)
  }
}

/** The next batch of rows, after the row `last`. */
function selectAfter(name: string, table: Table, last: TableRow | undefined): Statements<TableRow[]> {
  const { key, where, batchSize = BATCH_SIZE, columns } = table
  const afterLast = last && `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`
  const conditions = [where, afterLast].filter((one) => one !== undefined)
  const clause = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const order = `ORDER BY ${key.join(', ')} LIMIT ${batchSize}`
  const select = `SELECT ${Object.keys(columns).join(', ')} FROM ambit.${name} ${clause} ${order}`
  return selectRows<TableRow>(select, ...(last ? key.map((column) => last[column] ?? null) : []))
}

function* readCounters(): Statements<Counters> {
  const counters: [string, number][] = []
  for (const [name, { counterColumn }] of Object.entries(TABLES)) {
    if (counterColumn === undefined) continue
    const [lastUsed] = yield* selectColumn<number | null>(lastNumber(name, counterColumn))
    const [largest] = yield* selectColumn<number | null>(`SELECT max(${counterColumn}) FROM ambit.${name}`)
    counters.push([name, Math.max(lastUsed ?? 0, largest ?? 0)])
  }
  return Object.fromEntries(counters)
}

/** The SELECT for the last number of a counter. In SQLite, it returns no row for a table without AUTOINCREMENT. */
function lastNumber(table: string, column: string) {
  return {
    postgres: `SELECT pg_sequence_last_value(pg_get_serial_sequence('ambit.${table}', '${column}')::regclass)`,
    sqlite: `SELECT seq FROM sqlite_sequence WHERE name = '${table}'`,
  }
}

/** Sets the counters so that no number of this database, or of the imported database, is used again. */
function* setCounters(counted: Counters): Statements<void> {
  for (const [name, last] of Object.entries(yield* readCounters())) {
    yield* setCounter(name, TABLES[name]?.counterColumn ?? '', Math.max(last, counted[name] ?? 0))
  }
}
