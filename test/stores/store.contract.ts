import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import { merge } from '../../src/indexing/merge.ts'
import { searchLexically } from '../../src/searching/search.ts'
import type { DocumentFilter } from '../../src/stores/document-store.ts'
import type { Store } from '../../src/stores/store.ts'
import { ODD_WORDS } from './contexts.contract.ts'
import { COLLECTION, document, type Given, stored, written } from './filled.ts'
import type { Openable } from './opened.ts'

type Test = (store: Store) => Promise<void>

/** What any store keeps of collections, documents and the index. `open` gives a new, empty one. */
export function storeContract(name: string, open: () => Promise<Openable>): void {
  const withStore = async (test: Test, collections: readonly string[] = ['docs']) => {
    const { store } = await open()
    try {
      for (const each of collections) await store.collections.add({ ...COLLECTION, name: each })
      await test(store)
      expect(await store.check()).toEqual([])
    } finally {
      await store.close()
    }
  }
  collectionsContract(name, withStore)
  documentsContract(name, withStore)
  filterContract(name, withStore)
  indexContract(name, withStore)
  leaseContract(name, open)
}

type WithStore = (test: Test, collections?: readonly string[]) => Promise<void>

function collectionsContract(name: string, withStore: WithStore): void {
  describe(`collections in ${name}`, () => {
    it('are none at first', () =>
      withStore(async ({ collections }) => {
        expect(await collections.list()).toEqual([])
        expect(await collections.get('docs')).toBeUndefined()
        expect(await collections.remove('docs')).toBe(false)
      }, []))

    it('are kept as they were added, and listed by name', () =>
      withStore(async ({ collections }) => {
        const asked = { name: 'b', root: '/srv/b', patterns: ['*.md', '{a,b}/**'], exclude: ['x/'] }
        const added = await collections.add(asked)
        for (const each of ['c', 'B', 'a', 'é']) await collections.add({ ...COLLECTION, name: each })
        expect(added).toEqual({
          ...asked,
          isPaused: false,
          hasSubstrings: false,
          createdAt: added.createdAt,
          documents: 0,
          bytes: 0,
        })
        expect(new Date(added.createdAt).toISOString()).toBe(added.createdAt)
        expect(await collections.get('b')).toEqual(added)
        expect((await collections.list()).map((each) => each.name)).toEqual(['B', 'a', 'b', 'c', 'é'])
      }, []))

    it('have names of their own, and case counts', () =>
      withStore(async ({ collections }) => {
        const again = collections.add({ ...COLLECTION, root: '/elsewhere' })
        await expect(again).rejects.toMatchObject({ code: 'conflict', hint: expect.any(String) })
        expect(await collections.get('docs')).toMatchObject({ root: '/srv/docs' })
        await collections.add({ ...COLLECTION, name: 'Docs' })
        expect(await collections.list()).toHaveLength(2)
      }))

    it('count their documents, and the bytes of the files', () =>
      withStore(
        async (store) => {
          await stored(store, 'docs', [
            { path: 'a', size: 7 },
            { path: 'b', size: 5 },
          ])
          expect(await store.collections.list()).toMatchObject([
            { name: 'docs', documents: 2, bytes: 12 },
            { name: 'notes', documents: 0, bytes: 0 },
          ])
          const [id = -1] = await stored(store, 'notes', [{ path: 'c', size: 1 }])
          await store.index.apply({ stamped: [{ id, stamp: { size: 9, mtime: '1', ctime: '1' } }] })
          expect(await store.collections.get('notes')).toMatchObject({ documents: 1, bytes: 9 })
          await store.index.apply({ removed: [id] })
          expect(await store.collections.get('notes')).toMatchObject({ documents: 0, bytes: 0 })
        },
        ['docs', 'notes'],
      ))

    it('say when they were indexed, and whether they are paused; one does not change the other', () =>
      withStore(async ({ collections }) => {
        expect(await collections.get('docs')).not.toHaveProperty('indexedAt')
        await collections.update('docs', { indexedAt: '2026-01-02T03:04:05.678Z' })
        await collections.update('docs', { isPaused: true })
        expect(await collections.get('docs')).toMatchObject({ indexedAt: '2026-01-02T03:04:05.678Z', isPaused: true })
        await collections.update('docs', { isPaused: false })
        await collections.update('docs', {})
        expect(await collections.get('docs')).toMatchObject({ indexedAt: '2026-01-02T03:04:05.678Z', isPaused: false })
      }))

    it('tell which of their documents are indexed by pieces of text otherwise than they ask for', () =>
      withStore(
        async (store) => {
          const [, b = -1] = await stored(store, 'docs', [{ path: 'a' }, { path: 'b', hasSubstrings: true }])
          await stored(store, 'notes', [{ path: 'a', hasSubstrings: true }])
          expect(await store.documents.unlike('docs')).toEqual(new Set([b]))
          await store.collections.update('docs', { hasSubstrings: true })
          expect(await store.collections.get('docs')).toMatchObject({ hasSubstrings: true, isPaused: false })
          expect([...(await store.documents.unlike('docs'))]).toEqual([b - 1])
          expect((await store.documents.unlike('notes')).size).toBe(1)
        },
        ['docs', 'notes'],
      ))

    it('go with all that they held, and leave the others', () =>
      withStore(
        async (store) => {
          const skipped = { ...document({ path: 'x.png' }), why: 'binary', detail: 'It is.' }
          await stored(store, 'docs', [{ path: 'a', text: 'zebra' }], {
            skipped: { collection: 'docs', files: [skipped] },
          })
          await stored(store, 'notes', [{ path: 'a', text: 'zebra' }])
          expect(await store.collections.remove('docs')).toBe(true)
          expect(await store.collections.remove('docs')).toBe(false)
          expect(await found(store, 'zebra')).toEqual(['notes/a'])
          await store.collections.add(COLLECTION)
          expect(await store.documents.known('docs')).toEqual([])
          expect(await store.documents.skipped('docs')).toEqual([])
          expect(await store.documents.find('docs', 'a')).toBeUndefined()
        },
        ['docs', 'notes'],
      ))

    it('keep their documents under a new name', () =>
      withStore(
        async (store) => {
          const { collections } = store
          const [id = -1] = await stored(store, 'docs', [{ path: 'a', text: 'zebra' }])
          await collections.rename('docs', 'manual')
          expect(await found(store, 'zebra')).toEqual(['manual/a'])
          expect(await store.documents.find('manual', 'a')).toMatchObject({ id, collection: 'manual' })
          expect(await collections.get('docs')).toBeUndefined()
          await collections.rename('manual', 'manual')
          await expect(collections.rename('manual', 'notes')).rejects.toMatchObject({ code: 'conflict' })
          await expect(collections.rename('docs', 'other')).rejects.toMatchObject({ code: 'not-found' })
          expect((await collections.list()).map((each) => each.name)).toEqual(['manual', 'notes'])
        },
        ['docs', 'notes'],
      ))

    it('that there are none of are told, with the names that there are', () =>
      withStore(async (store) => {
        const told = {
          code: 'not-found',
          message: expect.stringContaining('ghost'),
          hint: expect.stringContaining('docs'),
        }
        await expect(store.collections.update('ghost', { isPaused: true })).rejects.toMatchObject(told)
        await expect(store.documents.known('ghost')).rejects.toMatchObject(told)
        await expect(store.documents.skipped('ghost')).rejects.toMatchObject(told)
        await expect(store.documents.list({ collections: ['docs', 'ghost'] })).rejects.toMatchObject(told)
        await expect(stored(store, 'ghost', [{ path: 'a' }])).rejects.toMatchObject(told)
      }))

    it.each(ODD_WORDS)('are what they are, though everything in them is %j', (word) =>
      withStore(
        async (store) => {
          const own = { name: word, root: `/${word}`, patterns: [word], exclude: [word] }
          await store.collections.add(own)
          expect(await store.collections.get(word)).toMatchObject(own)
          await store.collections.update(word, { isPaused: false })
          const given = { path: word, title: word, format: word, metadata: { [word]: word }, text: `${word} zebra` }
          await stored(store, word, [given])
          expect(await store.documents.find(word, word)).toMatchObject({ collection: word, path: word, title: word })
          for (const filter of [
            { collections: [word] },
            { where: { [word]: word } },
            {
              pathParts: [
                word
                  .normalize('NFKD')
                  .toLowerCase()
                  .replace(/[\u0300-\u036f]/g, ''),
              ],
            },
          ]) {
            expect((await store.documents.list(filter)).map(({ path }) => path)).toEqual([word])
          }
          for (const filter of [{ paths: [`${word}x`] }, { after: `9${word}` }, { where: { [word]: `${word}x` } }]) {
            expect((await store.documents.list(filter)).map(({ path }) => path)).not.toContain(`${word}x`)
          }
          expect(await store.documents.byHash(word, 10)).toEqual([])
          expect(await store.index.similar(word)).toEqual(expect.any(Array))
          const view = await store.index.read({ terms: [word], prefixes: [word], filter: {} })
          expect(view.segments).toHaveLength(1)
          await store.collections.rename(word, `${word}2`)
          expect(await found(store, 'zebra')).toEqual([`${word}2/${word}`])
          expect(await store.collections.remove(`${word}2`)).toBe(true)
          expect((await store.collections.list()).map((each) => each.name)).toEqual(['docs'])
        },
        ['docs'],
      ),
    )
  })
}

function documentsContract(name: string, withStore: WithStore): void {
  describe(`documents in ${name}`, () => {
    it('come back as they were given', () =>
      withStore(async (store) => {
        const given = document({
          path: 'a b/ü.md',
          title: 'Ü',
          format: 'markdown',
          metadata: { 'a.b': '1', __proto__x: '', constructor: 'c' },
          mtime: '1700000000123456789',
          ctime: '1700000000987654321',
          size: 2 ** 40,
          text: 'line\r\n\ttwo \u{1f600}\u0001',
        })
        const [id = -1] = await stored(store, 'docs', [given])
        const { path, hash, title, format, metadata, size, mtime, ctime, text } = given
        const told = { id, collection: 'docs', path, hash, title, format, metadata, size }
        expect(await store.documents.find('docs', path)).toEqual({ ...told, modifiedAt: '2023-11-14T22:13:20.123Z' })
        expect(await store.documents.known('docs')).toEqual([{ id, path, hash, size, mtime, ctime }])
        expect(await store.documents.texts([id])).toEqual(new Map([[id, text]]))
        expect(await store.documents.find('docs', 'a b')).toBeUndefined()
        expect(await store.documents.find('ghost', path)).toBeUndefined()
      }))

    it.each([
      ['-1000000', '1969-12-31T23:59:59.999Z'],
      ['0', '1970-01-01T00:00:00.000Z'],
      ['9'.repeat(30), '+275760-09-13T00:00:00.000Z'],
    ])('have a time that can be written, though the file says %s', (mtime, modifiedAt) =>
      withStore(async (store) => {
        await stored(store, 'docs', [{ path: 'a', mtime }])
        expect(await store.documents.find('docs', 'a')).toMatchObject({ modifiedAt })
      }),
    )

    it('are told of some paths, with the files that are none; what is unknown is not told', () =>
      withStore(
        async (store) => {
          const skipped = { ...document({ path: 'x.png' }), why: 'binary', detail: 'It is.' }
          await stored(store, 'docs', [{ path: 'a' }, { path: 'b/"c\u0001' }, { path: 'd' }], {
            skipped: { collection: 'docs', files: [skipped, { ...skipped, path: 'y.png' }] },
          })
          await stored(store, 'notes', [{ path: 'a' }])
          const known = await store.documents.among('docs', ['b/"c\u0001', 'a', 'b', 'x.png', 'none'])
          expect(known.documents.map(({ collection, path }) => `${collection}/${path}`).sort()).toEqual([
            'docs/a',
            'docs/b/"c\u0001',
          ])
          expect(known.skipped).toMatchObject([{ path: 'x.png', why: 'binary', detail: 'It is.' }])
          expect(await store.documents.among('docs', [])).toEqual({ documents: [], skipped: [] })
          await expect(store.documents.among('ghost', ['a'])).rejects.toMatchObject({ code: 'not-found' })
        },
        ['docs', 'notes'],
      ))

    it('are counted below directories, by segment', () =>
      withStore(async (store) => {
        const paths = ['a', 'a/b', 'a/b/c', 'a/b-c', 'a/b0', 'a/bc/d', 'a/b/ü/😀', 'ü/x']
        await stored(
          store,
          'docs',
          paths.map((path) => ({ path })),
        )
        expect(await store.documents.below('docs', ['a', 'a/b', 'a/b/ü', 'ü', 'a/b-c', 'none'])).toEqual([
          6, 2, 1, 1, 0, 0,
        ])
        expect(await store.documents.below('docs', [])).toEqual([])
        await expect(store.documents.below('ghost', ['a'])).rejects.toMatchObject({ code: 'not-found' })
      }))

    it('are given in the order of the ids, without those that are gone', () =>
      withStore(async (store) => {
        const ids = await stored(store, 'docs', [{ path: 'a' }, { path: 'b' }, { path: 'c' }])
        const [a = -1, b = -1, c = -1] = ids
        await store.index.apply({ removed: [b] })
        expect((await store.documents.byId([c, b, a, 999])).map(({ path }) => path)).toEqual(['c', 'a'])
        expect([...(await store.documents.texts([c, b, a])).keys()].sort()).toEqual([a, c])
        expect(await store.documents.byId([])).toEqual([])
      }))

    it('never have an id that another had', () =>
      withStore(async (store) => {
        const [first = -1] = await stored(store, 'docs', [{ path: 'a' }])
        await store.index.apply({ removed: [first] })
        const [second = -1] = await stored(store, 'docs', [{ path: 'a' }])
        expect(second).toBeGreaterThan(first)
      }))

    it('are found by how their hash begins', () =>
      withStore(
        async (store) => {
          const hashes = ['ab'.padEnd(64, '0'), 'ab'.padEnd(64, 'f'), `abc${'1'.repeat(61)}`, 'ac'.padEnd(64, '0')]
          await stored(
            store,
            'notes',
            hashes.map((hash, index) => ({ path: `${9 - index}`, hash })),
          )
          await stored(store, 'docs', [{ path: 'z', hash: hashes[0] ?? '' }])
          const by = async (prefix: string, most = 10) =>
            (await store.documents.byHash(prefix, most)).map(({ collection, path }) => `${collection}/${path}`)
          expect(await by('ab')).toEqual(['docs/z', 'notes/7', 'notes/8', 'notes/9'])
          expect(await by('ab', 2)).toEqual(['docs/z', 'notes/7'])
          expect(await by('abc')).toEqual(['notes/7'])
          expect(await by('a')).toHaveLength(5)
          expect(await by(hashes[1] ?? '')).toEqual(['notes/8'])
          for (const none of ['', 'ad', 'AB', 'xyz', '%', `${hashes[0]}0`]) expect(await by(none)).toEqual([])
        },
        ['docs', 'notes'],
      ))

    it('may be large', () =>
      withStore(async (store) => {
        const text = 'a line of a large text \u{1f600}\n'.repeat(200_000)
        const [id = -1] = await stored(store, 'docs', [{ path: 'a', text }])
        expect((await store.documents.texts([id])).get(id)).toBe(text)
      }))

    it('are apart from the files that are none, which are all replaced at once', () =>
      withStore(async (store) => {
        const stamp = { size: 1, mtime: '2', ctime: '3' }
        const files = ['b', 'a'].map((path) => ({ path, ...stamp, why: 'binary', detail: 'It is.' }))
        await store.index.apply({ skipped: { collection: 'docs', files } })
        expect(await store.documents.skipped('docs')).toEqual(files.toReversed())
        await store.index.apply({ skipped: { collection: 'docs', files: files.slice(1) } })
        expect(await store.documents.skipped('docs')).toEqual(files.slice(1))
        await store.index.apply({ skipped: { collection: 'docs', files: [] } })
        expect(await store.documents.skipped('docs')).toEqual([])
        expect(await store.documents.known('docs')).toEqual([])
      }))

    it('that were only touched keep their ids, and are known by the new times', () =>
      withStore(async (store) => {
        const [id = -1] = await stored(store, 'docs', [{ path: 'a' }])
        const stamp = { size: 9, mtime: '1800000000000000000', ctime: '1800000000000000001' }
        await store.index.apply({ stamped: [{ id, stamp }] })
        expect(await store.documents.known('docs')).toMatchObject([{ id, ...stamp }])
        expect(await store.documents.find('docs', 'a')).toMatchObject({ modifiedAt: '2027-01-15T08:00:00.000Z' })
      }))
  })
}

const FILTERED: readonly Given[] = [
  { path: 'guide/Änderung.md', metadata: { status: 'draft', tags: '["a","b"]' }, mtime: '1700000000000000000' },
  { path: 'guide/deep/[id].md', metadata: { status: 'done', author: '{"name":"Bob"}' }, mtime: '1800000000000000000' },
  { path: 'read_me.txt', metadata: {}, mtime: '1600000000000000000' },
]

const FILTERS: readonly (readonly [filter: DocumentFilter, expected: readonly string[]])[] = [
  [{}, ['docs/guide/deep/[id].md', 'docs/guide/Änderung.md', 'docs/read_me.txt', 'notes/a']],
  [{ collections: [] }, ['docs/guide/deep/[id].md', 'docs/guide/Änderung.md', 'docs/read_me.txt', 'notes/a']],
  [{ collections: ['notes'] }, ['notes/a']],
  [{ collections: ['paused'] }, ['paused/a']],
  [{ collections: ['paused', 'notes'] }, ['notes/a', 'paused/a']],
  [{ paths: ['*.md'] }, ['docs/guide/deep/[id].md', 'docs/guide/Änderung.md']],
  [{ paths: ['guide/*.md'] }, ['docs/guide/Änderung.md']],
  [{ paths: ['guide/'] }, ['docs/guide/deep/[id].md', 'docs/guide/Änderung.md']],
  [{ paths: ['*.txt', 'guide/*/*'] }, ['docs/guide/deep/[id].md', 'docs/read_me.txt']],
  [{ paths: ['**/[id].md'] }, ['docs/guide/deep/[id].md']],
  [{ paths: ['%'] }, []],
  [{ paths: ['a'], collections: ['paused'] }, ['paused/a']],
  [{ pathParts: ['anderung'] }, ['docs/guide/Änderung.md']],
  [{ pathParts: ['guide', 'deep'] }, ['docs/guide/deep/[id].md']],
  [{ pathParts: ['_'] }, ['docs/read_me.txt']],
  [{ pathParts: ['%'] }, []],
  [{ withoutPathParts: ['guide'] }, ['docs/read_me.txt', 'notes/a']],
  [{ pathParts: ['guide'], withoutPathParts: ['deep'] }, ['docs/guide/Änderung.md']],
  [{ after: '2023-11-14T22:13:20.000Z' }, ['docs/guide/deep/[id].md', 'docs/guide/Änderung.md', 'notes/a']],
  [{ after: '2023-11-14T22:13:20.001Z' }, ['docs/guide/deep/[id].md']],
  [{ where: { status: 'draft' } }, ['docs/guide/Änderung.md']],
  [{ where: { status: 'draft', tags: '["a","b"]' } }, ['docs/guide/Änderung.md']],
  [{ where: { status: 'draft', tags: 'A' } }, ['docs/guide/Änderung.md']],
  [{ where: { tags: 'c' } }, []],
  [{ where: { 'author.name': 'bob' } }, ['docs/guide/deep/[id].md']],
  [{ where: { 'author.constructor': 'x' } }, []],
  [{ paths: ['docs/guide/*.md'] }, ['docs/guide/Änderung.md']],
  [{ pathParts: ['docs/guide/d'] }, ['docs/guide/deep/[id].md']],
  [{ pathParts: ['notes'] }, ['notes/a']],
  [{ withoutPathParts: ['docs'] }, ['notes/a']],
  [{ pathParts: ['ocs/guide'] }, []],
  [{ where: { constructor: 'x' } }, []],
  [
    { collections: ['docs'], paths: ['*.md'], where: { status: 'done' }, after: '2020-01-01' },
    ['docs/guide/deep/[id].md'],
  ],
]

function filterContract(name: string, withStore: WithStore): void {
  describe(`a filter in ${name}`, () => {
    it.each(FILTERS)('%j lets through the same documents, listed or searched', (filter, expected) =>
      withStore(
        async (store) => {
          await stored(store, 'docs', FILTERED.slice(0, 2))
          await stored(store, 'docs', FILTERED.slice(2))
          await stored(store, 'notes', [{ path: 'a' }, { path: 'b' }])
          await stored(store, 'paused', [{ path: 'a' }])
          await store.collections.update('paused', { isPaused: true })
          const gone = await store.documents.find('notes', 'b')
          await store.index.apply({ removed: [gone?.id ?? -1] })
          const listed = await store.documents.list(filter)
          expect(listed.map(({ collection, path }) => `${collection}/${path}`)).toEqual(expected)
          expect(await found(store, 'text', filter)).toEqual(expected.toSorted())
        },
        ['docs', 'notes', 'paused'],
      ),
    )

    it('is not remembered beyond a change', () =>
      withStore(
        async (store) => {
          await stored(store, 'docs', [{ path: 'a' }])
          await stored(store, 'notes', [{ path: 'b' }])
          const filter = { paths: ['*'] }
          expect(await found(store, 'text', filter)).toEqual(['docs/a', 'notes/b'])
          await store.collections.update('docs', { isPaused: true })
          expect(await found(store, 'text', filter)).toEqual(['notes/b'])
          expect(await found(store, 'text')).toEqual(['notes/b'])
          await store.collections.update('docs', { isPaused: false })
          await stored(store, 'docs', [{ path: 'c' }])
          expect(await found(store, 'text', filter)).toEqual(['docs/a', 'docs/c', 'notes/b'])
          for (let index = 0; index < 40; index++) await found(store, 'text', { paths: [`${index}`] })
          expect(await found(store, 'text', filter)).toEqual(['docs/a', 'docs/c', 'notes/b'])
        },
        ['docs', 'notes'],
      ))
  })
}

function indexContract(name: string, withStore: WithStore): void {
  describe(`the index in ${name}`, () => {
    it('gives the postings of each term by segment, and what lives', () =>
      withStore(async (store) => {
        const [a = -1, b = -1] = await stored(store, 'docs', [
          { path: 'a', title: 'T', text: 'zebra zebra lion' },
          { path: 'b', title: 'T', text: 'lion' },
        ])
        const [c = -1] = await stored(store, 'docs', [{ path: 'c', title: 'T', text: 'zebra' }])
        const before = await store.index.read({ terms: ['zebra', 'lion', 'tiger'], filter: {} })
        expect(before.segments.map(({ ids }) => [...ids])).toEqual([[a, b], [c]])
        expect(before.segments.map(({ bodyLengths }) => [...bodyLengths])).toEqual([[3, 1], [1]])
        expect(before.segments.map(({ live }) => live)).toEqual([
          { docs: 2, body: 4, title: 4 },
          { docs: 1, body: 1, title: 2 },
        ])
        const has = (term: string) => before.terms.get(term)?.map((postings) => postings !== undefined)
        expect([has('zebra'), has('lion'), has('tiger')]).toEqual([
          [true, true],
          [true, false],
          [false, false],
        ])
        await store.index.apply({ removed: [a] })
        const [first] = (await store.index.read({ terms: [], filter: {} })).segments
        expect(first).toMatchObject({ docs: 2, live: { docs: 1, body: 1, title: 2 } })
        expect([...(first?.dead ?? [])]).toEqual([1])
        expect(await found(store, 'zebra')).toEqual(['docs/c'])
      }))

    it('counts what goes once, though it is removed twice or was never there', () =>
      withStore(async (store) => {
        const [a = -1] = await stored(store, 'docs', [{ path: 'a' }, { path: 'b' }])
        await store.index.apply({ removed: [a, a] })
        await store.index.apply({ removed: [a, 4_000_000] })
        const [segment] = (await store.index.read({ terms: [], filter: {} })).segments
        expect(segment?.live.docs).toBe(1)
      }))

    it('knows which terms begin so, the most frequent first', () =>
      withStore(async (store) => {
        await stored(store, 'docs', [
          { path: '1', text: 'car carbon cargo \u{10428}a \u{10428}b' },
          { path: '2', text: 'carbon' },
          { path: '3', text: 'carbon cargo' },
        ])
        const prefixes = ['car', 'carg', 'dog', '\u{10428}', '%', '_']
        const view = await store.index.read({ terms: [], prefixes, filter: {} })
        const sorted = new Map([...view.prefixes].map(([prefix, terms]) => [prefix, [...terms].sort()]))
        expect(sorted).toEqual(
          new Map([
            ['car', ['car', 'carbon', 'cargo']],
            ['carg', ['cargo']],
            ['dog', []],
            ['\u{10428}', ['\u{10428}a', '\u{10428}b']],
            ['%', []],
            ['_', []],
          ]),
        )
        expect(view.terms.get('carbon')?.[0]).toBeInstanceOf(Uint8Array)
        const two = await store.index.read({ terms: [], prefixes: ['car'], mostTerms: 2, filter: {} })
        expect(two.prefixes.get('car')).toEqual(['carbon', 'cargo'])
      }))

    it.each([
      ['planet', 'plnet'],
      ['planet', 'lpanet'],
      ['planet', 'planets'],
      ['\u{10428}lanet', '\u{10428}lanets'],
    ])('has %s among what %s may stand for', (word, misspelt) =>
      withStore(async (store) => {
        await stored(store, 'docs', [{ path: 'a', text: `${word} zebra planetarium` }])
        const similar = await store.index.similar(misspelt)
        expect(similar).toContain(word)
        expect(similar).not.toContain('zebra')
        expect(similar).not.toContain('planetarium')
      }),
    )

    it('shows nothing of a segment before a change names it', () =>
      withStore(async (store) => {
        await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
        const version = await store.version()
        const added = await written(store, 'docs', [{ path: 'b', text: 'zebra zoo' }])
        const view = await store.index.read({ terms: ['zebra'], prefixes: ['zeb'], filter: {} })
        expect(view.segments).toHaveLength(1)
        expect(view.prefixes.get('zeb')).toEqual([])
        expect(await store.index.similar('zebraa')).toEqual([])
        await store.index.apply({ added })
        expect(await found(store, 'zebra')).toEqual(['docs/b'])
        expect(await store.version()).not.toBe(version)
      }))

    it('forgets a segment that was begun when another is', () =>
      withStore(async (store) => {
        const lost = await written(store, 'docs', [{ path: 'a' }])
        await stored(store, 'docs', [{ path: 'b' }])
        await expect(store.index.apply({ added: lost })).rejects.toMatchObject({ code: 'conflict' })
        await expect(store.index.apply({ added: { ...lost, segment: 12_345 } })).rejects.toMatchObject({
          code: 'conflict',
        })
        expect(await found(store, 'text')).toEqual(['docs/b'])
        expect(await store.index.terms([lost.segment], '')).toEqual([])
      }))

    it('does all of a change or nothing of it', () =>
      withStore(async (store) => {
        const [a = -1, b = -1] = await stored(store, 'docs', [{ path: 'a' }, { path: 'b' }])
        const state = async () => ({
          documents: await store.documents.list({}),
          known: await store.documents.known('docs'),
          skipped: await store.documents.skipped('docs'),
          segments: (await store.index.read({ terms: [], filter: {} })).segments,
        })
        const before = await state()
        const added = await written(store, 'docs', [{ path: 'c' }, { path: 'b' }])
        const stamped = [{ id: b, stamp: { size: 1, mtime: '1', ctime: '1' } }]
        const skipped = { collection: 'ghost', files: [] }
        await expect(store.index.apply({ added, removed: [a], stamped })).rejects.toThrow()
        expect(await state()).toEqual(before)
        await expect(store.index.apply({ removed: [a], stamped, skipped })).rejects.toMatchObject({ code: 'not-found' })
        expect(await state()).toEqual(before)
      }))

    it('gives the terms of segments from end to end, by the order of their bytes', () =>
      withStore(async (store) => {
        const odd = ['\ufe73', '\u{10428}', 'zz', 'é']
        const words = [...Array.from({ length: 5000 }, (_, index) => `${100_000 + index}`), ...odd]
        const segments: number[] = []
        for (const [at, step] of [
          [0, 1],
          [0, 2],
          [4990, 1],
        ] as const) {
          const some = words.filter((_, index) => index >= at && index % step === 0)
          await stored(store, 'docs', [{ path: `${segments.length}`, text: some.join(' ') }])
          segments.push((await store.index.read({ terms: [], filter: {} })).segments.at(-1)?.id ?? -1)
        }
        const seen = new Map<string, number[]>()
        for (let after = ''; ; ) {
          const chunk = await store.index.terms(segments, after)
          if (chunk.length === 0) break
          for (const { term, segment } of chunk) {
            expect(seen.get(term)?.includes(segment) ?? false).toBe(false)
            expect(Buffer.compare(Buffer.from(term), Buffer.from(after))).toBe(1)
            seen.set(term, [...(seen.get(term) ?? []), segment])
          }
          after = chunk
            .map(({ term }) => term)
            .reduce((a, b) => (Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0 ? a : b))
        }
        for (const [index, word] of words.entries()) {
          const expected = segments.filter((_, number) => [true, index % 2 === 0, index >= 4990][number])
          const term = word === 'é' ? 'e' : word
          expect([word, seen.get(term)?.sort()]).toEqual([word, expected])
        }
      }))

    it('may have very many segments', () =>
      withStore(async (store) => {
        for (let index = 0; index < 200; index++) await stored(store, 'docs', [{ path: `${index}`, text: 'lion' }])
        const { segments } = await store.index.read({ terms: [], filter: {} })
        const terms = await store.index.terms(
          segments.map(({ id }) => id),
          '',
        )
        expect(terms.filter(({ term }) => term === 'lion')).toHaveLength(200)
        expect(await found(store, 'lion')).toHaveLength(200)
      }))

    it('puts a merged segment in the place of others, without what went meanwhile', () =>
      withStore(async (store) => {
        const [a = -1] = await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
        const [b = -1] = await stored(store, 'docs', [{ path: 'b', text: 'lion' }])
        await stored(store, 'docs', [{ path: 'c', text: 'lion' }])
        const before = (await store.index.read({ terms: [], filter: {} })).segments.map(({ id }) => id)
        const { segment, lengths } = await written(store, 'docs', [
          { path: 'a', text: 'lion' },
          { path: 'b', text: 'lion' },
        ])
        await store.index.apply({ removed: [a] })
        const merged = { segment, instead: before.slice(0, 2), ids: Uint32Array.of(a, b), lengths }
        await store.index.apply({ merged })
        const { segments } = await store.index.read({ terms: [], filter: {} })
        expect(segments.map(({ id }) => id)).toEqual([before[2], segment])
        expect(segments.map(({ live }) => live.docs)).toEqual([1, 1])
        expect(await store.index.terms(before.slice(0, 2), '')).toEqual([])
        expect(await found(store, 'lion')).toEqual(['docs/b', 'docs/c'])
      }))

    it('has another version after each change, and the same after none', () =>
      withStore(async (store) => {
        const seen = [await store.version()]
        const step = async (change: () => Promise<unknown>) => {
          await change()
          seen.push(await store.version())
          await store.documents.list({})
          await store.index.read({ terms: ['a'], filter: {} })
          expect(await store.version()).toBe(seen.at(-1))
        }
        await step(() => stored(store, 'docs', [{ path: 'a' }]))
        await step(() => store.index.apply({ removed: [1] }))
        await step(() => store.collections.update('docs', { isPaused: true }))
        await step(() => store.collections.rename('docs', 'other'))
        await step(() => store.collections.remove('other'))
        expect(new Set(seen).size).toBe(seen.length)
      }))
  })
}

function leaseContract(name: string, open: () => Promise<Openable>): void {
  const withBoth = async (test: (one: Store, other: Store) => Promise<void>) => {
    const { store, again } = await open()
    const other = (await again?.()) ?? store
    try {
      await store.collections.add(COLLECTION)
      await test(store, other)
    } finally {
      await store.close()
      if (other !== store) await other.close()
    }
  }

  describe(`the right to write in ${name}`, () => {
    it('is given to one after the other', () =>
      withBoth(async (one, other) => {
        const order: string[] = []
        const work = (store: Store, label: string) =>
          store.index.exclusively(10_000, async () => {
            order.push(`${label} begins`)
            await sleep(20)
            order.push(`${label} ends`)
            return label
          })
        expect(await Promise.all([work(one, 'a'), work(other, 'b'), work(one, 'c')])).toEqual(['a', 'b', 'c'])
        for (let at = 0; at < order.length; at += 2) expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'))
      }))

    it('is refused to who does not want to wait, with who has it', () =>
      withBoth(async (one, other) => {
        await one.index.exclusively(0, async () => {
          const asked = other.index.exclusively(0, async () => 'never')
          await expect(asked).rejects.toMatchObject({
            code: 'conflict',
            message: expect.stringContaining(`${process.pid}`),
            hint: expect.any(String),
          })
        })
        expect(await other.index.exclusively(0, async () => 'now')).toBe('now')
      }))

    it('is waited for no longer than the signal says', () =>
      withBoth(async (one, other) => {
        const controller = new AbortController()
        let ran = false
        await one.index.exclusively(0, async () => {
          const waiting = other.index.exclusively(
            60_000,
            async () => {
              ran = true
            },
            controller.signal,
          )
          setTimeout(() => controller.abort(), 20)
          await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
        })
        expect(ran).toBe(false)
      }))

    it('comes back when the work fails', () =>
      withBoth(async (one, other) => {
        const failing = one.index.exclusively(0, async () => {
          throw new Error('own')
        })
        await expect(failing).rejects.toThrow('own')
        expect(await other.index.exclusively(0, async () => 'now')).toBe('now')
      }))

    it('is of one collection at a time: others are written meanwhile, and all may be put together', () =>
      withBoth(async (one, other) => {
        await one.collections.add({ ...COLLECTION, name: 'lab' })
        const [docs, lab] = [one.index.of('docs'), other.index.of('lab')]
        await docs.exclusively(0, async () => {
          await expect(other.index.of('docs').exclusively(0, async () => 'never')).rejects.toMatchObject({
            code: 'conflict',
            message: expect.stringContaining('indexing docs'),
          })
          const added = await written(one, 'docs', [{ path: 'a', text: 'zebra' }], docs)
          await lab.exclusively(0, async () => {
            await lab.apply({ added: await written(other, 'lab', [{ path: 'b', text: 'zebra' }], lab) })
            await other.index.exclusively(0, async () => merge(other.index, await other.index.segments()))
          })
          expect(await found(other, 'zebra')).toEqual(['lab/b'])
          await docs.apply({ added })
        })
        expect(await found(other, 'zebra')).toEqual(['docs/a', 'lab/b'])
        expect(await one.check()).toEqual([])
      }))

    it('leaves no segment behind of whoever began it and does not finish it', () =>
      withBoth(async (one, other) => {
        const [docs, lab] = [one.index.of('docs'), other.index.of('lab')]
        const [first, second] = await docs.exclusively(0, async () => {
          const begun = [await docs.begin(), await docs.begin()] as const
          await docs.put(begun[1], [['zebra', Uint8Array.of(1, 0, 0)]])
          return begun
        })
        await expect(docs.put(first, [['lion', Uint8Array.of(1, 0, 0)]])).rejects.toMatchObject({ code: 'conflict' })
        await lab.exclusively(0, () => lab.begin())
        expect(await one.index.terms([second], '')).toEqual([])
      }))

    it('is nothing that readers need; they see the old state until it is changed', () =>
      withBoth(async (one, other) => {
        await one.index.exclusively(0, async () => {
          const added = await written(one, 'docs', [{ path: 'a', text: 'zebra' }])
          const version = await other.version()
          expect(await found(other, 'zebra')).toEqual([])
          await one.index.apply({ added })
          expect(await found(other, 'zebra')).toEqual(['docs/a'])
          if (other !== one) expect(await other.version()).not.toBe(version)
        })
      }))
  })
}

/** What a query finds, by name. */
export async function found(store: Store, query: string, filter: DocumentFilter = {}): Promise<string[]> {
  const { hits } = await searchLexically(store, { query, filter, limit: 1000 }, SILENT)
  return hits.map(({ document: { collection, path } }) => `${collection}/${path}`).sort()
}
