import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { NewToken } from '../../src/stores/token-store.ts'
import { ODD_WORDS } from './contexts.contract.ts'
import { type Openable, withStores } from './opened.ts'

const token = (id: string, more: Partial<NewToken> = {}): NewToken => ({
  id,
  name: 'alice',
  scopes: ['read'],
  sha256: id.padEnd(64, '0'),
  ...more,
})

const LONG_AGO = '2000-01-01T00:00:00.000Z'

/** What any store keeps of tokens. `open` gives a new, empty one. */
export function tokenStoreContract(name: string, open: () => Promise<Openable>): void {
  const withStore = withStores(open)

  describe(`tokens in ${name}`, () => {
    it('are none at first', () =>
      withStore(async ({ tokens }) => {
        expect(await tokens.list()).toEqual([])
        expect(await tokens.find('0'.repeat(64))).toBeUndefined()
        expect(await tokens.revoke('a')).toBe(false)
        await tokens.recordUse('a', LONG_AGO)
        expect(await tokens.list()).toEqual([])
      }))

    it('are found by the hash of their secret alone, with all that was said of them, and never with it', () =>
      withStore(async ({ tokens }, other) => {
        const more = { scopes: ['read', 'admin'], collections: ['docs', 'a b'], expiresAt: '2030-01-01T00:00:00.000Z' }
        const added = await tokens.add(token('a', more))
        expect(added).toEqual({ id: 'a', name: 'alice', ...more, createdAt: added.createdAt })
        expect(await other.tokens.find(token('a').sha256)).toEqual(added)
        expect(await other.tokens.find('a')).toBeUndefined()
        expect(await other.tokens.find('')).toBeUndefined()
        expect(JSON.stringify(await other.tokens.list())).not.toContain(token('a').sha256)
      }))

    it('are listed by when they were made, those that are revoked too', () =>
      withStore(async ({ tokens }) => {
        for (const id of ['c', 'a', 'b']) await tokens.add(token(id))
        await tokens.revoke('a')
        expect((await tokens.list()).map(({ id, revokedAt }) => [id, revokedAt !== undefined])).toEqual([
          ['c', false],
          ['a', true],
          ['b', false],
        ])
      }))

    it('are for no collection where the list is empty, and for all where there is none', () =>
      withStore(async ({ tokens }) => {
        await tokens.add(token('a', { collections: [] }))
        await tokens.add(token('b'))
        expect((await tokens.list()).map(({ collections }) => collections)).toEqual([[], undefined])
      }))

    it.each([
      ['id', token('a', { sha256: 'f'.repeat(64) })],
      ['hash', token('b', { sha256: token('a').sha256 })],
    ])('are not added under an %s that is taken', (_, second) =>
      withStore(async ({ tokens }, other) => {
        await tokens.add(token('a'))
        await expect(other.tokens.add(second)).rejects.toMatchObject({ code: 'conflict' })
        expect(await tokens.list()).toHaveLength(1)
      }),
    )

    it('are revoked once, for good, and for every process at once', () =>
      withStore(async ({ tokens }, other) => {
        await tokens.add(token('a'))
        expect(await other.tokens.revoke('a')).toBe(true)
        const revoked = await tokens.find(token('a').sha256)
        expect(revoked?.revokedAt).toMatch(/^\d{4}-.*Z$/)
        expect(await tokens.revoke('a')).toBe(false)
        expect(await tokens.find(token('a').sha256)).toEqual(revoked)
      }))

    it('say when they were used, as exactly as is asked', () =>
      withStore(async ({ tokens }) => {
        await tokens.add(token('a'))
        const usedAt = async () => (await tokens.find(token('a').sha256))?.usedAt
        expect(await usedAt()).toBeUndefined()
        await tokens.recordUse('a', LONG_AGO)
        const first = await usedAt()
        expect(first).toMatch(/^\d{4}-.*Z$/)
        await sleep(3)
        await tokens.recordUse('a', LONG_AGO)
        expect(await usedAt()).toBe(first)
        await tokens.recordUse('a', first ?? '')
        expect((await usedAt()) ?? '').not.toBe(first)
      }))

    it.each(ODD_WORDS)('keep %j as a name and as a collection', (word) =>
      withStore(async ({ tokens }) => {
        await tokens.add(token('a', { name: word, collections: [word] }))
        expect((await tokens.list())[0]).toMatchObject({ name: word, collections: [word] })
      }),
    )
  })
}
