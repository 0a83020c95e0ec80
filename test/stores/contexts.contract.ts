import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/stores/store.ts'
import { rowsOf } from '../support/rows.ts'
import { type Openable, withStores } from './opened.ts'

/** Words that would do harm if they were taken for SQL, or for a pattern. */
export const ODD_WORDS = [
  "'; DROP TABLE path_contexts; --",
  `"; DELETE FROM collections; --`,
  "x' OR '1'='1",
  "') ON CONFLICT DO NOTHING; --",
  '%',
  '_',
  '*',
  '?1',
  '📚 日本語',
  'e\u0301',
]

/** What any store keeps of contexts. `open` gives a new, empty one. */
export function contextStoreContract(name: string, open: () => Promise<Openable>): void {
  const withEmpty = withStores(open)
  const withStore = (test: (store: Store) => Promise<void>, collections: readonly string[] = ['docs', 'notes']) =>
    withEmpty(async (store) => {
      for (const each of collections) await add(store, each)
      await test(store)
    })

  describe(`contexts in ${name}`, () => {
    it('are none at first', () =>
      withStore(async ({ contexts }) => {
        expect(await contexts.list()).toEqual([])
      }))

    it('are listed with their times: the global one first, then by collection and path', () =>
      withStore(async ({ contexts }) => {
        const places = rowsOf('notes / | docs /b | docs /a/b |  / | docs / | docs /a | docs /B')
        for (const [collection = '', pathPrefix = ''] of places) await contexts.set({ collection, pathPrefix }, 'said')
        const listed = await contexts.list()
        expect(listed.map(({ collection, pathPrefix }) => `${collection} ${pathPrefix}`).join(' | ')).toBe(
          'null / | docs / | docs /B | docs /a | docs /a/b | docs /b | notes /',
        )
        for (const { context, createdAt, updatedAt } of listed) {
          expect(context).toBe('said')
          expect(new Date(createdAt).toISOString()).toBe(createdAt)
          expect(updatedAt).toBe(createdAt)
        }
      }))

    it.each([
      ['the global one', ''],
      ['one of a collection', 'docs'],
    ])('are updated when said twice: %s', (_, collection) =>
      withStore(async ({ contexts }) => {
        const place = { collection, pathPrefix: '/' }
        await contexts.set(place, 'first')
        const [before] = await contexts.list()
        await sleep(3)
        await contexts.set(place, 'second')
        const after = await contexts.list()
        expect(after).toHaveLength(1)
        expect(after[0]).toMatchObject({ context: 'second', createdAt: before?.createdAt })
        expect(String(after[0]?.updatedAt) > String(before?.updatedAt)).toBe(true)
      }),
    )

    it('are of collections that there are: others are not-found, with the names', () =>
      withStore(async ({ contexts }) => {
        const setting = contexts.set({ collection: 'ghost', pathPrefix: '/' }, 'said')
        await expect(setting).rejects.toMatchObject({ code: 'not-found', hint: expect.stringContaining('docs') })
        expect(await contexts.list()).toEqual([])
      }))

    it('are never blank', () =>
      withStore(async ({ contexts }) => {
        await expect(contexts.set({ collection: 'docs', pathPrefix: '/' }, '  ')).rejects.toThrow()
        expect(await contexts.list()).toEqual([])
      }))

    it('are removed once', () =>
      withStore(async ({ contexts }) => {
        const place = { collection: 'docs', pathPrefix: '/a' }
        await contexts.set(place, 'said')
        await contexts.set({ collection: 'docs', pathPrefix: '/a/b' }, 'stays')
        expect(await contexts.remove({ collection: 'notes', pathPrefix: '/a' })).toBe(false)
        expect(await contexts.remove(place)).toBe(true)
        expect(await contexts.remove(place)).toBe(false)
        expect((await contexts.list()).map(({ context }) => context)).toEqual(['stays'])
      }))

    it('go with their collection, and with no other', () =>
      withStore(async ({ collections, contexts }) => {
        for (const collection of ['', 'docs', 'notes'])
          await contexts.set({ collection, pathPrefix: '/' }, collection || 'all')
        await contexts.set({ collection: 'docs', pathPrefix: '/a' }, 'a')
        await collections.remove('docs')
        expect((await contexts.list()).map(({ context }) => context)).toEqual(['all', 'notes'])
        await collections.add({ name: 'docs', root: '/srv/docs', patterns: [], exclude: [] })
        expect((await contexts.list()).map(({ context }) => context)).toEqual(['all', 'notes'])
      }))

    it('take the new name of their collection', () =>
      withStore(async ({ collections, contexts }) => {
        await contexts.set({ collection: 'docs', pathPrefix: '/a' }, 'said')
        await contexts.set({ collection: 'notes', pathPrefix: '/a' }, 'other')
        await collections.rename('docs', 'manual')
        expect((await contexts.list()).map(({ collection, context }) => [collection, context])).toEqual([
          ['manual', 'said'],
          ['notes', 'other'],
        ])
      }))

    it('make another version when they change', () =>
      withStore(async (store) => {
        const place = { collection: 'docs', pathPrefix: '/' }
        const versions = [await store.version()]
        await store.contexts.set(place, 'one')
        versions.push(await store.version())
        await store.contexts.set(place, 'two')
        versions.push(await store.version())
        await store.contexts.remove(place)
        versions.push(await store.version())
        expect(new Set(versions).size).toBe(4)
        await store.contexts.list()
        expect(await store.version()).toBe(versions.at(-1))
      }))

    it('have a version of their own, another after each of their changes, and after no other', () =>
      withStore(async ({ collections, contexts }) => {
        const place = { collection: 'docs', pathPrefix: '/' }
        const deeds: readonly (readonly [isChange: boolean, deed: () => Promise<unknown>])[] = [
          [true, () => contexts.set(place, 'one')],
          [true, () => contexts.set(place, 'two')],
          [false, () => contexts.remove({ ...place, pathPrefix: '/none' })],
          [false, () => collections.update('docs', { isPaused: true })],
          [true, () => collections.rename('docs', 'manual')],
          [true, () => collections.remove('manual')],
          [false, () => collections.remove('notes')],
        ]
        for (const [isChange, deed] of deeds) {
          const before = await contexts.version()
          await deed()
          expect((await contexts.version()) !== before).toBe(isChange)
        }
      }))

    it.each(ODD_WORDS)('are kept as they are, though %j is their name, path and text', (word) =>
      withStore(
        async ({ contexts, collections }) => {
          const place = { collection: word, pathPrefix: `/${word}` }
          await contexts.set(place, word)
          await contexts.set(place, `${word} again`)
          expect(await contexts.list()).toMatchObject([
            { collection: word, pathPrefix: `/${word}`, context: `${word} again` },
          ])
          await collections.rename(word, `${word}2`)
          expect(await contexts.remove(place)).toBe(false)
          expect(await contexts.remove({ ...place, collection: `${word}2` })).toBe(true)
          expect((await collections.list()).map((each) => each.name).sort()).toEqual(['docs', `${word}2`].sort())
        },
        ['docs', word],
      ),
    )
  })
}

function add(store: Store, name: string) {
  return store.collections.add({ name, root: `/srv/${encodeURIComponent(name)}`, patterns: [], exclude: [] })
}
