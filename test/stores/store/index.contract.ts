import { describe, expect, it } from 'vitest'
import { postingsOf, stored, written } from '../filled.ts'
import { found } from '../found.ts'
import type { WithStore } from './with-store.ts'

export function indexContract(name: string, withStore: WithStore): void {
  describe(`the index in ${name}`, () => {
    it('gives the postings of each term by segment, and what lives', () =>
      withStore(async (store) => {
        const [a = -1, b = -1] = await stored(store, 'docs', [
          { path: 'a', title: 'T', text: 'zebra zebra lion' },
          { path: 'b', title: 'T', text: 'lion' },
        ])
        const [c = -1] = await stored(store, 'docs', [{ path: 'c', title: 'T', text: 'zebra' }])
        const before = await store.index.read({ terms: ['zebra', 'lion', 'tiger'], filter: {} })
        expect(before.segments.map(({ ids }) => [...ids])).toEqual([[a, b], [c]])
        expect(before.segments.map(({ bodyLengths }) => [...bodyLengths])).toEqual([[3, 1], [1]])
        expect(before.segments.map(({ live }) => live)).toEqual([
          { docs: 2, body: 4, title: 4 },
          { docs: 1, body: 1, title: 2 },
        ])
        const has = (term: string) => before.terms.get(term)?.map((postings) => postings !== undefined)
        const held = ['zebra', 'lion', 'tiger'].map((term) => `${has(term)}`)
        expect(held).toEqual(['true,true', 'true,false', 'false,false'])
        await store.index.apply({ removed: [a] })
        const [first] = (await store.index.read({ terms: [], filter: {} })).segments
        expect(first).toMatchObject({ docs: 2, live: { docs: 1, body: 1, title: 2 } })
        expect([...(first?.dead ?? [])]).toEqual([1])
        expect(await found(store, 'zebra')).toEqual(['docs/c'])
      }))

    it('counts what goes once, though it is removed twice or was never there', () =>
      withStore(async (store) => {
        const [a = -1] = await stored(store, 'docs', [{ path: 'a' }, { path: 'b' }])
        await store.index.apply({ removed: [a, a] })
        await store.index.apply({ removed: [a, 4_000_000] })
        const [segment] = (await store.index.read({ terms: [], filter: {} })).segments
        expect(segment?.live.docs).toBe(1)
      }))

    it('knows which terms begin so, the most frequent first', () =>
      withStore(async (store) => {
        await stored(store, 'docs', [
          { path: '1', text: 'car carbon cargo \u{10428}a \u{10428}b' },
          { path: '2', text: 'carbon' },
          { path: '3', text: 'carbon cargo' },
        ])
        const prefixes = ['car', 'carg', 'dog', '\u{10428}', '%', '_']
        const view = await store.index.read({ terms: [], prefixes, filter: {} })
        const sorted = new Map([...view.prefixes].map(([prefix, terms]) => [prefix, [...terms].sort()]))
        const found = { car: ['car', 'carbon', 'cargo'], carg: ['cargo'], dog: [], '%': [], _: [] }
        expect(Object.fromEntries(sorted)).toEqual({ ...found, '\u{10428}': ['\u{10428}a', '\u{10428}b'] })
        expect(view.terms.get('carbon')?.[0]).toBeInstanceOf(Uint8Array)
        const two = await store.index.read({ terms: [], prefixes: ['car'], maximumTerms: 2, filter: {} })
        expect(two.prefixes.get('car')).toEqual(['carbon', 'cargo'])
      }))

    it('knows which terms begin so and are longer, the shortest first', () =>
      withStore(async (store) => {
        await stored(store, 'docs', [{ path: '1', text: 'car carbon cargo cards \u{10428}a \u{10428}bb %x' }])
        await stored(store, 'docs', [{ path: '2', text: 'cardinal cargo' }])
        await written(store, 'docs', [{ path: '3', text: 'cars' }])
        const longer = await store.index.longer(['car', 'cardin', '\u{10428}', '%', 'dog'], 4)
        const found = { car: ['card', 'cargo', 'carbon', 'cardin'], cardin: [], '%': [], dog: [] }
        expect(Object.fromEntries(longer)).toEqual({ ...found, '\u{10428}': ['\u{10428}a', '\u{10428}bb'] })
        expect(await store.index.longer(['car'], 2)).toEqual(new Map([['car', ['card', 'cargo']]]))
        expect(await store.index.longer([], 2)).toEqual(new Map())
      }))

    it('shows nothing of a segment before a change names it', () =>
      withStore(async (store) => {
        await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
        const version = await store.version()
        const added = await written(store, 'docs', [{ path: 'b', text: 'zebra zoo' }])
        const view = await store.index.read({ terms: ['zebra'], prefixes: ['zeb'], filter: {} })
        expect(view.segments).toHaveLength(1)
        expect(view.prefixes.get('zeb')).toEqual([])
        expect(await store.index.longer(['zebr'], 4)).toEqual(new Map([['zebr', []]]))
        await store.index.apply({ added })
        expect(await found(store, 'zebra')).toEqual(['docs/b'])
        expect(await store.index.longer(['zebr'], 4)).toEqual(new Map([['zebr', ['zebra']]]))
        expect(await store.version()).not.toBe(version)
      }))

    it('forgets a segment that was begun when another is', () =>
      withStore(async (store) => {
        const lost = await written(store, 'docs', [{ path: 'a' }])
        await stored(store, 'docs', [{ path: 'b' }])
        await expect(store.index.apply({ added: lost })).rejects.toMatchObject({ code: 'conflict' })
        await expect(store.index.apply({ added: { ...lost, segment: 12_345 } })).rejects.toMatchObject({
          code: 'conflict',
        })
        expect(await found(store, 'text')).toEqual(['docs/b'])
        expect(await postingsOf(store, [lost.segment])).toEqual([])
      }))

    it('does all of a change or nothing of it', () =>
      withStore(async (store) => {
        const [a = -1, b = -1] = await stored(store, 'docs', [{ path: 'a' }, { path: 'b' }])
        const state = async () => ({
          documents: await store.documents.list({}),
          known: await store.documents.known('docs'),
          skipped: await store.documents.skipped('docs'),
          segments: (await store.index.read({ terms: [], filter: {} })).segments,
        })
        const before = await state()
        const added = await written(store, 'docs', [{ path: 'c' }, { path: 'b' }])
        const stamped = [{ id: b, stamp: { size: 1, mtime: '1', ctime: '1' } }]
        const skipped = { collection: 'ghost', files: [] }
        await expect(store.index.apply({ added, removed: [a], stamped })).rejects.toThrow()
        expect(await state()).toEqual(before)
        await expect(store.index.apply({ removed: [a], stamped, skipped })).rejects.toMatchObject({ code: 'not-found' })
        expect(await state()).toEqual(before)
      }))

    it('gives the terms of segments from end to end, by the order of their bytes', () =>
      withStore(async (store) => {
        const odd = ['\ufe73', '\u{10428}', 'zz', 'é']
        const words = [...Array.from({ length: 5000 }, (_, index) => `${100_000 + index}`), ...odd]
        const segments: number[] = []
        for (const [at, step] of [
          [0, 1],
          [0, 2],
          [4990, 1],
        ] as const) {
          const some = words.filter((_, index) => index >= at && index % step === 0)
          await stored(store, 'docs', [{ path: `${segments.length}`, text: some.join(' ') }])
          segments.push((await store.index.read({ terms: [], filter: {} })).segments.at(-1)?.id ?? -1)
        }
        const seen = new Map<string, number[]>()
        let from = segments.map((segment) => ({ segment, after: '' }))
        while (from.length > 0) {
          const bySegment = Map.groupBy(await store.index.terms(from, 999), ({ segment }) => segment)
          expect([...bySegment.keys()]).toEqual(from.map(({ segment }) => segment).filter((one) => bySegment.has(one)))
          for (const { segment, after } of from) {
            let last = after
            for (const { term } of bySegment.get(segment) ?? []) {
              expect(Buffer.compare(Buffer.from(term), Buffer.from(last))).toBe(1)
              seen.set(term, [...(seen.get(term) ?? []), segment])
              last = term
            }
          }
          from = [...bySegment]
            .filter(([, rows]) => rows.length === 999)
            .map(([segment, rows]) => ({ segment, after: rows.at(-1)?.term ?? '' }))
        }
        for (const [index, word] of words.entries()) {
          const expected = segments.filter((_, number) => [true, index % 2 === 0, index >= 4990][number])
          const term = word === 'é' ? 'e' : word
          expect([word, seen.get(term)?.sort()]).toEqual([word, expected])
        }
      }))

    it('may have very many segments', () =>
      withStore(async (store) => {
        for (let index = 0; index < 200; index++) await stored(store, 'docs', [{ path: `${index}`, text: 'lion' }])
        const { segments } = await store.index.read({ terms: [], filter: {} })
        const terms = await postingsOf(
          store,
          segments.map(({ id }) => id),
        )
        expect(terms.filter(({ term }) => term === 'lion')).toHaveLength(200)
        expect(await found(store, 'lion')).toHaveLength(200)
      }))

    it('puts a merged segment in the place of others, without what went meanwhile', () =>
      withStore(async (store) => {
        const [a = -1] = await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
        const [b = -1] = await stored(store, 'docs', [{ path: 'b', text: 'lion' }])
        await stored(store, 'docs', [{ path: 'c', text: 'lion' }])
        const before = (await store.index.read({ terms: [], filter: {} })).segments.map(({ id }) => id)
        const { segment, lengths } = await written(store, 'docs', [
          { path: 'a', text: 'lion' },
          { path: 'b', text: 'lion' },
        ])
        await store.index.apply({ removed: [a] })
        const merged = { segment, replacedIds: before.slice(0, 2), ids: Uint32Array.of(a, b), lengths }
        await store.index.apply({ merged })
        const { segments } = await store.index.read({ terms: [], filter: {} })
        expect(segments.map(({ id }) => id)).toEqual([before[2], segment])
        expect(segments.map(({ live }) => live.docs)).toEqual([1, 1])
        expect(await postingsOf(store, before.slice(0, 2))).toEqual([])
        expect(await found(store, 'lion')).toEqual(['docs/b', 'docs/c'])
      }))

    it('has another version after each change, and the same after none', () =>
      withStore(async (store) => {
        const seen = [await store.version()]
        const step = async (change: () => Promise<unknown>) => {
          await change()
          seen.push(await store.version())
          await store.documents.list({})
          await store.index.read({ terms: ['a'], filter: {} })
          expect(await store.version()).toBe(seen.at(-1))
        }
        await step(() => stored(store, 'docs', [{ path: 'a' }]))
        await step(() => store.index.apply({ removed: [1] }))
        await step(() => store.collections.update('docs', { isPaused: true }))
        await step(() => store.collections.rename('docs', 'other'))
        await step(() => store.collections.remove('other'))
        expect(new Set(seen).size).toBe(seen.length)
      }))
  })
}
