/** Opens a SQLite database. Many processes may open it at once, even before it exists. */

import { accessSync, chmodSync, constants, copyFileSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { ContextError, INSTALL_NEWER } from '../../core/errors.ts'
import { REQUIRED_NODE, runsOn } from '../../core/node-version.ts'
import { makePrivateDirectories, makeTemporaryDirectory, proveRoom } from '../../files/file-version.ts'
import { mendSchema, SCHEMA_VERSIONS, upgradeSchema } from '../statements/mend.ts'
import type { Statements } from '../statements/statement.ts'
import { TRIGGERS } from '../statements/tables.ts'
import { codeOf } from '../statements/trouble-table.ts'
import type { Migrated } from '../store.ts'
import { type Connection, runInSqlite, SqliteConnection } from './sql.ts'
import { guardSqlite } from './troubles.ts'

/** Maximum milliseconds to wait for another process that writes. */
export const BUSY_MS = 10_000

/**
 * Opens the database at a path; `:memory:` keeps it in memory. Creates a missing file, readable only by its owner, and brings
 * older tables up to date.
 *
 * @throws ContextError `unavailable` for a file that cannot be opened, is damaged, or was written by a newer Ambit.
 */
export function openDatabase(path: string, busyMs = BUSY_MS): Connection {
  refuseOldNode()
  return guardSqlite(path, () => {
    if (path !== ':memory:' && isOnReadOnlyMedium(path)) return openCopy(path, busyMs)
    if (path !== ':memory:') createFile(path)
    return openAt(path, path, busyMs)
  })
}

/** Opens a file. `path`: the path for messages, which is the path of the original for a copy. */
function openAt(file: string, path: string, busyMs: number): Connection {
  const db = new Database(file, { timeout: busyMs })
  try {
    assertOwnDatabase(db, path)
    configure(db, busyMs)
    upgrade(db, path)
    assertOwnTriggers(db, path)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** Whether an existing database is on a read-only file system. */
function isOnReadOnlyMedium(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EROFS'
  }
}

/** @throws NoSpace if the database cannot grow, except on a read-only medium. */
export function assertDiskSpace(path: string): void {
  if (path !== ':memory:' && !isOnReadOnlyMedium(path)) guardSqlite(path, () => proveRoom(dirname(path)))
}

/**
 * Opens a copy of a database on a read-only medium, with its log, in a temporary directory that is removed as soon as the copy is
 * open. SQLite itself cannot read a file with a log in a directory that it cannot write.
 */
function openCopy(path: string, busyMs: number): Connection {
  const directory = makeTemporaryDirectory('read-only')
  try {
    const file = join(directory, basename(path))
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, file + suffix, constants.COPYFILE_FICLONE)
    chmodSync(file, 0o600)
    const db = openAt(file, path, busyMs)
    db.pragma('query_only = ON')
    return db
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Opens a database in memory with the content of a serialized database. */
export function openSerialized(bytes: Buffer): Connection {
  const copy = new Database(bytes)
  configure(copy, BUSY_MS)
  return copy
}

/** Refuses a Node.js that is too old, because the native module would end the process without a message. */
function refuseOldNode(): void {
  if (runsOn(process.versions.node)) return
  const hint = 'Install Node.js 24: https://nodejs.org'
  throw new ContextError('unavailable', `A database needs ${REQUIRED_NODE}`, { hint })
}

/** Creates a file that only its owner may read, because the content may be private. */
function createFile(path: string): void {
  makePrivateDirectories(dirname(path))
  if (statSync(path, { throwIfNoEntry: false })) return
  writeFileSync(path, '', { flag: 'a', mode: 0o600 })
}

/** Refuses databases of other programs or newer versions. Runs before any write, so that a refused file stays unchanged. */
function assertOwnDatabase(db: Connection, path: string): void {
  const { version, isEmpty } = db
    .transaction(() => ({ version: versionOf(db), isEmpty: isEmptyDatabase(db) }))
    .deferred()
  if (version > SCHEMA_VERSIONS.sqlite) {
    const hint = `${INSTALL_NEWER}, or give another database with --db.`
    throw new ContextError('unavailable', `${path} was written by a newer version of Ambit.`, { hint })
  }
  if (version > 0 || isEmpty) return
  const hint = 'Give another database with --db.'
  throw new ContextError('unavailable', `${path} is a database of another program.`, { hint })
}

/** Refuses a file with a trigger or view that Ambit did not create, because the trigger would run with Ambit's writes. */
function assertOwnTriggers(db: Connection, path: string): void {
  const select = "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name"
  const rows = db.prepare(select).all() as { readonly name: string; readonly sql: string }[]
  const foreign = rows.find(({ sql }) => !TRIGGERS.sqlite.some(({ create }) => create === sql))
  if (!foreign) return
  const hint = 'Run "ambit index --rebuild": it keeps collections and path contexts, and reads the files again.'
  const message = `${path} holds ${JSON.stringify(foreign.name)}, which does not belong to Ambit.`
  throw new ContextError('unavailable', message, { hint })
}

function isEmptyDatabase(db: Connection): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
}

/**
 * Bytes of a page of a new database. Larger pages waste less space on texts and long postings: 10,000 documents take 3 % less
 * space with 16,384 bytes than with 8192, and 3 % less with 8192 than with 4096. Searches take the same time.
 */
export const PAGE_BYTES = 16_384

function configure(db: Connection, busyMs: number): void {
  db.pragma(`page_size = ${PAGE_BYTES}`)
  // Lets `shrinkFile` free the space of merged segments. Set only for a new database, because the setting is a write.
  if (db.pragma('page_count', { simple: true }) === 0) db.pragma('auto_vacuum = INCREMENTAL')
  enableLog(db, busyMs)
  db.pragma('synchronous = NORMAL')
  // Number of pages after which the log is copied into the file: 8 MB.
  db.pragma('wal_autocheckpoint = 500')
  db.pragma('foreign_keys = ON')
  // Expressions in the schema of the file may call only harmless functions.
  db.pragma('trusted_schema = OFF')
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -8192')
  // The clock of the process, so that tests with simulated time also control leases. `directOnly`: the schema of a file
  // cannot call these functions.
  const options = { directOnly: true }
  db.function('ambit_now', options, () => Date.now())
  db.function('ambit_iso_now', options, () => new Date().toISOString())
}

/**
 * Switches to a write-ahead log. Retries, because the switch needs exclusive access to the file, and SQLite fails at
 * once while other processes open it.
 */
function enableLog(db: Connection, busyMs: number): void {
  const deadline = Date.now() + busyMs
  for (;;) {
    try {
      db.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_BUSY' || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 20)
    }
  }
}

/** Upgrades the tables in a transaction with the write lock. The first of many simultaneous calls does the work. */
function upgrade(db: Connection, path: string): void {
  if (versionOf(db) >= SCHEMA_VERSIONS.sqlite) return
  alterSchema(db, path, function* () {
    const version = versionOf(db)
    if (version >= SCHEMA_VERSIONS.sqlite) return
    yield* upgradeSchema('sqlite', version)
    db.pragma(`user_version = ${SCHEMA_VERSIONS.sqlite}`)
  })
}

/**
 * Changes the schema in a transaction. Foreign keys are off, so that replacing a table does not delete the rows that refer to it.
 */
function alterSchema<Result>(db: Connection, path: string, statements: () => Statements<Result>): Result {
  db.pragma('foreign_keys = OFF')
  try {
    return db.transaction(() => runInSqlite(new SqliteConnection(db, path), statements())).immediate()
  } finally {
    db.pragma('foreign_keys = ON')
  }
}

/** As `mendSchema`. @throws ContextError `unavailable` for a file that cannot be opened or is damaged. */
export function mendSqlite(path: string): string[] {
  const db = openDatabase(path)
  try {
    return guardSqlite(path, () => alterSchema(db, path, () => mendSchema('sqlite')))
  } finally {
    db.close()
  }
}

/** Brings the tables of a file up to date. `from` of the result is the earlier version; 0 for a new file. */
export function migrateSqlite(path: string): Migrated {
  const from = readSchemaVersion(path)
  openDatabase(path).close()
  return { name: path, from, to: SCHEMA_VERSIONS.sqlite }
}

/**
 * The version of the tables of a file; 0 if the file is missing. Does not change the file. @throws ContextError `unavailable` if
 * it is not a database.
 */
export function readSchemaVersion(path: string): number {
  if (path === ':memory:' || !statSync(path, { throwIfNoEntry: false })) return 0
  return guardSqlite(path, () => {
    const db = new Database(path, { readonly: true })
    try {
      return versionOf(db)
    } finally {
      db.close()
    }
  })
}

function versionOf(db: Connection): number {
  return Number(db.pragma('user_version', { simple: true }))
}
