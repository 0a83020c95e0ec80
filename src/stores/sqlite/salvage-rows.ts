/** What people entered into a database that may be damaged, as rows that a new one takes. */

import { inflateText } from '../deflated.ts'
import type { Cell, Rows } from '../row-store.ts'
import { type Kind, listSchemaParts, TABLES } from '../statements/tables.ts'
import type { Connection } from './sql.ts'

/** Receives the name of what could not be read. */
export type Tell = (lost: string) => void

type Row = Readonly<Record<string, Cell>>

/**
 * All readable rows, in groups, because files of research are large; in an order in which they can be inserted, without references
 * to lost rows. A log ends before the first unreadable record, and its run continues from there.
 */
export function* salvageRows(db: Connection, tell: Tell): Generator<Rows> {
  const table = (name: string) => new DamagedTable(db, name)
  const readAll = (from: DamagedTable, what: string) => {
    const { rows, isWhole } = from.all()
    if (!isWhole) tell(what)
    return rows
  }
  const [collections, contexts] = [table('collections'), table('path_contexts')]
  // Their files are indexed again.
  yield collections.pack(readAll(collections, 'collections').map((row) => ({ ...row, indexed_at: null })))
  yield contexts.pack(readAll(contexts, 'contexts'))
  const [conversations, exchanges] = [table('conversations'), table('exchanges')]
  const heads = readAll(conversations, 'conversations')
  const numbers = new Set(heads.map(({ number }) => number))
  yield conversations.pack(heads)
  yield exchanges.pack(readAll(exchanges, 'conversations').filter(({ conversation }) => numbers.has(conversation)))
  yield* researchIn({
    sessions: table('research_sessions'),
    files: table('research_files'),
    bytes: table('research_bytes'),
    kept: table('research_kept'),
    events: table('research_events'),
    tell,
  })
  const tokens = table('tokens')
  yield tokens.pack(readAll(tokens, 'tokens'))
}

interface Tables extends Readonly<Record<'sessions' | 'files' | 'bytes' | 'kept' | 'events', DamagedTable>> {
  readonly tell: Tell
}

function* researchIn({ sessions, files, bytes, kept, events, tell }: Tables): Generator<Rows> {
  const all = sessions.all()
  if (!all.isWhole) tell(all.rows.length === 0 ? 'research' : 'some sessions of research')
  const given = new Set<Cell>()
  for (const session of all.rows) {
    const id = String(session.id)
    const log = logIn(events, id)
    if (!log.isWhole) tell(`the end of the log of research ${id}`)
    // The status as far as the log goes.
    yield sessions.pack([log.isWhole ? session : { ...session, status: log.rows.length > 0 ? 'paused' : 'created' }])
    const own = files.where('session', id)
    if (!own.isWhole) tell(`files of research ${id}`)
    for (const { sha256 = null, removed } of own.rows) {
      if (given.has(sha256)) continue
      const [held] = bytes.where('sha256', sha256).rows
      if (held) {
        given.add(sha256)
        yield bytes.pack([held])
        // Lost results are derived again from the file.
        yield kept.pack(kept.where('sha256', sha256).rows)
      } else if (removed !== 1) tell(`bytes of a file of research ${id}`)
    }
    yield files.pack(own.rows)
    yield events.pack(log.rows)
  }
}

/** The beginning of a log: numbers from 1, without gaps. */
function logIn(events: DamagedTable, session: string) {
  const { rows, isWhole } = events.where('session', session)
  const ordered = rows.toSorted((one, other) => Number(one.seq) - Number(other.seq))
  const end = ordered.findIndex(({ seq, data }, at) => seq !== at + 1 || !isDeflated(data))
  return { rows: end < 0 ? ordered : ordered.slice(0, end), isWhole: isWhole && end < 0 }
}

function isDeflated(data: Cell | undefined): boolean {
  try {
    return data instanceof Uint8Array && inflateText(data) !== ''
  } catch {
    return false
  }
}

/** The rows that were read, and whether they are all. */
interface Found {
  readonly rows: readonly Row[]
  readonly isWhole: boolean
}

/** Tables that every version of the database has. */
const FIRST = ['collections', 'path_contexts']

/** A table of any version of the database: columns that an older version does not have are left out. */
class DamagedTable {
  readonly #db: Connection
  readonly #name: string
  readonly #kinds: readonly (readonly [column: string, kind: Kind])[]
  /** It lacks a column that has no default, or is missing though every version has it. */
  readonly #isLost: boolean

  constructor(db: Connection, name: string) {
    this.#db = db
    this.#name = name
    const known = new Set(db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(name))
    this.#kinds = Object.entries(TABLES[name]?.columns ?? {}).filter(([column]) => known.has(column))
    const isMissing = (column: string) => column in (TABLES[name]?.columns ?? {}) && !known.has(column)
    this.#isLost =
      known.size === 0
        ? FIRST.includes(name)
        : PARTS.some(({ kind, table, name: part, isOptional }) => {
            return kind === 'column' && table === name && !isOptional && isMissing(part.slice(table.length + 1))
          })
  }

  /** Reads from both ends, around damage in the middle. */
  all(): Found {
    const order = this.#key()
    const first = this.#read(`ORDER BY ${order.join(', ')}`)
    if (first.isWhole) return first
    const last = this.#read(`ORDER BY ${order.map((column) => `${column} DESC`).join(', ')}`)
    const keyOf = (row: Row) => JSON.stringify(order.map((column) => row[column]))
    const known = new Set(first.rows.map(keyOf))
    return { rows: [...first.rows, ...last.rows.filter((row) => !known.has(keyOf(row)))], isWhole: false }
  }

  where(column: string, value: Cell): Found {
    return this.#read(`WHERE ${column} = ?`, value)
  }

  pack(rows: readonly Row[]): Rows {
    const columns = this.#kinds.map(([column]) => column)
    return { table: this.#name, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }
  }

  #key(): readonly string[] {
    return TABLES[this.#name]?.key ?? []
  }

  /** Reads up to the first unreadable row, without rows of invalid values. */
  #read(rest: string, ...values: readonly Cell[]): Found {
    if (this.#isLost || this.#kinds.length === 0) return { rows: [], isWhole: !this.#isLost }
    const rows: Row[] = []
    let isWhole = true
    try {
      const columns = this.#kinds.map(([column]) => column).join(', ')
      const select = this.#db.prepare(`SELECT ${columns} FROM ${this.#name} ${rest}`)
      for (const row of select.iterate(...values) as IterableIterator<Row>) {
        if (this.#isSound(row)) rows.push(row)
        else isWhole = false
      }
    } catch {
      isWhole = false
    }
    return { rows, isWhole }
  }

  #isSound(row: Row): boolean {
    const nullable = NULLABLE[this.#name] ?? []
    return this.#kinds.every(([column, kind]) => {
      const value = row[column] ?? null
      if (value === null) return nullable.includes(column)
      return isOf(kind, value) && (!JSON_COLUMNS.includes(`${this.#name}.${column}`) || isJson(value))
    })
  }
}

const PARTS = listSchemaParts('sqlite')

const NULLABLE: Readonly<Record<string, readonly string[]>> = {
  collections: ['indexed_at'],
  exchanges: ['ended'],
  research_sessions: ['follows'],
  research_bytes: ['key'],
  tokens: ['collections', 'expires_at', 'used_at', 'revoked_at'],
}

const JSON_COLUMNS = [
  ...['patterns', 'exclude', 'access'].map((column) => `collections.${column}`),
  ...['shown', 'messages', 'state'].map((column) => `exchanges.${column}`),
]

function isOf(kind: Kind, value: Cell): boolean {
  if (kind === 'bytes') return value instanceof Uint8Array
  return kind === 'text' ? typeof value === 'string' : typeof value === 'number'
}

function isJson(value: Cell): boolean {
  try {
    JSON.parse(String(value))
    return true
  } catch {
    return false
  }
}
