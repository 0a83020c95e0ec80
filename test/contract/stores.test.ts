import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { packVector } from '../../src/retrieval/packed-vectors.ts'
import type { DocumentFilter } from '../../src/stores/document-store.ts'
import { openPostgres } from '../../src/stores/postgres/postgres.ts'
import { openDatabase } from '../../src/stores/sqlite/database.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { exportStore } from '../../src/stores/transfer/store-export.ts'
import { filled, rowsOf } from '../stores/everything.ts'
import { type Given, stored } from '../stores/filled.ts'
import { found } from '../stores/found.ts'
import { beside, bytesOf, hashOf } from '../stores/uploads/beside.ts'
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

/** Plain data: what JSON would leave out, or writes by the class of its bytes. */
function plain(value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value].map(plain)
  if (ArrayBuffer.isView(value)) return [...(value as Uint8Array)]
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
}

const plainly = (part: object) =>
  new Proxy(part, {
    get:
      (of, method) =>
      async (...given: unknown[]) =>
        plain(await Reflect.get(of, method)(...given)),
  })

type Numbers = Readonly<Record<string, number>>

/** The parts of a store, of the same one as another process has it, and of other owners; `given` writes and finds. */
function targetsOf(store: Store, other: Store) {
  const parts = (of: object, prefix: string) =>
    Object.entries(of).flatMap(([name, part]) => (typeof part === 'object' ? [[prefix + name, plainly(part)]] : []))
  const listed = async (filter: DocumentFilter) =>
    (await store.documents.list(filter)).map(({ collection, path }) => `${collection}/${path}`)
  const given = {
    stored: (collection: string, documents: Given[]) => stored(store, collection, documents),
    removed: async (collection: string, path: string) =>
      store.index.apply({ removed: [(await store.documents.find(collection, path))?.id ?? -1] }),
    listed,
    found: (query: string, filter: DocumentFilter) => found(store, query, filter),
    termsOfAll: async (limit: number) => {
      const from = (await store.index.segments()).map(({ id }) => ({ segment: id, after: 'car' }))
      return plain(await store.index.terms(from, limit))
    },
    /** A file of three bytes for a session. */
    file: (owner: string, session: string, id: string) => {
      const file = { id, name: `${id}.txt`, size: 3, type: 'text/plain', sha256: hashOf('abc') }
      return store.of(owner).runs.addFile(session, file, bytesOf('abc'))
    },
    /** Vectors of so many chunks for each hash; `strange`: of so many dimensions, for these hashes. */
    vectors: (model: string, dimensions: number, chunks: Numbers, strange: Numbers = {}) => {
      const centreOf = (length: number) => new Float32Array(length).fill(0.25)
      const vectorOf = (at: number, length: number) => {
        const numbers = Array.from({ length }, (_, index) => Math.sin(at * index + 1))
        return { start: at + 1, end: at + 5, ...packVector(numbers, centreOf(length)) }
      }
      const contents = Object.entries(chunks).map(([hash, count]) => ({
        hash,
        chunks: Array.from({ length: count }, (_, at) => vectorOf(at, strange[hash] ?? dimensions)),
      }))
      return store.vectors.put(model, centreOf(dimensions), contents)
    },
  }
  const owned = ['alice', 'Alice', "o'brien", '%'].flatMap((owner) => parts(store.of(owner), `${owner} `))
  const all = [...parts(store, ''), ...parts(other, 'other '), ...owned]
  return { ...Object.fromEntries(all), store, given }
}

/** What a store answers to the calls of a file, and its rows then. Compressed texts are as long as a library makes them. */
async function answersOf(store: Store, other: Store, name: string): Promise<string[]> {
  for (const now of [await store.now(), await store.now()]) expect(Math.abs(now - Date.now())).toBeLessThan(60_000)
  expect(await store.size()).toBeGreaterThan(0)
  const lines = await perform(name, targetsOf(store, other))
  // The numbers of some rows are of the database alone, once others were deleted.
  const kept = name === 'stores' ? (await rowsOf(store)).filter(([table]) => table !== 'texts') : []
  return [...lines.map((line) => line.slice(0, 2000)), ...kept.map((row) => JSON.stringify(row))].map(withoutNow)
}

const openWithUploadsBeside = (path: string) => beside(openSqlite(path), `${path}.objects`).store

describe.each([
  ['with something of each kind', 'stores', openSqlite, (store: Store) => filled(store, 12)],
  ['that is empty', 'keeping', openSqlite, async () => {}],
  ['of several owners', 'owners', openSqlite, async () => {}],
  ['of several owners, with uploads beside it,', 'owners', openWithUploadsBeside, async () => {}],
])('a store %s answers so, and then has these rows,', (_, name, open, fill) => {
  it('in SQLite', async () => {
    using at = tree({})
    const [store, other] = [open(at.at('a.db')), open(at.at('a.db'))]
    await fill(store)
    await record(await answersOf(store, other, name), name)
    await Promise.all([store.close(), other.close()])
  })

  withPostgres('in PostgreSQL', () => {
    it('too', async () => {
      const made = await databases()
      const url = await made.create()
      const [store, other] = [await openPostgres(url), await openPostgres(url)]
      await fill(store)
      await record(await answersOf(store, other, name), name)
      await Promise.all([store.close(), other.close()])
      await made.drop()
    })
  })
})

/** Without the times of the last ten minutes, which are when the test ran, and without the hash that follows from them. */
function withoutNow(text: string): string {
  const isNow = (time: string) => Math.abs(Date.now() - Date.parse(time)) < 600_000
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (isNow(time) ? 'NOW' : time))
    .replace(/("sha256":")[0-9a-f]{64}("\})(?=\s*$)/, '$1HASH$2')
}
