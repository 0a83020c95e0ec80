import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/stores/postgres/postgres.ts'
import { openDatabase } from '../../src/stores/sqlite/database.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { exportStore } from '../../src/stores/transfer/store-export.ts'
import { filled, rowsOf } from '../stores/everything.ts'
import { asked, type Databases, databases, withPostgres } from '../support/postgres.ts'
import { tree } from '../support/tree.ts'
import { perform, record } from './recorded.ts'

it('a database of SQLite has these tables', async () => {
  const db = openDatabase(':memory:')
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name').all()
  const version = db.pragma('user_version', { simple: true })
  db.close()
  const statements = (rows as { readonly sql: string }[]).map(({ sql }) => `${sql.trim()};\n`)
  await expect([`-- user_version ${version}\n`, ...statements].join('\n')).toMatchFileSnapshot('snapshots/sqlite.sql')
})

withPostgres('a database of PostgreSQL', () => {
  let made: Databases | undefined
  afterAll(() => made?.drop())

  const SELECT = `
    SELECT table_name || '.' || column_name || ' ' || data_type || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END
      || coalesce(' COLLATE ' || collation_name, '') || coalesce(' DEFAULT ' || column_default, '')
      || CASE is_identity WHEN 'YES' THEN ' IDENTITY ' || identity_generation ELSE '' END AS line
    FROM information_schema.columns WHERE table_schema = 'ambit'
    UNION SELECT tablename || ' ' || indexdef FROM pg_indexes WHERE schemaname = 'ambit'
    UNION SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'ambit'::regnamespace AND contype <> 'n'
    UNION SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'ambit'::regnamespace
    ORDER BY 1`

  it('has these tables', async () => {
    made = await databases()
    const url = await made.create()
    await (await openPostgres(url)).close()
    const { rows } = await asked(url, (client) => client.query(SELECT))
    const lines = rows.map(({ line }: { readonly line: string }) => line)
    await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('snapshots/postgres.txt')
  })
})

it('an export of a store that does not change is this file', async () => {
  using at = tree({})
  const store = openSqlite(':memory:')
  await filled(store, 3)
  await exportStore(store, at.at('store.jsonl'))
  await store.close()
  const text = readFileSync(at.at('store.jsonl'), 'utf8')
  await expect(withoutNow(text)).toMatchFileSnapshot('snapshots/export.txt')
})

it('a store with something of each kind answers so, and then has these rows', async () => {
  const store = openSqlite(':memory:')
  try {
    await filled(store, 12)
    const lines = await perform('stores', { ...store, store })
    // Compressed texts are as long as a library makes them.
    const kept = (await rowsOf(store)).filter(([table]) => table !== 'texts')
    const rows = kept.map((row) => JSON.stringify(row))
    await record([...lines.map((line) => line.slice(0, 2000)), ...rows].map(withoutNow), 'stores')
  } finally {
    await store.close()
  }
})

/** Without the times of the last ten minutes, which are when the test ran, and without the hash that follows from them. */
function withoutNow(text: string): string {
  const isNow = (time: string) => Math.abs(Date.now() - Date.parse(time)) < 600_000
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (isNow(time) ? 'NOW' : time))
    .replace(/("sha256":")[0-9a-f]{64}("\})(?=\s*$)/, '$1HASH$2')
}
