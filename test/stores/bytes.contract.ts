import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/stores/store.ts'
import { type Openable, withStores } from './opened.ts'
import { bytesOf, given, hashOf, ID } from './uploads/beside.ts'

const IN_ORDER = ['a', 'b', 'c'].map(hashOf).toSorted()

/** What any store knows of where bytes are. `open` gives a new, empty one. */
export function byteStoreContract(name: string, open: () => Promise<Openable>): void {
  const withStore = withStores(open)
  const withFiles = (test: (store: Store, other: Store) => Promise<void>) =>
    withStore(async (store, other) => {
      await given(store.runs, ID('a'), { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' })
      await test(store, other)
    })

  describe(`the place of bytes in ${name}`, () => {
    it('is nowhere at first, and the store has an id of its own, which stays', () =>
      withStore(async ({ bytes }, other) => {
        expect(await bytes.id()).toMatch(/^[0-9a-f]{32}$/)
        expect(await other.bytes.id()).toBe(await bytes.id())
        expect(await bytes.find(hashOf('a'))).toBeUndefined()
        const none = [
          bytes.listInDatabase('', 9),
          bytes.listInObjects('', 9),
          bytes.findUsedKeys(['k']),
          bytes.listKeysToDelete(9),
        ]
        expect(await Promise.all(none)).toEqual([[], [], new Set(), []])
      }))

    it('is told page after page, whether it is the database or objects', () =>
      withFiles(async ({ bytes }) => {
        expect(await bytes.listInDatabase('', 2)).toEqual(IN_ORDER.slice(0, 2))
        expect(await bytes.listInDatabase(IN_ORDER[1] ?? '', 2)).toEqual(IN_ORDER.slice(2))
        for (const sha256 of IN_ORDER) await bytes.move(sha256, { key: `of ${sha256}` }, 'database')
        const kept = ['a', 'b', 'c'].map((text) => ({
          sha256: hashOf(text),
          key: `of ${hashOf(text)}`,
          name: `${text}.md`,
        }))
        const inOrder = IN_ORDER.map((sha256) => kept.find((one) => one.sha256 === sha256))
        expect(await bytes.listInObjects('', 2)).toEqual(inOrder.slice(0, 2))
        expect(await bytes.listInObjects(IN_ORDER[1] ?? '', 2)).toEqual(inOrder.slice(2))
        expect(await bytes.listInDatabase('', 9)).toEqual([])
      }))

    it('is changed by whoever knows it, and by nobody else', () =>
      withFiles(async ({ bytes, runs }, other) => {
        const [sha256, one, two] = [hashOf('a'), { key: 'one' }, { key: 'two' }]
        expect(Buffer.from((await bytes.find(sha256)) as Uint8Array)).toEqual(Buffer.from(bytesOf('a')))
        expect(await bytes.move(hashOf('none'), one, 'database')).toBe(false)
        expect(await bytes.move(sha256, one, two)).toBe(false)
        expect(await bytes.move(sha256, one, 'database')).toBe(true)
        expect(await other.bytes.move(sha256, two, 'database')).toBe(false)
        expect(await other.bytes.find(sha256)).toEqual(one)
        await expect(runs.bytes(sha256)).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('the object one'),
        })
        expect(await other.bytes.move(sha256, two, one)).toBe(true)
        expect(await bytes.find(sha256)).toEqual(two)
        expect(await bytes.findUsedKeys(['one', 'two', 'three'])).toEqual(new Set(['two']))
      }))

    it('is left when bytes move on, or nobody has them, until that is forgotten', () =>
      withFiles(async ({ bytes, runs }) => {
        const sha256 = hashOf('a')
        await bytes.move(sha256, { key: 'one' }, 'database')
        expect(await bytes.listKeysToDelete(9)).toEqual([])
        await bytes.move(sha256, { key: 'two' }, { key: 'one' })
        expect(await bytes.listKeysToDelete(9)).toEqual(['one'])
        await runs.remove(ID('a'))
        expect(await bytes.listKeysToDelete(9)).toEqual(['one', 'two'])
        expect(await bytes.listKeysToDelete(1)).toEqual(['one'])
        await bytes.forgetKeys(['one'])
        expect(await bytes.listKeysToDelete(9)).toEqual(['two'])
      }))
  })
}
