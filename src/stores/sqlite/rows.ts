import { ContextError } from '../../core/errors.ts'
import type { Cell, Counted, RowStore, Rows } from '../row-store.ts'
import { ROWS_AT_ONCE, TABLES, type Table } from '../tables.ts'
import { openDatabase } from './database.ts'
import { Sql } from './sql.ts'

type Row = Readonly<Record<string, Cell>>

/** All that is kept. What takes long has a connection of its own, so that other steps do not come between. */
export function sqliteRows(sql: Sql): RowStore {
  return {
    counted: async () => countedIn(sql),
    isEmpty: async () => isEmpty(sql),
    read: (each) =>
      apart(sql, 'BEGIN', async (own) => {
        for (const rows of allRows(own)) await each(rows)
      }),
    write: async (rows, { counted, replace }) => {
      if (!replace && !isEmpty(sql)) throw kept(sql.path)
      // In memory there is no second connection: nothing is begun before all is there.
      const all = sql.path === ':memory:' ? await Array.fromAsync(rows) : rows
      await apart(sql, 'BEGIN IMMEDIATE', async (own) => {
        if (!replace && !isEmpty(own)) throw kept(own.path)
        for (const table of Object.keys(TABLES).reverse()) own.run(`DELETE FROM ${table}`)
        for await (const group of all) insert(own, group)
        count(own, counted)
      })
    },
  }
}

function kept(path: string): ContextError {
  const hint = 'Give --replace to put the file in the place of it, or another database with --db.'
  return new ContextError('conflict', `The database ${path} holds something already.`, { hint })
}

async function apart(sql: Sql, begin: string, work: (own: Sql) => Promise<void>): Promise<void> {
  const own = sql.path === ':memory:' ? sql : new Sql(openDatabase(sql.path), sql.path)
  try {
    own.run(begin)
    await work(own)
    own.run('COMMIT')
  } catch (error) {
    if (own.isWithin()) own.run('ROLLBACK')
    throw error
  } finally {
    if (own !== sql) own.close()
  }
}

function isEmpty(sql: Sql): boolean {
  return Object.keys(TABLES).every((table) => sql.get(`SELECT 1 FROM ${table} LIMIT 1`) === undefined)
}

function* allRows(sql: Sql): Generator<Rows> {
  for (const [name, table] of Object.entries(TABLES)) {
    const columns = Object.keys(table.columns)
    for (let last: Row | undefined; ; ) {
      const rows = sql.all<Row>(...selectOf(name, table, last))
      if (rows.length === 0) break
      yield { table: name, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }
      last = rows.at(-1)
    }
  }
}

/** The rows behind one that is known. */
function selectOf(name: string, table: Table, last: Row | undefined): [string, ...Cell[]] {
  const { key, where, atOnce = ROWS_AT_ONCE, columns } = table
  const behind = last && `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`
  const conditions = [where, behind].filter((one) => one !== undefined)
  const clause = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const select = `SELECT ${Object.keys(columns).join(', ')} FROM ${name} ${clause} ORDER BY ${key.join(', ')} LIMIT ${atOnce}`
  return [select, ...(last ? key.map((column) => last[column] ?? null) : [])]
}

function insert(sql: Sql, { table, columns, rows }: Rows): void {
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  for (const row of rows) sql.run(text, ...row)
}

const SEQUENCES = 'SELECT name, seq FROM sqlite_sequence'

function countedIn(sql: Sql): Counted {
  const sequences = new Map(sql.all<{ name: string; seq: number }>(SEQUENCES).map(({ name, seq }) => [name, seq]))
  const counts = Object.entries(TABLES).flatMap(([name, { counted }]) => {
    if (counted === undefined) return []
    const [last] = sql.column<number | null>(`SELECT max(${counted}) FROM ${name}`)
    return [[name, Math.max(last ?? 0, sequences.get(name) ?? 0)] as const]
  })
  return Object.fromEntries(counts)
}

/** Tables whose numbers may be given again have no row there. */
function count(sql: Sql, counted: Counted): void {
  const names = new Set(sql.column<string>("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'"))
  for (const [name, last] of Object.entries(counted)) {
    if (!names.has(name) || !Object.hasOwn(TABLES, name)) continue
    const known = sql.run('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?', last, name)
    if (known === 0) sql.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, last)
  }
}
