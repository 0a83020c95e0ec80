import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ODD_WORDS } from '../stores/filled.ts'
import { fixture } from './contexts-fixtures.ts'

const DOCS = ['readme.md', 'api/v1/a.md', 'api/v2/b.md', 'guides/c.md', 'apiary/bees.md']

describe('check', () => {
  it('finds nothing where there is nothing', async () => {
    await using at = await fixture({})
    expect(await at.contexts.check()).toEqual({ collections: [], paths: [], stale: [] })
  })

  it('finds collections of which nothing was said, with how much is in them and what to do', async () => {
    await using at = await fixture({ notes: [], docs: DOCS, said: ['a.md'] })
    await at.contexts.set('/', 'all')
    await at.contexts.set('said', 'said')
    expect((await at.contexts.check()).collections).toEqual([
      { name: 'docs', documents: 5, suggestion: "ambit context add docs 'What it is for'" },
      { name: 'notes', documents: 0, suggestion: "ambit context add notes 'What it is for'" },
    ])
  })

  it.each([
    ['nothing', [], ['api 2', 'apiary 1', 'guides 1']],
    ['the collection', ['/'], ['api 2', 'apiary 1', 'guides 1']],
    ['a folder', ['/api'], ['apiary 1', 'guides 1']],
    ['what is in a folder', ['/api/v2'], ['apiary 1', 'guides 1']],
    ['a file in a folder', ['/guides/c.md'], ['api 2', 'apiary 1']],
    ['a file at the top', ['/readme.md'], ['api 2', 'apiary 1', 'guides 1']],
    ['all', ['/api', '/apiary', '/guides'], []],
  ])('finds folders at the top of which nothing was said, after something was said of %s', async (_, said, folders) => {
    await using at = await fixture({ docs: DOCS })
    for (const pathPrefix of said) await at.contexts.set({ collection: 'docs', pathPrefix }, 'said')
    const { paths } = await at.contexts.check()
    expect(paths.map(({ path, documents }) => `${path} ${documents}`)).toEqual(folders)
    for (const { collection, path, suggestion } of paths) {
      expect(suggestion).toBe(`ambit context add ${collection}/${path} 'What it is for'`)
    }
  })

  it('finds what was said of paths that no document is at or below', async () => {
    await using at = await fixture({ docs: DOCS, fresh: null, empty: [] })
    for (const place of ['/', 'docs', 'docs/api', 'docs/api/v1/a.md', 'docs/ap', 'docs/API', 'docs/api/v3']) {
      await at.contexts.set(place, place)
    }
    await at.contexts.set('fresh/x', 'not known yet')
    await at.contexts.set('empty', 'empty')
    await at.contexts.set('empty/x', 'gone')
    expect((await at.contexts.check()).stale).toEqual([
      { collection: 'docs', pathPrefix: '/API', context: 'docs/API' },
      { collection: 'docs', pathPrefix: '/ap', context: 'docs/ap' },
      { collection: 'docs', pathPrefix: '/api/v3', context: 'docs/api/v3' },
      { collection: 'empty', pathPrefix: '/x', context: 'gone' },
    ])
  })

  it('finds what was said of collections that are gone', async () => {
    await using at = await fixture({ docs: DOCS })
    await at.contexts.set('docs', 'said')
    const { PathContexts } = await import('../../src/collections/path-contexts.ts')
    const gone = { ...at.store, collections: { ...at.store.collections, list: async () => [] } }
    expect(await new PathContexts(gone).check()).toEqual({
      collections: [],
      paths: [],
      stale: [{ collection: 'docs', pathPrefix: '/', context: 'said' }],
    })
  })

  it('compares names as people see them', async () => {
    await using at = await fixture({ docs: ['cafe\u0301/a.md', 'a\\b.md'] })
    await at.contexts.set('docs/caf\u00e9', 'said')
    expect(await at.contexts.check()).toMatchObject({ paths: [{ path: 'a' }], stale: [] })
  })

  it('asks for nothing that cannot be said', async () => {
    await using at = await fixture({ docs: ['a\nb/c.md', 'd\x1b[31m/e.md', 'f/g.md'] })
    expect((await at.contexts.check()).paths.map(({ path }) => path)).toEqual(['f'])
  })

  it('stops when it is told to', async () => {
    await using at = await fixture({ docs: DOCS })
    await expect(at.contexts.check(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
  })

  it.each([
    ...ODD_WORDS,
    "it's",
    '$(id)',
    '`id`',
    'a b',
    '-x',
    '~x',
    '.x',
    '!',
    'a;b',
    'x"y',
    '$HOME',
    'c:\\d',
    'http:',
    'a%20b',
  ])('suggests commands that a shell takes as they are meant, for %j', async (word) => {
    await using at = await fixture({ [word]: [`${word}/a.md`] })
    const { collections, paths } = await at.contexts.check()
    for (const { suggestion } of [...collections, ...paths]) {
      const [, , , place = ''] = wordsOf(suggestion)
      expect(place.startsWith('-')).toBe(false)
      await at.contexts.set(place, 'said')
    }
    expect(await at.contexts.check()).toEqual({ collections: [], paths: [], stale: [] })
    expect(await at.contexts.list()).toHaveLength(2)
  })
})

/** What a shell makes of a command line. */
function wordsOf(line: string): string[] {
  return execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' }).split('\0')
}
