import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { mergeSegments } from '../../../src/ingest/indexing/merge.ts'
import type { Store } from '../../../src/stores/store.ts'
import { COLLECTION, postingsOf, written } from '../filled.ts'
import { found } from '../found.ts'
import { type Openable, withStores } from '../opened.ts'

export function leaseContract(name: string, open: () => Promise<Openable>): void {
  const withStore = withStores(open)
  const withBoth = (test: (one: Store, other: Store) => Promise<void>) =>
    withStore(async (one, other) => {
      await one.collections.add(COLLECTION)
      await test(one, other)
    })

  describe(`the right to write in ${name}`, () => {
    it('is given to one after the other', () =>
      withBoth(async (one, other) => {
        const order: string[] = []
        const work = (store: Store, label: string) =>
          store.index.exclusively(10_000, async () => {
            order.push(`${label} begins`)
            await sleep(20)
            order.push(`${label} ends`)
            return label
          })
        expect(await Promise.all([work(one, 'a'), work(other, 'b'), work(one, 'c')])).toEqual(['a', 'b', 'c'])
        for (let at = 0; at < order.length; at += 2) expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'))
      }))

    it('is refused to who does not want to wait, with who has it', () =>
      withBoth(async (one, other) => {
        await one.index.exclusively(0, async () => {
          const asked = other.index.exclusively(0, async () => 'never')
          await expect(asked).rejects.toMatchObject({
            code: 'conflict',
            message: expect.stringContaining(`${process.pid}`),
            hint: expect.any(String),
          })
        })
        expect(await other.index.exclusively(0, async () => 'now')).toBe('now')
      }))

    it('is waited for no longer than the signal says', () =>
      withBoth(async (one, other) => {
        const controller = new AbortController()
        let ran = false
        await one.index.exclusively(0, async () => {
          const waiting = other.index.exclusively(
            60_000,
            async () => {
              ran = true
            },
            controller.signal,
          )
          setTimeout(() => controller.abort(), 20)
          await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
        })
        expect(ran).toBe(false)
      }))

    it('is of one collection at a time: others are written meanwhile, and all may be put together', () =>
      withBoth(async (one, other) => {
        await one.collections.add({ ...COLLECTION, name: 'lab' })
        const [docs, lab] = [one.index.of('docs'), other.index.of('lab')]
        await docs.exclusively(0, async () => {
          await expect(other.index.of('docs').exclusively(0, async () => 'never')).rejects.toMatchObject({
            code: 'conflict',
            message: expect.stringContaining('indexing docs'),
          })
          const added = await written(one, 'docs', [{ path: 'a', text: 'zebra' }], docs)
          await lab.exclusively(0, async () => {
            await lab.apply({ added: await written(other, 'lab', [{ path: 'b', text: 'zebra' }], lab) })
            await other.index.exclusively(0, async () => mergeSegments(other.index, await other.index.segments()))
          })
          expect(await found(other, 'zebra')).toEqual(['lab/b'])
          await docs.apply({ added })
        })
        expect(await found(other, 'zebra')).toEqual(['docs/a', 'lab/b'])
        expect(await one.check()).toEqual([])
      }))

    it.each([
      ['removed', (store: Store) => store.collections.remove('docs')],
      ['renamed', (store: Store) => store.collections.rename('docs', 'lab')],
    ])('goes with a collection that is %s, though another one of that name comes in its place', (_, end) =>
      withBoth(async (one, other) => {
        const docs = one.index.of('docs')
        const late = docs.exclusively(0, async () => {
          const added = await written(one, 'docs', [{ path: 'old', text: 'zebra' }], docs)
          await end(other)
          await other.collections.add({ ...COLLECTION, root: '/elsewhere' })
          const told = { code: 'conflict', message: expect.stringContaining('docs was removed or renamed') }
          await expect(docs.apply({ added })).rejects.toMatchObject(told)
          const next = other.index.of('docs')
          await next.exclusively(0, async () => {
            await next.apply({ added: await written(other, 'docs', [{ path: 'new', text: 'zebra' }], next) })
            await docs.apply({ added })
          })
        })
        await expect(late).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('taken over') })
        expect(await found(other, 'zebra')).toEqual(['docs/new'])
        expect(await one.check()).toEqual([])
      }),
    )

    it('leaves no segment behind of whoever began it and does not finish it', () =>
      withBoth(async (one, other) => {
        const [docs, lab] = [one.index.of('docs'), other.index.of('lab')]
        const [first, second] = await docs.exclusively(0, async () => {
          const begun = [await docs.begin(), await docs.begin()] as const
          await docs.put(begun[1], [['zebra', Uint8Array.of(1, 0, 0)]])
          return begun
        })
        await expect(docs.put(first, [['lion', Uint8Array.of(1, 0, 0)]])).rejects.toMatchObject({ code: 'conflict' })
        await lab.exclusively(0, () => lab.begin())
        expect(await postingsOf(one, [second])).toEqual([])
      }))

    it('to make vectors is separate from the right to index, and has one holder at a time', () =>
      withBoth(async (one, other) => {
        await one.vectors.exclusively(0, async () => {
          expect(await other.index.exclusively(0, async () => 'indexed')).toBe('indexed')
          const asked = other.vectors.exclusively(0, async () => 'never')
          await expect(asked).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('embedding') })
          await one.vectors.put('model', Float32Array.of(1), [])
        })
        expect(await other.vectors.exclusively(0, async () => 'now')).toBe('now')
      }))

    it('is nothing that readers need; they see the old state until it is changed', () =>
      withBoth(async (one, other) => {
        await one.index.exclusively(0, async () => {
          const added = await written(one, 'docs', [{ path: 'a', text: 'zebra' }])
          const version = await other.version()
          expect(await found(other, 'zebra')).toEqual([])
          await one.index.apply({ added })
          expect(await found(other, 'zebra')).toEqual(['docs/a'])
          if (other !== one) expect(await other.version()).not.toBe(version)
        })
      }))
  })
}
