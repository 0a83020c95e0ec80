/** Reads what people entered from a database that may be damaged; the rest is made again from the files. */

import { isUtf8 } from 'node:buffer'
import { closeSync, existsSync, openSync, readSync, renameSync } from 'node:fs'
import Database from 'better-sqlite3'
import { ContextError } from '../../core/errors.ts'
import type { Counted, Rows } from '../row-store.ts'
import { SCHEMA_VERSIONS } from '../statements/mend.ts'
import type { Salvaged } from '../store.ts'
import { salvageRows, type Tell } from './salvage-rows.ts'
import type { Connection } from './sql.ts'
import { guardSqlite } from './troubles.ts'

/** The beginning of every file of SQLite. */
const MAGIC = 'SQLite format 3\0'

/**
 * Moves the file with its logs aside, and reads what can be read: nothing is deleted.
 *
 * @throws ContextError `not-found` when there is no file; `conflict` for what is not a database of ours, or a newer one.
 */
export function salvage(path: string): Salvaged {
  if (!existsSync(path)) {
    throw new ContextError('not-found', `There is no database at ${path}.`, { hint: 'Run "ambit collection add".' })
  }
  const counted = guardSqlite(path, () => readCounters(path))
  const aside = guardSqlite(path, () => movedAside(path))
  return { aside, counted, rows: (tell) => rowsAside(aside, tell) }
}

const EVERYTHING = ['collections', 'contexts', 'conversations', 'research', 'tokens']

/** What is large is read where it is now. */
async function* rowsAside(aside: string, tell: Tell): AsyncGenerator<Rows> {
  const db = isDatabase(headOf(aside)) ? openDamaged(aside) : undefined
  try {
    if (db) yield* salvageRows(db, tell)
    else EVERYTHING.forEach(tell)
  } catch {
    EVERYTHING.forEach(tell)
  } finally {
    db?.close()
  }
}

const OTHER = 'Give another with --db.'

/** @throws ContextError `conflict` for what is not a database of ours. */
function readCounters(path: string): Counted {
  const head = headOf(path)
  if (isText(head)) throw new ContextError('conflict', `${path} is a text, and is left as it is.`, { hint: OTHER })
  const db = isDatabase(head) ? openDamaged(path) : undefined
  if (!db) return {}
  try {
    refuseStrange(db, path)
    return orUndefined(() => countedIn(db)) ?? {}
  } finally {
    db.close()
  }
}

function countedIn(db: Connection): Counted {
  const rows = db.prepare('SELECT name, seq FROM sqlite_sequence').all() as { name: string; seq: number }[]
  return Object.fromEntries(rows.flatMap(({ name, seq }) => (Number.isSafeInteger(seq) ? [[name, seq]] : [])))
}

function isDatabase(head: Buffer): boolean {
  return head.toString('latin1').startsWith(MAGIC)
}

function headOf(path: string): Buffer {
  const head = Buffer.alloc(4096)
  const file = openSync(path, 'r')
  try {
    return head.subarray(0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

/** UTF-8 without a zero byte; the last character may be cut off. */
function isText(head: Buffer): boolean {
  const isWhole = [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)))
  return head.length > 0 && !head.includes(0) && isWhole
}

function openDamaged(path: string): Connection | undefined {
  return orUndefined(() => new Database(path, { fileMustExist: true }))
}

/** No other program has two tables of these names. */
const OURS = ['path_contexts', 'collections', 'documents', 'skipped', 'texts', 'postings', 'segments']

function refuseStrange(db: Connection, path: string): void {
  const version = orUndefined(() => Number(db.pragma('user_version', { simple: true }))) ?? SCHEMA_VERSIONS.sqlite
  const tables = orUndefined(() => db.prepare('SELECT name FROM sqlite_schema').pluck().all()) ?? []
  // Any of these may be missing.
  const isOurs = tables.length === 0 || OURS.filter((name) => tables.includes(name)).length > 1
  if (isOurs && version <= SCHEMA_VERSIONS.sqlite) return
  const whose = isOurs ? 'was written by a newer version of Ambit' : 'is a database of another program'
  throw new ContextError('conflict', `${path} ${whose}, and is left as it is.`, { hint: OTHER })
}

/** Undefined where it cannot be read. */
function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function movedAside(path: string): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  let aside = `${path}.${stamp}`
  for (let count = 2; existsSync(aside); count++) aside = `${path}.${stamp}-${count}`
  // The logs first: a database without them is only an older state, and they are useless without it.
  for (const end of ['-wal', '-shm', '']) if (existsSync(path + end)) renameSync(path + end, aside + end)
  return aside
}
