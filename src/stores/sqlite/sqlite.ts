import { statSync } from 'node:fs'
import { ContextError } from '../../core/errors.ts'
import { yieldToEvents } from '../../core/steps.ts'
import type { Watch } from '../change-notifier.ts'
import type { LeaseTimes } from '../statements/lease.ts'
import type {
  Database,
  LongWork,
  Part,
  QueryStatement,
  RunStatements,
  Statements,
  StatementText,
  StatementValue,
} from '../statements/statement.ts'
import { createStore } from '../statements/store-over.ts'
import type { Store } from '../store.ts'
import { assertDiskSpace, BUSY_MS, openDatabase, openSerialized } from './database.ts'
import { LOCAL_NOTIFIER, OtherWriters } from './other-writers.ts'
import { runInSqlite, SqliteConnection } from './sql.ts'
import { BLOCKING_MS, guardSqlite, repeatWhileBusy } from './troubles.ts'

/** Time limits in milliseconds, which tests shorten. */
interface SqliteTimes {
  /** Maximum wait for another process that writes. Default: 10,000. */
  readonly busyMs?: number
  readonly lease?: LeaseTimes
}

/**
 * Opens the store in one SQLite file. Creates the file if it is missing. `:memory:` keeps the store in memory.
 *
 * @throws ContextError `unavailable` for a file that cannot be opened, is damaged, or is newer than this program.
 */
export function openSqlite(path: string, { busyMs = BUSY_MS, lease }: SqliteTimes = {}): Store {
  const sql = new SqliteConnection(openDatabase(path, busyMs), path)
  sql.setBusyTimeout(Math.min(busyMs, BLOCKING_MS))
  const database = new SqliteDatabase(sql, busyMs)
  return createStore(
    database,
    { lease, runs: lease },
    {
      version: () => database.retryWhileBusy(() => sql.version()),
      // All processes that use a SQLite database are on one machine, with one clock.
      now: async () => Date.now(),
      size: async () => sizeOf(path) + sizeOf(`${path}-wal`),
      assertRoom: async () => assertDiskSpace(path),
      close: async () => sql.close(),
    },
  )
}

/** Whether a file exists, can be opened, and has consistent content. */
export async function isWholeSqlite(path: string): Promise<boolean> {
  if (sizeOf(path) === 0) return false
  try {
    const store = openSqlite(path)
    const problems = await store.check()
    await store.close()
    return problems.length === 0
  } catch (error) {
    if (error instanceof ContextError) return false
    throw error
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

export class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly name: string
  readonly #sql: SqliteConnection
  readonly #busyMs: number
  readonly #others: OtherWriters

  constructor(sql: SqliteConnection, busyMs: number) {
    this.name = sql.path
    this.#sql = sql
    this.#busyMs = busyMs
    this.#others = new OtherWriters(sql)
  }

  /** Runs `step`, and repeats it while another process writes. `step` must be atomic. */
  retryWhileBusy<Result>(step: () => Result): Promise<Result> {
    return repeatWhileBusy(step, this.#busyMs)
  }

  read<Answer, Result>(query: QueryStatement<Answer>, map?: (answer: Answer) => Result): Promise<Result> {
    return this.retryWhileBusy(() =>
      guardSqlite(this.name, () => {
        const answer = this.#sql.ask(query) as Answer
        return map ? map(answer) : (answer as unknown as Result)
      }),
    )
  }

  readTogether<Result>(statements: () => Statements<Result>): Promise<Result> {
    return this.retryWhileBusy(() => this.#sql.read(() => runInSqlite(this.#sql, statements())))
  }

  write<Result>(part: Part, statements: () => Statements<Result>): Promise<Result> {
    return this.retryWhileBusy(() => {
      const names: string[] = []
      const result = this.#sql.write(() => runInSqlite(this.#sql, statements(), names), part.startsWith('session '))
      for (const name of names) LOCAL_NOTIFIER.notify(name)
      return result
    })
  }

  writeOne(text: StatementText, ...values: readonly StatementValue[]): Promise<number> {
    return this.retryWhileBusy(() => this.#sql.write(() => this.#sql.ask({ kind: 'change', text, values }) as number))
  }

  /** Reads a copy of a database in memory, whose only connection would include concurrent writes in the transaction. */
  readAtLength(work: (run: RunStatements) => Promise<void>): Promise<void> {
    const connection = this.#isInMemory() ? openSerialized(this.#sql.serialize()) : openDatabase(this.name)
    return this.#transact('BEGIN', new SqliteConnection(connection, this.name), work)
  }

  async writeAtLength<Item>(input: AsyncIterable<Item>, work: LongWork<Item>): Promise<void> {
    // A database in memory has no second connection, so all input must be in memory before the write begins.
    const items = this.#isInMemory() ? iterate(await Array.fromAsync(input)) : input
    const connection = this.#isInMemory() ? this.#sql : new SqliteConnection(openDatabase(this.name), this.name)
    await this.#transact('BEGIN IMMEDIATE', connection, (run) => work(run, items))
  }

  #isInMemory(): boolean {
    return this.name === ':memory:'
  }

  /** Runs `work` in a transaction on `sql`. Afterwards closes `sql`, unless it is the connection of this object. */
  async #transact(begin: string, sql: SqliteConnection, work: (run: RunStatements) => Promise<void>): Promise<void> {
    try {
      sql.run(begin)
      await work(async (statements) => runInSqlite(sql, statements))
      sql.run('COMMIT')
    } catch (error) {
      if (sql.isInTransaction()) sql.run('ROLLBACK')
      throw error
    } finally {
      if (sql !== this.#sql) sql.close()
    }
  }

  /** Frees empty space of the file. A merge of segments may leave a fifth of the file empty. */
  async compact(): Promise<void> {
    while (this.#sql.shrinkFile()) await yieldToEvents()
    this.#sql.shrinkLog()
  }

  watch(name: string): Watch {
    return this.#others.watch(name)
  }

  wake(name: string): void {
    LOCAL_NOTIFIER.notify(name)
  }
}

async function* iterate<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}
