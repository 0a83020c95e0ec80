import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { libraryOver } from '../../src/collections/library.ts'
import { openDatabase } from '../../src/stores/sqlite/database.ts'
import { salvage } from '../../src/stores/sqlite/salvage.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { SCHEMA_VERSIONS } from '../../src/stores/statements/mend.ts'
import { COLLECTION, ODD_WORDS, stored } from '../stores/filled.ts'
import { NOBODY } from '../support/nobody.ts'
import { tree } from '../support/tree.ts'
import { withNobody } from '../support/with-nobody.ts'
import { opened, placeOfDatabases } from './databases.ts'
import { onFullDisk } from './small-disk.ts'
import { done } from './store-process.ts'

const { place, fresh } = placeOfDatabases()

withNobody('a place for a database of a user who is not root', () => {
  /** What a user who is not root is told, after the permissions were changed; root owns nothing there. */
  const asNobody = async (closing: (path: string) => void): Promise<string[]> => {
    const base = mkdtempSync(join(tmpdir(), 'ambit-'))
    chmodSync(base, 0o755)
    const path = join(base, 'd', 'ambit.db')
    await opened(path, async (store) => {
      await store.collections.add({ ...COLLECTION, root: place.base })
      await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
    })
    for (const each of [join(base, 'd'), path]) if (process.getuid?.() === 0) chownSync(each, NOBODY, NOBODY)
    closing(path)
    try {
      return await done('use', { db: path, nobody: true })
    } finally {
      chmodSync(join(base, 'd'), 0o700)
      rmSync(base, { recursive: true })
    }
  }

  it.each([
    ['a file that may not be written', (path: string) => chmodSync(path, 0o400)],
    ['a file that may not be read', (path: string) => chmodSync(path, 0o000)],
    ['a directory that may not be written', (path: string) => chmodSync(join(path, '..'), 0o500)],
    ['a directory that may not be entered', (path: string) => chmodSync(join(path, '..'), 0o000)],
  ])('D12 is told when it cannot be used: %s', async (_, closing) => {
    const lines = await asNobody(closing)
    // Either all is refused, or what is read is what was written.
    if (lines[0] === 'opened') expect(lines.slice(1, 3)).toEqual([expect.stringMatching(/^unavailable: /), 'found 1'])
    else expect(lines).toEqual([expect.stringMatching(/^unavailable: .*(cannot be opened|may not be written)/)])
  })
})

describe('a place for a database', () => {
  it('D12 is never a new, empty database where the old one cannot be read', async () => {
    const path = fresh()
    await opened(path, (store) => store.collections.add(COLLECTION))
    renameSync(path, `${path}.old`)
    mkdirSync(path)
    expect((await done('use', { db: path }))[0]).toMatch(/^unavailable: .* cannot be opened/)
  })

  it.each([
    ['a directory that is not there is made, for its owner alone', 'a/b/ambit.db', 0o700],
    ['one that is there stays as it is', '../ambit.db', 0o755],
  ])('D12 %s', async (_, name, mode) => {
    const path = fresh(name)
    await opened(path, (store) => store.collections.add(COLLECTION))
    expect(statSync(join(path, '..')).mode & 0o777).toBe(mode)
  })

  it.each([
    ['below a file', (path: string) => writeFileSync(join(path, '..'), 'x')],
    ['where a directory is', (path: string) => mkdirSync(path, { recursive: true })],
    [
      'where a link goes round',
      (path: string) => {
        mkdirSync(join(path, '..'))
        symlinkSync('ambit.db', path)
      },
    ],
    ['with too long a name', () => {}],
  ])('D12 is refused in words: %s', (what, make) => {
    const path = fresh(what.startsWith('with') ? 'x'.repeat(300) : undefined)
    make(path)
    expect(() => openSqlite(path)).toThrow(expect.objectContaining({ code: 'unavailable', hint: expect.any(String) }))
  })

  it('D13 that is full is told; what was stored stays, is found, and goes on when there is room', {
    tags: 'long',
  }, async () => {
    using files = tree({})
    const plant = (from: number, to: number) => {
      for (let file = from; file < to; file++) {
        const text = Array.from({ length: 500 }, (_, index) => `${file * index * 7919}`).join(' ')
        files.plant({ [`root/${file}.md`]: `lion ${text}` })
      }
    }
    plant(0, 5)
    const path = fresh()
    await opened(path, async (store) => {
      await store.collections.add({ ...COLLECTION, root: files.at('root') })
      await libraryOver(store).collections.index()
    })
    plant(5, 405)
    const [told, after] = await onFullDisk(path)
    expect(told).toEqual([
      'opened',
      expect.stringMatching(/^unavailable: The disk of .* (is full|failed)\. .*again/),
      'found 5',
      'problems []',
    ])
    expect(after).toEqual(['added 400 changed 0 moved 0 removed 0 unchanged 5', 'problems []', 'closed'])
  })

  it.each(['wal', 'delete'])('D16 of a newer version is refused, and left as it is: %s', async (mode) => {
    const path = fresh()
    await opened(path, (store) => store.collections.add(COLLECTION))
    const db = new Database(path)
    db.pragma(`journal_mode = ${mode}`)
    db.pragma(`user_version = ${SCHEMA_VERSIONS.sqlite + 1}`)
    db.close()
    const before = readFileSync(path)
    expect(() => openSqlite(path)).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringContaining('newer'),
        hint: expect.any(String),
      }),
    )
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(join(path, '..'))).toEqual(['ambit.db'])
  })

  it('D16 of another program is refused, and left as it is', () => {
    const path = fresh()
    mkdirSync(join(path, '..'))
    const db = new Database(path)
    db.exec('CREATE TABLE bookmarks (url TEXT)')
    db.close()
    const before = readFileSync(path)
    expect(() => openSqlite(path)).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('another program') }),
    )
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('D23 is a file that its owner alone may read, with all that lies beside it', async () => {
    const mask = process.umask(0)
    const path = fresh()
    try {
      const store = openSqlite(path)
      await store.collections.add(COLLECTION)
      const names = readdirSync(join(path, '..')).sort()
      expect(names).toEqual(['ambit.db', 'ambit.db-shm', 'ambit.db-wal'])
      for (const name of names) expect([name, statSync(join(path, '..', name)).mode & 0o777]).toEqual([name, 0o600])
      await store.close()
    } finally {
      process.umask(mask)
    }
  })

  it.each(['there', 'not there yet'])('D23 may be a link to a file that is %s', async (what) => {
    const path = fresh()
    const target = join(path, '..', 'real', 'ambit.db')
    mkdirSync(join(target, '..'), { recursive: true })
    symlinkSync('real/ambit.db', path)
    if (what === 'there') await opened(target, async (store) => store.collections.add({ ...COLLECTION, name: 'other' }))
    const one = openSqlite(path)
    await one.collections.add(COLLECTION)
    await opened(target, async (two) => {
      expect((await two.collections.list()).map(({ name }) => name)).toContain('docs')
    })
    expect(readdirSync(join(path, '..')).sort()).toEqual(['ambit.db', 'real'])
    expect(statSync(target).mode & 0o777).toBe(0o600)
    await one.close()
  })
})

describe('a database that someone else prepared', () => {
  it.each([
    ['a trigger', "CREATE TRIGGER evil AFTER INSERT ON path_contexts BEGIN UPDATE collections SET root = '/etc'; END"],
    ['a view', 'CREATE VIEW evil AS SELECT * FROM documents'],
    [
      'a trigger in the place of ours',
      'DROP TRIGGER contexts_deleted; CREATE TRIGGER contexts_deleted AFTER DELETE ON path_contexts BEGIN DELETE FROM collections; END',
    ],
  ])('D24 is refused when it holds %s, and made anew without it', async (_, sql) => {
    const path = fresh()
    await opened(path, (store) => store.collections.add(COLLECTION))
    const other = new Database(path)
    other.exec(sql)
    other.close()
    expect(() => openSqlite(path)).toThrow(/holds "(evil|contexts_deleted)", which does not belong to Ambit/)
    const [collections] = await Array.fromAsync(salvage(path).rows(() => {}))
    expect(collections).toMatchObject({
      table: 'collections',
      rows: [expect.arrayContaining(['docs', COLLECTION.root])],
    })
  })

  it('D24 has tables that are told by a check when they are not ours', async () => {
    const path = fresh()
    await opened(path, (store) => store.collections.add(COLLECTION))
    const other = new Database(path)
    other.exec('DROP INDEX documents_hash')
    other.close()
    await opened(path, async (store) => {
      expect(await store.check()).toEqual([
        expect.stringMatching(/lacks tables or columns of this version: documents_hash/),
      ])
    })
  })

  it('D24 may call no function that does more than to count', async () => {
    const path = fresh()
    const connection = openDatabase(path)
    expect(connection.pragma('trusted_schema', { simple: true })).toBe(0)
    connection.close()
  })
})

describe('names that are SQL', () => {
  it('D18 are names, through collections, files, contexts and queries', async () => {
    using files = tree({ 'root/': '' })
    const words = ODD_WORDS.filter((word) => !word.includes('/'))
    for (const word of words) files.plant({ [`root/${word}/${word}.md`]: `# ${word}\n\nzebra ${word}` })
    await opened(fresh(), async (store) => {
      const { collections, contexts, search, documents } = libraryOver(store)
      await collections.add({ name: 'docs', root: files.at('root'), exclude: [`'; DROP TABLE documents; --`] })
      for (const word of words) {
        await expect(collections.add({ name: `${word};`, root: files.at('root') })).rejects.toMatchObject({
          code: 'invalid-input',
        })
      }
      expect(await collections.index()).toMatchObject({ added: words.length })
      for (const word of words) {
        await contexts.set({ collection: 'docs', pathPrefix: `/${word}` }, word)
        const { results } = await search({
          query: 'zebra',
          path: [`**/${word.replace(/[*?]/g, '\\$&')}.md`],
          where: [],
        })
        expect(results.map(({ path }) => path)).toContain(`${word}/${word}.md`)
        await search({ query: word, where: [`${word}=${word}`] })
        await search({ query: `path:${word} title:"${word}" -"${word}" ${word}*` })
        await (await documents()).list(`docs/${word}`)
      }
      expect(await store.check()).toEqual([])
      expect(await store.documents.list({})).toHaveLength(words.length)
    })
  })

  it('D20 the context of everything, said twice, is one', async () => {
    await opened(fresh(), async (store) => {
      for (const text of ['one', 'two']) await store.contexts.set({ collection: '', pathPrefix: '/' }, text)
      expect((await store.contexts.list()).map(({ context }) => context)).toEqual(['two'])
    })
  })
})
