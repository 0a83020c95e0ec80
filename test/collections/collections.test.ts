import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { watchCollections } from '../../src/collections/indexing.ts'
import { type Library, libraryOver } from '../../src/collections/library.ts'
import type { FlowEvent } from '../../src/core/flow.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { type Shape, type Tree, tree } from '../support/tree.ts'

async function withLibrary(shape: Shape, test: (library: Library, files: Tree, store: Store) => Promise<void>) {
  using files = tree(shape)
  const store = openSqlite(':memory:')
  try {
    await test(libraryOver(store), files, store)
  } finally {
    await store.close()
  }
}

const DOCS = { 'docs/a.md': 'lion', 'docs/b.bin': 'a\0', 'notes/a.md': 'lion zebra' }

describe('a collection', () => {
  it('is a name for a directory; nothing is read yet', () =>
    withLibrary(DOCS, async ({ collections, search }, files) => {
      const added = await collections.add({ name: 'docs', root: files.at('docs'), pattern: ['*.md'], exclude: ['x/'] })
      expect(added).toMatchObject({ root: files.at('docs'), patterns: ['*.md'], exclude: ['x/'], documents: 0 })
      expect(await collections.show('docs')).toEqual(added)
      expect((await search({ query: 'lion' })).results).toEqual([])
    }))

  it.each(['.ssh', '.gnupg', '.aws', '.kube', '.ssh/old'])('of %s is only added by who means it', (folder) =>
    withLibrary({ [`${folder}/notes.txt`]: 'lion' }, async ({ collections }, files) => {
      const request = { name: 'keys', root: files.at(folder) }
      const message = `${files.at(folder)} is known to hold secrets.`
      await expect(collections.add(request)).rejects.toMatchObject({ code: 'denied', message })
      expect(await collections.list()).toEqual([])
      expect(await collections.add({ ...request, yes: true })).toMatchObject({ root: files.at(folder) })
    }),
  )

  it('may have a root that is relative, and is kept absolute', () =>
    withLibrary(DOCS, async ({ collections }, files) => {
      const added = await collections.add({
        name: 'docs',
        root: `${relative(process.cwd(), files.at('docs'))}/../docs/`,
      })
      expect(added.root).toBe(files.at('docs'))
      expect(await collections.add({ name: 'home', root: '~' })).toMatchObject({ root: homedir() })
    }))

  it.each(['docs', 'Docs 2', 'a.b-c_d@e+f', 'ä', '日本', '1', '_', 'x'.repeat(128)])('may be called %j', (name) =>
    withLibrary(DOCS, async ({ collections }, files) => {
      expect(await collections.add({ name, root: files.at('docs') })).toMatchObject({ name })
    }),
  )

  const BAD = [...". .. .a -a ~ a/b a\\b a:b #a a\n a\0b a'b *".split(' '), '', ' ', 'x'.repeat(129)]
  it.each(BAD)('may not be called %j', (name) =>
    withLibrary(DOCS, async ({ collections }, files) => {
      const adding = collections.add({ name, root: files.at('docs') })
      await expect(adding).rejects.toMatchObject({ code: 'invalid-input', hint: expect.any(String) })
      await collections.add({ name: 'docs', root: files.at('docs') })
      await expect(collections.rename('docs', name)).rejects.toMatchObject({ code: 'invalid-input' })
      expect((await collections.list()).map((each) => each.name)).toEqual(['docs'])
    }),
  )

  it.each([
    ['gone', 'not-found'],
    ['file', 'invalid-input'],
    ['loop', 'invalid-input'],
    ['file/below', 'not-found'],
    ['/etc', 'denied'],
    ['/', 'denied'],
    ['a\0b', 'invalid-input'],
  ])('has no root at %j', (root, code) =>
    withLibrary({ file: 'x', 'loop -> loop': '' }, async ({ collections }, files) => {
      const adding = collections.add({ name: 'docs', root: root.startsWith('/') ? root : `${files.base}/${root}` })
      await expect(adding).rejects.toMatchObject({ code })
      expect(await collections.list()).toEqual([])
    }),
  )

  it('that there is none of is told, with the nearest name', () =>
    withLibrary(DOCS, async ({ collections }, files) => {
      await collections.add({ name: 'documents', root: files.at('docs') })
      const told = { code: 'not-found', hint: expect.stringContaining('documents') }
      await expect(collections.show('document')).rejects.toMatchObject(told)
      await expect(collections.remove('document')).rejects.toMatchObject(told)
      await expect(collections.rename('document', 'x')).rejects.toMatchObject(told)
      await expect(collections.change('document', { isPaused: true })).rejects.toMatchObject(told)
      await expect(collections.index({ names: ['document'] })).rejects.toMatchObject(told)
    }))

  it('is found, paused, renamed and removed; its files stay', () =>
    withLibrary(DOCS, async ({ collections, search }, files) => {
      await collections.add({ name: 'docs', root: files.at('docs') })
      await collections.index()
      const uris = async (names?: readonly string[]) =>
        (await search({ query: 'lion', collections: names })).results.map(({ uri }) => uri)
      expect(await uris()).toEqual(['ambit://docs/a.md'])
      expect(await collections.change('docs', { isPaused: true })).toMatchObject({ isPaused: true })
      expect([await uris(), await uris(['docs'])]).toEqual([[], ['ambit://docs/a.md']])
      await collections.change('docs', { isPaused: false })
      expect(await collections.rename('docs', 'manual')).toMatchObject({ name: 'manual', documents: 1 })
      expect(await uris()).toEqual(['ambit://manual/a.md'])
      expect(await collections.remove('manual')).toMatchObject({ name: 'manual' })
      expect(await uris()).toEqual([])
      await collections.add({ name: 'docs', root: files.at('docs') })
      expect(await collections.index()).toMatchObject({ added: 1, skipped: 1 })
    }))
})

describe('a collection whose texts are to be found by any piece', () => {
  it('says so, from when it is added or later', () =>
    withLibrary(DOCS, async ({ collections, search }, files) => {
      expect(await collections.add({ name: 'docs', root: files.at('docs') })).toMatchObject({ hasSubstrings: false })
      await collections.add({ name: 'notes', root: files.at('notes'), substrings: true })
      await collections.index()
      const slow = async () => (await search({ query: 'contains:"lio"' })).notices
      expect(await slow()).toEqual([expect.stringContaining('1 document had to be read')])
      expect(await collections.change('docs', { hasSubstrings: true })).toMatchObject({ hasSubstrings: true })
      expect(await collections.index()).toMatchObject({ changed: 1, unchanged: 1 })
      expect(await slow()).toEqual([])
      expect((await search({ query: 'contains:"lio"' })).results.length).toBeGreaterThan(0)
      expect(await collections.change('docs', { hasSubstrings: false })).toMatchObject({ hasSubstrings: false })
      await expect(collections.change('document', { hasSubstrings: true })).rejects.toMatchObject({ code: 'not-found' })
    }))
})

describe('indexing', () => {
  const both = async ({ collections }: Library, files: Tree) => {
    for (const name of ['docs', 'notes']) await collections.add({ name, root: files.at(name) })
  }

  it('goes over all collections, or those that are named, each once', () =>
    withLibrary(DOCS, async (library, files) => {
      await both(library, files)
      const { collections, ...sums } = await library.collections.index({ names: ['notes', 'notes'] })
      expect(collections.map(({ name, added }) => [name, added])).toEqual([['notes', 1]])
      expect(sums).toEqual({ added: 1, changed: 0, moved: 0, removed: 0, unchanged: 0, skipped: 0, failed: 0 })
      expect(await library.collections.index()).toMatchObject({ added: 1, unchanged: 1, skipped: 1 })
      expect((await library.collections.index({ force: true })).unchanged).toBe(2)
    }))

  it('of none is nothing', () =>
    withLibrary({}, async ({ collections }) => {
      expect(await collections.index()).toMatchObject({ added: 0, collections: [] })
    }))

  it.each([
    ['is gone', (path: string) => rmSync(path, { recursive: true }), 'not-found'],
    [
      'leads to the system',
      (path: string) => {
        rmSync(path, { recursive: true })
        symlinkSync('/etc', path)
      },
      'denied',
    ],
  ])('of a collection whose root %s is told, when the others are done', (_, deed, code) =>
    withLibrary(DOCS, async (library, files, store) => {
      await both(library, files)
      await library.collections.index()
      deed(files.at('docs'))
      files.plant({ 'notes/b.md': 'lion' })
      const { collections, added } = await library.collections.index()
      expect(collections).toMatchObject([
        { name: 'docs', added: 0, removed: 0, problem: expect.any(String) },
        { name: 'notes', added: 1 },
      ])
      expect([added, collections[1]]).toEqual([1, expect.not.objectContaining({ problem: expect.anything() })])
      await expect(library.collections.index({ names: ['docs'] })).rejects.toMatchObject({ code })
      const [docs] = (await library.collections.status()).collections
      expect(docs).toMatchObject({ name: 'docs', problem: expect.any(String) })
      expect((await store.documents.list({})).map(({ collection, path }) => `${collection}/${path}`)).toEqual([
        'docs/a.md',
        'notes/a.md',
        'notes/b.md',
      ])
    }),
  )

  it('tells how far it is, and stops when it is told to', () =>
    withLibrary(DOCS, async (library, files, store) => {
      await both(library, files)
      const heard: FlowEvent[] = []
      const controller = new AbortController()
      const emit = (event: FlowEvent) => {
        heard.push(event)
        if (event.type === 'progress' && event.what === 'docs' && event.done === event.total) controller.abort()
      }
      const stopped = library.collections.index({}, { signal: controller.signal, emit })
      await expect(stopped).rejects.toMatchObject({ code: 'cancelled' })
      expect(heard).toEqual([
        { type: 'progress', what: 'docs', done: 0, total: 2 },
        { type: 'progress', what: 'docs', done: 2, total: 2 },
      ])
      expect((await store.documents.list({})).map(({ path }) => path)).toEqual(['a.md'])
      expect(await store.index.of('docs').exclusively(0, async () => 'free')).toBe('free')
    }))

  it('that another process is at is waited for, and the others go first', () =>
    withLibrary({ 'docs/a.md': 'lion', 'lab/b.md': 'zebra' }, async (library, files, store) => {
      for (const name of ['docs', 'lab']) await library.collections.add({ name, root: files.at(name) })
      const done = await store.index.of('docs').exclusively(0, async () => {
        const indexing = library.collections.index()
        await expect.poll(async () => (await library.collections.show('lab')).indexedAt).toBeDefined()
        expect(await store.documents.list({ collections: ['docs'] })).toEqual([])
        return { indexing }
      })
      expect(await done.indexing).toMatchObject({
        added: 2,
        collections: [
          { name: 'docs', added: 1 },
          { name: 'lab', added: 1 },
        ],
      })
    }))

  it.each([
    ['before its turn came', 'lab', 1],
    ['while it was at it', 'docs', 0],
  ])('takes nothing of the old root where another collection took its name %s', (_, what, done) =>
    withLibrary({ 'lab/a.md': 'cat', 'old/a.md': 'lion', 'new/b.md': 'zebra' }, async (library, files, store) => {
      await library.collections.add({ name: 'docs', root: files.at('old') })
      await library.collections.add({ name: 'lab', root: files.at('lab') })
      let replaced: Promise<unknown> | undefined
      const emit = (event: FlowEvent) => {
        if (event.type !== 'progress' || event.what !== what || event.done !== done) return
        replaced ??= store.collections
          .remove('docs')
          .then(() => library.collections.add({ name: 'docs', root: files.at('new') }))
      }
      const { collections } = await library.collections.index({ names: ['lab', 'docs'] }, { emit })
      await replaced
      expect(collections.find(({ name }) => name === 'docs')).toMatchObject({ added: 1 })
      expect((await store.documents.list({ collections: ['docs'] })).map(({ path }) => path)).toEqual(['b.md'])
    }),
  )

  it('tells of one that was removed before its turn came', () =>
    withLibrary({ 'lab/a.md': 'cat', 'docs/a.md': 'lion' }, async (library, files, store) => {
      for (const name of ['docs', 'lab']) await library.collections.add({ name, root: files.at(name) })
      let removed: Promise<unknown> | undefined
      const emit = () => {
        removed ??= store.collections.remove('docs')
      }
      const { collections } = await library.collections.index({ names: ['lab', 'docs'] }, { emit })
      await removed
      expect(collections).toMatchObject([
        { name: 'lab', added: 1 },
        { name: 'docs', added: 0, problem: 'There is no collection "docs" any more.' },
      ])
    }))

  it('is seen in the status', () =>
    withLibrary(DOCS, async (library, files) => {
      await both(library, files)
      await library.collections.index({ names: ['docs'] })
      expect(await library.collections.status()).toMatchObject({
        database: ':memory:',
        documents: 1,
        segments: 1,
        collections: [
          { name: 'docs', documents: 1, skipped: 1, bytes: 4, indexedAt: expect.any(String) },
          { name: 'notes', documents: 0, skipped: 0 },
        ],
      })
    }))
})

describe('a watch of all collections', () => {
  it(
    'waits where there are none, takes in those that are added, and leaves those that are removed',
    { tags: 'long' },
    () =>
      withLibrary(DOCS, async ({ collections }, files) => {
        const ending = new AbortController()
        const told: string[] = []
        const watching = (async () => {
          for await (const { name, added, problem } of collections.watch({}, ending.signal)) {
            told.push(`${name} ${problem ?? added}`)
          }
        })()
        await collections.add({ name: 'docs', root: files.at('docs') })
        await expect.poll(() => told, { timeout: 60_000 }).toEqual(['docs 1'])
        await collections.add({ name: 'notes', root: files.at('notes') })
        await expect.poll(() => told.at(-1), { timeout: 60_000 }).toBe('notes 1')
        files.plant({ 'notes/new.md': 'new' })
        await expect.poll(() => told, { timeout: 60_000 }).toHaveLength(3)
        await collections.remove('notes')
        await collections.add({ name: 'moved', root: files.at('notes') })
        await expect.poll(() => told.at(-1), { timeout: 60_000 }).toBe('moved 2')
        ending.abort()
        await watching
        expect(told).toEqual(['docs 1', 'notes 1', 'notes 1', 'moved 2'])
      }),
  )

  // Within a minute: after that, it scans without a change, too.
  it('is of what is named, which has to be there', { timeout: 30_000 }, () =>
    withLibrary(DOCS, async ({ collections }, files) => {
      for (const name of ['docs', 'notes']) await collections.add({ name, root: files.at(name) })
      const first = collections.watch({ names: ['none'] }).next()
      await expect(first).rejects.toMatchObject({ code: 'not-found' })
      const ending = new AbortController()
      const watch = collections.watch({ names: ['notes'] }, ending.signal)
      expect((await watch.next()).value).toMatchObject({ name: 'notes', added: 1 })
      files.plant({ 'notes/new.md': 'new' })
      expect((await watch.next()).value).toMatchObject({ name: 'notes', added: 1 })
      ending.abort()
      expect(await watch.next()).toEqual({ done: true, value: undefined })
    }),
  )

  it('fails where the collections cannot be listed', () =>
    withLibrary({}, async (_, _files, store) => {
      const fail = () => Promise.reject(new Error('It broke.'))
      await expect(watchCollections(store, fail, { waitMs: 0, open: fail }).next()).rejects.toThrow('It broke.')
    }))
})

describe('a search beside an update', () => {
  it('shows what is there now, when what it found was replaced between two of its steps', () =>
    withLibrary(DOCS, async (library, files, store) => {
      await library.collections.add({ name: 'notes', root: files.at('notes') })
      await library.collections.index()
      let replaced = 0
      const byId: typeof store.documents.byId = async (ids) => {
        if (replaced++ < 3) {
          files.plant({ 'notes/a.md': `lion zebra ${replaced}` })
          await library.collections.index()
        }
        return store.documents.byId(ids)
      }
      const disturbed = libraryOver({ ...store, documents: { ...store.documents, byId } })
      const { results, total } = await disturbed.search({ query: 'lion', full: true })
      expect(results.map(({ text }) => text)).toEqual(['lion zebra 3'])
      expect([total, replaced]).toEqual([1, 4])
    }))

  it('gives up to be undisturbed after some time, and shows what there is', () =>
    withLibrary(DOCS, async (library, files, store) => {
      await library.collections.add({ name: 'notes', root: files.at('notes') })
      await library.collections.index()
      let asked = 0
      const byId: typeof store.documents.byId = async () => {
        asked++
        return []
      }
      const disturbed = libraryOver({ ...store, documents: { ...store.documents, byId } })
      expect((await disturbed.search({ query: 'lion' })).results).toEqual([])
      expect(asked).toBe(10)
    }))
})

it('moves with its directory, when it is added anew', () =>
  withLibrary(DOCS, async ({ collections }, files) => {
    await collections.add({ name: 'docs', root: files.at('docs') })
    mkdirSync(files.at('elsewhere'))
    renameSync(files.at('docs'), files.at('elsewhere/docs'))
    await expect(collections.index()).rejects.toMatchObject({ code: 'not-found' })
    await collections.remove('docs')
    await collections.add({ name: 'docs', root: files.at('elsewhere/docs') })
    expect(await collections.index()).toMatchObject({ added: 1 })
  }))
