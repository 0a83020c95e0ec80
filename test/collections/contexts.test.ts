import { describe, expect, it } from 'vitest'
import { PathContexts } from '../../src/collections/path-contexts.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { tree } from '../support/tree.ts'
import { fixture } from './contexts-fixtures.ts'

const DOCS = { docs: ['readme.md', 'api/v1/old.md', 'api/v2/endpoints.md', 'guides/a.md'] }

describe('a prefix', () => {
  it.each([
    ['/api', 'api', true],
    ['/api', '/api/v2/a.md', true],
    ['/api', 'apiary/bees.md', false],
    ['/*', 'a/c.md', false],
    ['/caf\u00e9', 'cafe\u0301/menu.md', true],
    ['/cafe\u0301', 'caf\u00e9/menu.md', true],
    ["/'; DROP TABLE path_contexts; --", "'; DROP TABLE path_contexts; --/a.md", true],
    ['/a', '../a/b.md', false],
    ['/a', 'a/../b.md', false],
    ['/a', 'a\\b.md', true],
  ])('%j of %j: %j', async (prefix, path, applies) => {
    await using at = await fixture({ docs: null })
    await at.contexts.set({ collection: 'docs', pathPrefix: prefix }, 'said')
    expect(await at.contexts.find('docs', path)).toBe(applies ? 'said' : undefined)
    expect(await at.contexts.all('docs', path)).toHaveLength(applies ? 1 : 0)
  })

  it('of what holds everywhere is / alone', async () => {
    await using at = await fixture({ docs: null })
    for (const collection of [null, '']) {
      const setting = at.contexts.set({ collection, pathPrefix: '/api' }, 'said')
      await expect(setting).rejects.toMatchObject({ code: 'invalid-input' })
    }
    await at.contexts.set({ collection: null, pathPrefix: '/' }, 'said')
    expect(await at.contexts.global()).toBe('said')
  })
})

describe('a text', () => {
  it.each(['', ' ', '\t\n ', '\u00a0', '\u200b', '\ufeff', '\u2060\u200d', '\u3164'])(
    'that shows nothing is refused: %j',
    async (text) => {
      await using at = await fixture({ docs: null })
      await at.contexts.set('docs', 'before')
      await expect(at.contexts.set('docs', text)).rejects.toMatchObject({
        code: 'invalid-input',
        hint: expect.any(String),
      })
      await expect(at.contexts.addEverywhere(text)).rejects.toMatchObject({ code: 'invalid-input' })
      expect((await at.contexts.list()).map(({ context }) => context)).toEqual(['before'])
    },
  )

  it.each([
    ['a', 8192, true],
    ['a', 8193, false],
    ['😀', 8192, true],
    ['😀', 8193, false],
    ['a', 100_000, false],
  ])('of %j times %d: %j', async (character, times, isTaken) => {
    await using at = await fixture({ docs: null })
    const setting = at.contexts.set('docs', character.repeat(times))
    if (isTaken) await setting
    else await expect(setting).rejects.toMatchObject({ code: 'over-limit', message: expect.stringContaining('8192') })
    expect(await at.contexts.list()).toHaveLength(isTaken ? 1 : 0)
  })

  it.each(['a\0b', 'a\ud800b'])('that cannot be kept as it is is refused: %j', async (text) => {
    await using at = await fixture({ docs: null })
    await expect(at.contexts.set('docs', text)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('is kept without the white space around it, and as it is within', async () => {
    await using at = await fixture({ docs: null })
    await at.contexts.set('docs', '\n  One\n\n  two “’;-- \n')
    expect(await at.contexts.find('docs', 'a.md')).toBe('One\n\n  two “’;--')
  })
})

describe('the resolver', () => {
  it('is of one moment, and a new one knows what came after', async () => {
    await using at = await fixture(DOCS)
    await at.contexts.set('docs', 'one')
    const before = await at.contexts.resolver()
    expect(await at.contexts.resolver()).toBe(before)
    await at.contexts.set('docs', 'two')
    expect(before.find('docs', 'a.md')).toBe('one')
    expect((await at.contexts.resolver()).find('docs', 'a.md')).toBe('two')
  })

  it('knows what another process said', async () => {
    using base = tree({})
    const [one, other] = [openSqlite(base.at('a.db')), openSqlite(base.at('a.db'))]
    await one.collections.add({ name: 'docs', root: base.base, patterns: [], exclude: [] })
    const contexts = new PathContexts(other)
    expect(await contexts.find('docs', 'a.md')).toBeUndefined()
    await new PathContexts(one).set('docs', 'said elsewhere')
    expect(await contexts.find('docs', 'a.md')).toBe('said elsewhere')
    await one.collections.rename('docs', 'manual')
    expect(await contexts.find('docs', 'a.md')).toBeUndefined()
    expect(await contexts.find('manual', 'a.md')).toBe('said elsewhere')
    await one.collections.remove('manual')
    expect(await contexts.list()).toEqual([])
    await Promise.all([one.close(), other.close()])
  })

  it('gives lists of its own', async () => {
    await using at = await fixture(DOCS)
    await at.contexts.set('docs', 'one')
    ;(await at.contexts.all('docs', 'a.md')).pop()
    expect(await at.contexts.all('docs', 'a.md')).toHaveLength(1)
  })

  it('takes a path of any depth', async () => {
    await using at = await fixture(DOCS)
    await at.contexts.set('docs/a', 'deep')
    const path = 'a/'.repeat(100_000)
    expect(await at.contexts.find('docs', path)).toBe('deep')
  })
})

describe('what is told of a new context', () => {
  it.each([
    ['docs/api', undefined],
    ['docs/api/v2/endpoints.md', undefined],
    ['docs', undefined],
    ['/', undefined],
    ['docs/ap', '"docs" has no document at or below /ap.'],
    ['docs/API', '"docs" has no document at or below /API.'],
    ['empty', '"empty" has no document yet.'],
    ['fresh', '"fresh" is not indexed yet: run "ambit index fresh".'],
    ['fresh/api', '"fresh" is not indexed yet: run "ambit index fresh".'],
  ])('of %s: %j', async (place, notice) => {
    await using at = await fixture({ ...DOCS, empty: [], fresh: null })
    const added = await at.contexts.add(place, 'said')
    expect(added.notice).toBe(notice)
    expect(added.context).toBe('said')
  })
})

describe('what is removed', () => {
  it('is not-found when there was none, with the nearest', async () => {
    await using at = await fixture(DOCS)
    await at.contexts.set('docs/api', 'API')
    for (const place of ['docs/ap', 'docs/apis/']) {
      const removing = at.contexts.removeKnown(place)
      await expect(removing).rejects.toMatchObject({ code: 'not-found', hint: 'Did you mean docs/api?' })
    }
    await expect(at.contexts.removeKnown('/')).rejects.toMatchObject({ code: 'not-found' })
    expect(await at.contexts.list()).toHaveLength(1)
  })

  it('may be of a collection that is gone', async () => {
    await using at = await fixture(DOCS)
    await at.contexts.set('docs/api', 'API')
    const orphaned = { ...at.store, collections: { ...at.store.collections, list: async () => [] } }
    const contexts = new PathContexts(orphaned)
    await expect(contexts.set('docs/api', 'more')).rejects.toMatchObject({ code: 'not-found' })
    expect(await contexts.remove('docs/api')).toBe(true)
  })
})

describe('a context by collection, path and text', () => {
  it('is set, found and removed as the spec writes it', async () => {
    await using at = await fixture(DOCS)
    await at.contexts.set('docs', '/api', 'API')
    await at.contexts.set('docs', '/', 'Docs')
    await at.contexts.set(null, '/', 'Global')
    expect((await at.contexts.all('docs', '/api/file.md')).map(({ text }) => text)).toEqual(['Global', 'Docs', 'API'])
    expect(await at.contexts.remove('docs', '/api')).toBe(true)
    expect(await at.contexts.remove('docs', '/api')).toBe(false)
    expect(await at.contexts.find('docs', '/api/file.md')).toBe('Docs')
    expect(await at.contexts.remove(null, '/')).toBe(true)
    expect(await at.contexts.list()).toHaveLength(1)
  })

  it.each([
    ['nothing', []],
    ['no text', ['docs/api']],
    ['a number as its text', ['docs/api', 5]],
    ['a number as its collection', [5, '/api', 'text']],
    ['no path', ['docs', undefined, 'text']],
    ['a path in no collection', [null, '/api', 'text']],
  ])('is refused with %s, and nothing else is said of', async (_, given) => {
    await using at = await fixture(DOCS)
    const set = at.contexts.set.bind(at.contexts) as (...values: unknown[]) => Promise<void>
    await expect(set(...given)).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await at.contexts.list()).toEqual([])
  })
})

describe('collections without a context', () => {
  it('are those of which, and of whose paths, nothing was said', async () => {
    await using at = await fixture({ a: null, b: null, c: null })
    await at.contexts.set('/', 'all')
    await at.contexts.set('b/x', 'said')
    expect((await at.contexts.collectionsWithout()).map(({ name }) => name)).toEqual(['a', 'c'])
  })
})
