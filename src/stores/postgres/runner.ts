/** Runs statements in PostgreSQL: one after the other, each awaited. */

import { ContextError } from '../../core/errors.ts'
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
import { TABLES } from '../statements/tables.ts'
import { guardPostgresAtOnce } from './errors.ts'
import { CHANNEL, type Listener } from './listener.ts'
import { writeToPostgres } from './rows.ts'
import type { Queries, Sql } from './sql.ts'

/** Attempts to reach the server. */
const TRIES = 3

export class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly name: string
  readonly howToUseAnother = 'use another database'
  readonly #sql: Sql
  readonly #listener: Listener

  constructor(sql: Sql, listener: Listener) {
    this.name = sql.name
    this.#sql = sql
    this.#listener = listener
  }

  async read<Answer, Result>(query: QueryStatement<Answer>, map?: (answer: Answer) => Result): Promise<Result> {
    const answer = await answerQuery(this.#sql, query)
    return (map ? guardPostgresAtOnce(this.name, () => map(answer as Answer)) : answer) as Result
  }

  readTogether<Result>(statements: () => Statements<Result>): Promise<Result> {
    return this.#sql.read((queries) => runInPostgres(queries, this.name, statements()))
  }

  write<Result>(part: Part, statements: () => Statements<Result>): Promise<Result> {
    return this.#sql.write(part, (queries) => runInPostgres(queries, this.name, statements()))
  }

  writeOne(text: StatementText, ...values: readonly StatementValue[]): Promise<number> {
    return this.#sql.run(typeof text === 'string' ? text : text.postgres, ...values)
  }

  readAtLength(work: (run: RunStatements) => Promise<void>): Promise<void> {
    return this.#sql.moment((queries) => work((statements) => runInPostgres(queries, this.name, statements)))
  }

  writeAtLength<Item>(
    input: AsyncIterable<Item>,
    work: (run: RunStatements, input: AsyncIterable<Item>) => Promise<void>,
  ): Promise<void> {
    return this.#sql.writeOnce('library', async (queries) => {
      await queries.run(LOCK_TABLES)
      await work((statements) => runInPostgres(queries, this.name, statements), input)
    })
  }

  async retry<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ContextError) || error.code !== 'unavailable' || tries === TRIES) throw error
      }
    }
  }

  isBusy(): boolean {
    return false
  }

  /** The server does that by itself. */
  async compact(): Promise<void> {}

  watch(name: string): Watch {
    return this.#listener.watch(name)
  }

  wake(name: string): void {
    this.#listener.wake(name)
  }
}

/** Readers see the old state; writers wait. */
const LOCK_TABLES = `
  LOCK TABLE ${Object.keys(TABLES)
    .map((name) => `ambit.${name}`)
    .join(', ')} IN SHARE ROW EXCLUSIVE MODE`

/** `name`: of the database, for messages. */
export async function runInPostgres<Result>(
  queries: Queries,
  name: string,
  statements: Statements<Result>,
): Promise<Result> {
  const next = (answer?: unknown) => guardPostgresAtOnce(name, () => statements.next(answer))
  let step = next()
  while (!step.done) step = next(await runStatement(queries, step.value))
  return step.value
}

function runStatement(queries: Queries, statement: Statement): Promise<unknown> {
  switch (statement.kind) {
    case 'notify':
      return queries.run(`SELECT pg_notify('${CHANNEL}', $1)`, statement.name)
    case 'counter':
      return queries.run(SET_SEQUENCE, `ambit.${statement.table}`, statement.column, statement.last)
    case 'version':
      return readVersion(queries)
    case 'insert':
    case 'update':
      return writeToPostgres(queries, statement)
    default:
      return answerQuery(queries, statement)
  }
}

async function readVersion(queries: Queries): Promise<number> {
  return (await queries.column<number>("SELECT count FROM ambit.changes WHERE what = 'library'"))[0] ?? 0
}

async function answerQuery(queries: Queries, { kind, text, values }: QueryStatement): Promise<unknown> {
  const own = typeof text === 'string' ? text : text.postgres
  switch (kind) {
    case 'rows':
      return queries.all(own, ...values)
    case 'row':
      return (await queries.all(own, ...values))[0]
    case 'column':
      return queries.column(own, ...values)
    case 'change':
      return queries.run(own, ...values)
  }
}

const SET_SEQUENCE = 'SELECT setval(pg_get_serial_sequence($1, $2), $3)'
