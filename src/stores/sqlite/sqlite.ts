import { statSync } from 'node:fs'
import { ContextError } from '../../core/errors.ts'
import { createByteStore } from '../statements/bytes.ts'
import { createCollectionStore } from '../statements/collections.ts'
import { createContextStore } from '../statements/contexts.ts'
import { ConversationStatements } from '../statements/conversations.ts'
import { createDocumentStore } from '../statements/documents.ts'
import { createIndexJobStore } from '../statements/index-jobs.ts'
import { createJobStore } from '../statements/jobs.ts'
import type { LeaseTimes } from '../statements/lease.ts'
import { createRowStore } from '../statements/rows.ts'
import { readOwners } from '../statements/run-lease.ts'
import { ResearchStatements } from '../statements/runs.ts'
import { createSignInStore } from '../statements/sign-ins.ts'
import { createTokenStore } from '../statements/tokens.ts'
import type { Store } from '../store.ts'
import { checkSqlite } from './check.ts'
import { assertRoomBeside, BUSY_MS, openDatabase, stepsOf } from './database.ts'
import { SqliteIndex } from './index-store.ts'
import { OtherWriters } from './other-writers.ts'
import { BLOCKED_MS, patiently } from './patience.ts'
import { SqliteDatabase } from './runner.ts'
import { SQLITE_MIGRATIONS } from './schema.ts'
import { SqliteConnection } from './sql.ts'
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
  const sql = new SqliteConnection(openDatabase(path, busyMs), path)
  sql.waitAtMost(Math.min(busyMs, BLOCKED_MS))
  const patient = <Part extends object>(part: Part) => patiently(part, busyMs)
  const database = new SqliteDatabase(sql, new OtherWriters(sql))
  const of = (owner: string) => ({
    conversations: patient(new ConversationStatements(database, owner, lease)),
    runs: patient(new ResearchStatements(database, owner, lease)),
  })
  return patient({
    name: path,
    collections: patient(createCollectionStore(database)),
    documents: patient(createDocumentStore(database)),
    contexts: patient(createContextStore(database)),
    index: patient(new SqliteIndex(sql, database, { lease, busyMs })),
    vectors: patient(new SqliteVectors(sql, database, lease)),
    rows: createRowStore(database),
    bytes: patient(createByteStore(database)),
    ...of(''),
    of,
    owners: () => readOwners(database),
    jobs: patient(createJobStore(database)),
    tokens: patient(createTokenStore(database)),
    signIns: patient(createSignInStore(database)),
    indexJobs: patient(createIndexJobStore(database, lease)),
    version: async () => sql.version(),
    // All of them are of one machine.
    now: async () => Date.now(),
    size: async () => sizeOf(path) + sizeOf(`${path}-wal`),
    check: async () => checkSqlite(sql),
    assertRoom: async () => assertRoomBeside(path),
    close: async () => sql.close(),
  })
}

/** Brings the tables of a file up to date, as whoever opens it does; and how many steps of them it had. 0: there was none. */
export function migrateSqlite(path: string): { readonly name: string; readonly from: number; readonly to: number } {
  const from = stepsOf(path)
  openDatabase(path).close()
  return { name: path, from, to: SQLITE_MIGRATIONS.length }
}

/** Whether a file is there, opens, and agrees with itself. */
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
