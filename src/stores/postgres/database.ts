/** Opens a PostgreSQL database, and brings its schema up to date. Many processes may do this at once. */

import type { Pool, PoolConfig } from 'pg'
import { ContextError, INSTALL_NEWER, loadPackage } from '../../core/errors.ts'
import { mendSchema, SCHEMA_VERSIONS, upgradeSchema } from '../statements/mend.ts'
import type { Migrated } from '../store.ts'
import { isUnsupportedSetting, toConnectError } from './errors.ts'
import { runInPostgres } from './runner.ts'
import { type Queries, Sql } from './sql.ts'
import { parseDatabaseUrl } from './url.ts'
import { extendTypeParsers } from './values.ts'

/** Time limits in milliseconds. */
export interface DatabaseTimes {
  /** Maximum time of a statement. Default: two minutes. */
  readonly statementMs?: number
  /** Maximum wait of a write for another write of the same part (`Part`). Default: 30 seconds. */
  readonly lockMs?: number
  /** Maximum wait for a connection to open or to become free. Default: 15 seconds. */
  readonly connectMs?: number
}

const DEFAULT_TIMES = { statementMs: 120_000, lockMs: 30_000, connectMs: 15_000 }

/** Maximum milliseconds that the idle transaction of a suspended process may block other processes. */
const IDLE_MS = 60_000
/** Milliseconds that the client waits for an answer beyond the server's time limit for the statement. */
const GRACE_MS = 5_000

/**
 * Creates a pool of connections, and opens one connection as a check. A pooler such as PgBouncer may refuse time limits
 * as settings of a connection. In this case, each transaction sets the limits, and a statement outside of a transaction
 * has only the time limit of the client.
 *
 * @throws ContextError `invalid-input` for an invalid URL; `unavailable` if the package `pg` is not installed, or the database
 * cannot be reached.
 */
export async function openPool(databaseUrl: string, times: DatabaseTimes = {}): Promise<Sql> {
  const address = parseDatabaseUrl(databaseUrl)
  const { default: client } = await loadPackage(() => import('pg'), 'A PostgreSQL database needs the package pg', 'pg')
  const timeouts = { ...DEFAULT_TIMES, ...times }
  const serverLimits = {
    statement_timeout: timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    idle_in_transaction_session_timeout: IDLE_MS,
  }
  const pool = createPool(client, address, { ...clientSettings(timeouts), ...serverLimits })
  const firstError = await findConnectError(pool)
  if (firstError === undefined) return new Sql(pool, address.name)
  if (!isUnsupportedSetting(firstError)) throw toConnectError(address.name, firstError)
  const poolWithoutLimits = createPool(client, address, clientSettings(timeouts))
  const secondError = await findConnectError(poolWithoutLimits)
  if (secondError !== undefined) throw toConnectError(address.name, secondError)
  const limitStatements = Object.entries(serverLimits).map(([limit, ms]) => `SET LOCAL ${limit} = ${ms}`)
  return new Sql(poolWithoutLimits, address.name, limitStatements.join('; '))
}

function clientSettings({ statementMs, connectMs }: Required<DatabaseTimes>): PoolConfig {
  return {
    application_name: 'ambit',
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs + GRACE_MS,
    keepAlive: true,
    allowExitOnIdle: true,
  }
}

function createPool(
  { Pool, types }: Pick<typeof import('pg'), 'Pool' | 'types'>,
  { url, pool: max }: ReturnType<typeof parseDatabaseUrl>,
  settings: PoolConfig,
): Pool {
  const pool = new Pool({ connectionString: url, max, types: extendTypeParsers(types), ...settings })
  // Ignored, because the next use of a lost connection fails anyway. Without a listener, the event would end the
  // process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Tries to open a connection. Returns the error; undefined if the attempt succeeds. */
async function findConnectError(pool: Pool): Promise<unknown> {
  try {
    const client = await pool.connect()
    client.release()
    return undefined
  } catch (error) {
    // Not awaited: for an invalid address, `end` would wait for a connection that never opens or ends.
    pool.end().catch(() => {})
    return error
  }
}

const VERSION = SCHEMA_VERSIONS.postgres

/**
 * Brings the schema up to date, in a transaction that holds a lock. The first of many simultaneous calls does
 * the work.
 *
 * @throws ContextError `unavailable` for a database of another program, or of a newer version.
 */
export async function migrateTables(sql: Sql): Promise<Migrated> {
  return sql.migration(async (queries) => {
    const from = await versionOf(queries, sql.name)
    const migrated = { name: sql.name, from, to: VERSION }
    if (from === VERSION) return migrated
    const schemas = await queries.column("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'ambit'")
    if (schemas.length === 0) await queries.run('CREATE SCHEMA ambit')
    await runInPostgres(queries, sql.name, upgradeSchema('postgres', from))
    await queries.run('CREATE TABLE IF NOT EXISTS ambit.schema (version integer NOT NULL)')
    await queries.run('DELETE FROM ambit.schema')
    await queries.run('INSERT INTO ambit.schema (version) VALUES ($1::integer)', VERSION)
    return migrated
  })
}

/** As `mendSchema`; does nothing if the tables have another version. */
export function mendTables(sql: Sql): Promise<string[]> {
  return sql.migration(async (queries) => {
    const [version] = await queries.column<number>('SELECT version FROM ambit.schema')
    return version === VERSION ? runInPostgres(queries, sql.name, mendSchema('postgres')) : []
  })
}

/**
 * Creates the tables of a new database. Throws for tables of an older version instead of upgrading them, because other
 * processes may use them.
 */
export async function prepareTables(sql: Sql): Promise<void> {
  const version = await sql.read((queries) => versionOf(queries, sql.name))
  if (version === VERSION) return
  if (version === 0) {
    await migrateTables(sql)
    return
  }
  const message = `The tables in ${sql.name} are at step ${version}; this version needs step ${VERSION}.`
  throw new ContextError('unavailable', message, { hint: 'Run "ambit migrate".' })
}

/**
 * Selects the names of the tables in Ambit's schema from the catalog, because a test by table name could use an
 * outdated cache of the server.
 */
const TABLES = `
  SELECT c.relname::text FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'ambit' AND c.relkind IN ('r', 'v', 'm', 'f', 'p')`

/** The version of the tables; 0 for a database without tables of Ambit. */
async function versionOf(queries: Queries, name: string): Promise<number> {
  const [encoding] = await queries.column<string>("SELECT current_setting('server_encoding')")
  if (encoding !== 'UTF8') {
    const hint = 'Create one with UTF-8: createdb --encoding=UTF8 --template=template0 NAME.'
    throw new ContextError('unavailable', `${name} stores texts as ${encoding}, not as UTF-8.`, { hint })
  }
  const tables = await queries.column<string>(TABLES)
  const isOurs = tables.includes('schema')
  if (tables.length > 0 && !isOurs) {
    const hint = 'Use another database.'
    throw new ContextError('unavailable', `${name} has a schema "ambit" of another program.`, { hint })
  }
  const [version = 0] = isOurs ? await queries.column<number>('SELECT version FROM ambit.schema') : []
  if (version <= VERSION) return version
  const hint = `${INSTALL_NEWER}, or use another database.`
  throw new ContextError('unavailable', `${name} was written by a newer version of Ambit.`, { hint })
}
