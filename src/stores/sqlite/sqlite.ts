import { statSync } from 'node:fs'
import { isAlive, type LeaseTimes } from '../lease.ts'
import type { WaitingSession } from '../run-store.ts'
import { createByteStore } from '../statements/bytes.ts'
import { createSignInStore } from '../statements/sign-ins.ts'
import { createTokenStore } from '../statements/tokens.ts'
import type { Store } from '../store.ts'
import { checked } from './check.ts'
import { sqliteCollections } from './collections.ts'
import { sqliteContexts } from './contexts.ts'
import { SqliteConversations } from './conversations.ts'
import { BUSY_MS, openDatabase, stepsOf } from './database.ts'
import { sqliteDocuments } from './documents.ts'
import { defineFunctions } from './filter.ts'
import { SqliteIndex } from './index-store.ts'
import { OtherWriters } from './other-writers.ts'
import { BLOCKED_MS, patiently } from './patience.ts'
import { sqliteRows } from './rows.ts'
import { SqliteDatabase } from './runner.ts'
import { SqliteRuns } from './runs.ts'
import { MIGRATIONS } from './schema.ts'
import { Sql } from './sql.ts'
import { SqliteVectors } from './vectors.ts'

/** How long things take, for tests. Milliseconds. */
interface SqliteTimes {
  /** A step waits so long for another process that writes. Default: 10,000. */
  readonly busyMs?: number
  readonly lease?: LeaseTimes
}

/**
 * The store in one SQLite file, which is made when there is none. `:memory:` keeps it in memory.
 *
 * @throws ContextError `unavailable` for a file that cannot be opened, is damaged, or is newer than this program.
 */
export function openSqlite(path: string, { busyMs = BUSY_MS, lease }: SqliteTimes = {}): Store {
  const sql = new Sql(openDatabase(path, busyMs), path)
  sql.waitAtMost(Math.min(busyMs, BLOCKED_MS))
  defineFunctions(sql)
  const patient = <Part extends object>(part: Part) => patiently(part, busyMs)
  const others = new OtherWriters(sql)
  const owned = { others, times: lease }
  const database = new SqliteDatabase(sql, others)
  const of = (owner: string) => ({
    conversations: patient(new SqliteConversations(sql, owner, owned)),
    runs: patient(new SqliteRuns(sql, owner, owned)),
  })
  return patient({
    name: path,
    collections: patient(sqliteCollections(sql)),
    documents: patient(sqliteDocuments(sql)),
    contexts: patient(sqliteContexts(sql)),
    index: patient(new SqliteIndex(sql, { lease, busyMs })),
    vectors: patient(new SqliteVectors(sql, lease)),
    rows: sqliteRows(sql),
    bytes: patient(createByteStore(database)),
    ...of(''),
    of,
    owners: async () => sql.column<string>(OWNERS),
    waiting: async () => waitingIn(sql),
    tokens: patient(createTokenStore(database)),
    signIns: patient(createSignInStore(database)),
    version: async () => sql.version(),
    // All of them are of one machine.
    now: async () => Date.now(),
    size: async () => sizeOf(path) + sizeOf(`${path}-wal`),
    check: async () => checked(sql),
    close: async () => sql.close(),
  })
}

/** Brings the tables of a file up to date, as whoever opens it does; and how many steps of them it had. 0: there was none. */
export function migrateSqlite(path: string): { readonly name: string; readonly from: number; readonly to: number } {
  const from = stepsOf(path)
  openDatabase(path).close()
  return { name: path, from, to: MIGRATIONS.length }
}

const OWNERS = 'SELECT owner FROM conversations UNION SELECT owner FROM research_sessions ORDER BY owner'

/** With who held it last, where that has not run out; those, too, that were to be ended and whose process died before it did. */
const WAITING = `
  SELECT s.owner, s.id, l.holder FROM research_sessions s
  LEFT JOIN leases l ON l.name = 'research ' || s.id AND l.expires > ?
  WHERE s.wanted = 'run' OR s.wanted <> '' AND s.status IN ('running', 'queued') ORDER BY s.number`

function waitingIn(sql: Sql): WaitingSession[] {
  const rows = sql.all<WaitingSession & { readonly holder: string | null }>(WAITING, Date.now())
  return rows.filter(({ holder }) => holder === null || !isAlive(holder)).map(({ owner, id }) => ({ owner, id }))
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
