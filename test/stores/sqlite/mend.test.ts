import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { openWith } from '../../../src/open.ts'
import { operations } from '../../../src/operations/index.ts'
import { mendSqlite, openDatabase } from '../../../src/stores/sqlite/database.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { tree } from '../../support/tree.ts'
import { COLLECTION, stored } from '../filled.ts'

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
const fresh = openDatabase(':memory:')
const NAMES = fresh.prepare(TABLES).pluck().all() as string[]
fresh.close()

/** Those that only reading the files again can fill. */
const REBUILT = ['collections', 'documents', 'texts', 'segments', 'postings']

function harm(path: string, ...statements: readonly string[]): void {
  const db = new Database(path)
  db.pragma('foreign_keys = OFF')
  for (const statement of statements) db.exec(statement)
  db.close()
}

/** A database with a document and a path context, after the harm. */
async function harmed(path: string, ...statements: readonly string[]): Promise<void> {
  const store = openSqlite(path)
  await store.collections.add(COLLECTION)
  await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
  await store.contexts.set({ collection: 'docs', pathPrefix: '/' }, 'Beasts.')
  await store.close()
  harm(path, ...statements)
}

describe('a table that is missing', () => {
  it.each(NAMES.filter((name) => !REBUILT.includes(name)))('is made, and nothing else is touched: %s', async (name) => {
    using place = tree({})
    const path = place.at('a.db')
    await harmed(path, `DROP TABLE ${name}`)
    expect(mendSqlite(path)).toEqual([`the table ${name}`])
    expect(mendSqlite(path)).toEqual([])
    const store = openSqlite(path)
    expect(await store.check()).toEqual([])
    expect(await store.documents.list({})).toHaveLength(1)
    expect(await store.contexts.list()).toHaveLength(name === 'path_contexts' ? 0 : 1)
    // Counters and the identity are there as in a new one.
    const version = await store.version()
    await store.contexts.set({ collection: 'docs', pathPrefix: '/a' }, 'More.')
    expect(await store.version()).not.toEqual(version)
    await store.close()
  })

  it.each(REBUILT)('is left to a rebuild where the files tell what it held: %s', async (name) => {
    using place = tree({})
    const path = place.at('a.db')
    await harmed(path, `DROP TABLE ${name}`)
    expect(mendSqlite(path)).toEqual([])
    const store = openSqlite(path)
    expect(await store.check()).toEqual([expect.stringContaining(name)])
    await store.close()
  })

  it.each([
    ['path_contexts', 'The table path_contexts is missing from '],
    ['tokens', 'The table tokens is missing from '],
  ])('is told as what it is: %s', async (name, message) => {
    using place = tree({})
    const path = place.at('a.db')
    await harmed(path, `DROP TABLE ${name}`)
    const store = openSqlite(path)
    const reading = name === 'tokens' ? store.tokens.list() : store.contexts.list()
    await expect(reading).rejects.toMatchObject({
      code: 'unavailable',
      message: `${message}${path}.`,
      hint: expect.stringContaining('ambit doctor --repair'),
    })
    await store.close()
  })
})

describe('a column that is missing', () => {
  it.each([
    ['collections', 'indexed_at'],
    ['collections', 'paused'],
    ['tokens', 'used_at'],
    ['research_sessions', 'owner'],
    ['sign_ins', 'scopes'],
  ])('is made where it may be empty: %s.%s', async (table, column) => {
    using place = tree({})
    const path = place.at('a.db')
    const indexes = table === 'research_sessions' ? ['DROP INDEX research_sessions_owner'] : []
    await harmed(path, ...indexes, `ALTER TABLE ${table} DROP COLUMN ${column}`)
    expect(mendSqlite(path)).toEqual([`the column ${column} of ${table}`])
    const store = openSqlite(path)
    expect(await store.check()).toEqual([])
    expect(await store.contexts.list()).toHaveLength(1)
    await store.close()
  })

  it('is told as what it is', async () => {
    using place = tree({})
    const path = place.at('a.db')
    await harmed(path, 'ALTER TABLE collections DROP COLUMN root')
    const store = openSqlite(path)
    await expect(store.collections.list()).rejects.toMatchObject({
      message: `The column root of a table is missing from ${path}.`,
    })
    await store.close()
  })
})

describe('doctor --repair', () => {
  const repair = operations.find(({ name }) => name === 'doctor.repair')

  it.each([
    ['a table of its own', 'DROP TABLE path_contexts', { made: ['the table path_contexts'] }],
    ['the postings', 'DROP TABLE postings', { repaired: { collections: 1, contexts: 1, lost: [] } }],
    ['the collections', 'DROP TABLE collections', { repaired: { collections: 0, lost: ['collections'] } }],
    ['a column that must be there', 'ALTER TABLE documents DROP COLUMN title', { repaired: { contexts: 1, lost: [] } }],
  ])('mends a database that lacks %s, and says what was lost', async (_, statement, expected) => {
    using place = tree({ 'docs/a.md': '# Lions\n' })
    const db = place.at('a.db')
    const engine = openWith({ db, file: undefined, unknown: [] })
    const { collections, contexts, port } = await engine.library()
    await collections.add({ name: 'docs', root: place.at('docs') })
    await collections.index()
    await contexts.set('docs', 'Beasts.')
    await port.close()
    harm(db, statement)
    const answer = await repair?.run(engine, {}, SILENT)
    expect(answer).toMatchObject(expected)
    expect(answer).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'database', status: 'ok' })]),
    })
    await engine.close()
  })
})
