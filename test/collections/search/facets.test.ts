import { describe, expect, it } from 'vitest'
import { countFacets } from '../../../src/collections/search/facets.ts'
import { shelf } from './shelf.ts'

const DOCUMENTS = {
  'a/one.md': { title: 'One', text: 'retry retry', modifiedAt: '2026-01-03' },
  'a/two.ts': { title: 'Two', text: 'retry', modifiedAt: '2026-01-05' },
  'b/three.md': { title: 'Three', text: 'retry once and then again and again', modifiedAt: '2026-01-04' },
  'code:main.ts': { title: 'Main', text: 'retry', modifiedAt: '2025-01-01' },
  'code:LICENSE': { title: 'Licence', text: 'retry', modifiedAt: '2025-01-02' },
}

const paths = (results: readonly { readonly path: string }[]) => results.map(({ path }) => path)

describe('a search', () => {
  it.each([
    ['changed', ['a/two.ts', 'b/three.md', 'a/one.md', 'LICENSE', 'main.ts']],
    ['path', ['LICENSE', 'main.ts', 'a/one.md', 'a/two.ts', 'b/three.md']],
  ] as const)('is sorted by %s', async (sort, sorted) => {
    await using books = await shelf(DOCUMENTS)
    expect(paths((await books.search('retry', { sort })).results)).toEqual(sorted)
  })

  it.each(['relevance', 'changed', 'path'] as const)(
    'by %s gives page after page what it gives at once',
    async (sort) => {
      await using books = await shelf(DOCUMENTS)
      const whole = await books.search('retry', { sort, facets: true })
      const pages = await Promise.all([0, 2, 4].map((offset) => books.search('retry', { sort, offset, limit: 2 })))
      expect(pages.flatMap(({ results }) => paths(results))).toEqual(paths(whole.results))
      expect(pages.map(({ results, total }) => [results.length, total])).toEqual([
        [2, 5],
        [2, 5],
        [1, 5],
      ])
    },
  )

  it.each([
    [{ types: ['md'] }, ['a/one.md', 'b/three.md']],
    [{ types: ['.TS'] }, ['a/two.ts', 'main.ts']],
    [{ types: ['none'] }, ['LICENSE']],
    [{ types: ['md'], path: ['a/**'] }, ['a/one.md']],
  ])('finds files of a type: %j', async (request, found) => {
    await using books = await shelf(DOCUMENTS)
    expect(paths((await books.search('retry', request)).results).sort()).toEqual(found)
  })

  it('counts what a choice would leave, with the choices of the other lists', async () => {
    await using books = await shelf(DOCUMENTS)
    const { facets } = await books.search('retry', { facets: true, types: ['md'], limit: 1 })
    expect(facets).toMatchObject({
      collections: [{ value: 'docs', count: 2 }],
      types: [
        { value: 'md', count: 2 },
        { value: 'ts', count: 2 },
        { value: '', count: 1 },
      ],
      folders: [
        { value: 'a/**', count: 1 },
        { value: 'b/**', count: 1 },
      ],
      counted: 5,
    })
    expect((await books.search('retry')).facets).toBeUndefined()
  })

  it('counts changes by days before now', () => {
    const documents = Object.entries(DOCUMENTS).map(([path, { modifiedAt }]) => ({
      document: { id: 1, collection: 'docs', path, title: '', hash: '', format: '', size: 1, metadata: {}, modifiedAt },
    }))
    expect(countFacets(documents, {}, Date.parse('2026-01-05T12:00:00Z')).changed).toEqual([
      { value: '2026-01-04', count: 2 },
      { value: '2025-12-29', count: 3 },
      { value: '2025-12-06', count: 3 },
      { value: '2025-01-05', count: 3 },
    ])
  })
})
