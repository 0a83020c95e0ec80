/** Tables and columns of our own that a database lacks, on PostgreSQL. */

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { openWith } from '../../../src/open.ts'
import { operations } from '../../../src/operations/index.ts'
import { mendPostgres, migratePostgres, openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { SCHEMA_VERSIONS } from '../../../src/stores/statements/mend.ts'
import { asked, ownDatabases, partsOfSchema, withPostgres } from '../../support/postgres.ts'
import { tree } from '../../support/tree.ts'
import { COLLECTION, stored } from '../filled.ts'

/** Those that reading the files again fills. */
const OF_FILES = ['collections', 'documents', 'texts', 'segments', 'postings']

const database = ownDatabases()
/** The schema of a new database. */
let whole: string[]
let columns: readonly { readonly table: string; readonly column: string; readonly may: boolean }[]

/** The URL of a database with a document and a path context, after the harm. */
async function harmed(...statements: readonly string[]): Promise<string> {
  const url = await database()
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

  it('has each table made that is missing, and nothing else is touched', { tags: 'long' }, async () => {
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

  it('gets an empty index if a table or column of the index is missing', { tags: 'long' }, async () => {
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

  it('gets back each index and trigger, and each column that may be empty or has a default', async () => {
    const some = columns.filter(({ table, may }) => may && (table === 'collections' || !OF_FILES.includes(table)))
    expect(some.length).toBeGreaterThan(20)
    const drops = some.map(({ table, column }) => `ALTER TABLE ambit.${table} DROP COLUMN ${column} CASCADE`)
    const url = await harmed()
    expect([await checked(url), await mendPostgres(url)]).toEqual([[], []])
    await harm(url, ...drops)
    expect(await checked(url)).toEqual([expect.stringContaining('It lacks tables or columns of this version: ')])
    const told = some.map(({ table, column }) => `the column ${column} of ${table}`)
    expect((await mendPostgres(url)).toSorted()).toEqual(told.toSorted())
    for (const [statement, what] of [
      ['DROP INDEX ambit.documents_hash', 'the index documents_hash'],
      ['DROP TRIGGER contexts_changed ON ambit.path_contexts', 'the trigger contexts_changed'],
    ] as const) {
      await harm(url, statement)
      expect(await checked(url)).toEqual([expect.stringContaining(what.split(' ')[2] ?? '')])
      expect(await mendPostgres(url)).toEqual([what])
    }
    expect([await partsOfSchema(url), await checked(url)]).toEqual([whole, []])
  })

  it('names the missing part, and is not mended if a column must not be empty, or if its version differs', async () => {
    const url = await harmed()
    const store = await openPostgres(url)
    for (const [statement, message] of [
      ['DROP TABLE ambit.path_contexts', 'The table path_contexts is missing from '],
      ['ALTER TABLE ambit.path_contexts DROP COLUMN updated_at', 'The column updated_at is missing from a table of '],
    ] as const) {
      await harm(url, statement)
      await expect(store.contexts.list()).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(message),
        hint: expect.stringContaining('ambit doctor --repair'),
      })
      await mendPostgres(url)
    }
    await store.close()
    await harm(url, 'DROP TABLE ambit.path_contexts CASCADE', 'ALTER TABLE ambit.conversations DROP COLUMN title')
    expect(await mendPostgres(url)).toEqual(['the table path_contexts'])
    await harm(url, 'ALTER TABLE ambit.collections DROP COLUMN root')
    expect(await mendPostgres(url)).toEqual([])
    expect(await checked(url)).toEqual([
      'It lacks tables or columns of this version: collections.root, conversations.title.',
    ])
    await harm(url, 'UPDATE ambit.schema SET version = 1', 'DROP TABLE ambit.tokens')
    expect(await mendPostgres(url)).toEqual([])
    await expect(openPostgres(url)).rejects.toMatchObject({ hint: 'Run "ambit migrate".' })
  })

  it('is left as it was where its older tables cannot be changed, and brought up to date where they can', async () => {
    const url = await database()
    const old = readFileSync(new URL('snapshots/steps-1.sql', import.meta.url), 'utf8')
    await asked(url, (client) => client.query(`${old}; CREATE VIEW ambit.index_jobs AS SELECT 1`))
    const before = await partsOfSchema(url)
    await expect(migratePostgres(url)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await partsOfSchema(url)).toEqual(before)
    await harm(url, 'DROP VIEW ambit.index_jobs')
    expect(await migratePostgres(url)).toMatchObject({ from: 1, to: SCHEMA_VERSIONS.postgres })
    expect([await partsOfSchema(url), await checked(url)]).toEqual([whole, []])
    await harm(url, `UPDATE ambit.schema SET version = ${SCHEMA_VERSIONS.postgres + 1}`)
    const newer = { code: 'unavailable', message: expect.stringContaining('newer') }
    await expect(openPostgres(url)).rejects.toMatchObject(newer)
    await expect(migratePostgres(url)).rejects.toMatchObject(newer)
  })

  describe('doctor --repair', { tags: 'long' }, () => {
    const repair = operations.find(({ name }) => name === 'doctor.repair')

    it.each([
      ['a table of its own', 'DROP TABLE ambit.path_contexts', ['the table path_contexts'], 1],
      ['the postings', 'DROP TABLE ambit.postings', ['the table postings', expect.stringContaining('ambit index')], 0],
    ])('mends one that lacks %s, after which it is indexed and searched', async (_, statement, expected, left) => {
      using place = tree({ 'docs/a.md': '# Lions\n' })
      const url = await database()
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
