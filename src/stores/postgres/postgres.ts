import type { LeaseTimes } from '../statements/lease.ts'
import { createStore } from '../statements/store-over.ts'
import type { Migrated, Store } from '../store.ts'
import { type DatabaseTimes, mendTables, migrateTables, openPool, prepareTables } from './database.ts'
import { Listener } from './listener.ts'
import { PostgresDatabase } from './runner.ts'
import type { Sql } from './sql.ts'

/** Time limits, and durations of leases (temporary rights of a process to do some work). */
export interface PostgresTimes extends DatabaseTimes {
  /** Durations of the lease of a process that writes the index. */
  readonly lease?: LeaseTimes
  /** Durations of the lease to run a session, or to answer in a conversation. Default: 15 seconds. */
  readonly runs?: LeaseTimes
}

/** The default lease of a run. It is short, because a person may wait for another process to take over. */
const RUN_LEASE: LeaseTimes = { lastsMs: 15_000, renewedMs: 4_000 }

/**
 * Opens the store in the schema "ambit" of a PostgreSQL database. Creates the schema if it is missing.
 *
 * @throws ContextError `invalid-input` for an invalid URL; `unavailable` for a database that cannot be reached, or whose tables
 * have another version.
 */
export async function openPostgres(url: string, { lease, runs, ...times }: PostgresTimes = {}): Promise<Store> {
  const sql = await openPool(url, times)
  try {
    await prepareTables(sql)
  } catch (error) {
    await sql.close()
    throw error
  }
  const listener = await Listener.at(url, sql)
  return createStore(
    new PostgresDatabase(sql, listener),
    { lease, runs: runs ?? lease ?? RUN_LEASE },
    {
      version: () => selectNumber(sql, 'SELECT sum(count)::bigint FROM ambit.changes'),
      now: serverClock(sql),
      size: () => selectNumber(sql, SELECT_SIZE),
      // The database is on the disk of the server. Its free space is unknown here.
      assertRoom: async () => {},
      close: async () => {
        await listener.close()
        await sql.close()
      },
    },
  )
}

/** Maximum milliseconds of a statement of a migration. Such a statement may read all rows. */
const MIGRATION_MS = 6 * 3600 * 1000

/** Brings the tables of a database up to date. @throws as `openPostgres`. */
export function migratePostgres(url: string): Promise<Migrated> {
  return withoutTimeouts(url, migrateTables)
}

/** As `mendSchema`, for the database at a URL. @throws as `openPostgres`. */
export function mendPostgres(url: string): Promise<string[]> {
  return withoutTimeouts(url, mendTables)
}

async function withoutTimeouts<Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = await openPool(url, { statementMs: MIGRATION_MS, lockMs: MIGRATION_MS })
  try {
    return await work(sql)
  } finally {
    await sql.close()
  }
}

/** Milliseconds between two reads of the clock of the server. */
const CLOCK_READ_MS = 60_000

/**
 * Returns a function that returns the time of the server, in milliseconds since 1970. It asks the server at most once a
 * minute, and between two questions adds the time that has passed in this process.
 */
function serverClock(sql: Sql): () => Promise<number> {
  let [serverMs, readAt] = [0, -CLOCK_READ_MS]
  return async () => {
    if (performance.now() - readAt >= CLOCK_READ_MS)
      [serverMs, readAt] = [await selectNumber(sql, 'SELECT {now}'), performance.now()]
    return Math.floor(serverMs + performance.now() - readAt)
  }
}

const SELECT_SIZE = `
  SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'ambit' AND c.relkind = 'r'`

async function selectNumber(sql: Sql, select: string): Promise<number> {
  return (await sql.column<number>(select))[0] ?? 0
}
