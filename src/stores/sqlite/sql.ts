import { statSync } from 'node:fs'
import type { Database, Statement, Transaction } from 'better-sqlite3'
import type { Cell } from '../row-store.ts'
import {
  type Counter,
  type DialectWords,
  type QueryStatement,
  type RowsToWrite,
  type Statements,
  type Statement as StoreStatement,
  translateWords,
} from '../statements/statement.ts'
import { guardSqlite, isBusy } from './troubles.ts'

export type Connection = Database

/** Minimum bytes of a log to truncate. SQLite itself keeps a log at about this size. */
const LONG_LOG_BYTES = 4_500_000

/**
 * `EMPTY_PAGES` (8 MB): minimum number of empty pages, and number of pages that one step frees. `EMPTY_FRACTION`: empty
 * pages are freed if they are at least a twentieth of the file.
 */
const EMPTY_PAGES = 500
const EMPTY_FRACTION = 20

const COUNTER = () => 'INTEGER PRIMARY KEY AUTOINCREMENT'

const WORDS: DialectWords = {
  now: () => 'ambit_now()',
  isoNow: () => 'ambit_iso_now()',
  anyOf: () => 'IN (SELECT value FROM json_each(?))',
  each: () => 'json_each(?) AS a',
  hex: (bytes) => `lower(hex(${bytes}))`,
  unhex: (digits) => `unhex(${digits})`,
  least: () => 'min',
  position: () => 'instr',
  // A write locks the whole database.
  forUpdate: () => '',
  forShare: () => '',
  cascade: () => '',
  randomId: () => 'lower(hex(randomblob(16)))',
  rowid: () => 'INTEGER PRIMARY KEY',
  counter: COUNTER,
  counter32: COUNTER,
  number: () => 'INTEGER',
  small: () => 'INTEGER',
  real: () => 'REAL',
  text: () => 'TEXT',
  bytes: () => 'BLOB',
  packed: () => 'BLOB',
  strict: () => 'STRICT',
  tree: () => 'STRICT, WITHOUT ROWID',
}

/** A connection to a SQLite database. Translates and prepares each statement once. Throws ContextErrors with hints. */
export class SqliteConnection {
  readonly path: string
  readonly #db: Connection
  readonly #statements = new Map<string, Statement>()
  readonly #columns = new Map<string, Statement>()
  readonly #transaction: Transaction<(work: () => unknown) => unknown>
  #writes = 0

  constructor(db: Connection, path: string) {
    this.#db = db
    this.#transaction = db.transaction((work) => work())
    this.path = path
  }

  /** The answer to one statement. */
  ask({ kind, text, values }: QueryStatement): unknown {
    return guardSqlite(this.path, () => {
      const statement = this.#prepare(typeof text === 'string' ? text : text.sqlite, kind === 'column')
      // Lists become JSON, for `json_each`.
      const bound = values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value))
      if (kind === 'row') return statement.get(...bound)
      return kind === 'change' ? statement.run(...bound).changes : statement.all(...bound)
    })
  }

  /** Returns the number of changed rows. */
  run(text: string, ...values: readonly Cell[]): number {
    return this.ask({ kind: 'change', text, values }) as number
  }

  #prepare(text: string, pluck = false): Statement {
    const statements = pluck ? this.#columns : this.#statements
    const cached = statements.get(text)
    if (cached) return cached
    const statement = this.#db.prepare(translateWords(text, WORDS).replaceAll('ambit.', ''))
    if (pluck) statement.pluck()
    statements.set(text, statement)
    return statement
  }

  /**
   * Runs a write atomically. Takes the write lock first, so that what `work` reads stays valid until it writes.
   * `isDurable`: whether this write and all earlier writes survive a power failure. Default: false.
   */
  write<Result>(work: () => Result, isDurable = false): Result {
    return guardSqlite(this.path, () => {
      if (isDurable) this.#db.pragma('synchronous = FULL')
      try {
        const result = this.#transaction.immediate(work) as Result
        this.#writes++
        return result
      } finally {
        if (isDurable) this.#db.pragma('synchronous = NORMAL')
      }
    })
  }

  /** Runs several reads that see the database as of one moment. */
  read<Result>(work: () => Result): Result {
    return guardSqlite(this.path, () => this.#transaction.deferred(work) as Result)
  }

  /** A number that changes with every change by this or another connection. */
  version(): number {
    return this.versionOfOthers() * 0x1_0000_0000 + this.#writes
  }

  /** A number that changes with every change by another connection. */
  versionOfOthers(): number {
    return Number(guardSqlite(this.path, () => this.#db.pragma('data_version', { simple: true })))
  }

  /** Sets the maximum milliseconds that a statement waits for another process. The wait blocks this process. */
  setBusyTimeout(milliseconds: number): void {
    this.#db.pragma(`busy_timeout = ${milliseconds}`)
  }

  /**
   * If the file has much empty space, frees a part of the space by moving pages from the end of the file. Returns true
   * if it freed space; then another call may free more. Does nothing while another process writes.
   */
  shrinkFile(): boolean {
    const readPragma = (name: string) => Number(this.#db.pragma(name, { simple: true }))
    try {
      return guardSqlite(this.path, () => {
        const [emptyCount, pageCount] = [readPragma('freelist_count'), readPragma('page_count')]
        if (emptyCount < EMPTY_PAGES || emptyCount * EMPTY_FRACTION < pageCount) return false
        this.#db.pragma(`incremental_vacuum(${EMPTY_PAGES})`)
        return readPragma('freelist_count') < emptyCount
      })
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  /** Truncates a long log. Does nothing while another process reads. */
  shrinkLog(): void {
    const size = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (size < LONG_LOG_BYTES) return
    guardSqlite(this.path, () => {
      const timeoutMs = Number(this.#db.pragma('busy_timeout', { simple: true }))
      this.#db.pragma('busy_timeout = 0')
      try {
        this.#db.pragma('wal_checkpoint(TRUNCATE)')
      } finally {
        this.#db.pragma(`busy_timeout = ${timeoutMs}`)
      }
    })
  }

  /** The whole database as bytes. */
  serialize(): Buffer {
    return this.#db.serialize()
  }

  /** Whether a transaction has begun and not ended. */
  isInTransaction(): boolean {
    return this.#db.inTransaction
  }

  close(): void {
    if (this.#db.open) this.#db.close()
  }
}

/**
 * Runs statements to their end, in one synchronous step, and returns their result. Adds the names of notifications to
 * `namesToNotify`.
 */
export function runInSqlite<Result>(
  sql: SqliteConnection,
  statements: Statements<Result>,
  namesToNotify: string[] = [],
): Result {
  return guardSqlite(sql.path, () => {
    let step = statements.next()
    while (!step.done) step = statements.next(runStatement(sql, step.value, namesToNotify))
    return step.value
  })
}

function runStatement(sql: SqliteConnection, statement: StoreStatement, namesToNotify: string[]): unknown {
  switch (statement.kind) {
    case 'notify':
      return namesToNotify.push(statement.name)
    case 'counter':
      return setSequence(sql, statement)
    case 'version':
      return sql.version()
    case 'insert':
    case 'update':
      return writeToSqlite(sql, statement)
    default:
      return sql.ask(statement)
  }
}

/** Writes rows one by one. */
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

/** Sets a counter. Does nothing for tables without AUTOINCREMENT. */
function setSequence(sql: SqliteConnection, { table, last }: Counter): void {
  if (sql.run('UPDATE sqlite_sequence SET seq = ? WHERE name = ?', last, table) > 0) return
  const counts = "SELECT name, ? FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'"
  sql.run(`INSERT INTO sqlite_sequence (name, seq) ${counts}`, last, table)
}
