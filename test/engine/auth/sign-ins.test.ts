import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Tokens } from '../../../src/engine/auth/tokens.ts'
import { LOCAL_OWNER } from '../../../src/engine/principal.ts'
import { SignIns } from '../../../src/engine/sign-ins.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../../src/stores/store.ts'
import { tree } from '../../support/tree.ts'

const DAY = 86_400_000
const NOW = Date.now()
const door = { token: 'the token of the server', rules: 'some rules' }
const ALICE = { name: 'oidc:id.example:1', scopes: ['read', 'research'] } as const

/** Two processes of one store. */
async function both(
  work: (one: SignIns, other: SignIns, tokens: Tokens, store: Store) => Promise<void>,
): Promise<void> {
  using at = tree({})
  const stores = [openSqlite(at.at('a.db')), openSqlite(at.at('a.db'))] as const
  const [first, second] = stores
  const signInsOf = (store: Store) => new SignIns({ ...store, tokens: new Tokens(store) })
  try {
    await work(signInsOf(first), signInsOf(second), new Tokens(first), first)
  } finally {
    for (const store of stores) await store.close()
  }
}

describe('a browser of the local owner', () => {
  it('stays in where no token was chosen, with whichever process of the store; and not at a server that has one', () =>
    both(async (one, other) => {
      const secret = await one.signInOwner({})
      expect(await other.principalOf(secret, {})).toEqual(LOCAL_OWNER)
      for (const token of ['', 'undefined', 'a token'])
        expect(await other.principalOf(secret, { token })).toBeUndefined()
      const chosen = await one.signInOwner(door)
      expect(await other.principalOf(chosen, {})).toBeUndefined()
    }))

  it('is in at every process that has the same token, and at none that has another', () =>
    both(async (one, other) => {
      const secret = await one.signInOwner(door)
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(await other.principalOf(secret, door)).toEqual(LOCAL_OWNER)
      expect(await other.principalOf(secret, { token: door.token })).toEqual(LOCAL_OWNER)
      for (const token of ['', 'another', `${door.token} `]) {
        expect(await other.principalOf(secret, { ...door, token })).toBeUndefined()
      }
    }))

  it('stays in while it is used, and is out after a week without', () =>
    both(async (one, other, _, store) => {
      const secret = await one.signInOwner(door, NOW)
      const sha256 = createHash('sha256').update(secret).digest('hex')
      const end = async () => Date.parse((await store.signIns.find(sha256))?.expiresAt ?? '') - NOW
      expect(await end()).toBe(7 * DAY)
      // A use on the first day is not a write.
      expect(await other.principalOf(secret, door, NOW + DAY - 1)).toEqual(LOCAL_OWNER)
      expect(await end()).toBe(7 * DAY)
      expect(await other.principalOf(secret, door, NOW + 6 * DAY)).toEqual(LOCAL_OWNER)
      await expect.poll(end, { timeout: 60_000 }).toBe(13 * DAY)
      expect(await one.principalOf(secret, door, NOW + 13 * DAY - 1)).toEqual(LOCAL_OWNER)
      expect(await one.principalOf(secret, door, NOW + 30 * DAY)).toBeUndefined()
    }))
})

describe('a browser that signed in with a token', () => {
  it('is whom the token stands for, at every process, until it is revoked or expires', () =>
    both(async (one, other, tokens) => {
      const request = { name: 'alice', scopes: ['read'], expires: 3 }
      const [first, second] = [await tokens.create(request), await tokens.create(request)]
      const [secret, later] = [await one.signInHolder(first), await other.signInHolder(second)]
      expect(await other.principalOf(secret, { token: 'any' })).toMatchObject({ name: 'alice', scopes: ['read'] })
      await tokens.revoke(first.id)
      expect([await one.principalOf(secret, door), await other.principalOf(secret, door)]).toEqual([
        undefined,
        undefined,
      ])
      expect(await one.principalOf(later, door)).toMatchObject({ name: 'alice' })
      expect(await one.principalOf(later, door, Date.now() + 4 * DAY)).toBeUndefined()
    }))
})

describe('the list of browsers', () => {
  it('names each that is in, and which of them asks; one of them is ended for every process', () =>
    both(async (one, other, tokens) => {
      const { id } = await tokens.create({ name: 'alice' })
      const own = await one.signInOwner({ ...door, device: 'Firefox on Linux' }, NOW)
      const holder = await other.signInHolder({ id, name: 'alice', device: 'Safari on iPhone' }, NOW)
      await one.signInPerson({ principal: ALICE, lastsMs: DAY, began: 's' }, door, NOW)
      const listed = await other.browsers(own, NOW)
      const last = new Date(NOW).toISOString()
      expect(listed).toMatchObject([
        { name: ALICE.name, by: 'provider', device: '', isThis: false },
        { name: 'alice', by: 'token', device: 'Safari on iPhone', usedAt: last, isThis: false },
        { name: '', by: 'link', device: 'Firefox on Linux', usedAt: last, isThis: true },
      ])
      for (const secret of [own, holder]) expect(JSON.stringify(listed)).not.toContain(secret)
      expect(await one.endBrowser(listed[1]?.id ?? '', NOW)).toBe(true)
      expect(await other.principalOf(holder, door, NOW)).toBeUndefined()
      expect(await other.principalOf(own, door, NOW)).toEqual(LOCAL_OWNER)
      for (const none of ['', listed[1]?.id ?? '', own]) expect(await one.endBrowser(none, NOW)).toBe(false)
      expect((await one.browsers(undefined, NOW)).map(({ isThis }) => isThis)).toEqual([false, false])
    }))

  it('has none that was ended now, or that came by other rules than those of now', () =>
    both(async (one, other) => {
      const secret = await one.signInOwner(door)
      await one.signInPerson({ principal: ALICE, lastsMs: DAY, began: 'a' }, door)
      const [own] = (await other.browsers(secret)).filter(({ isThis }) => isThis)
      expect([await other.endBrowser(own?.id ?? ''), await other.endBrowser(own?.id ?? '')]).toEqual([true, false])
      expect(await one.principalOf(secret, door)).toBeUndefined()
      expect([await other.endOthers(door), await other.endOthers({ rules: 'other rules' })]).toEqual([0, 1])
      expect(await one.browsers(undefined)).toEqual([])
    }))

  it('has none whose token was revoked', () =>
    both(async (one, other, tokens) => {
      const token = await tokens.create({ name: 'alice' })
      await one.signInHolder(token)
      expect(await other.browsers(undefined)).toHaveLength(1)
      await tokens.revoke(token.id)
      expect(await other.browsers(undefined)).toEqual([])
    }))
})

describe('somebody whom a provider vouches for', () => {
  const person = { principal: ALICE, lastsMs: DAY, began: 's' }

  it('is in at every process that lets them in by the same rules, until their time is over', () =>
    both(async (one, other) => {
      const secret = (await one.signInPerson(person, door, NOW)) ?? ''
      expect(await other.principalOf(secret, { ...door, token: 'any' }, NOW)).toEqual(ALICE)
      for (const rules of [undefined, '', 'other rules']) {
        expect(await other.principalOf(secret, { ...door, rules }, NOW)).toBeUndefined()
      }
      expect(await other.principalOf(secret, door, NOW + DAY - 1)).toEqual(ALICE)
      expect(await other.principalOf(secret, door, NOW + DAY)).toBeUndefined()
    }))

  it('is let in by no process that has no rules for it', () =>
    both(async (one) => {
      await expect(one.signInPerson(person, { token: door.token })).rejects.toThrow(TypeError)
      expect(await one.people([ALICE.name], undefined, NOW)).toEqual([])
    }))

  it('is among those who are in, by the same rules', () =>
    both(async (one, other) => {
      await one.signInPerson(person, door, NOW)
      const names = [ALICE.name, 'bob']
      expect(await other.people(names, door.rules, NOW)).toEqual([ALICE])
      expect(await other.people(names, undefined, NOW)).toEqual([ALICE])
      expect(await other.people(names, 'other rules', NOW)).toEqual([])
      expect(await other.people(['bob'], door.rules, NOW)).toEqual([])
      expect(await other.people(names, door.rules, NOW + DAY)).toEqual([])
    }))

  it('is out everywhere once a process begins that lets people in by other rules', () =>
    both(async (one, other) => {
      const secret = (await one.signInPerson(person, door, NOW)) ?? ''
      expect(await other.endOthers({ token: door.token }, NOW)).toBe(0)
      expect(await other.endOthers(door, NOW)).toBe(0)
      expect(await one.principalOf(secret, door, NOW)).toEqual(ALICE)
      expect(await other.endOthers({ ...door, rules: 'other rules' }, NOW)).toBe(1)
      expect(await one.principalOf(secret, door, NOW)).toBeUndefined()
      expect(await one.people([ALICE.name], undefined, NOW)).toEqual([])
    }))

  it('comes in once for what was begun, at whichever process', () =>
    both(async (one, other) => {
      const secrets = await Promise.all([one, other, one].map((each) => each.signInPerson(person, door, NOW)))
      expect(secrets.filter((secret) => secret !== undefined)).toHaveLength(1)
    }))

  it('may do the same in all browsers: what was found last', () =>
    both(async (one, other) => {
      const secret = (await one.signInPerson(person, door, NOW)) ?? ''
      await other.signInPerson({ ...person, principal: { ...ALICE, scopes: ['read'] }, began: 't' }, door, NOW)
      expect((await one.principalOf(secret, door, NOW))?.scopes).toEqual(['read'])
    }))

  it('has twenty browsers at most, the last ones', () =>
    both(async (one) => {
      const secrets: string[] = []
      for (let count = 0; count < 25; count++)
        secrets.push((await one.signInPerson({ ...person, began: `${count}` }, door, NOW)) ?? '')
      const found = await Promise.all(secrets.map((secret) => one.principalOf(secret, door, NOW)))
      expect(found.map((principal) => principal !== undefined)).toEqual(secrets.map((_, at) => at >= 5))
    }))
})

it('a browser that has left is out, though another use of it is kept only then', async () => {
  const store = openSqlite(':memory:')
  const gate = Promise.withResolvers<number>()
  const late: Promise<unknown>[] = []
  const extend: typeof store.signIns.extend = (...given) => {
    late.push(gate.promise.then(() => store.signIns.extend(...given)))
    return gate.promise
  }
  const slow = new Proxy(store.signIns, {
    get: (target, name) => (name === 'extend' ? extend : Reflect.get(target, name).bind(target)),
  })
  const signIns = new SignIns({ signIns: slow, now: store.now, tokens: new Tokens(store) })
  const secret = await signIns.signInOwner(door, NOW)
  const used = NOW + 2 * DAY
  expect(await signIns.principalOf(secret, door, used)).toBeDefined()
  await signIns.signOut(secret, used + 5)
  gate.resolve(0)
  await Promise.all(late)
  expect(late).toHaveLength(1)
  expect(await signIns.principalOf(secret, door, used + 10)).toBeUndefined()
  await store.close()
})

describe('what is kept of browsers', () => {
  it('is over for all processes when one leaves, and only that one', () =>
    both(async (one, other) => {
      const [secret, stays] = [await one.signInOwner(door), await one.signInOwner(door)]
      await other.signOut(secret)
      for (const each of [one, other]) {
        expect(await each.principalOf(secret, door)).toBeUndefined()
        expect(await each.principalOf(stays, door)).toEqual(LOCAL_OWNER)
      }
    }))

  it('lets nobody in, and tells nobody what the token of the server is', () =>
    both(async (one, other, tokens, store) => {
      const token = await tokens.create({ name: 'alice' })
      const secrets = [
        await one.signInOwner(door),
        await one.signInHolder(token),
        (await one.signInPerson({ principal: ALICE, lastsMs: DAY, began: 's' }, door)) ?? '',
      ]
      const found = await Promise.all(
        secrets.map((secret) => store.signIns.find(createHash('sha256').update(secret).digest('hex'))),
      )
      const kept = JSON.stringify(found)
      const values = [...kept.matchAll(/[0-9a-f]{64}/g)].map(([value]) => value)
      for (const text of [...secrets, token.token, door.token]) expect(kept).not.toContain(text)
      for (const text of [...values, await store.signIns.key()])
        expect(await other.principalOf(text, door)).toBeUndefined()
      // A guess can be held against nothing that is kept: the same token looks otherwise each time.
      expect(found[0]?.basis).not.toBe((await anotherBasis(one, store)) ?? '')
      expect(values).not.toContain(createHash('sha256').update(door.token).digest('hex'))
    }))

  it.each(['', 'x', 'a'.repeat(42), 'a'.repeat(43), 'a'.repeat(44), "' OR 1=1 --"])('is none for %j', (secret) =>
    both(async (one) => {
      await one.signInOwner(door)
      await one.signOut(secret)
      expect(await one.principalOf(secret, door)).toBeUndefined()
    }),
  )

  it('is taken away by the next who comes, once it is over for long', () =>
    both(async (one, other, _, store) => {
      const secret = await one.signInOwner(door, NOW - 9 * DAY)
      const sha256 = createHash('sha256').update(secret).digest('hex')
      expect(await store.signIns.find(sha256)).toBeDefined()
      await other.signInOwner(door, NOW)
      expect(await store.signIns.find(sha256)).toBeUndefined()
      await one.signInOwner(door, NOW - 9 * DAY)
      expect(await other.forget(NOW)).toBe(1)
    }))
})

/** What is kept of another browser of the local owner. */
async function anotherBasis(one: SignIns, store: Store): Promise<string | undefined> {
  const secret = await one.signInOwner(door)
  return (await store.signIns.find(createHash('sha256').update(secret).digest('hex')))?.basis
}
