/** Rows of any table, written by the names in `tables.ts`. */

import type { Counter, RowsToWrite } from '../statements/statement.ts'
import type { SqliteConnection } from './sql.ts'

/** One by one. */
export function writeToSqlite(sql: SqliteConnection, { kind, table, columns, rows }: RowsToWrite): void {
  if (kind === 'insert') {
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    for (const row of rows) sql.run(insert, ...row)
    return
  }
  const [key, ...others] = columns
  const update = `UPDATE ${table} SET ${others.map((column) => `${column} = ?`).join(', ')} WHERE ${key} = ?`
  for (const [id = null, ...cells] of rows) sql.run(update, ...cells, id)
}

/** Tables whose numbers may be given again have no row there. */
export function setSequence(sql: SqliteConnection, { table, last }: Counter): void {
  if (sql.run('UPDATE sqlite_sequence SET seq = ? WHERE name = ?', last, table) > 0) return
  const counts = "SELECT name, ? FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'"
  sql.run(`INSERT INTO sqlite_sequence (name, seq) ${counts}`, last, table)
}
