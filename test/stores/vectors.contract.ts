import { describe, expect, it } from 'vitest'
import { packVector } from '../../src/retrieval/packed-vectors.ts'
import type { DocumentFilter } from '../../src/stores/document-store.ts'
import type { Store } from '../../src/stores/store.ts'
import type { NewVectors, VectorView } from '../../src/stores/vector-store.ts'
import { COLLECTION, stored } from './filled.ts'
import { type Openable, withStores as withBoth } from './opened.ts'

type Test = (store: Store, other: Store) => Promise<void>
type WithStores = (test: Test) => Promise<void>

const MODEL = 'model'
const DIMENSIONS = 40
const CENTRE = Float32Array.from({ length: DIMENSIONS }, (_, at) => at / 100)

/** What any store keeps of vectors. `open` gives a new, empty one. */
export function vectorStoreContract(name: string, open: () => Promise<Openable>): void {
  /** With documents in it: `a` and `b` of `docs`, and in `notes` what is in `a`, and `c`. */
  const withStore = withBoth(open)
  const withStores: WithStores = (test) =>
    withStore(async (store, other) => {
      for (const each of ['docs', 'notes']) await store.collections.add({ ...COLLECTION, name: each })
      await stored(store, 'docs', [
        { path: 'b', hash: hashOf('b') },
        { path: 'a', hash: hashOf('a') },
      ])
      await stored(store, 'notes', [
        { path: 'same', hash: hashOf('a') },
        { path: 'c', hash: hashOf('c') },
      ])
      await test(store, other)
    })
  keepingContract(name, withStores)
  viewContract(name, withStores)
  removalContract(name, withStores)
  rightContract(name, withStores)
}

function keepingContract(name: string, withStores: WithStores): void {
  describe(`vectors in ${name}`, () => {
    it('are none at first', () =>
      withStores(async ({ vectors }) => {
        expect(await vectors.centre(MODEL)).toBeUndefined()
        expect(await vectors.counts(MODEL)).toEqual({ documents: 0, missing: 4, chunks: 0 })
        const { centre, ids, bits } = await vectors.view(MODEL, {})
        expect([centre.length, ids.length, bits.length]).toEqual([0, 0, 0])
      }))

    it('are kept as they were put, with the centre of the first', () =>
      withStores(async ({ vectors }, other) => {
        const contents = [made('a', 2), made('b', 1)]
        await vectors.put(MODEL, CENTRE, contents)
        await vectors.put(MODEL, new Float32Array(DIMENSIONS), [made('c', 1)])
        for (const each of [vectors, other.vectors]) {
          expect(await each.centre(MODEL)).toEqual(CENTRE)
          const { ids } = await each.view(MODEL, {})
          const found = await each.byId([...ids].slice(0, 3))
          const given = contents.flatMap(({ hash, chunks }) =>
            chunks.map(({ bits: _, ...chunk }) => ({ hash, ...chunk })),
          )
          expect(found.sort((one, two) => one.id - two.id)).toEqual(given.map((one, at) => ({ id: ids[at], ...one })))
        }
      }))

    it('are given for the ids that there are', () =>
      withStores(async ({ vectors }) => {
        await vectors.put(MODEL, CENTRE, [made('a', 1)])
        const [id = -1] = (await vectors.view(MODEL, {})).ids
        expect((await vectors.byId([id, id + 1, 12345])).map((one) => one.id)).toEqual([id])
        expect(await vectors.byId([])).toEqual([])
      }))

    it('take the place of those that a content had, under other ids', () =>
      withStores(async ({ vectors }) => {
        await vectors.put(MODEL, CENTRE, [made('a', 3), made('b', 1)])
        const before = await vectors.view(MODEL, {})
        await vectors.put(MODEL, CENTRE, [made('a', 1)])
        const after = await vectors.view(MODEL, {})
        expect(after.ids).toHaveLength(2)
        expect([...after.ids].filter((id) => before.ids.includes(id))).toHaveLength(1)
        expect(Math.max(...after.ids)).toBeGreaterThan(Math.max(...before.ids))
      }))

    it.each([
      ['more', 1],
      ['fewer', -1],
    ])('of %s dimensions are refused, with all that came with them', (_, more) =>
      withStores(async ({ vectors }) => {
        await vectors.put(MODEL, CENTRE, [made('a', 1)])
        const conflict = { code: 'conflict', hint: expect.stringContaining('--force') }
        const strange = { hash: hashOf('c'), chunks: [chunkOf(1, DIMENSIONS + more)] }
        await expect(vectors.put(MODEL, CENTRE, [made('b', 1), strange])).rejects.toMatchObject(conflict)
        const centre = new Float32Array(DIMENSIONS + more)
        await expect(vectors.put(MODEL, centre, [strange])).rejects.toMatchObject(conflict)
        expect(await vectors.counts(MODEL)).toMatchObject({ documents: 2, chunks: 1 })
        await vectors.put('another', centre, [strange])
        expect((await vectors.centre('another'))?.length).toBe(DIMENSIONS + more)
      }),
    )

    it('are missing where a content has none, once for each, and of the collections that are named', () =>
      withStores(async ({ vectors }) => {
        const missing = async (model: string, ...collections: string[]) =>
          (await vectors.missing(model, collections)).map(({ hash }) => hash).sort()
        expect(await missing(MODEL)).toEqual(['a', 'b', 'c'].map(hashOf))
        expect(await missing(MODEL, 'notes')).toEqual(['a', 'c'].map(hashOf))
        // What has no chunks has them all.
        await vectors.put(MODEL, CENTRE, [made('a', 1), made('c', 0)])
        expect(await missing(MODEL)).toEqual([hashOf('b')])
        expect(await missing(MODEL, 'notes')).toEqual([])
        expect(await missing('another', 'notes', 'docs')).toHaveLength(3)
        expect(await vectors.counts(MODEL)).toEqual({ documents: 3, missing: 1, chunks: 1 })
        await expect(vectors.missing(MODEL, ['none'])).rejects.toMatchObject({ code: 'not-found' })
      }))

    it('belong to every document of their content that a filter lets through', () =>
      withStores(async (store) => {
        const { vectors, collections } = store
        const documents = async (filter: DocumentFilter, ...contents: string[]) =>
          (await vectors.documentsOf(contents.map(hashOf), filter)).map(
            ({ collection, path }) => `${collection}/${path}`,
          )
        expect(await documents({}, 'c', 'a', 'none')).toEqual(['docs/a', 'notes/c', 'notes/same'])
        expect(await documents({ collections: ['notes'] }, 'a', 'b')).toEqual(['notes/same'])
        await collections.update('notes', { isPaused: true })
        expect(await documents({}, 'a', 'c')).toEqual(['docs/a'])
        expect(await documents({})).toEqual([])
      }))
  })
}

function viewContract(name: string, withStores: WithStores): void {
  describe(`all vectors of a model, from ${name},`, () => {
    it('are seen by their bits, in the order of their ids', () =>
      withStores(async ({ vectors }, other) => {
        const contents = [made('b', 2), made('a', 1)]
        await vectors.put('another', CENTRE, [made('a', 2)])
        await vectors.put(MODEL, CENTRE, contents)
        for (const each of [vectors, other.vectors]) {
          const { centre, ids, bits, allowed } = await each.view(MODEL, {})
          expect(centre).toEqual(CENTRE)
          expect([...ids]).toEqual([...ids].sort((one, two) => one - two))
          expect([...bits]).toEqual(contents.flatMap(({ chunks }) => chunks.flatMap((chunk) => [...chunk.bits])))
          expect(allowed).toBeUndefined()
        }
      }))

    it('are marked where a filter lets their content through, as the documents are now', () =>
      withStores(async (store) => {
        const { vectors, collections } = store
        await vectors.put(MODEL, CENTRE, [made('a', 2), made('b', 1), made('c', 1)])
        const marks = async (filter: DocumentFilter) => marksOf(await vectors.view(MODEL, filter))
        expect(await marks({ collections: ['docs'] })).toEqual([true, true, true, false])
        expect(await marks({ collections: ['notes'] })).toEqual([true, true, false, true])
        expect(await marks({ paths: ['b'] })).toEqual([false, false, true, false])
        await collections.update('docs', { isPaused: true })
        expect(await marks({})).toEqual([true, true, false, true])
        await collections.update('docs', { isPaused: false })
        expect(await marks({})).toBeUndefined()
        const gone = await store.documents.find('notes', 'same')
        await store.index.apply({ removed: [gone?.id ?? -1] })
        expect(await marks({ collections: ['notes'] })).toEqual([false, false, false, true])
      }))

    it('are as they are now, whoever changed them', () =>
      withStores(async ({ vectors }, other) => {
        const seen = async () => (await other.vectors.view(MODEL, {})).ids.length
        expect(await seen()).toBe(0)
        await vectors.put(MODEL, CENTRE, [made('a', 2)])
        expect(await seen()).toBe(2)
        await vectors.put(MODEL, CENTRE, [made('b', 1)])
        expect(await seen()).toBe(3)
        await vectors.put(MODEL, CENTRE, [made('a', 2)])
        const { ids } = await other.vectors.view(MODEL, {})
        expect(await other.vectors.byId([...ids])).toHaveLength(3)
        await vectors.clear(MODEL)
        expect(await seen()).toBe(0)
      }))

    it('can be seen by many filters, one after the other', () =>
      withStores(async ({ vectors }) => {
        await vectors.put(MODEL, CENTRE, [made('a', 1), made('b', 1)])
        for (let at = 0; at < 100; at++) {
          expect(marksOf(await vectors.view(MODEL, { paths: ['a', `${at}`] }))).toEqual([true, false])
        }
      }))
  })
}

function removalContract(name: string, withStores: WithStores): void {
  describe(`vectors in ${name} are removed`, () => {
    it('with those of other models, and of contents that no document has', () =>
      withStores(async (store) => {
        const { vectors, documents, index } = store
        await vectors.put('another', CENTRE, [made('a', 1), made('c', 1)])
        await vectors.put(MODEL, CENTRE, [made('a', 1), made('b', 1), made('c', 1)])
        const removed = await Promise.all([documents.find('docs', 'a'), documents.find('docs', 'b')])
        await index.apply({ removed: removed.flatMap((one) => (one ? [one.id] : [])) })
        // What is in `a` is in another document, too.
        expect(await vectors.prune(MODEL)).toBe(3)
        expect(await vectors.counts(MODEL)).toEqual({ documents: 2, missing: 0, chunks: 2 })
        expect(await vectors.centre('another')).toBeUndefined()
        expect(await vectors.prune(MODEL)).toBe(0)
      }))

    it('with their collection, where no other has their content', () =>
      withStores(async ({ vectors, collections }) => {
        await vectors.put(MODEL, CENTRE, [made('a', 1), made('b', 1), made('c', 1)])
        await collections.remove('notes')
        expect(await vectors.counts(MODEL)).toEqual({ documents: 2, missing: 0, chunks: 2 })
      }))

    it('with their model, and its centre', () =>
      withStores(async ({ vectors }) => {
        await vectors.put('another', CENTRE, [made('a', 1)])
        await vectors.put(MODEL, CENTRE, [made('a', 1)])
        await vectors.clear(MODEL)
        await vectors.clear('none')
        expect(await vectors.centre(MODEL)).toBeUndefined()
        expect(await vectors.counts('another')).toMatchObject({ chunks: 1 })
        const centre = new Float32Array(8)
        await vectors.put(MODEL, centre, [{ hash: hashOf('a'), chunks: [chunkOf(1, 8)] }])
        expect(await vectors.centre(MODEL)).toEqual(centre)
      }))
  })
}

function rightContract(name: string, withStores: WithStores): void {
  describe(`the right to make vectors in ${name}`, () => {
    it('is another than that to index, and is had by one at a time', () =>
      withStores(async (store, other) => {
        await store.vectors.exclusively(0, async () => {
          expect(await other.index.exclusively(0, async () => 'indexed')).toBe('indexed')
          const asked = other.vectors.exclusively(0, async () => 'never')
          await expect(asked).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('embedding') })
          await store.vectors.put(MODEL, CENTRE, [made('a', 1)])
        })
        expect(await other.vectors.exclusively(0, async () => 'now')).toBe('now')
      }))
  })
}

/** As long as a real one. */
function hashOf(content: string): string {
  return Buffer.from(content).toString('hex').padEnd(64, '0')
}

function made(content: string, chunks: number): NewVectors {
  return { hash: hashOf(content), chunks: Array.from({ length: chunks }, (_, at) => chunkOf(at + 1)) }
}

function chunkOf(line: number, dimensions = DIMENSIONS): NewVectors['chunks'][number] {
  const vector = Array.from({ length: dimensions }, (_, at) => Math.sin(line * at + 1))
  return { start: line, end: line + 5, ...packVector(vector, CENTRE) }
}

/** Whether each vector is let through; undefined where all are. */
function marksOf({ ids, allowed }: VectorView): boolean[] | undefined {
  return allowed && Array.from(ids, (_, at) => (((allowed[at >> 3] ?? 0) >> (at & 7)) & 1) === 1)
}
