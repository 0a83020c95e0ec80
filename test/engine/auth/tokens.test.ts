import { describe, expect, it } from 'vitest'
import { hashText, isTokenSecret, newTokenSecret } from '../../../src/engine/auth/secrets.ts'
import { Tokens } from '../../../src/engine/auth/tokens.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { endedAfterEach } from '../../support/own.ts'
import { fc, forAllAsync } from '../../support/property.ts'

const keep = endedAfterEach()

async function tokens() {
  const store = keep(openSqlite(':memory:'))
  for (const name of ['docs', 'lab']) await store.collections.add({ name, root: '/r', patterns: [], exclude: [] })
  return { tokens: new Tokens(store), store }
}

describe('a token', () => {
  it('is shown once, and kept by its hash alone', async () => {
    const { tokens: all, store } = await tokens()
    const { token, ...line } = await all.create({ name: 'alice' })
    expect(token).toMatch(/^ambit_[\w-]{43}$/)
    expect(await all.list()).toEqual([line])
    expect(JSON.stringify([await all.list(), await store.tokens.list()])).not.toContain(token.slice(6))
  })

  it('is called by 128 random bits; one that was made when it was 64 is as good', async () => {
    const { tokens: all, store } = await tokens()
    expect((await all.create({ name: 'alice' })).id).toMatch(/^[0-9a-f]{32}$/)
    const [secret, id] = [newTokenSecret(), '1f2e3d4c5b6a7980']
    await store.tokens.add({ id, name: 'bob', scopes: ['read'], sha256: hashText(secret) })
    expect(await all.principalOf(secret)).toMatchObject({ id, name: 'bob' })
    expect(await all.principalOfToken(id)).toMatchObject({ id })
    expect(await all.revoke(id)).toMatchObject([{ id, state: 'revoked' }])
  })

  it('says whose it is and what for, and notes that it was used', async () => {
    const { tokens: all } = await tokens()
    const { token, id } = await all.create({ name: 'bot', scopes: ['research', 'read', 'read'], collections: ['lab'] })
    const principal = { id, name: 'bot', scopes: ['read', 'research'], collections: ['lab'] }
    expect(await all.principalOf(token)).toEqual(principal)
    expect(await all.principalOfToken(id)).toEqual(principal)
    expect((await all.list())[0]?.usedAt).toMatch(/Z$/)
  })

  it('is for all collections where none is named', async () => {
    const { tokens: all } = await tokens()
    const { token } = await all.create({ name: 'alice', collections: [] })
    expect(await all.principalOf(token)).not.toHaveProperty('collections')
  })

  it('lets nobody in once it is revoked, by its id or its name', async () => {
    const { tokens: all } = await tokens()
    const made = [
      await all.create({ name: 'alice' }),
      await all.create({ name: 'alice' }),
      await all.create({ name: 'b' }),
    ]
    expect((await all.revoke(made[0]?.id ?? '')).map(({ state }) => state)).toEqual(['revoked'])
    expect(await all.revoke('alice')).toHaveLength(1)
    const found = await Promise.all(made.map(({ token }) => all.principalOf(token)))
    expect(found.map((one) => one?.name)).toEqual([undefined, undefined, 'b'])
    expect(await all.principalOfToken(made[0]?.id ?? '')).toBeUndefined()
    await expect(all.revoke('alice')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('lets nobody in from the moment on that it expires', async () => {
    const { tokens: all } = await tokens()
    const { token, id, expiresAt = '' } = await all.create({ name: 'alice', expires: 1 })
    const end = Date.parse(expiresAt)
    expect((await all.principalOf(token, end - 1))?.name).toBe('alice')
    expect(await all.principalOf(token, end)).toBeUndefined()
    expect(await all.principalOfToken(id, end)).toBeUndefined()
  })

  it.each([
    ['no name', { name: '' }, 'invalid-input'],
    ["the local owner's", { name: ' ' }, 'invalid-input'],
    ['a name of two lines', { name: 'a\nb' }, 'invalid-input'],
    ['a name of a look-alike', { name: 'аlice' }, 'invalid-input'],
    ['a long name', { name: 'a'.repeat(65) }, 'invalid-input'],
    ['no scope', { name: 'a', scopes: [] }, 'invalid-input'],
    ['a scope that is none', { name: 'a', scopes: ['read', 'root'] }, 'invalid-input'],
    ['admin of some collections', { name: 'a', scopes: ['admin'], collections: ['docs'] }, 'invalid-input'],
    ['a collection that is none', { name: 'a', collections: ['docs', 'nothing'] }, 'not-found'],
    ['an end that has come', { name: 'a', expires: 0 }, 'invalid-input'],
    ['an end that never comes', { name: 'a', expires: Number.POSITIVE_INFINITY }, 'invalid-input'],
  ])('is not made with %s', async (_, request, code) => {
    const { tokens: all } = await tokens()
    await expect(all.create(request)).rejects.toMatchObject({ code })
    expect(await all.list()).toEqual([])
  })

  it('is not made for other collections than another of its name, until that one is revoked', async () => {
    const { tokens: all } = await tokens()
    const { id } = await all.create({ name: 'alice', collections: ['docs'] })
    await all.create({ name: 'alice', collections: ['docs'], scopes: ['research'] })
    for (const more of [{}, { collections: ['lab'] }]) {
      await expect(all.create({ name: 'alice', ...more })).rejects.toMatchObject({ code: 'conflict' })
    }
    await all.revoke('alice')
    expect((await all.create({ name: 'alice' })).id).not.toBe(id)
  })

  it('is none of anything else that may be sent', async () => {
    const { tokens: all } = await tokens()
    const { token, id } = await all.create({ name: 'alice' })
    await forAllAsync(
      200,
      fc.oneof(
        fc.string(),
        fc.constantFrom(id, 'alice', '', token.slice(0, -1), `${token}A`, token.toUpperCase(), token.slice(6)),
        fc.constant(0).map(newTokenSecret),
      ),
      async (text) => {
        expect(await all.principalOf(text)).toBeUndefined()
      },
    )
  })

  it('is never twice the same', () => {
    const all = Array.from({ length: 1000 }, newTokenSecret)
    expect(new Set(all).size).toBe(1000)
    expect(all.every(isTokenSecret)).toBe(true)
  })
})
