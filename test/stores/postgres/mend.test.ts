/**
 * Tables and columns of our own that a database lacks, on PostgreSQL.
 *
 * @module-tag long
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { openWith } from '../../../src/open.ts'
import { operations } from '../../../src/operations/index.ts'
import { mendPostgres, openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { asked, type Databases, databases, partsOfSchema, withPostgres } from '../../support/postgres.ts'
import { tree } from '../../support/tree.ts'
import { COLLECTION, stored } from '../filled.ts'

/** Those that reading the files again fills. */
const OF_FILES = ['collections', 'documents', 'texts', 'segments', 'postings']

let made: Databases
/** The schema of a new database. */
let whole: string[]
let columns: readonly { readonly table: string; readonly column: string; readonly may: boolean }[]

/** The URL of a database with a document and a path context, after the harm. */
async function harmed(...statements: readonly string[]): Promise<string> {
  const url = await made.create()
  const store = await openPostgres(url)
  await store.collections.add(COLLECTION)
  await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
  await store.contexts.set({ collection: 'docs', pathPrefix: '/' }, 'Beasts.')
  await store.close()
  await harm(url, ...statements)
  return url
}

async function harm(url: string, ...statements: readonly string[]): Promise<void> {
  await asked(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

async function checked(url: string): Promise<readonly string[]> {
  const store = await openPostgres(url)
  const problems = await store.check()
  await store.close()
  return problems
}

withPostgres('a PostgreSQL database that lacks a part of its schema', () => {
  beforeAll(async () => {
    made = await databases()
    const url = await harmed()
    whole = await partsOfSchema(url)
    columns = await asked(url, async (client) => {
      const { rows } = await client.query(`
        SELECT c.relname AS table, a.attname AS column, NOT a.attnotnull OR a.atthasdef AS may
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = 'ambit'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema'`)
      return rows
    })
  })
  afterAll(() => made.drop())

  it('is whole when it is new, and is left as it is', async () => {
    const url = await harmed()
    expect(await checked(url)).toEqual([])
    expect(await mendPostgres(url)).toEqual([])
    expect(await partsOfSchema(url)).toEqual(whole)
  })

  it('has each table made that is missing, and nothing else is touched', async () => {
    const tables = [...new Set(columns.map(({ table }) => table))].filter((table) => !OF_FILES.includes(table))
    expect(tables.length).toBeGreaterThan(15)
    const url = await harmed()
    for (const table of tables) {
      await harm(url, `DROP TABLE ambit.${table} CASCADE`)
      expect(await checked(url), table).toEqual([
        expect.stringContaining(`It lacks tables or columns of this version: ${table}`),
      ])
      expect(await mendPostgres(url)).toEqual([`the table ${table}`])
      expect(await partsOfSchema(url), table).toEqual(whole)
    }
    const store = await openPostgres(url)
    expect(await store.check()).toEqual([])
    expect(await store.documents.list({})).toHaveLength(1)
    // Its counter is there, as in a new one.
    const version = await store.version()
    await store.contexts.set({ collection: 'docs', pathPrefix: '/a' }, 'More.')
    expect(await store.version()).not.toEqual(version)
    await store.close()
  })

  it('has the index emptied where what it is made of is missing', async () => {
    for (const [table, statement] of [
      ...OF_FILES.map((one) => [one, `DROP TABLE ambit.${one} CASCADE`] as const),
      ['segments', 'ALTER TABLE ambit.segments DROP COLUMN ids'] as const,
      ['documents', 'ALTER TABLE ambit.documents DROP COLUMN title'] as const,
    ]) {
      const url = await harmed(statement)
      expect(await checked(url)).toEqual([expect.stringContaining(table)])
      expect(await mendPostgres(url)).toEqual([
        `the table ${table}`,
        'an index without documents, which "ambit index" fills',
      ])
      expect(await partsOfSchema(url), table).toEqual(whole)
      const store = await openPostgres(url)
      expect(await store.check()).toEqual([])
      expect(await store.collections.list()).toHaveLength(table === 'collections' ? 0 : 1)
      expect(await store.contexts.list()).toHaveLength(1)
      await store.close()
    }
  })

  it('has each column made that may be empty, with what belongs to it', async () => {
    const some = columns.filter(({ table, may }) => may && (table === 'collections' || !OF_FILES.includes(table)))
    expect(some.length).toBeGreaterThan(20)
    const drops = some.map(({ table, column }) => `ALTER TABLE ambit.${table} DROP COLUMN ${column} CASCADE`)
    const url = await harmed(...drops)
    expect(await checked(url)).toEqual([expect.stringContaining('It lacks tables or columns of this version: ')])
    const told = some.map(({ table, column }) => `the column ${column} of ${table}`)
    expect((await mendPostgres(url)).toSorted()).toEqual(told.toSorted())
    expect(await partsOfSchema(url)).toEqual(whole)
    expect(await checked(url)).toEqual([])
  })

  it.each([
    ['a column that must not be empty', 'ALTER TABLE ambit.conversations DROP COLUMN title', 'conversations.title'],
    ['a column of the collections', 'ALTER TABLE ambit.collections DROP COLUMN root', 'collections.root'],
  ])('is left as it is where it lacks %s, which is told', async (_, statement, name) => {
    const url = await harmed(statement)
    expect(await mendPostgres(url)).toEqual([])
    expect(await checked(url)).toEqual([`It lacks tables or columns of this version: ${name}.`])
  })

  it.each([
    ['an index', 'DROP INDEX ambit.documents_hash', 'the index documents_hash'],
    ['a trigger', 'DROP TRIGGER contexts_changed ON ambit.path_contexts', 'the trigger contexts_changed'],
  ])('has %s made', async (_, statement, what) => {
    const url = await harmed(statement)
    expect(await checked(url)).toEqual([expect.stringContaining(what.split(' ')[2] ?? '')])
    expect(await mendPostgres(url)).toEqual([what])
    expect(await partsOfSchema(url)).toEqual(whole)
  })

  it.each([
    ['DROP TABLE ambit.path_contexts', 'The table path_contexts is missing from '],
    ['ALTER TABLE ambit.path_contexts DROP COLUMN updated_at', 'The column updated_at is missing from a table of '],
  ])('tells that as what it is: %s', async (statement, message) => {
    const store = await openPostgres(await harmed(statement))
    await expect(store.contexts.list()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('ambit doctor --repair'),
    })
    await store.close()
  })

  it('is not mended where its tables are of another version', async () => {
    const url = await harmed('UPDATE ambit.schema SET version = 1', 'DROP TABLE ambit.tokens')
    expect(await mendPostgres(url)).toEqual([])
  })

  describe('doctor --repair', () => {
    const repair = operations.find(({ name }) => name === 'doctor.repair')

    it.each([
      ['a table of its own', 'DROP TABLE ambit.path_contexts', ['the table path_contexts'], 1],
      ['the postings', 'DROP TABLE ambit.postings', ['the table postings', expect.stringContaining('ambit index')], 0],
    ])('mends one that lacks %s, after which it is indexed and searched', async (_, statement, expected, left) => {
      using place = tree({ 'docs/a.md': '# Lions\n' })
      const url = await made.create()
      const engine = openWith({ file: undefined, unknown: [], database: { url } })
      const { collections, contexts } = await engine.library()
      await collections.add({ name: 'docs', root: place.at('docs') })
      await collections.index()
      await contexts.set('docs', 'Beasts.')
      await asked(url, (client) => client.query(statement))
      const answer = await repair?.run(engine, {}, SILENT)
      expect(answer).toMatchObject({ made: expected })
      expect(answer).toMatchObject({
        checks: expect.arrayContaining([expect.objectContaining({ name: 'database', status: 'ok' })]),
      })
      const again = await engine.library()
      expect(await again.port.documents.list({})).toHaveLength(left)
      await again.collections.index()
      expect((await again.search({ query: 'lions' })).results).toHaveLength(1)
      await engine.close()
    })
  })
})
