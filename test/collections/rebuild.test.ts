import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import { openWith } from '../../src/open.ts'
import { PAGE_BYTES } from '../../src/stores/sqlite/database.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { rowsOf } from '../stores/everything.ts'
import { type Tree, tree } from '../support/tree.ts'

async function withLibrary(work: (files: Tree, db: string) => Promise<void>): Promise<void> {
  using files = tree({ 'docs/a.md': '# Lions\n\nA zebra.', 'docs/old/b.md': 'An old zebra.', 'notes/c.md': 'zebra' })
  const db = files.at('ambit.db')
  await using engine = engineOver(db)
  const { port, collections, contexts } = await engine.library()
  await collections.add({ name: 'docs', root: files.at('docs'), pattern: ['*.md'], exclude: ['x/'] })
  await collections.add({ name: 'notes', root: files.at('notes'), substrings: true })
  await collections.change('notes', { isPaused: true })
  await collections.index()
  await contexts.set('/', 'all')
  await contexts.set('docs/old', 'what was')
  await port.close()
  await work(files, db)
}

function engineOver(db: string) {
  const engine = openWith({ db, file: undefined, unknown: [] })
  return { ...engine, [Symbol.asyncDispose]: () => engine.close() }
}

function damage(path: string, from: number, to: number): void {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, from, to)
  writeFileSync(path, bytes)
}

const ID = 'a'.repeat(32)

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Research of two, with files and a log, and tokens. */
async function filledWith(store: Store): Promise<void> {
  await store.runs.add({ id: ID, question: 'What of the zebra?', settings: '{"x":1}' })
  for (const text of ['one', 'two', 'gone']) {
    const file = { id: text, name: `${text}.md`, size: text.length, type: '', sha256: hashOf(text) }
    await store.runs.addFile(ID, file, Buffer.from(text))
  }
  await store.runs.putDerived('text of one', 'ä'.repeat(100), hashOf('one'))
  const records = [1, 2, 3, 4].map((seq) => ({ seq, at: '2026-11-21T12:00:00.000Z', data: `{"n":${seq}}` }))
  await store.runs.append(ID, 0, records, 'running')
  await store.runs.removeFile(ID, 'gone')
  await store.runs.add({ id: 'b'.repeat(32), question: 'Next?', settings: '{}', follows: ID })
  await store.of('alice').runs.add({ id: 'c'.repeat(32), question: 'Of alice?', settings: '{}' })
  await store.tokens.add({ id: 't1', name: 'alice', scopes: ['read'], collections: ['docs'], sha256: '1'.repeat(64) })
  const expiresAt = '2030-01-01T00:00:00.000Z'
  await store.tokens.add({ id: 't2', name: 'bob', scopes: ['admin'], expiresAt, sha256: '2'.repeat(64) })
  await store.tokens.revoke('t2')
}

/** Rows of research and tokens, as they would be in a file. */
const ownRowsOf = async (store: Store) =>
  (await rowsOf(store)).filter(([table]) => /^research_|^tokens$/.test(String(table)))

/** A library with research and tokens, and the rows of these. */
const withResearch = (work: (db: string, rows: Awaited<ReturnType<typeof ownRowsOf>>) => Promise<void>) =>
  withLibrary(async (_, db) => {
    const store = openSqlite(db)
    await filledWith(store)
    const rows = await ownRowsOf(store)
    await store.close()
    await work(db, rows)
  })

/** Where the pages of a table are, the first apart: of it the tables are known. */
function spoil(path: string, table: string): void {
  const db = new Database(path)
  const root = Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table))
  db.close()
  damage(path, (root - 1) * PAGE_BYTES, root * PAGE_BYTES)
}

describe('a database that is made anew', () => {
  it('has all that the old one was told, and finds what it found', () =>
    withLibrary(async (_, db) => {
      await using engine = engineOver(db)
      const before = await (await engine.library()).search({ query: 'zebra' })
      const answer = await engine.rebuild(SILENT)
      expect(answer).toMatchObject({ collections: 2, contexts: 2, lost: [], problems: [], index: { added: 3 } })
      const library = await engine.library()
      expect(await library.search({ query: 'zebra' })).toEqual(before)
      expect(await library.collections.list()).toMatchObject([
        { name: 'docs', patterns: ['*.md'], exclude: ['x/'], isPaused: false, hasSubstrings: false },
        { name: 'notes', isPaused: true, hasSubstrings: true },
      ])
      expect(existsSync(answer.aside)).toBe(true)
    }))

  it('keeps what can be read of one whose index is damaged', () =>
    withLibrary(async (_, db) => {
      spoil(db, 'postings')
      await using engine = engineOver(db)
      await expect((await engine.library()).search({ query: 'zebra' })).rejects.toMatchObject({
        code: 'unavailable',
        hint: expect.stringContaining('ambit index --rebuild'),
      })
      expect(await engine.rebuild(SILENT)).toMatchObject({ collections: 2, contexts: 2, lost: [], problems: [] })
      const { results } = await (await engine.library()).search({ query: 'old zebra' })
      expect(results[0]).toMatchObject({ path: 'old/b.md', context: 'all\n\nwhat was' })
    }))

  it('says what is lost of one whose contexts cannot be read', () =>
    withLibrary(async (_, db) => {
      spoil(db, 'path_contexts')
      await using engine = engineOver(db)
      expect(await engine.rebuild(SILENT)).toMatchObject({ collections: 2, contexts: 0, lost: ['contexts'] })
    }))

  it('has the research and the tokens of the old one, whose they are and as they were', () =>
    withResearch(async (db, before) => {
      await using engine = engineOver(db)
      const answer = await engine.rebuild(SILENT)
      expect(answer).toMatchObject({ research: 3, tokens: 2, lost: [], problems: [] })
      const { port } = await engine.library()
      expect(await ownRowsOf(port)).toEqual(before)
      expect(Buffer.from(await port.runs.bytes(hashOf('one'))).toString()).toBe('one')
      const added = await port.runs.add({ id: 'f'.repeat(32), question: 'New?', settings: '{}' })
      expect((await port.runs.list(9)).map(({ id }) => id)[0]).toBe(added.id)
    }))

  it.each([
    ['tokens', { research: 3, tokens: 0, lost: ['tokens'] }],
    ['research_sessions', { research: 0, tokens: 2, lost: ['research'] }],
    [
      'research_events',
      { research: 3, tokens: 2, lost: expect.arrayContaining([`the end of the log of research ${ID}`]) },
    ],
    ['research_bytes', { research: 3, tokens: 2, lost: expect.arrayContaining([`bytes of a file of research ${ID}`]) }],
    ['research_files', { research: 3, tokens: 2, lost: expect.arrayContaining([`files of research ${ID}`]) }],
  ])('takes over what can be read beside a damaged table %s, and tells the rest', (table, told) =>
    withResearch(async (db) => {
      spoil(db, table)
      await using engine = engineOver(db)
      expect(await engine.rebuild(SILENT)).toMatchObject({ collections: 2, contexts: 2, problems: [], ...told })
      const { port } = await engine.library()
      expect(await port.check()).toEqual([])
      const status = (await port.runs.get(ID))?.status
      expect(status).toBe(
        table === 'research_sessions' ? undefined : table === 'research_events' ? 'created' : 'running',
      )
    }),
  )

  it('has a log up to the record that cannot be read, and goes on from there', () =>
    withResearch(async (db) => {
      const raw = new Database(db)
      raw.prepare("UPDATE research_events SET data = x'a5a5a5' WHERE session = ? AND seq = 3").run(ID)
      raw.close()
      await using engine = engineOver(db)
      expect(await engine.rebuild(SILENT)).toMatchObject({ lost: [`the end of the log of research ${ID}`] })
      const { port } = await engine.library()
      expect((await port.runs.records(ID, 0, 9)).map(({ seq }) => seq)).toEqual([1, 2])
      expect((await port.runs.get(ID))?.status).toBe('paused')
    }))

  it('finds the files of research that are kept beside it', () =>
    withLibrary(async (_, db) => {
      await using before = engineOver(db)
      const { session_id: id } = await (await before.research()).create({ question: 'What of the zebra?' })
      await (await before.research()).addFile(id, { name: 'a.md', type: '', bytes: Buffer.from('A zebra.') })
      expect(await (await before.library()).port.bytes.find(hashOf('A zebra.'))).toHaveProperty('key')
      await before.close()
      await using engine = engineOver(db)
      expect(await engine.rebuild(SILENT)).toMatchObject({ research: 1, lost: [], problems: [] })
      const { port } = await engine.library()
      expect(Buffer.from(await port.runs.bytes(hashOf('A zebra.'))).toString()).toBe('A zebra.')
      expect(await engine.sweep()).toBe(0)
    }))

  it('has tokens of a database that knew no research of others, by the columns that it had', () =>
    withResearch(async (db) => {
      const raw = new Database(db)
      raw.exec('DROP INDEX research_sessions_owner; ALTER TABLE research_sessions DROP COLUMN owner')
      raw.close()
      await using engine = engineOver(db)
      expect(await engine.rebuild(SILENT)).toMatchObject({ research: 3, tokens: 2, lost: [] })
      expect((await (await engine.library()).port.runs.list(9)).length).toBe(3)
    }))

  it('is empty where nothing can be read', () =>
    withLibrary(async (_, db) => {
      damage(db, 0, PAGE_BYTES)
      await using engine = engineOver(db)
      const lost = ['collections', 'contexts', 'conversations', 'research', 'tokens']
      expect(await engine.rebuild(SILENT)).toMatchObject({ collections: 0, research: 0, tokens: 0, lost })
      expect(await (await engine.library()).collections.list()).toEqual([])
    }))

  it('says which collection could not be read again, and reads the others', () =>
    withLibrary(async (files, db) => {
      rmSync(files.at('notes'), { recursive: true })
      await using engine = engineOver(db)
      const { problems } = await engine.rebuild(SILENT)
      expect(problems).toEqual([expect.stringContaining('notes')])
      expect((await (await engine.library()).search({ query: 'zebra' })).results).toHaveLength(2)
    }))

  it('leaves each old one beside it, however often it is done', () =>
    withLibrary(async (_, db) => {
      await using engine = engineOver(db)
      const asides = [await engine.rebuild(SILENT), await engine.rebuild(SILENT), await engine.rebuild(SILENT)]
      await engine.close()
      expect(new Set(asides.map(({ aside }) => aside)).size).toBe(3)
      const there = readdirSync(dirname(db)).filter((name) => name.startsWith(`${basename(db)}.`))
      expect(there.filter((name) => !/-(wal|shm)$/.test(name))).toHaveLength(3)
    }))

  it.each([
    ['nothing', undefined, 'not-found'],
    ['a text', () => 'name: value', 'conflict'],
    ['a database of another', (path: string) => new Database(path).exec('CREATE TABLE t (a)').close(), 'conflict'],
    [
      'one of a newer version',
      (path: string) => new Database(path).exec('CREATE TABLE path_contexts (a); PRAGMA user_version = 999').close(),
      'conflict',
    ],
  ] as const)('is not made of %s', async (_, make, code) => {
    using files = tree({})
    const db = files.at('some.db')
    const made = make?.(db)
    if (typeof made === 'string') writeFileSync(db, made)
    const before = existsSync(db) ? readFileSync(db) : undefined
    await using engine = engineOver(db)
    await expect(engine.rebuild(SILENT)).rejects.toMatchObject({ code })
    expect(existsSync(db) ? readFileSync(db) : undefined).toEqual(before)
  })
})
