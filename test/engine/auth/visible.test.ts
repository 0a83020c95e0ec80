import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Library, libraryOver } from '../../../src/collections/library.ts'
import { visibleStore } from '../../../src/engine/auth/visible/visible-store.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { IndexStore, Store } from '../../../src/stores/store.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { type Tree, tree } from '../../support/tree.ts'

/** The same files with and without those that are hidden: what is seen must be the same. */
const SEEN = {
  'docs/guide.md': '# Guide\n\nHow a token is checked. The zebra is common here.\n',
  'docs/api/auth.md': '# Auth\n\nA token, again a token.\n',
  'lab/notes.md': '# Notes\n\nMeasurements of a token ring.\n',
}
const HIDDEN = {
  'secret/plan.md': '# Plan\n\nThe takeover of Xylophone is named zebrafish. token token zebra\n',
  'secret/guide.md': SEEN['docs/guide.md'],
}

let files: Tree
let whole: Store
let without: Library
let seen: Library
beforeAll(async () => {
  files = tree({ ...SEEN, ...HIDDEN })
  const filled = async (names: readonly string[]) => {
    const store = openSqlite(':memory:')
    const library = libraryOver(store)
    for (const name of names) await library.collections.add({ name, root: files.at(name) })
    await library.contexts.set('/', 'Everything')
    for (const name of names) await library.contexts.set(name, `About ${name}`)
    await library.collections.index()
    return store
  }
  whole = await filled(['docs', 'lab', 'secret'])
  without = libraryOver(await filled(['docs', 'lab']))
  seen = libraryOver(visibleStore(whole, { name: 'alice', scopes: ['read'], collections: ['docs', 'lab', 'gone'] }))
})
afterAll(async () => {
  await whole.close()
  await without.port.close()
  files[Symbol.dispose]()
})

/** Another thing in all but some of its parts. */
function withOwn<Part extends object>(part: Part, own: Partial<Part>): Part {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(Object.hasOwn(own, name) ? own : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Without what differs by chance: ids and times. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, one) => (/At$|^docid$|^id$/.test(key) ? undefined : one)))
}

describe('a store of some collections', () => {
  it('tells which of its own are indexed now, and of no others', () =>
    whole.index.of('secret').exclusively(0, () =>
      whole.index.of('lab').exclusively(0, async () => {
        const { collections } = await seen.collections.status()
        expect(collections.map(({ name, isIndexing }) => [name, isIndexing])).toEqual([
          ['docs', false],
          ['lab', true],
        ])
      }),
    ))

  it.each(
    (
      'token | zebra | zebrafish | xylophone | xylophne | zebrafsh | tok* | zebraf* | xyl* | plan | ' +
      '"takeover of" | token -zebra | path:secret | contains:ylopho | title:plan | path:docs token'
    ).split(' | '),
  )('finds for %s what there is without the others: hits, scores, counts and guesses', async (query) => {
    expect(plain(await seen.search({ query }))).toEqual(plain(await without.search({ query })))
  })

  it('finds for any words what there is without the others', async () => {
    const word = fc.constantFrom(...'token zebra zebrafish xylophone plan guide ring takeover tokn'.split(' '))
    await forAllAsync(50, fc.array(word, { minLength: 1, maxLength: 4 }), async (words) => {
      const query = words.join(' ')
      expect(plain(await seen.search({ query }))).toEqual(plain(await without.search({ query })))
    })
  })

  it.each([
    ['collections', (of: Library) => of.collections.list()],
    ['a collection', (of: Library) => of.collections.show('secret')],
    ['a collection that never was', (of: Library) => of.collections.show('nothing')],
    ['a search of a collection', (of: Library) => of.search({ query: 'a', collections: ['secret'] })],
    ['a search of one that is seen', (of: Library) => of.search({ query: 'token', collections: ['lab'] })],
    ['contexts', (of: Library) => of.contexts.list()],
    ['a context that applies', (of: Library) => of.contexts.find('docs', 'guide.md')],
    ['a document', async (of: Library) => (await of.documents()).get('docs/guide.md')],
    ['a hidden document', async (of: Library) => (await of.documents()).get('secret/plan.md')],
    ['a document that never was', async (of: Library) => (await of.documents()).get('nothing/plan.md')],
    ['many documents', async (of: Library) => (await of.documents()).multiGet('**/*.md')],
    ['hidden documents', async (of: Library) => (await of.documents()).multiGet('secret/*.md')],
    ['a listing', async (of: Library) => (await of.documents()).list()],
    ['a hidden listing', async (of: Library) => (await of.documents()).list('secret')],
    ['a look at all', async (of: Library) => (await of.browser()).browse({})],
    ['a hidden look', async (of: Library) => (await of.browser()).browse({ place: 'secret' })],
  ])('tells of %s what a store without the others tells', async (_, ask) => {
    const outcome = async (of: Library) =>
      plain(await ask(of).catch(({ code, message, hint }) => ({ failed: { code, message, hint } })))
    expect(await outcome(seen)).toEqual(await outcome(without))
  })

  it.each([
    ['adds none', (store: Store) => store.collections.add({ name: 'secret', root: '/', patterns: [], exclude: [] })],
    ['adds none', (store: Store) => store.collections.add({ name: 'new', root: '/', patterns: [], exclude: [] })],
    ['renames none', (store: Store) => store.collections.rename('docs', 'secret')],
    ['says nothing of all', (store: Store) => store.contexts.set({ collection: '', pathPrefix: '/' }, 'x')],
    ['takes nothing from all', (store: Store) => store.contexts.remove({ collection: '', pathPrefix: '/' })],
    ['takes away no vectors', (store: Store) => store.vectors.clear('m')],
    ['checks nothing', (store: Store) => store.check()],
    ['exports nothing', async (store: Store) => Reflect.get(store.rows as object, 'read')()],
    ['reads no upload', async (store: Store) => Reflect.get(store.bytes as object, 'get')()],
  ])('%s, whatever there is', async (_, attempt) => {
    await expect(attempt(seen.port)).rejects.toMatchObject({ code: 'denied' })
  })

  it.each([
    ['known', (store: Store, name: string) => store.documents.known(name)],
    ['ids', (store: Store, name: string) => store.documents.ids(name)],
    ['skipped', (store: Store, name: string) => store.documents.skipped(name)],
    ['unlike', (store: Store, name: string) => store.documents.listOutdated(name)],
    ['among', (store: Store, name: string) => store.documents.findAtPaths(name, ['plan.md'])],
    ['below', (store: Store, name: string) => store.documents.countBelow(name, ['a'])],
    ['children', (store: Store, name: string) => store.documents.children(name, '')],
    ['add a job', (store: Store, name: string) => store.indexJobs.addJob(name, { owner: 'alice', isForced: false })],
    ['list', (store: Store, name: string) => store.documents.list({ collections: [name] })],
    ['read', (store: Store, name: string) => store.index.read({ terms: [], filter: { collections: ['docs', name] } })],
    ['apply', (store: Store, name: string) => store.index.apply({ skipped: { collection: name, files: [] } })],
    ['missing vectors', (store: Store, name: string) => store.vectors.missing('m', [name])],
    ['vectors', (store: Store, name: string) => store.vectors.view('m', { collections: [name] })],
    ['documents of vectors', (store: Store, name: string) => store.vectors.documentsOf([], { collections: [name] })],
    ['update', (store: Store, name: string) => store.collections.update(name, { isPaused: true })],
    ['set a context', (store: Store, name: string) => store.contexts.set({ collection: name, pathPrefix: '/' }, 'x')],
  ])('answers %s of a hidden collection as of one that never was, and names no other', async (_, ask) => {
    const told = async (name: string) =>
      ask(seen.port, name).then(
        () => 'done',
        ({ code, message, hint }) => `${code} ${message} ${hint}`.replaceAll(name, 'NAME'),
      )
    const hidden = await told('secret')
    expect(hidden).toContain('not-found')
    expect([hidden, await told('gone')]).toEqual([await told('nothing'), hidden])
    expect(hidden).not.toContain('secret')
  })

  it('of one collection finds there, by its name, what it finds without it', async () => {
    const one = libraryOver(visibleStore(whole, { name: 'bob', scopes: ['read'], collections: ['docs'] }))
    const { results } = await one.search({ query: 'token', collections: ['docs'] })
    expect(results.map(({ path }) => path).sort()).toEqual(['api/auth.md', 'guide.md'])
    expect(plain(results)).toEqual(plain((await one.search({ query: 'token' })).results))
  })

  it('counts for vectors what there is without the others', async () => {
    const counts = await seen.port.vectors.counts('m')
    expect(counts).toEqual({ documents: 0, missing: 3, chunks: 0 })
    expect(counts).toEqual(await without.port.vectors.counts('m'))
  })

  it('is as of one moment: it is read again when the index changed between its two halves', async () => {
    using own = tree(SEEN)
    const store = openSqlite(':memory:')
    const library = libraryOver(store)
    await library.collections.add({ name: 'docs', root: own.at('docs') })
    await library.collections.index()
    let isChanged = false
    const read: IndexStore['read'] = async (request) => {
      if (request.terms.length === 0 && !isChanged) {
        isChanged = true
        own.plant({ 'docs/quokka.md': '# Quokka\n\nA quokka.\n' })
        await library.collections.index()
      }
      return store.index.read(request)
    }
    const changing = withOwn(store, { index: withOwn(store.index, { read }) })
    const bob = visibleStore(changing, { name: 'bob', scopes: ['read'], collections: ['docs'] })
    const { segments } = await bob.index.read({ terms: ['quokka'], filter: {} })
    expect(segments.reduce((sum, { live }) => sum + live.docs, 0)).toBe(3)
    await store.close()
  })

  it('knows what it does not see of a segment that did not change', async () => {
    const request = { terms: [], filter: {} }
    const [first, second] = [await seen.port.index.read(request), await seen.port.index.read(request)]
    expect(first.segments.length).toBeGreaterThan(0)
    for (const [at, { dead }] of first.segments.entries()) expect(second.segments[at]?.dead).toBe(dead)
  })

  it('leaves what it does not see in the index when it brings its own in step', async () => {
    using own = tree({ ...SEEN, ...HIDDEN })
    const store = openSqlite(':memory:')
    const library = libraryOver(store)
    for (const name of ['docs', 'secret']) await library.collections.add({ name, root: own.at(name) })
    await library.collections.index()
    own.plant({ 'docs/guide.md': '# Guide\n\nAnother text.\n' })
    const writer = visibleStore(store, { name: 'alice', scopes: ['write'], collections: ['docs'] })
    expect(await libraryOver(writer).collections.index()).toMatchObject({ changed: 1 })
    const { results } = await library.search({ query: 'xylophone' })
    expect(results.map(({ collection, path }) => `${collection}/${path}`)).toEqual(['secret/plan.md'])
    await store.close()
  })

  it('finds and removes nothing that is hidden', async () => {
    const { collections, contexts, documents, indexJobs } = seen.port
    expect(await documents.find('secret', 'plan.md')).toBeUndefined()
    expect(await collections.remove('secret')).toBe(false)
    expect(await contexts.remove({ collection: 'secret', pathPrefix: '/' })).toBe(false)
    expect(await whole.documents.find('secret', 'plan.md')).toBeDefined()
    expect(await libraryOver(whole).contexts.find('secret', 'plan.md')).toContain('About secret')
    await expect(indexJobs.stop('secret')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('gives no text and no document by a number or a hash', async () => {
    const documents = await whole.documents.list({ collections: ['secret'] })
    const ids = documents.map(({ id }) => id)
    expect(ids).toHaveLength(2)
    expect(await seen.port.documents.byId(ids)).toEqual([])
    expect((await seen.port.documents.texts(ids)).size).toBe(0)
    const alike = await seen.port.documents.byHash(documents.find(({ path }) => path === 'guide.md')?.hash ?? '', 10)
    expect(alike.map(({ collection }) => collection)).toEqual(['docs'])
  })

  it('holds nothing where none of its collections is left', async () => {
    const nobody = libraryOver(visibleStore(whole, { name: 'x', scopes: ['read'], collections: ['gone'] }))
    expect((await nobody.search({ query: 'token' })).results).toEqual([])
    expect(await nobody.collections.list()).toEqual([])
    expect(await nobody.port.documents.list({})).toEqual([])
    expect(await nobody.port.size()).toBe(0)
    expect(await nobody.port.vectors.missing('m', [])).toEqual([])
    expect((await nobody.port.vectors.view('m', {})).ids).toHaveLength(0)
    expect(await nobody.port.vectors.counts('m')).toEqual({ documents: 0, missing: 0, chunks: 0 })
  })

  it('is the whole one for the local owner', () => {
    expect(visibleStore(whole, { name: '', scopes: ['read'] })).toBe(whole)
  })
})
