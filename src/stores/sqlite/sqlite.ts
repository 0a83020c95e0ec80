import { statSync } from 'node:fs'
import type { Store } from '../store.ts'
import { checked } from './check.ts'
import { sqliteCollections } from './collections.ts'
import { sqliteContexts } from './contexts.ts'
import { openDatabase } from './database.ts'
import { sqliteDocuments } from './documents.ts'
import { defineFunctions } from './filter.ts'
import { SqliteIndex } from './index-store.ts'
import type { LeaseTimes } from './lease.ts'
import { Sql } from './sql.ts'
import { SqliteVectors } from './vectors.ts'

/** How long things take, for tests. Milliseconds. */
interface SqliteTimes {
  /** A statement waits so long for another process that writes. Default: 30,000. */
  readonly busyMs?: number
  readonly lease?: LeaseTimes
}

/**
 * The store in one SQLite file, which is made when there is none. `:memory:` keeps it in memory.
 *
 * @throws ContextError `unavailable` for a file that cannot be opened, is damaged, or is newer than this program.
 */
export function openSqlite(path: string, { busyMs, lease }: SqliteTimes = {}): Store {
  const sql = new Sql(openDatabase(path, busyMs), path)
  defineFunctions(sql)
  return {
    name: path,
    collections: sqliteCollections(sql),
    documents: sqliteDocuments(sql),
    contexts: sqliteContexts(sql),
    index: new SqliteIndex(sql, lease),
    vectors: new SqliteVectors(sql, lease),
    version: async () => sql.version(),
    size: async () => sizeOf(path) + sizeOf(`${path}-wal`),
    check: async () => checked(sql),
    close: async () => sql.close(),
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
