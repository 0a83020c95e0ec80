/** Runs statements in SQLite: to the end, in one synchronous step. */

import { yieldToEvents } from '../../core/steps.ts'
import type { Watch } from '../change-notifier.ts'
import type {
  Database,
  Part,
  QueryStatement,
  RunStatements,
  Statement,
  Statements,
  StatementText,
  StatementValue,
} from '../statements/statement.ts'
import { openDatabase } from './database.ts'
import { BELLS, type OtherWriters } from './other-writers.ts'
import { isBusy, patient } from './patience.ts'
import { setSequence, writeToSqlite } from './rows.ts'
import { SqliteConnection, type SqliteValue } from './sql.ts'
import { guardSqlite } from './troubles.ts'

export class SqliteDatabase implements Database {
  readonly name: string
  readonly howToUseAnother = 'another database with --db'
  readonly #sql: SqliteConnection
  readonly #others: OtherWriters

  constructor(sql: SqliteConnection, others: OtherWriters) {
    this.name = sql.path
    this.#sql = sql
    this.#others = others
  }

  async read<Answer, Result>(query: QueryStatement<Answer>, map?: (answer: Answer) => Result): Promise<Result> {
    return guardSqlite(this.name, () => {
      const answer = answerQuery(this.#sql, query)
      return (map ? map(answer as Answer) : answer) as Result
    })
  }

  async readTogether<Result>(statements: () => Statements<Result>): Promise<Result> {
    return this.#sql.read(() => runInSqlite(this.#sql, statements()))
  }

  async write<Result>(part: Part, statements: () => Statements<Result>): Promise<Result> {
    const names: string[] = []
    const result = this.#sql.write(() => runInSqlite(this.#sql, statements(), names), isJournal(part))
    for (const name of names) BELLS.ring(name)
    return result
  }

  async writeOne(text: StatementText, ...values: readonly StatementValue[]): Promise<number> {
    return this.#sql.write(() => this.#sql.run(sqliteText(text), ...sqliteValues(values)))
  }

  /** In memory of a copy, which takes as much memory again: what is written meanwhile is in no transaction of the reader. */
  readAtLength(work: (run: RunStatements) => Promise<void>): Promise<void> {
    return this.#apart('BEGIN', this.#isInMemory() ? this.#sql.copy() : this.#openAgain(), work)
  }

  async writeAtLength<Item>(
    input: AsyncIterable<Item>,
    work: (run: RunStatements, input: AsyncIterable<Item>) => Promise<void>,
  ): Promise<void> {
    // In memory there is no second connection: nothing is begun before all is there.
    const items = this.#isInMemory() ? eachOf(await Array.fromAsync(input)) : input
    const own = this.#isInMemory() ? this.#sql : this.#openAgain()
    await this.#apart('BEGIN IMMEDIATE', own, (run) => work(run, items))
  }

  #isInMemory(): boolean {
    return this.name === ':memory:'
  }

  #openAgain(): SqliteConnection {
    return new SqliteConnection(openDatabase(this.name), this.name)
  }

  /** On a connection of its own, so that other steps do not come between; it is closed afterwards. */
  async #apart(begin: string, own: SqliteConnection, work: (run: RunStatements) => Promise<void>): Promise<void> {
    try {
      own.run(begin)
      await work(async (statements) => runInSqlite(own, statements))
      own.run('COMMIT')
    } catch (error) {
      if (own.isWithin()) own.run('ROLLBACK')
      throw error
    } finally {
      if (own !== this.#sql) own.close()
    }
  }

  retry<Result>(work: () => Promise<Result>, waitMs: number): Promise<Result> {
    return patient(work, waitMs)
  }

  isBusy(error: unknown): boolean {
    return isBusy(error)
  }

  /** What merged segments leave empty may be a fifth of the file. */
  async compact(): Promise<void> {
    while (this.#sql.shrinkFile()) await yieldToEvents()
    this.#sql.shrinkLog()
  }

  watch(name: string): Watch {
    return this.#others.watch(name)
  }

  wake(name: string): void {
    BELLS.ring(name)
  }
}

/** The log of a run: what it reports was paid for, and is not done twice. What it refers to is written before it. */
function isJournal(part: Part): boolean {
  return part.startsWith('session ')
}

/** `names`: receives the names that are to be woken, which a read has none of. */
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
    case 'insert':
    case 'update':
      return writeToSqlite(sql, statement)
    default:
      return answerQuery(sql, statement)
  }
}

function answerQuery(sql: SqliteConnection, { kind, text, values }: QueryStatement): unknown {
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

async function* eachOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
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
