/** Runs statements in SQLite: to the end, in one synchronous step. */

import { pause } from '../../core/steps.ts'
import type { Watch } from '../bells.ts'
import type {
  Database,
  Part,
  RowsToWrite,
  Statement,
  Statements,
  StatementText,
  StatementValue,
} from '../statements/statement.ts'
import { guarded } from './database.ts'
import { BELLS, type OtherWriters } from './other-writers.ts'
import { isBusy, patient } from './patience.ts'
import type { Sql, Value } from './sql.ts'

export class SqliteDatabase implements Database {
  readonly name: string
  readonly #sql: Sql
  readonly #others: OtherWriters

  constructor(sql: Sql, others: OtherWriters) {
    this.name = sql.path
    this.#sql = sql
    this.#others = others
  }

  async read<Result>(statements: () => Statements<Result>): Promise<Result> {
    return runInSqlite(this.#sql, statements())
  }

  async readTogether<Result>(statements: () => Statements<Result>): Promise<Result> {
    return this.#sql.read(() => runInSqlite(this.#sql, statements()))
  }

  async write<Result>(_: Part, statements: () => Statements<Result>): Promise<Result> {
    const names: string[] = []
    const result = this.#sql.write(() => runInSqlite(this.#sql, statements(), names))
    for (const name of names) BELLS.ring(name)
    return result
  }

  async writeOne(text: StatementText, ...values: readonly StatementValue[]): Promise<number> {
    return this.#sql.write(() => this.#sql.run(sqliteText(text), ...values.map(sqliteValue)))
  }

  retry<Result>(work: () => Promise<Result>, waitMs: number): Promise<Result> {
    return patient(work, waitMs)
  }

  isBusy(error: unknown): boolean {
    return isBusy(error)
  }

  /** What merged segments leave empty may be a fifth of the file. */
  async compact(): Promise<void> {
    while (this.#sql.shrinkFile()) await pause()
    this.#sql.shrinkLog()
  }

  watch(name: string): Watch {
    return this.#others.watch(name)
  }

  wake(name: string): void {
    BELLS.ring(name)
  }
}

/** `names`: receives the names that are to be woken, which a read has none of. */
export function runInSqlite<Result>(sql: Sql, statements: Statements<Result>, names: string[] = []): Result {
  return guarded(sql.path, () => {
    let step = statements.next()
    while (!step.done) step = statements.next(answerOf(sql, step.value, names))
    return step.value
  })
}

function answerOf(sql: Sql, statement: Statement, names: string[]): unknown {
  switch (statement.kind) {
    case 'rows':
      return sql.all(sqliteText(statement.text), ...statement.values.map(sqliteValue))
    case 'column':
      return sql.column(sqliteText(statement.text), ...statement.values.map(sqliteValue))
    case 'change':
      return sql.run(sqliteText(statement.text), ...statement.values.map(sqliteValue))
    case 'notify':
      return names.push(statement.name)
    default:
      return writeRows(sql, statement)
  }
}

function writeRows(sql: Sql, { kind, table, columns, rows }: RowsToWrite): void {
  if (kind === 'insert') {
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    for (const row of rows) sql.run(insert, ...row)
    return
  }
  const [key, ...others] = columns
  const update = `UPDATE ${table} SET ${others.map((column) => `${column} = ?`).join(', ')} WHERE ${key} = ?`
  for (const [id = null, ...cells] of rows) sql.run(update, ...cells, id)
}

function sqliteText(text: StatementText): string {
  return typeof text === 'string' ? text : text.sqlite
}

/** Lists as JSON, for `json_each`. */
function sqliteValue(value: StatementValue): Value {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? JSON.stringify(value) : value
}
