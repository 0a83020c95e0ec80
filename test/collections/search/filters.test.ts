import { describe, expect, it } from 'vitest'
import { type Shelved, shelf } from './shelf.ts'

/** Hundreds of documents that all rank above the one that a filter lets through. */
const CROWD: Shelved = {
  ...Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `many:api/${at}.md`,
      { title: 'Retry', text: 'retry retry retry', modifiedAt: '2025-01-01', metadata: { status: 'done' } },
    ]),
  ),
  'few:guides/one.md': {
    title: 'Other',
    text: `${'word '.repeat(200)} retry`,
    modifiedAt: '2026-06-01',
    metadata: { status: 'draft', 'odd key': 'a=b', count: '3' },
  },
  'few:guides/two.md': { title: 'Two', text: 'nothing of it', modifiedAt: '2026-06-01' },
}

describe('a filter', () => {
  it.each([
    ['of collections', { collections: ['few'] }],
    ['of paths', { path: ['guides/**'] }],
    ['of names', { path: ['one.*'] }],
    ['of several paths', { path: ['nowhere/**', '**/one.md'] }],
    ['of time', { after: '2026-06-01' }],
    ['of time, to the second', { after: '2026-05-31T23:59:59Z' }],
    ['of front matter', { where: ['status=draft'] }],
    ['of all of it', { collections: ['few', 'many'], path: ['guides/*'], after: '2026-01', where: ['status=draft'] }],
    ['of values with signs', { where: ['odd key = a=b', 'count=3'] }],
  ])('%s finds what is below hundreds that it leaves out', async (_, request) => {
    await using books = await shelf(CROWD)
    const { results, total } = await books.search('retry', { ...request, limit: 1 })
    expect(results.map(({ collection, path }) => `${collection}/${path}`)).toEqual(['few/guides/one.md'])
    expect(total).toBe(1)
  })

  it.each([
    ['a part of the path', 'retry path:guides'],
    ['a part that the path must not hold', 'retry -path:api'],
    ['a word that it must not hold', 'retry -title:retry'],
    ['a phrase', '"word retry"'],
  ])('in the query, by %s, finds it too', async (_, query) => {
    await using books = await shelf(CROWD)
    expect(await books.paths(query, { limit: 1 })).toEqual(['few:guides/one.md'])
  })

  it.each([
    ['of another collection', { collections: ['few'], path: ['api/**'] }],
    ['of a later time', { after: '2026-06-02' }],
    ['of another value', { where: ['status=new'] }],
    ['of a key that none has', { where: ['owner=ann'] }],
    ['of two values where one holds', { where: ['status=draft', 'count=4'] }],
    ['of a key that every object has', { where: ['constructor=x'] }],
    ['of a path in other letters', { path: ['GUIDES/**'] }],
  ])('%s finds nothing', async (_, request) => {
    await using books = await shelf(CROWD)
    expect(await books.search('retry', request)).toMatchObject({ results: [], total: 0 })
  })

  it('does not change what a document scores', async () => {
    await using books = await shelf(CROWD)
    const score = async (collections: string[]) => {
      const { results } = await books.search('retry word', { collections, limit: 1000 })
      return results.find(({ collection }) => collection === 'few')?.score
    }
    expect(await score(['few'])).toBe(await score(['few', 'many']))
  })

  it('leaves out paused collections, unless they are named', async () => {
    await using books = await shelf(CROWD)
    await books.store.collections.update('many', { isPaused: true })
    expect(await books.paths('retry')).toEqual(['few:guides/one.md'])
    expect((await books.search('retry', { collections: ['many'] })).total).toBe(300)
    await books.store.collections.update('many', { isPaused: false })
    expect((await books.search('retry')).total).toBe(301)
  })

  it('sees what is added and removed while it is used', async () => {
    await using books = await shelf(CROWD)
    const request = { where: ['status=draft'] }
    expect((await books.search('retry', request)).total).toBe(1)
    await books.put({ 'few:new.md': { text: 'retry', metadata: { status: 'draft' } } })
    expect((await books.search('retry', request)).total).toBe(2)
    await books.remove('few:guides/one.md')
    expect((await books.search('retry', request)).results.map(({ path }) => path)).toEqual(['new.md'])
    await books.merge()
    expect((await books.search('retry', request)).results.map(({ path }) => path)).toEqual(['new.md'])
  })

  it('of a collection that there is none of is not-found, with those that there are', async () => {
    await using books = await shelf(CROWD)
    const failure = { code: 'not-found', hint: expect.stringContaining('few') }
    await expect(books.search('retry', { collections: ['fewer'] })).rejects.toMatchObject(failure)
    await expect(books.search('', { collections: ['fewer'] })).rejects.toMatchObject(failure)
  })
})

it('a file of nested collections is given once, and fills no place of another', async () => {
  const roots = { docs: '/srv/work', inner: '/srv/work/api', other: '/srv/workshop' }
  const given = { 'docs:api/a.md': 'zebra', 'inner:a.md': 'zebra', 'inner:b.md': 'zebra', 'other:api/a.md': 'zebra' }
  await using books = await shelf(given, roots)
  const { results } = await books.search('zebra', { limit: 3 })
  const files = results.map(({ collection, path }) => `${roots[collection as keyof typeof roots]}/${path}`)
  expect(files.sort()).toEqual(['/srv/work/api/a.md', '/srv/work/api/b.md', '/srv/workshop/api/a.md'])
})
