/** Opens a SQLite database so that any number of processes may open it at once, also when it is not there yet. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { ContextError, INSTALL_NEWER } from '../../core/errors.ts'
import { NEEDED, runsOn } from '../../core/node-version.ts'
import { makePrivateDirectories, makeTemporaryDirectory, proveRoom } from '../../files/file-version.ts'
import { SQLITE_MIGRATIONS, TRIGGERS } from './schema.ts'
import { codeOf, guardSqlite } from './troubles.ts'

export type Connection = Database.Database

/** How long another process that writes is waited for, in milliseconds. */
export const BUSY_MS = 10_000

/**
 * Opens the database at a path; `:memory:` keeps it in memory. Makes the file, readable by its owner alone, and brings an
 * older one up to date.
 *
 * @throws ContextError `unavailable` for what cannot be opened, is damaged, or was written by a newer Ambit.
 */
export function openDatabase(path: string, busyMs = BUSY_MS): Connection {
  refuseOldNode()
  return guardSqlite(path, () => {
    if (path !== ':memory:' && isOnReadOnlyMedium(path)) return openCopy(path, busyMs)
    if (path !== ':memory:') createFile(path)
    return openAt(path, path, busyMs)
  })
}

/** `path`: as it is called in errors. */
function openAt(file: string, path: string, busyMs: number): Connection {
  const db = new Database(file, { timeout: busyMs })
  try {
    refuseStrange(db, path)
    configure(db, busyMs)
    migrate(db)
    refuseTriggers(db, path)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** Whether an existing database lies on a file system that nobody can write. */
function isOnReadOnlyMedium(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EROFS'
  }
}

/** @throws NoSpace where the database cannot grow; on a read-only medium it need not. */
export function assertRoomBeside(path: string): void {
  if (path !== ':memory:' && !isOnReadOnlyMedium(path)) guardSqlite(path, () => proveRoom(dirname(path)))
}

/**
 * A database on a read-only medium, to read only: a copy of it and its log in a temporary directory, which is removed as soon as it
 * is open. SQLite itself reads no file with a log where it cannot write beside it.
 */
function openCopy(path: string, busyMs: number): Connection {
  const directory = makeTemporaryDirectory('read-only')
  try {
    const file = join(directory, basename(path))
    for (const end of ['', '-wal'])
      if (existsSync(path + end)) copyFileSync(path + end, file + end, constants.COPYFILE_FICLONE)
    chmodSync(file, 0o600)
    const db = openAt(file, path, busyMs)
    db.pragma('query_only = ON')
    return db
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Another one in memory, with all that this one holds. */
export function copyDatabase(db: Connection): Connection {
  const copy = new Database(db.serialize())
  configure(copy, BUSY_MS)
  return copy
}

/** A native module of another Node ends the process without a word. */
function refuseOldNode(): void {
  if (runsOn(process.versions.node)) return
  throw new ContextError('unavailable', `A database needs ${NEEDED}`, {
    hint: 'Install Node.js 24: https://nodejs.org',
  })
}

/** What is in it may be private: only its owner may read it. */
function createFile(path: string): void {
  makePrivateDirectories(dirname(path))
  if (statSync(path, { throwIfNoEntry: false })) return
  closeSync(openSync(path, 'a', 0o600))
}

/** What is refused is left as it is: this comes before anything is written. */
function refuseStrange(db: Connection, path: string): void {
  const { version, isEmpty } = db
    .transaction(() => ({ version: versionOf(db), isEmpty: isEmptyDatabase(db) }))
    .deferred()
  if (version > SQLITE_MIGRATIONS.length) {
    const hint = `${INSTALL_NEWER}, or give another database with --db.`
    throw new ContextError('unavailable', `${path} was written by a newer version of Ambit.`, { hint })
  }
  if (version > 0 || isEmpty) return
  const hint = 'Give another database with --db.'
  throw new ContextError('unavailable', `${path} is a database of another program.`, { hint })
}

/** What someone else put into the file to run by itself would run with what we write. */
function refuseTriggers(db: Connection, path: string): void {
  const select = "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name"
  const rows = db.prepare(select).all() as { readonly name: string; readonly sql: string }[]
  const strange = rows.find(({ sql }) => !TRIGGERS.includes(sql))
  if (!strange) return
  const hint = 'Run "ambit index --rebuild": it keeps collections and path contexts, and reads the files again.'
  throw new ContextError(
    'unavailable',
    `${path} holds ${JSON.stringify(strange.name)}, which does not belong to Ambit.`,
    {
      hint,
    },
  )
}

function isEmptyDatabase(db: Connection): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
}

/**
 * Bytes; of a database that is new. Texts and long postings leave less of a larger page empty: of 10,000 documents, 3 % of the
 * file less than with 8192, which is 3 % less than with 4096. Searches take as long.
 */
export const PAGE = 16_384

function configure(db: Connection, busyMs: number): void {
  db.pragma(`page_size = ${PAGE}`)
  // Of a database that is new, since elsewhere it would write: what merged segments leave can then be given back.
  if (db.pragma('page_count', { simple: true }) === 0) db.pragma('auto_vacuum = INCREMENTAL')
  journal(db, busyMs)
  db.pragma('synchronous = NORMAL')
  // 8 MB of the log, as before pages were larger.
  db.pragma('wal_autocheckpoint = 500')
  db.pragma('foreign_keys = ON')
  // What the file says of itself may call no function that does more than to count.
  db.pragma('trusted_schema = OFF')
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -8192')
  // The clock of the process: whoever simulates it simulates the leases, too. A file must not call it by itself.
  const options = { directOnly: true }
  db.function('ambit_now', options, () => Date.now())
  db.function('ambit_iso_now', options, () => new Date().toISOString())
}

/** To switch takes the whole file for a moment, and SQLite gives up on that at once when others open it, too. */
function journal(db: Connection, busyMs: number): void {
  const until = Date.now() + busyMs
  for (;;) {
    try {
      db.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_BUSY' || Date.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 20)
    }
  }
}

/** Each step in the one transaction that holds the write lock: of many processes one takes it, and the others see it done. */
function migrate(db: Connection): void {
  if (versionOf(db) >= SQLITE_MIGRATIONS.length) return
  db.transaction(() => {
    const version = versionOf(db)
    if (version >= SQLITE_MIGRATIONS.length) return
    for (const step of SQLITE_MIGRATIONS.slice(version)) db.exec(step)
    db.pragma(`user_version = ${SQLITE_MIGRATIONS.length}`)
  }).immediate()
}

/** Of a file that is left as it is. @throws ContextError `unavailable` for what is not a database. */
export function stepsOf(path: string): number {
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
