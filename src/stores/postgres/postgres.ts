import type { Migrated, Store } from '../store.ts'
import { PostgresBytes } from './bytes.ts'
import { checked } from './check.ts'
import { postgresCollections } from './collections.ts'
import { postgresContexts } from './contexts.ts'
import { PostgresConversations } from './conversations.ts'
import { connectionsTo, type DatabaseTimes, migrate, prepare } from './database.ts'
import { postgresDocuments } from './documents.ts'
import { PostgresIndex } from './index-store.ts'
import type { LeaseTimes } from './lease.ts'
import { postgresRows } from './rows.ts'
import { PostgresRuns } from './runs.ts'
import type { Sql } from './sql.ts'
import { PostgresTokens } from './tokens.ts'
import { PostgresVectors } from './vectors.ts'

/** How long things take, for tests. */
interface PostgresTimes extends DatabaseTimes {
  readonly lease?: LeaseTimes
}

/**
 * The store in a PostgreSQL database, in a schema of its own that is made when there is none.
 *
 * @throws ContextError `invalid-input` for a URL that is none; `unavailable` for a database that cannot be reached, or whose
 * tables are not of this version.
 */
export async function openPostgres(url: string, { lease, ...times }: PostgresTimes = {}): Promise<Store> {
  const sql = await connectionsTo(url, times)
  try {
    await prepare(sql)
  } catch (error) {
    await sql.close()
    throw error
  }
  return storeOver(sql, lease)
}

/** A step may read all that there is. */
const MIGRATION_MS = 6 * 3600 * 1000

/** Brings the tables of a database up to date. @throws as `openPostgres`. */
export async function migratePostgres(url: string): Promise<Migrated> {
  const sql = await connectionsTo(url, { statementMs: MIGRATION_MS, lockMs: MIGRATION_MS })
  try {
    return await migrate(sql)
  } finally {
    await sql.close()
  }
}

function storeOver(sql: Sql, lease: LeaseTimes | undefined): Store {
  const of = (owner: string) => ({
    conversations: new PostgresConversations(sql, owner),
    runs: new PostgresRuns(sql, owner, lease),
  })
  return {
    name: sql.name,
    collections: postgresCollections(sql),
    documents: postgresDocuments(sql),
    contexts: postgresContexts(sql),
    index: new PostgresIndex(sql, lease),
    vectors: new PostgresVectors(sql, lease),
    ...of(''),
    of,
    owners: () => sql.column<string>(OWNERS),
    tokens: new PostgresTokens(sql),
    rows: postgresRows(sql),
    bytes: new PostgresBytes(sql),
    version: () => numberIn(sql, 'SELECT sum(count)::bigint FROM ambit.changes'),
    size: () => numberIn(sql, SIZE),
    check: () => checked(sql),
    close: () => sql.close(),
  }
}

const OWNERS = `
  SELECT owner FROM ambit.conversations UNION SELECT owner FROM ambit.research_sessions ORDER BY owner`

const SIZE = `
  SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'ambit' AND c.relkind = 'r'`

async function numberIn(sql: Sql, select: string): Promise<number> {
  return (await sql.column<number>(select))[0] ?? 0
}
