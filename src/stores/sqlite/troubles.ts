/** Converts errors of a SQLite database to ContextErrors with hints. */

import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asContextError, ContextError, NoSpace } from '../../core/errors.ts'
import { proveRoom } from '../../files/file-version.ts'
import { codeOf, parseErrorTable } from '../statements/trouble-table.ts'

/** Runs `work` on a database, and converts its errors to ContextErrors with hints. */
export function guardSqlite<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw toStoreError(path, error)
  }
}

function toStoreError(path: string, cause: unknown): unknown {
  const missingName = missingPart(cause)
  if (missingName !== undefined) {
    const hint = 'Run "ambit doctor --repair": it creates missing tables and columns, and keeps the rest.'
    return new ContextError('unavailable', `${missingName} is missing from ${path}.`, { hint, cause })
  }
  if (cause instanceof TypeError && /connection is not open/.test(cause.message)) {
    // Not a bug of the caller: a lease may be renewed while the store is closed.
    return new ContextError('unavailable', `The database ${path} is closed.`, { hint: 'Open it again.', cause })
  }
  const code = isForeignContent(cause) ? 'SQLITE_CORRUPT' : codeOf(cause)
  const limitError = code?.startsWith('SQLITE_CANTOPEN') ? findFileLimit(path) : asContextError(cause)
  // SQLite reports an I/O error if the disk has no space for the index of the log.
  const systemError =
    limitError ?? (code?.startsWith('SQLITE_IOERR') ? catchContextError(() => proveRoom(dirname(path))) : undefined)
  const description = describeCode(code)
  if (systemError || !description) return systemError ?? cause
  const message = description.message.replace('{}', () => path)
  const options = { hint: description.hint, cause }
  if (code?.startsWith('SQLITE_FULL')) return new NoSpace(message, options)
  return new ContextError('unavailable', message, options)
}

/** Number of files that SQLite opens for a database: the file, its log, the index of the log, and its directory. */
const SQLITE_FILES = 4

/**
 * The error for too many open files if a database cannot be opened for this reason; else undefined. SQLite does not say
 * why it cannot open a file, so the function tries to open files.
 */
function findFileLimit(path: string): ContextError | undefined {
  const fds: number[] = []
  try {
    return catchContextError(() => {
      while (fds.length < SQLITE_FILES) fds.push(openSync(dirname(path), 'r'))
    })
  } finally {
    for (const fd of fds) closeSync(fd)
  }
}

/** The ContextError that an attempt throws; undefined if the attempt succeeds or throws another error. */
function catchContextError(attempt: () => void): ContextError | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    return asContextError(error)
  }
}

/** The table or column that a statement did not find, from SQLite's message; undefined for other errors. */
function missingPart(cause: unknown): string | undefined {
  if (codeOf(cause) !== 'SQLITE_ERROR' || !(cause instanceof Error)) return undefined
  const [, table] = /^no such table: (?:\w+\.)?(\w+)$/.exec(cause.message) ?? []
  if (table !== undefined) return `The table ${table}`
  const [, column] = /(?:no such column: (?:\w+\.)?|has no column named )(\w+)$/.exec(cause.message) ?? []
  return column === undefined ? undefined : `The column ${column} of a table`
}

/**
 * Whether an error comes from content that SQLite accepts but Ambit did not write: invalid JSON, or other tables. Ambit's
 * statements are constant, so an SQL error means that another program changed the schema.
 */
function isForeignContent(error: unknown): boolean {
  return error instanceof SyntaxError || codeOf(error) === 'SQLITE_ERROR'
}

/** Finds the description of an error by its code, from SQLite, zlib (for a damaged text) or the system. */
const describeCode = parseErrorTable(`
SQLITE_CORRUPT SQLITE_NOTADB Z_ | The database {} is damaged, or is not a database. | Run "ambit index --rebuild": it keeps collections and path contexts, and reads the files again.
SQLITE_FULL | The disk of {} is full. | Free some space and run it again; nothing is lost.
SQLITE_BUSY | The database {} is in use by another process. | Try again in a moment.
SQLITE_LOCKED | The database {} is in use. | Try again in a moment.
SQLITE_READONLY | The database {} may not be written. | Check who owns it, or give another with --db.
SQLITE_IOERR | The disk of {} failed. | Check that it has space and works, then run it again.
SQLITE_CANTOPEN SQLITE_PERM EACCES ENOENT ENOTDIR EEXIST EISDIR ELOOP ENAMETOOLONG EPERM | The database {} cannot be opened. | Check that its directory exists and is writable.`)

/** Maximum milliseconds that SQLite itself waits for another process. This wait blocks the whole process. */
export const BLOCKING_MS = 50

/** Whether an error says that another process uses the database. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error instanceof ContextError ? error.cause : error) ?? '')
}

/** Repeats `work` until the database is free, for at most `waitMs`. The wait does not block other work of this process. */
export async function repeatWhileBusy<Value>(work: () => Value, waitMs: number): Promise<Value> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error
      // A random pause, so that processes do not repeat at the same moment.
      await sleep(5 + Math.random() * 30)
    }
  }
}
