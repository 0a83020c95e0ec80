import { describe, expect, it } from 'vitest'
import type { DocumentFilter } from '../../../src/stores/document-store.ts'
import { type Given, stored } from '../filled.ts'
import { found } from '../found.ts'
import type { WithStore } from './with-store.ts'

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
  [{ types: ['txt'] }, ['docs/read_me.txt']],
  [{ types: [''] }, ['notes/a']],
  [{ types: ['md', 'txt'], pathParts: ['deep'] }, ['docs/guide/deep/[id].md']],
  [{ types: ['m'] }, []],
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

export function filterContract(name: string, withStore: WithStore): void {
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
