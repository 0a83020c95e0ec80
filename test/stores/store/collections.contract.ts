import { describe, expect, it } from 'vitest'
import { ODD_WORDS } from '../contexts.contract.ts'
import { COLLECTION, document, stored } from '../filled.ts'
import { found } from '../found.ts'
import type { WithStore } from './with-store.ts'

const plain = (word: string) =>
  word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')

export function collectionsContract(name: string, withStore: WithStore): void {
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
        const { createdAt } = added
        expect(added).toEqual({ ...asked, isPaused: false, hasSubstrings: false, createdAt, documents: 0, bytes: 0 })
        expect(new Date(added.createdAt).toISOString()).toBe(added.createdAt)
        expect(await collections.get('b')).toEqual(added)
        expect((await collections.list()).map((each) => each.name)).toEqual(['B', 'a', 'b', 'c', 'é'])
      }, []))

    it('are told as indexed while that lasts, each by its name', () =>
      withStore(async ({ collections, index }) => {
        await collections.add({ ...COLLECTION, name: 'a b' })
        expect(await collections.indexing()).toEqual([])
        await index.exclusively(0, async () => {
          expect(await collections.indexing()).toEqual([])
          await index.of('docs').exclusively(0, async () => {
            expect(await collections.indexing()).toEqual(['docs'])
            const both = () => collections.indexing()
            expect(await index.of('a b').exclusively(0, both)).toEqual(['a b', 'docs'])
          })
        })
        expect(await collections.indexing()).toEqual([])
      }))

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
          expect(await store.documents.listOutdated('docs')).toEqual(new Set([b]))
          await store.collections.update('docs', { hasSubstrings: true })
          expect(await store.collections.get('docs')).toMatchObject({ hasSubstrings: true, isPaused: false })
          expect([...(await store.documents.listOutdated('docs'))]).toEqual([b - 1])
          expect((await store.documents.listOutdated('notes')).size).toBe(1)
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
        const [message, hint] = [expect.stringContaining('ghost'), expect.stringContaining('docs')]
        const told = { code: 'not-found', message, hint }
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
          for (const filter of [{ collections: [word] }, { where: { [word]: word } }, { pathParts: [plain(word)] }]) {
            expect((await store.documents.list(filter)).map(({ path }) => path)).toEqual([word])
          }
          for (const filter of [{ paths: [`${word}x`] }, { after: `9${word}` }, { where: { [word]: `${word}x` } }]) {
            expect((await store.documents.list(filter)).map(({ path }) => path)).not.toContain(`${word}x`)
          }
          expect(await store.documents.byHash(word, 10)).toEqual([])
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
