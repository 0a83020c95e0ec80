/** Reads what people entered from a database that may be damaged; the rest is made again from the files. */

import { isUtf8 } from 'node:buffer'
import { closeSync, existsSync, openSync, readSync, renameSync } from 'node:fs'
import Database from 'better-sqlite3'
import { ContextError } from '../../core/errors.ts'
import type { Counted, Rows } from '../row-store.ts'
import { SCHEMA_VERSIONS } from '../statements/mend.ts'
import type { PathContext, Salvaged } from '../store.ts'
import { conversationsIn } from './salvage-conversations.ts'
import { salvageRows, type Tell } from './salvage-rows.ts'
import type { Connection } from './sql.ts'
import { guardSqlite } from './troubles.ts'

/** What every file of SQLite begins with. */
const MAGIC = 'SQLite format 3\0'

/**
 * Reads what can be read, and moves the file with its logs aside: nothing is deleted.
 *
 * @throws ContextError `not-found` when there is no file; `conflict` for what is not a database of ours, or a newer one.
 */
export function salvage(path: string): Salvaged {
  if (!existsSync(path)) {
    throw new ContextError('not-found', `There is no database at ${path}.`, { hint: 'Run "ambit collection add".' })
  }
  const read = guardSqlite(path, () => readHeader(path))
  const aside = guardSqlite(path, () => movedAside(path))
  return { ...read, aside, rows: (tell) => rowsAside(aside, tell) }
}

/** What is large is read where it is now. */
async function* rowsAside(aside: string, tell: Tell): AsyncGenerator<Rows> {
  // Where it is not a database at all, `lost` says so.
  const db = isDatabase(headOf(aside)) ? openDamaged(aside) : undefined
  if (!db) return
  try {
    yield* salvageRows(db, tell)
  } catch {
    tell('research')
    tell('tokens')
  } finally {
    db.close()
  }
}

const OTHER = 'Give another with --db.'

type Read = Omit<Salvaged, 'aside' | 'rows'>

const NOTHING: Read = {
  collections: [],
  contexts: [],
  conversations: [],
  counted: {},
  lost: ['collections', 'contexts', 'conversations', 'research', 'tokens'],
}

function readHeader(path: string): Read {
  const head = headOf(path)
  if (isText(head)) throw new ContextError('conflict', `${path} is a text, and is left as it is.`, { hint: OTHER })
  if (!isDatabase(head)) return NOTHING
  const db = openDamaged(path)
  if (!db) return NOTHING
  try {
    refuseStrange(db, path)
    const collections = orUndefined(() => collectionsIn(db))
    const contexts = orUndefined(() => contextsIn(db))
    const conversations = orUndefined(() => conversationsIn(db))
    const read = { collections, contexts, conversations }
    const lost = Object.entries(read).flatMap(([name, rows]) => (rows ? [] : [name]))
    return {
      collections: collections ?? [],
      contexts: contexts ?? [],
      conversations: conversations ?? [],
      counted: orUndefined(() => countedIn(db)) ?? {},
      lost,
    }
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

/** UTF-8 without a zero; the last character may be cut off. */
function isText(head: Buffer): boolean {
  const isWhole = [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)))
  return head.length > 0 && !head.includes(0) && isWhole
}

function openDamaged(path: string): Connection | undefined {
  return orUndefined(() => new Database(path, { fileMustExist: true }))
}

/** Tables that no other program has two of. */
const OURS = ['path_contexts', 'collections', 'documents', 'skipped', 'texts', 'postings', 'segments']

function refuseStrange(db: Connection, path: string): void {
  const version = orUndefined(() => Number(db.pragma('user_version', { simple: true }))) ?? SCHEMA_VERSIONS.sqlite
  const tables = orUndefined(() => db.prepare('SELECT name FROM sqlite_schema').pluck().all()) ?? []
  // Any of these may be what is missing.
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

type SalvagedCollection = Salvaged['collections'][number]

function collectionsIn(db: Connection): SalvagedCollection[] {
  // Of any version: what an older one does not have is undefined.
  // Only the table is read: its index may be damaged, too.
  const rows = db.prepare('SELECT * FROM collections NOT INDEXED ORDER BY name').all()
  return (rows as Record<string, string | number>[]).map(({ name, root, patterns, exclude, access, ...row }) => ({
    name: String(name),
    root: String(root),
    patterns: JSON.parse(String(patterns ?? '[]')),
    exclude: JSON.parse(String(exclude ?? '[]')),
    isPaused: row.paused === 1,
    hasSubstrings: row.substrings === 1,
    ...(access !== undefined && access !== '{}' && { access: JSON.parse(String(access)) }),
  }))
}

function contextsIn(db: Connection): Pick<PathContext, 'collection' | 'pathPrefix' | 'context'>[] {
  const rows = db.prepare('SELECT collection, path_prefix, context FROM path_contexts').all()
  return (rows as Record<string, string>[]).map(({ collection = '', path_prefix = '', context = '' }) => ({
    collection: collection === '' ? null : collection,
    pathPrefix: path_prefix,
    context,
  }))
}

function movedAside(path: string): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  let aside = `${path}.${stamp}`
  for (let count = 2; existsSync(aside); count++) aside = `${path}.${stamp}-${count}`
  // The logs first: a database without them is an older state of itself, and they without it are nothing.
  for (const end of ['-wal', '-shm', '']) if (existsSync(path + end)) renameSync(path + end, aside + end)
  return aside
}
