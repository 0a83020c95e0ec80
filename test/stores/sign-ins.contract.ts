import { describe, expect, it } from 'vitest'
import type { NewSignIn } from '../../src/stores/sign-in-store.ts'
import { ODD_WORDS } from './contexts.contract.ts'
import { type Openable, withStores } from './opened.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString()
const hash = (id: string) => id.padEnd(64, '0')
const signIn = (id: string, more: Partial<NewSignIn> = {}): NewSignIn => ({
  sha256: hash(id),
  name: 'alice',
  basis: 'b',
  device: 'Firefox on Linux',
  expiresAt: at(30),
  ...more,
})
const NOW = { maximum: 20, at: at(0) }

/** What any store keeps of browsers that were let in. `open` gives a new, empty one. */
export function signInStoreContract(name: string, open: () => Promise<Openable>): void {
  const withStore = withStores(open)

  describe(`browsers that were let in, in ${name}`, () => {
    it('are none at first', () =>
      withStore(async ({ signIns }) => {
        expect(await signIns.find(hash('a'))).toBeUndefined()
        expect(await signIns.listOfNames(['', 'alice'], at(0))).toEqual([])
        await signIns.end(hash('a'), at(0))
        await signIns.extend(hash('a'), at(0), at(1))
        expect(await signIns.deleteExpired(at(60))).toBe(0)
        expect(await signIns.find(hash('a'))).toBeUndefined()
      }))

    it('are found by any process, by the hash of their cookie alone, with all that was said of them', () =>
      withStore(async ({ signIns }, other) => {
        const kinds: readonly Partial<NewSignIn>[] = [{ name: '' }, { token: 't1' }, { name: 'oidc:a:1', scopes: [] }]
        for (const [index, kind] of kinds.entries()) {
          const { sha256, ...told } = signIn(`${index}`, kind)
          expect(await signIns.add({ sha256, ...told }, NOW)).toBe(true)
          expect(await other.signIns.find(sha256)).toEqual(told)
        }
        for (const text of ['', '0', 'alice', 't1', hash('0').slice(1)]) {
          expect(await other.signIns.find(text)).toBeUndefined()
        }
      }))

    it('are ended for every process at once, and stay so', () =>
      withStore(async ({ signIns }, other) => {
        for (const id of ['a', 'b']) await signIns.add(signIn(id), NOW)
        await other.signIns.end(hash('a'), at(5))
        await other.signIns.end(hash('a'), at(9))
        await signIns.extend(hash('a'), at(30), at(90))
        expect(await signIns.find(hash('a'))).toMatchObject({ expiresAt: at(5) })
        expect(await signIns.find(hash('b'))).toMatchObject({ expiresAt: at(30) })
        // What is over already is not over later.
        await signIns.end(hash('b'), at(40))
        expect(await signIns.find(hash('b'))).toMatchObject({ expiresAt: at(30) })
      }))

    it('are ended where a provider vouched for somebody by something else', () =>
      withStore(async ({ signIns }, other) => {
        const kinds = { token: { token: 't1' }, same: { scopes: [], basis: 'new' }, old: { scopes: ['read'] } }
        for (const [id, kind] of Object.entries(kinds)) await signIns.add(signIn(id, kind), NOW)
        await signIns.add(signIn('over', { scopes: [], expiresAt: at(2) }), NOW)
        expect(await other.signIns.endOthers('new', at(5))).toBe(1)
        expect(await other.signIns.endOthers('new', at(6))).toBe(0)
        const ends = await Promise.all(
          ['token', 'same', 'old', 'over'].map(async (id) => (await signIns.find(hash(id)))?.expiresAt),
        )
        expect(ends).toEqual([at(30), at(30), at(5), at(2)])
      }))

    it('are listed while they last, the last to come first', () =>
      withStore(async ({ signIns }, other) => {
        const oidc: Partial<NewSignIn> = { name: 'oidc:a:1', scopes: ['read'] }
        const over = { expiresAt: at(2) }
        const kinds: Readonly<Record<string, Partial<NewSignIn>>> = {
          a: { name: '' },
          b: { token: 't1' },
          c: oidc,
          over,
        }
        for (const [id, kind] of Object.entries(kinds)) await signIns.add(signIn(id, kind), NOW)
        expect(await other.signIns.listValid(at(3))).toEqual(['c', 'b', 'a'].map((id) => signIn(id, kinds[id])))
        await other.signIns.end(hash('b'), at(3))
        expect((await signIns.listValid(at(3))).map(({ sha256 }) => sha256)).toEqual([hash('c'), hash('a')])
      }))

    it('are extended while they last', () =>
      withStore(async ({ signIns }, other) => {
        await signIns.add(signIn('a'), NOW)
        await other.signIns.extend(hash('a'), at(30), at(90))
        expect(await signIns.find(hash('a'))).toMatchObject({ expiresAt: at(90) })
        await signIns.extend(hash('a'), at(30), at(120))
        expect(await signIns.find(hash('a'))).toMatchObject({ expiresAt: at(90) })
      }))

    it('are told by whose they are, while they last', () =>
      withStore(async ({ signIns }) => {
        await signIns.add(signIn('a', { expiresAt: at(10) }), NOW)
        await signIns.add(signIn('b', { name: 'bob' }), NOW)
        await signIns.add(signIn('c', { name: 'carol' }), NOW)
        const names = async (asked: readonly string[], minute: number) =>
          (await signIns.listOfNames(asked, at(minute))).map((one) => one.name)
        expect(await names(['alice', 'bob', 'dave'], 0)).toEqual(['alice', 'bob'])
        expect(await names(['alice', 'bob', 'dave'], 10)).toEqual(['bob'])
        expect(await names([], 0)).toEqual([])
      }))

    it('end what was begun once, whichever process tries it again', () =>
      withStore(async ({ signIns }, other) => {
        const tries = ['a', 'b', 'c', 'd'].map((id, index) =>
          (index % 2 === 0 ? signIns : other.signIns).add(signIn(id, { began: 's1' }), NOW),
        )
        const kept = await Promise.all(tries)
        expect(kept.filter(Boolean)).toHaveLength(1)
        expect(await signIns.listOfNames(['alice'], at(0))).toHaveLength(1)
        // Also where that browser was signed out since.
        await signIns.end(hash(['a', 'b', 'c', 'd'][kept.indexOf(true)] ?? ''), at(1))
        expect(await signIns.add(signIn('e', { began: 's1' }), NOW)).toBe(false)
        expect(await signIns.add(signIn('e', { began: 's2' }), NOW)).toBe(true)
        expect(await signIns.add(signIn('f'), NOW)).toBe(true)
        expect(await signIns.add(signIn('g'), NOW)).toBe(true)
      }))

    it('are so many of a name, the last ones; those that are over do not count', () =>
      withStore(async ({ signIns }) => {
        await signIns.add(signIn('other', { name: 'bob' }), NOW)
        for (const id of ['a', 'b', 'c']) await signIns.add(signIn(id), { maximum: 3, at: at(1) })
        await signIns.end(hash('b'), at(1))
        await signIns.add(signIn('d'), { maximum: 3, at: at(2) })
        const ends = async () =>
          Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (id) => (await signIns.find(hash(id)))?.expiresAt))
        expect(await ends()).toEqual([at(30), at(1), at(30), at(30), undefined])
        await signIns.add(signIn('e'), { maximum: 3, at: at(3) })
        expect(await ends()).toEqual([at(3), at(1), at(30), at(30), at(30)])
        expect(await signIns.find(hash('other'))).toMatchObject({ expiresAt: at(30) })
      }))

    it('let somebody do the same in all their browsers: what was found last', () =>
      withStore(async ({ signIns }) => {
        await signIns.add(signIn('a', { scopes: ['read', 'admin'] }), NOW)
        await signIns.add(signIn('t', { token: 't1' }), NOW)
        await signIns.add(signIn('b', { name: 'bob', scopes: ['admin'] }), NOW)
        await signIns.add(signIn('c', { scopes: ['read'] }), NOW)
        const found = await signIns.listOfNames(['alice', 'bob'], at(0))
        expect(found.map(({ scopes }) => scopes)).toEqual([['read'], undefined, ['admin'], ['read']])
      }))

    it('are taken away once they are over for long', () =>
      withStore(async ({ signIns }, other) => {
        for (const minute of [1, 2, 3]) await signIns.add(signIn(`${minute}`, { expiresAt: at(minute) }), NOW)
        expect(await other.signIns.deleteExpired(at(3))).toBe(2)
        expect(
          await Promise.all([1, 2, 3].map(async (id) => (await signIns.find(hash(`${id}`))) !== undefined)),
        ).toEqual([false, false, true])
      }))

    it('have a key that was made once, whoever asked first', () =>
      withStore(async ({ signIns }, other) => {
        const keys = await Promise.all([signIns, other.signIns, signIns, other.signIns].map((one) => one.key()))
        expect(new Set(keys).size).toBe(1)
        expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
        expect(await other.signIns.key()).toBe(keys[0])
      }))

    it.each(ODD_WORDS)('keep %j as a name', (word) =>
      withStore(async ({ signIns }) => {
        const { sha256, ...told } = signIn('a', { name: word, scopes: [word], basis: word, device: word })
        await signIns.add({ sha256, ...told, began: word }, NOW)
        expect(await signIns.listOfNames([word], at(0))).toEqual([told])
      }),
    )
  })
}
