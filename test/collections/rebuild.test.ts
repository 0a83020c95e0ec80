import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import { openWith } from '../../src/open.ts'
import { type Tree, tree } from '../support/tree.ts'

async function withLibrary(work: (files: Tree, db: string) => Promise<void>): Promise<void> {
  using files = tree({ 'docs/a.md': '# Lions\n\nA zebra.', 'docs/old/b.md': 'An old zebra.', 'notes/c.md': 'zebra' })
  const db = files.at('ambit.db')
  await using engine = engineOver(db)
  const { port, collections, contexts } = await engine.library()
  await collections.add({ name: 'docs', root: files.at('docs'), pattern: ['*.md'], exclude: ['x/'] })
  await collections.add({ name: 'notes', root: files.at('notes'), substrings: true })
  await collections.pause('notes', true)
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

const PAGE = 8192

/** Where the pages of a table are, the first apart: of it the tables are known. */
function spoil(path: string, table: string): void {
  const db = new Database(path)
  const root = Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table))
  db.close()
  damage(path, (root - 1) * PAGE, root * PAGE)
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
        hint: expect.stringContaining('ambit rebuild'),
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

  it('says that sessions of research are left in the old one', () =>
    withLibrary(async (_, db) => {
      await using before = engineOver(db)
      await (await before.research()).create({ question: 'What of the zebra?' })
      await before.close()
      await using engine = engineOver(db)
      expect(await engine.rebuild(SILENT)).toMatchObject({ collections: 2, lost: ['research'] })
    }))

  it('is empty where nothing can be read', () =>
    withLibrary(async (_, db) => {
      damage(db, 0, PAGE)
      await using engine = engineOver(db)
      expect(await engine.rebuild(SILENT)).toMatchObject({
        collections: 0,
        lost: ['collections', 'contexts', 'conversations'],
      })
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
    [
      'a database of another program',
      (path: string) => new Database(path).exec('CREATE TABLE t (a)').close(),
      'conflict',
    ],
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
