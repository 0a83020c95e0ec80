import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { NewSignIn } from '../../src/stores/sign-in-store.ts'
import { COLLECTION, stored } from './filled.ts'
import { type Openable, withStores } from './opened.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString()
const hash = (id: string) => id.padEnd(64, '0')
const signIn = (id: string, more: Partial<NewSignIn> = {}): NewSignIn => ({
  ...{ sha256: hash(id), name: 'alice', basis: 'b', device: 'Firefox on Linux', expiresAt: at(30), ...more },
})
const NOW = { maximum: 20, at: at(0) }
const LONG_AGO = '2000-01-01T00:00:00.000Z'

/** What calls one after the other do not show (`test/contract`): times, versions, and processes at the same moment. */
export function momentsContract(name: string, open: () => Promise<Openable>): void {
  const withStore = withStores(open)

  describe(`moments in ${name}`, () => {
    it('a token says when it was used, as exactly as is asked', () =>
      withStore(async ({ tokens }) => {
        await tokens.add({ id: 'a', name: 'alice', scopes: ['read'], sha256: hash('a') })
        const usedAt = async () => (await tokens.find(hash('a')))?.usedAt
        await tokens.recordUse('a', LONG_AGO)
        const first = await usedAt()
        await sleep(3)
        await tokens.recordUse('a', LONG_AGO)
        expect(await usedAt()).toBe(first)
        await tokens.recordUse('a', first ?? '')
        expect((await usedAt()) ?? '').not.toBe(first)
      }))

    it('a browser completes what was begun once, whichever process tries it again', () =>
      withStore(async ({ signIns }, other) => {
        const tries = ['a', 'b', 'c', 'd'].map((id, index) =>
          (index % 2 === 0 ? signIns : other.signIns).add(signIn(id, { began: 's1' }), NOW),
        )
        expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
        expect(await signIns.listOfNames(['alice'], at(0))).toHaveLength(1)
      }))

    it('a key and an id are made once, whoever asks first', () =>
      withStore(async ({ signIns, bytes }, other) => {
        const keys = await Promise.all([signIns, other.signIns, signIns, other.signIns].map((one) => one.key()))
        expect(new Set([...keys, await other.signIns.key()]).size).toBe(1)
        expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
        expect(await bytes.id()).toMatch(/^[0-9a-f]{32}$/)
        expect(await other.bytes.id()).toBe(await bytes.id())
      }))

    it.each(['', 'docs'])('a context of "%s" that is said twice has one row, with its first time and its last', (of) =>
      withStore(async ({ collections, contexts }) => {
        await collections.add(COLLECTION)
        const place = { collection: of, pathPrefix: '/' }
        await contexts.set(place, 'first')
        const [before] = await contexts.list()
        await sleep(3)
        await contexts.set(place, 'second')
        const after = await contexts.list()
        expect(after).toMatchObject([{ context: 'second', createdAt: before?.createdAt }])
        expect(String(after[0]?.updatedAt) > String(before?.updatedAt)).toBe(true)
        await expect(contexts.set({ ...place, pathPrefix: '/a' }, '  ')).rejects.toThrow()
        expect(await contexts.list()).toEqual(after)
      }),
    )

    it('a store has another version after each change, and the same after none', () =>
      withStore(async (store) => {
        const seen = [await store.version()]
        const step = async (change: () => Promise<unknown>) => {
          await change()
          seen.push(await store.version())
          await store.documents.list({})
          await store.contexts.list()
          await store.index.read({ terms: ['a'], filter: {} })
          expect(await store.version()).toBe(seen.at(-1))
        }
        const place = { collection: 'docs', pathPrefix: '/' }
        await step(() => store.collections.add(COLLECTION))
        await step(() => stored(store, 'docs', [{ path: 'a' }]))
        await step(() => store.index.apply({ removed: [1] }))
        for (const text of ['one', 'two']) await step(() => store.contexts.set(place, text))
        await step(() => store.contexts.remove(place))
        await step(() => store.collections.update('docs', { isPaused: true }))
        await step(() => store.collections.rename('docs', 'other'))
        await step(() => store.collections.remove('other'))
        expect(new Set(seen).size).toBe(seen.length)
      }))

    it('a large text comes back whole', () =>
      withStore(async (store) => {
        await store.collections.add(COLLECTION)
        const text = 'a line of a large text \u{1f600}\n'.repeat(200_000)
        const [id = -1] = await stored(store, 'docs', [{ path: 'a', text }])
        expect((await store.documents.texts([id])).get(id)).toBe(text)
      }))
  })
}
