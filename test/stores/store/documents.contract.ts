import { describe, expect, it } from 'vitest'
import type { SkippedFile } from '../../../src/stores/document-store.ts'
import { document, stored } from '../filled.ts'
import type { WithStore } from './with-store.ts'

export function documentsContract(name: string, withStore: WithStore): void {
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
          const known = await store.documents.findAtPaths('docs', ['b/"c\u0001', 'a', 'b', 'x.png', 'none'])
          expect(known.documents.map(({ collection, path }) => `${collection}/${path}`).sort()).toEqual([
            'docs/a',
            'docs/b/"c\u0001',
          ])
          expect(known.skipped).toMatchObject([{ path: 'x.png', why: 'binary', detail: 'It is.' }])
          expect(await store.documents.findAtPaths('docs', [])).toEqual({ documents: [], skipped: [] })
          await expect(store.documents.findAtPaths('ghost', ['a'])).rejects.toMatchObject({ code: 'not-found' })
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
        expect(await store.documents.countBelow('docs', ['a', 'a/b', 'a/b/ü', 'ü', 'a/b-c', 'none'])).toEqual([
          6, 2, 1, 1, 0, 0,
        ])
        expect(await store.documents.countBelow('docs', [])).toEqual([])
        await expect(store.documents.countBelow('ghost', ['a'])).rejects.toMatchObject({ code: 'not-found' })
      }))

    it.each([
      ['', ['a-b 1', 'a 5', 'ü 1'], ['a', 'a0', 'b']],
      ['a', ['b 3'], ['a/b', 'a/b0']],
      ['a/b', ['ü 1'], ['a/b/c', 'a/b/\u{10ffff}']],
      ['a/b/ü', [], ['a/b/ü/😀']],
      ['a/b/c', [], []],
      ['none', [], []],
    ])('are the children of "%s", by segment and in the order of their paths', (directory, directories, paths) =>
      withStore(async (store) => {
        const given = ['a', 'a-b/x', 'a/b', 'a/b/c', 'a/b0', 'a/b/ü/😀', 'a/b/\u{10ffff}', 'a0', 'b', 'ü/x']
        await stored(
          store,
          'docs',
          given.map((path) => ({ path, metadata: { of: path } })),
        )
        const children = await store.documents.children('docs', directory)
        expect(children.directories.map(({ name, documents }) => `${name} ${documents}`)).toEqual(directories)
        expect(children.documents.map(({ path }) => path)).toEqual(paths)
        expect(children.documents.map(({ metadata }) => metadata.of)).toEqual(paths)
        await expect(store.documents.children('ghost', directory)).rejects.toMatchObject({ code: 'not-found' })
      }),
    )

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

    it('are apart from the files that are none, of which each is replaced, or goes, by its path', () =>
      withStore(async (store) => {
        const stamp = { size: 1, mtime: '2', ctime: '3' }
        const [b, a] = ['b', 'a'].map((path) => ({ path, ...stamp, why: 'binary', detail: 'It is.' }))
        const put = (files: readonly SkippedFile[], gone: readonly string[] = []) =>
          store.index.apply({ skipped: { collection: 'docs', files, gone } })
        await put([b, a] as SkippedFile[])
        expect(await store.documents.skipped('docs')).toEqual([a, b])
        const other = { path: 'b', size: 4, mtime: '5', ctime: '6', why: 'empty', detail: 'It is.' }
        await put([other])
        expect(await store.documents.skipped('docs')).toEqual([a, other])
        await put([], ['a', 'zebra'])
        expect(await store.documents.skipped('docs')).toEqual([other])
        expect(await store.documents.known('docs')).toEqual([])
      }))

    it('are known by their paths, and by their ids', () =>
      withStore(
        async (store) => {
          const ids = await stored(store, 'docs', [{ path: 'a' }, { path: 'b' }, { path: "c'\\" }])
          const others = await stored(store, 'notes', [{ path: 'a' }])
          expect((await store.documents.ids('docs')).toSorted((one, other) => one - other)).toEqual(ids)
          expect(await store.documents.ids('notes')).toEqual(others)
          const all = await store.documents.known('docs')
          const some = await store.documents.known('docs', ["c'\\", 'a', 'zebra'])
          expect(some.map(({ path }) => path).toSorted()).toEqual(['a', "c'\\"])
          expect(all).toEqual(expect.arrayContaining(some))
          expect(await store.documents.known('docs', [])).toEqual([])
        },
        ['docs', 'notes'],
      ))

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
