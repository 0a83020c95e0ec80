/**
 * A real PostgreSQL for tests: the one at `AMBIT_TEST_DATABASE_URL`, else Debian's, which is started when the first file of a
 * run asks for it and stopped when the run ends. Each caller has databases of its own.
 */

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, inject } from 'vitest'
import { lacksPostgres, startServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the run's server, whether there is one or not. */
    readonly postgres: string
  }
}

/** A suite that needs PostgreSQL; where there is none it is skipped, by a name that says why. */
export function withPostgres(title: string, suite: () => void): void {
  const reason = lacksPostgres()
  describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (${reason})`, suite)
}

/** The URL of the run's server. The first who asks starts it; the others wait for that. */
async function serverUrl(): Promise<string> {
  const told = process.env.AMBIT_TEST_DATABASE_URL
  if (told) return told
  const directory = inject('postgres')
  const [lock, ready] = [join(directory, 'starting'), join(directory, 'url')]
  try {
    mkdirSync(lock)
  } catch {
    for (let waited = 0; !existsSync(ready); waited += 50) {
      if (waited > 60_000) throw new Error(`The server in ${directory} did not start.`)
      await sleep(50)
    }
    return readFileSync(ready, 'utf8')
  }
  const url = await startServer(join(directory, 'server'))
  writeFileSync(`${ready}.new`, url)
  // Whole or not at all.
  renameSync(`${ready}.new`, ready)
  return url
}

/** Does something on a connection of its own. */
export async function asked<Value>(url: string, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Makes new, empty databases for the tests of a file or suite, and ends them afterwards. */
export function ownDatabases(): () => Promise<string> {
  let made: Promise<Databases> | undefined
  afterAll(async () => (await made)?.drop(), 600_000)
  return async () => {
    made ??= databases()
    return (await made).create()
  }
}

/** Databases of one file's tests. */
export interface Databases {
  /** The URL of a new, empty one. */
  create(): Promise<string>
  /** Ends them, and whoever is connected with them. */
  drop(): Promise<void>
}

export async function databases(): Promise<Databases> {
  const server = await serverUrl()
  const made: string[] = []
  const at = (name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href
  return {
    create: async () => {
      const name = `ambit_${randomUUID().replaceAll('-', '')}`
      await asked(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`))
      made.push(name)
      return at(name)
    },
    drop: async () => {
      await asked(server, async (client) => {
        for (const name of made.splice(0)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      })
    },
  }
}

/** Until something in the database waits for a lock that another connection holds: of a table, of a row, or of our own. */
export async function untilHeldUp(client: pg.Client): Promise<void> {
  // A wait for a row is one for a transaction, which is of no database: but who waits has something in it.
  const select = `
    SELECT 1 FROM pg_locks w JOIN pg_locks l USING (pid) JOIN pg_database d ON d.oid = l.database
    WHERE NOT w.granted AND d.datname = current_database()`
  while ((await client.query(select)).rows.length === 0) await sleep(5)
}

const PARTS_OF_SCHEMA = `
  SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' ||
    a.attstorage::text || ' ' || a.attidentity::text || ' ' || coalesce(l.collname, '') || ' ' ||
    coalesce(pg_get_expr(d.adbin, d.adrelid), '') AS told
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum LEFT JOIN pg_collation l ON l.oid = a.attcollation
  WHERE c.relnamespace = 'ambit'::regnamespace AND c.relkind = 'r' AND NOT a.attisdropped
  UNION ALL SELECT c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE c.relnamespace = 'ambit'::regnamespace
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'ambit'
  UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = 'ambit'::regnamespace AND NOT t.tgisinternal
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'ambit'::regnamespace
  ORDER BY told`

/** Tables, columns, constraints, functions, indexes and triggers of a database. */
export async function partsOfSchema(url: string): Promise<string[]> {
  const { rows } = await asked(url, (client) => client.query<{ told: string }>(PARTS_OF_SCHEMA))
  return rows.map(({ told }) => told)
}
