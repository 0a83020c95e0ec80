/** Reads the data that people entered from a damaged database. The files can restore all other data. */

import { isUtf8 } from 'node:buffer'
import { closeSync, existsSync, openSync, readSync, renameSync } from 'node:fs'
import Database from 'better-sqlite3'
import { ContextError, tryToRead } from '../../core/errors.ts'
import { inflateText } from '../deflated.ts'
import type { Cell, Counters, Rows } from '../row-store.ts'
import { SCHEMA_VERSIONS } from '../statements/mend.ts'
import { type ColumnKind, listSchemaParts, TABLES } from '../statements/tables.ts'
import type { SalvagedContent } from '../store.ts'
import type { Connection } from './sql.ts'
import { guardSqlite } from './troubles.ts'

/** The first bytes of every SQLite file. */
const SQLITE_HEADER = 'SQLite format 3\0'

/**
 * Renames the file and its logs, and returns what can be read. Deletes nothing.
 *
 * @throws ContextError `not-found` when there is no file; `conflict` for a file that is not a database of Ambit, or a newer one.
 */
export function salvage(path: string): SalvagedContent {
  if (!existsSync(path)) {
    throw new ContextError('not-found', `There is no database at ${path}.`, { hint: 'Run "ambit collection add".' })
  }
  const counted = guardSqlite(path, () => readCounters(path))
  const aside = guardSqlite(path, () => moveAside(path))
  return { aside, counted, rows: (reportLoss) => readRowsAside(aside, reportLoss) }
}

const ALL_DATA = ['collections', 'contexts', 'conversations', 'research', 'tokens']

/** The readable rows of the renamed file. Read in groups, because some values are large. */
async function* readRowsAside(aside: string, reportLoss: ReportLoss): AsyncGenerator<Rows> {
  const db = isDatabase(readHead(aside)) ? openDamaged(aside) : undefined
  try {
    if (db) yield* salvageRows(db, reportLoss)
    else ALL_DATA.forEach(reportLoss)
  } catch {
    ALL_DATA.forEach(reportLoss)
  } finally {
    db?.close()
  }
}

const OTHER_DATABASE = 'Give another with --db.'

/** @throws ContextError `conflict` for a file that is not a database of Ambit. */
function readCounters(path: string): Counters {
  const head = readHead(path)
  if (isText(head))
    throw new ContextError('conflict', `${path} is a text, and is left as it is.`, { hint: OTHER_DATABASE })
  const db = isDatabase(head) ? openDamaged(path) : undefined
  if (!db) return {}
  try {
    assertOwnFile(db, path)
    const rows = tryToRead(() => db.prepare('SELECT name, seq FROM sqlite_sequence').raw().all() as [string, number][])
    return Object.fromEntries(rows?.filter(([, seq]) => Number.isSafeInteger(seq)) ?? [])
  } finally {
    db.close()
  }
}

function isDatabase(head: Buffer): boolean {
  return head.toString('latin1').startsWith(SQLITE_HEADER)
}

function readHead(path: string): Buffer {
  const head = Buffer.alloc(4096)
  const file = openSync(path, 'r')
  try {
    return head.subarray(0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

/** Whether the head of a file is UTF-8 without a zero byte. Its last character may be incomplete. */
function isText(head: Buffer): boolean {
  const isWhole = [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)))
  return head.length > 0 && !head.includes(0) && isWhole
}

function openDamaged(path: string): Connection | undefined {
  return tryToRead(() => new Database(path, { fileMustExist: true }))
}

/** Tables of Ambit. A database with two of them counts as a database of Ambit. */
const OWN_TABLES = ['path_contexts', 'collections', 'documents', 'skipped', 'texts', 'postings', 'segments']

function assertOwnFile(db: Connection, path: string): void {
  const version = tryToRead(() => Number(db.pragma('user_version', { simple: true }))) ?? SCHEMA_VERSIONS.sqlite
  const tables = tryToRead(() => db.prepare('SELECT name FROM sqlite_schema').pluck().all()) ?? []
  // If the damage hides the tables, the file is taken for a database of Ambit.
  const isOurs = tables.length === 0 || OWN_TABLES.filter((name) => tables.includes(name)).length > 1
  if (isOurs && version <= SCHEMA_VERSIONS.sqlite) return
  const problem = isOurs ? 'was written by a newer version of Ambit' : 'is a database of another program'
  throw new ContextError('conflict', `${path} ${problem}, and is left as it is.`, { hint: OTHER_DATABASE })
}

function moveAside(path: string): string {
  const timestamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  let aside = `${path}.${timestamp}`
  for (let count = 2; existsSync(aside); count++) aside = `${path}.${timestamp}-${count}`
  // Renames the logs first. After an interruption, the database without its logs is an older state, and still usable.
  for (const suffix of ['-wal', '-shm', '']) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
  return aside
}

/** Receives the name of data that could not be read. */
type ReportLoss = (lost: string) => void

type Row = Readonly<Record<string, Cell>>

/**
 * Yields all readable rows, in an order in which they can be inserted, without references to lost rows. Yields groups,
 * because files of research are large. A log ends before its first unreadable record; its run can continue from there.
 */
function* salvageRows(db: Connection, reportLoss: ReportLoss): Generator<Rows> {
  const readAll = (table: DamagedTable, what: string) => {
    const { rows, isWhole } = table.all()
    if (!isWhole) reportLoss(what)
    return rows
  }
  const [collections, contexts] = [damagedTable(db, 'collections'), damagedTable(db, 'path_contexts')]
  // Without `indexed_at`, the files of a collection are indexed again.
  yield collections.pack(readAll(collections, 'collections').map((row) => ({ ...row, indexed_at: null })))
  yield contexts.pack(readAll(contexts, 'contexts'))
  const [conversations, exchanges] = [damagedTable(db, 'conversations'), damagedTable(db, 'exchanges')]
  const heads = readAll(conversations, 'conversations')
  const numbers = new Set(heads.map(({ number }) => number))
  yield conversations.pack(heads)
  yield exchanges.pack(readAll(exchanges, 'conversations').filter(({ conversation }) => numbers.has(conversation)))
  const sessions = damagedTable(db, 'research_sessions')
  const sessionRead = sessions.all()
  if (!sessionRead.isWhole) reportLoss(sessionRead.rows.length === 0 ? 'research' : 'some sessions of research')
  const savedHashes = new Set<Cell>()
  for (const session of sessionRead.rows)
    yield* sessionRows(db, { session, pack: sessions.pack, savedHashes, reportLoss })
  const tokens = damagedTable(db, 'tokens')
  yield tokens.pack(readAll(tokens, 'tokens'))
}

interface SalvagedSession {
  readonly session: Row
  pack(rows: readonly Row[]): Rows
  /** Hashes of bytes that are already in earlier rows. */
  readonly savedHashes: Set<Cell>
  readonly reportLoss: ReportLoss
}

function* sessionRows(db: Connection, { session, pack, savedHashes, reportLoss }: SalvagedSession): Generator<Rows> {
  const [files, bytes] = [damagedTable(db, 'research_files'), damagedTable(db, 'research_bytes')]
  const [derived, events] = [damagedTable(db, 'research_kept'), damagedTable(db, 'research_events')]
  const id = String(session.id)
  const eventRows = events.where('session', id)
  const records = eventRows.rows.toSorted((one, other) => Number(one.seq) - Number(other.seq))
  const brokenIndex = records.findIndex(
    ({ seq, data }, at) => seq !== at + 1 || !tryToRead(() => inflateText(data as Uint8Array)),
  )
  const readableLog = brokenIndex < 0 ? records : records.slice(0, brokenIndex)
  const isWhole = eventRows.isWhole && brokenIndex < 0
  if (!isWhole) reportLoss(`the end of the log of research ${id}`)
  // A log without its end does not say how the run ended, so the session becomes resumable.
  yield pack([isWhole ? session : { ...session, status: readableLog.length > 0 ? 'paused' : 'created' }])
  const fileRows = files.where('session', id)
  if (!fileRows.isWhole) reportLoss(`files of research ${id}`)
  for (const { sha256 = null, removed } of fileRows.rows) {
    if (savedHashes.has(sha256)) continue
    const [bytesRow] = bytes.where('sha256', sha256).rows
    if (bytesRow) {
      savedHashes.add(sha256)
      yield bytes.pack([bytesRow])
      // Lost results are derived again from the file.
      yield derived.pack(derived.where('sha256', sha256).rows)
    } else if (removed !== 1) reportLoss(`bytes of a file of research ${id}`)
  }
  yield files.pack(fileRows.rows)
  yield events.pack(readableLog)
}

/** Tables that every version of the database has. */
const OLDEST_TABLES = ['collections', 'path_contexts']

const COLUMNS = new Map(
  listSchemaParts('sqlite').flatMap((part) => (part.kind === 'column' ? [[part.name, part] as const] : [])),
)

const JSON_COLUMNS = [
  ...['patterns', 'exclude', 'access'].map((column) => `collections.${column}`),
  ...['shown', 'messages', 'state'].map((column) => `exchanges.${column}`),
]

type DamagedTable = ReturnType<typeof damagedTable>

/** Reads a table of a damaged file of any version of Ambit. Leaves out columns that the file lacks. */
function damagedTable(db: Connection, table: string) {
  const { columns: kinds = {}, key = [] } = TABLES[table] ?? {}
  const presentColumns = new Set(db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table))
  const columns = Object.keys(kinds).filter((column) => presentColumns.has(column))
  const isMissing = (column: string) => !presentColumns.has(column) && !COLUMNS.get(`${table}.${column}`)?.isOptional
  const isLost = presentColumns.size === 0 ? OLDEST_TABLES.includes(table) : Object.keys(kinds).some(isMissing)
  const isSound = (row: Row) =>
    columns.every((column) => {
      const value = row[column] ?? null
      if (value === null) return !/ NOT NULL| PRIMARY KEY/.test(COLUMNS.get(`${table}.${column}`)?.create ?? '')
      const isText = JSON_COLUMNS.includes(`${table}.${column}`)
      return isOfKind(kinds[column] ?? 'text', value) && (!isText || tryToRead(() => [JSON.parse(String(value))]))
    })
  /** The valid rows before the first unreadable row. `isWhole`: whether all rows were readable and valid. */
  const read = (clauses: string, ...values: readonly Cell[]) => {
    const rows: Row[] = []
    let isWhole = !isLost
    if (isLost || columns.length === 0) return { rows, isWhole }
    try {
      const select = db.prepare(`SELECT ${columns.join(', ')} FROM ${table} ${clauses}`)
      for (const row of select.iterate(...values) as IterableIterator<Row>) {
        if (isSound(row)) rows.push(row)
        else isWhole = false
      }
    } catch {
      isWhole = false
    }
    return { rows, isWhole }
  }
  return {
    /** All readable rows. Reads a damaged table from both ends, to find the rows after the damage, too. */
    all: () => {
      const forward = read(`ORDER BY ${key.join(', ')}`)
      if (forward.isWhole) return forward
      const backward = read(`ORDER BY ${key.map((column) => `${column} DESC`).join(', ')}`)
      const keyOf = (row: Row) => JSON.stringify(key.map((column) => row[column]))
      const forwardKeys = new Set(forward.rows.map(keyOf))
      return { rows: [...forward.rows, ...backward.rows.filter((row) => !forwardKeys.has(keyOf(row)))], isWhole: false }
    },
    where: (column: string, value: Cell) => read(`WHERE ${column} = ?`, value),
    pack: (rows: readonly Row[]): Rows => {
      return { table, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }
    },
  }
}

function isOfKind(kind: ColumnKind, value: Cell): boolean {
  if (kind === 'bytes') return value instanceof Uint8Array
  return kind === 'text' ? typeof value === 'string' : typeof value === 'number'
}
