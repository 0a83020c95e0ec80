import { describe, expect, it } from 'vitest'
import { postingsOf, stored, written } from '../filled.ts'
import { found } from '../found.ts'
import type { WithStore } from './with-store.ts'

export function indexContract(name: string, withStore: WithStore): void {
  describe(`the index in ${name}`, () => {
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
  })
}
