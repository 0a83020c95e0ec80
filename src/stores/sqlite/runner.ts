/** Runs statements in SQLite: to the end, in one synchronous step. */

import type {
  Counter,
  QueryStatement,
  RowsToWrite,
  Statement,
  Statements,
  StatementText,
  StatementValue,
} from '../statements/statement.ts'
import type { SqliteConnection, SqliteValue } from './sql.ts'
import { guardSqlite } from './troubles.ts'

/** `names`: receives the names to notify. */
export function runInSqlite<Result>(
  sql: SqliteConnection,
  statements: Statements<Result>,
  names: string[] = [],
): Result {
  return guardSqlite(sql.path, () => {
    let step = statements.next()
    while (!step.done) step = statements.next(answerOf(sql, step.value, names))
    return step.value
  })
}

function answerOf(sql: SqliteConnection, statement: Statement, names: string[]): unknown {
  switch (statement.kind) {
    case 'notify':
      return names.push(statement.name)
    case 'counter':
      return setSequence(sql, statement)
    case 'version':
      return sql.version()
    case 'insert':
    case 'update':
      return writeToSqlite(sql, statement)
    default:
      return answerQuery(sql, statement)
  }
}

export function answerQuery(sql: SqliteConnection, { kind, text, values }: QueryStatement): unknown {
  const [own, bound] = [sqliteText(text), sqliteValues(values)]
  switch (kind) {
    case 'rows':
      return sql.all(own, ...bound)
    case 'row':
      return sql.get(own, ...bound)
    case 'column':
      return sql.column(own, ...bound)
    case 'change':
      return sql.run(own, ...bound)
  }
}

function sqliteText(text: StatementText): string {
  return typeof text === 'string' ? text : text.sqlite
}

/** Lists as JSON, for `json_each`. */
function sqliteValues(values: readonly StatementValue[]): readonly SqliteValue[] {
  return values.some(isList)
    ? values.map((value) => (isList(value) ? JSON.stringify(value) : value))
    : (values as SqliteValue[])
}

function isList(value: StatementValue): value is readonly (string | number)[] {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
}

/** One by one. */
function writeToSqlite(sql: SqliteConnection, { kind, table, columns, rows }: RowsToWrite): void {
  if (kind === 'insert') {
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    for (const row of rows) sql.run(insert, ...row)
    return
  }
  const [key, ...others] = columns
  const update = `UPDATE ${table} SET ${others.map((column) => `${column} = ?`).join(', ')} WHERE ${key} = ?`
  for (const [id = null, ...cells] of rows) sql.run(update, ...cells, id)
}

/** Tables without AUTOINCREMENT have no row there. */
function setSequence(sql: SqliteConnection, { table, last }: Counter): void {
  if (sql.run('UPDATE sqlite_sequence SET seq = ? WHERE name = ?', last, table) > 0) return
  const counts = "SELECT name, ? FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'"
  sql.run(`INSERT INTO sqlite_sequence (name, seq) ${counts}`, last, table)
}
