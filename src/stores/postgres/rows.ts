import { ContextError } from '../../core/errors.ts'
import type { Cell, Counted, RowStore, Rows } from '../row-store.ts'
import { type Kind, ROWS_AT_ONCE, TABLES, type Table } from '../tables.ts'
import { grouped } from './packed.ts'
import type { Queries, Sql } from './sql.ts'

type Row = Readonly<Record<string, Cell>>

const TYPES: Readonly<Record<Kind, string>> = { text: 'text', number: 'bigint', real: 'float8', bytes: 'bytea' }

const NAMES = Object.keys(TABLES)

/** All that is kept. */
export function postgresRows(sql: Sql): RowStore {
  return {
    counted: () => sql.read(countedIn),
    isEmpty: () => sql.read(isEmpty),
    read: (each) =>
      sql.moment(async (queries) => {
        for (const [name, table] of Object.entries(TABLES)) await readTable(queries, { name, table, each })
      }),
    write: (rows, { counted, replace }) =>
      // The rows come once.
      sql.writeOnce('library', async (queries) => {
        // Readers go on with what was there; whoever writes waits.
        await queries.run(`LOCK TABLE ${NAMES.map((name) => `ambit.${name}`).join(', ')} IN SHARE ROW EXCLUSIVE MODE`)
        if (!replace && !(await isEmpty(queries))) throw kept(sql.name)
        for (const name of NAMES.toReversed()) await queries.run(`DELETE FROM ambit.${name}`)
        for await (const group of rows) await insert(queries, group)
        await count(queries, counted)
      }),
  }
}

function kept(name: string): ContextError {
  const hint = 'Give --replace to put the file in the place of it, or use another database.'
  return new ContextError('conflict', `The database ${name} holds something already.`, { hint })
}

async function isEmpty(queries: Queries): Promise<boolean> {
  const any = NAMES.map((name) => `EXISTS (SELECT 1 FROM ambit.${name})`).join(' OR ')
  const [isAny] = await queries.column<boolean>(`SELECT ${any}`)
  return !isAny
}

interface Reading {
  readonly name: string
  readonly table: Table
  readonly each: (rows: Rows) => Promise<void>
}

async function readTable(queries: Queries, { name, table, each }: Reading): Promise<void> {
  const columns = Object.keys(table.columns)
  for (let last: Row | undefined; ; ) {
    const rows = await queries.all<Row>(...selectOf(name, table, last))
    if (rows.length === 0) return
    await each({ table: name, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) })
    last = rows.at(-1)
  }
}

/** The rows behind one that is known. */
function selectOf(name: string, table: Table, last: Row | undefined): [string, ...Cell[]] {
  const { key, where, atOnce = ROWS_AT_ONCE, columns } = table
  const behind = last && `(${key.join(', ')}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`
  const conditions = [where?.replace('FROM ', 'FROM ambit.'), behind].filter((one) => one !== undefined)
  const clause = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const order = `ORDER BY ${key.join(', ')} LIMIT ${atOnce}`
  const select = `SELECT ${Object.keys(columns).join(', ')} FROM ambit.${name} ${clause} ${order}`
  return [select, ...(last ? key.map((column) => last[column] ?? null) : [])]
}

async function insert(queries: Queries, { table, columns, rows }: Rows): Promise<void> {
  const kinds = TABLES[table]?.columns ?? {}
  const lists = columns.map((column, at) => `$${at + 1}::${TYPES[kinds[column] ?? 'text']}[]`)
  const text = `INSERT INTO ambit.${table} (${columns.join(', ')}) SELECT * FROM unnest(${lists.join(', ')})`
  for (const group of grouped(rows, sizeOf)) {
    await queries.run(text, ...columns.map((_, at) => group.map((row) => row[at] ?? null)))
  }
}

function sizeOf(row: readonly Cell[]): number {
  return row.reduce((all: number, cell) => all + (cell === null || typeof cell === 'number' ? 8 : cell.length), 0)
}

async function countedIn(queries: Queries): Promise<Counted> {
  const counts: [string, number][] = []
  for (const [name, { counted }] of Object.entries(TABLES)) {
    if (counted === undefined) continue
    const select = `
      SELECT greatest(pg_sequence_last_value(pg_get_serial_sequence('ambit.${name}', '${counted}')::regclass),
        (SELECT max(${counted}) FROM ambit.${name}), 0)`
    counts.push([name, (await queries.column<number>(select))[0] ?? 0])
  }
  return Object.fromEntries(counts)
}

async function count(queries: Queries, told: Counted): Promise<void> {
  const known = await countedIn(queries)
  for (const [name, last] of Object.entries(known)) {
    const next = Math.max(last, told[name] ?? 0)
    const column = TABLES[name]?.counted ?? ''
    if (next > 0) await queries.run(`SELECT setval(pg_get_serial_sequence('ambit.${name}', '${column}'), $1)`, next)
  }
}
