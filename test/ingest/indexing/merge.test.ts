import { describe, expect, it } from 'vitest'
import { IndexBatch } from '../../../src/ingest/indexing/batch.ts'
import { mergeSegments, segmentsToMerge, termsInOrder } from '../../../src/ingest/indexing/merge.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store, StoredSegment, TermPostings } from '../../../src/stores/store.ts'
import { COLLECTION, document, type Given, postingsOf, stored } from '../../stores/filled.ts'
import { fc, forAll, forAllAsync } from '../../support/property.ts'
import { known } from './place.ts'

/** Segments by how many documents they have, and how many of those live. */
function segments(...sizes: readonly (readonly [docs: number, live: number])[]): StoredSegment[] {
  return sizes.map(([docs, live], index) => ({
    id: index + 1,
    docs,
    ids: new Uint32Array(docs),
    bodyLengths: new Uint32Array(docs),
    titleLengths: new Uint32Array(docs),
    live: { docs: live, body: live, title: live },
  }))
}

/** Each so many times larger than the one before. */
const powers = (times: number, count: number) => Array.from({ length: count }, (_, index) => times ** index)

const whole = (...sizes: readonly number[]) => segments(...sizes.map((size) => [size, size] as const))

describe('the segments to merge', () => {
  it.each([
    ['none of none', [], []],
    ['none of one', whole(1000), []],
    ['none of eight', whole(9, 8, 7, 6, 5, 4, 3, 2), []],
    ['four of nine, and those that are not much larger', whole(9000, 3000, 1000, 300, 20, 4, 3, 2, 1), [9, 8, 7, 6, 5]],
    ['all of nine that are alike', whole(9, 8, 7, 6, 5, 4, 3, 2, 1), [9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['the oldest first, of as small ones', whole(1, 1, 1, 1, 1, 1, 1, 1, 1), [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['enough of twelve, so that five are left', whole(...powers(3, 12)), [1, 2, 3, 4, 5, 6, 7]],
    ['none that is a fifth dead', segments([10, 8], [100, 100]), []],
    ['one that is more', segments([10, 7], [100, 100]), [1]],
    ['those that are no larger with it', segments([100, 79], [78, 78], [79, 79], [80, 80]), [2, 1, 3]],
    ['one of which nothing lives', segments([3, 0], [5, 5]), [1]],
    ['none that is empty', segments([0, 0], [5, 5]), []],
  ])('are %s', (_, given, ids) => {
    expect(segmentsToMerge(given).map(({ id }) => id)).toEqual(ids)
  })

  it('come to an end, whatever they are, and are then few and worn little', () => {
    const size = fc.nat(50).chain((docs) => fc.tuple(fc.constant(docs), fc.nat(docs)))
    forAll(fc.array(size, { maxLength: 40 }), (sizes) => {
      let left = segments(...sizes)
      let written = 0
      for (let some = segmentsToMerge(left); some.length > 0; some = segmentsToMerge(left)) {
        const live = some.reduce((sum, segment) => sum + segment.live.docs, 0)
        written++
        left = left.filter((segment) => !some.includes(segment))
        left.push(...segments([live, live]).map((segment) => ({ ...segment, id: 100 + written })))
        expect(written).toBeLessThan(10)
      }
      expect(left.length).toBeLessThanOrEqual(8)
      for (const { docs, live } of left) expect(live.docs).toBeGreaterThanOrEqual(docs * 0.8)
    })
  })

  it('write each document a few times only while a collection grows', () => {
    let all: StoredSegment[] = []
    let written = 0
    for (let id = 1; id <= 2000; id++) {
      all.push(...whole(1).map((segment) => ({ ...segment, id })))
      const some = segmentsToMerge(all)
      if (some.length === 0) continue
      const docs = some.reduce((sum, segment) => sum + segment.docs, 0)
      written += docs
      all = [
        ...all.filter((segment) => !some.includes(segment)),
        ...whole(docs).map((one) => ({ ...one, id: 10_000 + id })),
      ]
    }
    expect(written / 2000).toBeLessThan(8)
  })
})

const QUERIES = ['lion', 'zebra lion', 'li*', '"zebra lion"', 'title:t', 'lion -zebra']

async function withStore(test: (store: Store) => Promise<void>): Promise<void> {
  const store = openSqlite(':memory:')
  await store.collections.add(COLLECTION)
  try {
    await test(store)
  } finally {
    await store.close()
  }
}

const given = (path: string, text: string): Given => ({ path, text, title: `t ${path}` })

const idsOf = (all: readonly StoredSegment[]) => all.map(({ id }) => id)

describe('terms in order', () => {
  it('are given once, those of all segments together, by their bytes and however many there are', () =>
    withStore(async (store) => {
      const begins = ['', 'z', '\ufe73', '\u{10428}', '\u{10429}']
      const words = begins.flatMap((begin) => Array.from({ length: 2500 }, (_, index) => `${begin}${100_000 + index}`))
      for (const [at, step] of [
        [0, 1],
        [1, 2],
        [2, 3],
        [12_400, 1],
        [0, 4000],
      ] as const) {
        const some = words.filter((_, index) => index >= at && (index - at) % step === 0)
        await stored(store, 'docs', [given(`${at}/${step}`, some.join(' '))])
      }
      const segments = idsOf(await store.index.segments())
      const groups = await Array.fromAsync(termsInOrder(store.index, segments))
      const place = ({ term, segment }: TermPostings) => `${Buffer.from(term).toString('hex')}/${segment}`
      const all = (await postingsOf(store, segments)).map(place)
      expect(groups.flat().map(place).sort()).toEqual(all.sort())
      expect(groups.length).toBeGreaterThan(3)
      for (const [index, group] of groups.entries()) {
        const before = groups[index - 1] ?? []
        const least = group.map(place).sort()[0]?.split('/')[0] ?? ''
        expect(before.every((one) => (place(one).split('/')[0] ?? '') < least)).toBe(true)
        const order = group.map(({ segment }) => segments.indexOf(segment))
        expect(order).toEqual(order.toSorted((a, b) => a - b))
      }
    }))
})

describe('a merge', () => {
  it('changes nothing that a query finds, whatever is in the segments and gone from them', async () => {
    const words = fc.array(fc.constantFrom('lion', 'zebra', 'lion', 'owl', '日本'), { maxLength: 6 })
    const parts = fc.array(fc.array(fc.tuple(words, fc.boolean()), { maxLength: 20 }), { minLength: 1, maxLength: 5 })
    await forAllAsync(12, parts, fc.array(fc.nat(), { maxLength: 5 }), (all, chosen) =>
      withStore(async (store) => {
        const gone: number[] = []
        for (const [part, documents] of all.entries()) {
          const texts = documents.map(([text], index) => given(`${part}/${index}`, text.join(' ')))
          const ids = await stored(store, 'docs', texts)
          gone.push(...ids.filter((_, index) => documents[index]?.[1]))
        }
        await store.index.apply({ removed: gone })
        const before = await known(store, QUERIES)
        const { segments: there } = await store.index.read({ terms: [], filter: {} })
        const some = there.filter((_, index) => chosen.some((each) => each % there.length === index))
        await mergeSegments(store.index, some.length > 0 ? some : there)
        expect(await known(store, QUERIES)).toEqual(before)
        expect(before.problems).toEqual([])
      }),
    )
  })

  it('takes more terms than are given at a time', () =>
    withStore(async (store) => {
      const text = (from: number) => Array.from({ length: 9000 }, (_, index) => `${from + index}`).join(' ')
      for (const from of [100_000, 104_000, 300_000]) await stored(store, 'docs', [given(`${from}`, text(from))])
      const queries = ['100000', '104000', '108999', '112999', '308999', '10899*']
      const before = await known(store, queries)
      await mergeSegments(store.index, (await store.index.read({ terms: [], filter: {} })).segments)
      expect(await known(store, queries)).toEqual(before)
      expect((await store.index.read({ terms: [], filter: {} })).segments).toHaveLength(1)
    }))

  it('leaves nothing of documents that are all gone', () =>
    withStore(async (store) => {
      const ids = await stored(store, 'docs', [given('a', 'lion'), given('b', 'zebra')])
      await store.index.apply({ removed: ids })
      const { segments: dead } = await store.index.read({ terms: [], filter: {} })
      await expect(mergeSegments(store.index, dead, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
      await mergeSegments(store.index, dead)
      const { segments: left } = await store.index.read({ terms: [], filter: {} })
      expect(left.map(({ docs }) => docs)).toEqual([0])
      expect(await postingsOf(store, idsOf(left))).toEqual([])
      expect(segmentsToMerge(left)).toEqual([])
    }))

  it('lets others have their turn, and can be stopped by them', () =>
    withStore(async (store) => {
      const text = Array.from({ length: 40_000 }, (_, index) => `${100_000 + index}`).join(' ')
      for (const path of ['a', 'b', 'c']) await stored(store, 'docs', [given(path, text)])
      const before = await known(store, ['100000'])
      const { segments: all } = await store.index.read({ terms: [], filter: {} })
      let turns = 0
      const counting = setInterval(() => turns++, 1)
      await mergeSegments(store.index, all)
      clearInterval(counting)
      expect(turns).toBeGreaterThan(5)
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 5)
      const again = (await store.index.read({ terms: [], filter: {} })).segments
      await expect(mergeSegments(store.index, again, controller.signal)).rejects.toMatchObject({ code: 'cancelled' })
      expect(await known(store, ['100000'])).toEqual(before)
    }))

  it('that was stopped leaves no more than the next one clears away', () =>
    withStore(async (store) => {
      await stored(store, 'docs', [given('a', 'lion')])
      const { segments: all } = await store.index.read({ terms: [], filter: {} })
      const stopped = mergeSegments(store.index, all, AbortSignal.abort())
      await expect(stopped).rejects.toMatchObject({ code: 'cancelled' })
      const begun = (all[0]?.id ?? 0) + 1
      await mergeSegments(store.index, all)
      expect(await postingsOf(store, [begun])).toEqual([])
      expect(await store.check()).toEqual([])
    }))
})

describe('a batch', () => {
  it('lets others have their turn while it is stored', () =>
    withStore(async (store) => {
      let turns = 0
      const counting = setInterval(() => turns++, 1)
      const seen = new Set<number>()
      const put: typeof store.index.put = (segment, terms) => {
        seen.add(turns)
        return store.index.put(segment, terms)
      }
      const begin: typeof store.index.begin = () => store.index.begin()
      const apply: typeof store.index.apply = (change) => store.index.apply(change)
      const batch = new IndexBatch({ ...store.index, begin, apply, put }, 'docs')
      const text = Array.from({ length: 90_000 }, (_, index) => `${100_000 + index}`).join(' ')
      batch.add(document({ path: 'a', text }))
      await batch.flush()
      clearInterval(counting)
      expect(seen.size).toBeGreaterThan(4)
      expect(await store.check()).toEqual([])
    }))
})
