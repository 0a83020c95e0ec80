/** Opens a PostgreSQL database, and brings its schema up to date. Any number of processes may do this at once. */

import type { CustomTypesConfig, Pool, PoolConfig } from 'pg'
import { ContextError, INSTALL_NEWER, loadPackage } from '../../core/errors.ts'
import { mendSchema, SCHEMA_VERSIONS, upgradeSchema } from '../statements/mend.ts'
import type { Migrated } from '../store.ts'
import { isUnsupportedSetting, toConnectError } from './errors.ts'
import { runInPostgres } from './runner.ts'
import { type Queries, Sql } from './sql.ts'
import { addressOf } from './url.ts'
import { typesOver } from './values.ts'

/** Milliseconds. */
export interface DatabaseTimes {
  /** Maximum time of a statement. Default: two minutes. */
  readonly statementMs?: number
  /** Maximum wait of a step for another one of the same part. Default: 30 seconds. */
  readonly lockMs?: number
  /** Maximum wait for a connection to open or to become free. Default: 15 seconds. */
  readonly connectMs?: number
}

const TIMES = { statementMs: 120_000, lockMs: 30_000, connectMs: 15_000 }

/** Maximum time that a suspended process blocks others with an open transaction. */
const IDLE_MS = 60_000
/** The client gives up a little after the server would have. */
const GRACE_MS = 5_000

/**
 * A pool of connections to a database, with one opened. A pooler such as PgBouncer may refuse settings at the start of a
 * connection: then each transaction sets them, and only the client limits a statement outside of a transaction.
 *
 * @throws ContextError `invalid-input` for an invalid URL; `unavailable` if the package `pg` is not installed, or the database
 * cannot be reached.
 */
export async function connectionsTo(given: string, times: DatabaseTimes = {}): Promise<Sql> {
  const address = addressOf(given)
  const client = await loadClient()
  const all = { ...TIMES, ...times }
  const limits = {
    statement_timeout: all.statementMs,
    lock_timeout: all.lockMs,
    idle_in_transaction_session_timeout: IDLE_MS,
  }
  const pool = poolOf(client, address, { ...settingsOf(all), ...limits })
  const refusal = await refusalOf(pool)
  if (refusal === undefined) return new Sql(pool, address.name)
  if (!isUnsupportedSetting(refusal)) throw toConnectError(address.name, refusal)
  const bare = poolOf(client, address, settingsOf(all))
  const another = await refusalOf(bare)
  if (another !== undefined) throw toConnectError(address.name, another)
  const each = Object.entries(limits).map(([what, ms]) => `SET LOCAL ${what} = ${ms}`)
  return new Sql(bare, address.name, each.join('; '))
}

function settingsOf({ statementMs, connectMs }: Required<DatabaseTimes>): PoolConfig {
  return {
    application_name: 'ambit',
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs + GRACE_MS,
    keepAlive: true,
    allowExitOnIdle: true,
  }
}

function poolOf({ Pool, types }: Client, { url, pool: max }: ReturnType<typeof addressOf>, settings: PoolConfig): Pool {
  const pool = new Pool({ connectionString: url, max, types: typesOver(types), ...settings })
  // The next use of a connection that ended fails; without a listener, the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** The error of opening a connection; undefined if one opens. */
async function refusalOf(pool: Pool): Promise<unknown> {
  try {
    const client = await pool.connect()
    client.release()
    return undefined
  } catch (error) {
    // Not awaited: for an invalid address, the client keeps a connection that never opens or ends.
    pool.end().catch(() => {})
    return error
  }
}

interface Client {
  readonly Pool: new (settings: ConstructorParameters<typeof Pool>[0]) => Pool
  readonly types: CustomTypesConfig
}

async function loadClient(): Promise<Client> {
  return (await loadPackage(() => import('pg'), 'A PostgreSQL database needs the package pg', 'pg')).default
}

const VERSION = SCHEMA_VERSIONS.postgres

/**
 * Brings the schema up to date, in a transaction that holds a lock: one of many processes does it, and the others find it done.
 *
 * @throws ContextError `unavailable` for a database of another program, or of a newer version.
 */
export async function migrate(sql: Sql): Promise<Migrated> {
  return sql.migration(async (queries) => {
    const from = await versionOf(queries, sql.name)
    const migrated = { name: sql.name, from, to: VERSION }
    if (from === VERSION) return migrated
    if (!(await hasSchema(queries))) await queries.run('CREATE SCHEMA ambit')
    await runInPostgres(queries, sql.name, upgradeSchema('postgres', from))
    await queries.run('CREATE TABLE IF NOT EXISTS ambit.schema (version integer NOT NULL)')
    await queries.run('DELETE FROM ambit.schema')
    await queries.run('INSERT INTO ambit.schema (version) VALUES ($1::integer)', VERSION)
    return migrated
  })
}

/** As `mendSchema`; does nothing if the tables have another version. */
export function mend(sql: Sql): Promise<string[]> {
  return sql.migration(async (queries) => {
    const [version] = await queries.column<number>('SELECT version FROM ambit.schema')
    return version === VERSION ? runInPostgres(queries, sql.name, mendSchema('postgres')) : []
  })
}

/** Creates the tables of a new database. It does not change an older one, because other processes may use it. */
export async function prepare(sql: Sql): Promise<void> {
  const version = await sql.read((queries) => versionOf(queries, sql.name))
  if (version === VERSION) return
  if (version === 0) {
    await migrate(sql)
    return
  }
  const message = `The tables in ${sql.name} are at step ${version}; this version needs step ${VERSION}.`
  throw new ContextError('unavailable', message, { hint: 'Run "ambit migrate".' })
}

/** Reads the catalog as of now: the server's cache of names may be older. */
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

async function hasSchema(queries: Queries): Promise<boolean> {
  return (await queries.column("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'ambit'")).length > 0
}
