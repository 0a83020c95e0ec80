import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/stores/conversation-store.ts'
import { type Openable, withStores } from './opened.ts'

const about = (id: string) => ({ id, title: `About ${id}`, place: 'ambit://docs', model: 'local/extractive' })

export function exchange(id: string, more: Partial<Exchange> = {}): Exchange {
  return {
    id,
    question: `What of ${id}?`,
    place: 'ambit://docs/a',
    model: 'acme/m',
    askedAt: '2026-11-21T10:00:00.000Z',
    end: 'done',
    shown: { parts: [{ type: 'text', text: id }] },
    messages: [{ role: 'user', text: id }],
    isWhole: false,
    state: { sources: ['ambit://docs/a.md'] },
    ...more,
  }
}

/** What any store keeps of conversations. `open` gives a new, empty one. */
export function conversationStoreContract(name: string, open: () => Promise<Openable>): void {
  const withStore = withStores(open)

  describe(`conversations in ${name}`, () => {
    it('are listed page after page, those that were changed last first', () =>
      withStore(async ({ conversations }) => {
        for (const id of ['a', 'b', 'c', 'd']) {
          await conversations.begin(about(id))
          await sleep(3)
        }
        await conversations.put('b', 0, exchange('q'))
        const first = await conversations.list(2)
        expect(first.map(({ id, exchanges }) => [id, exchanges])).toEqual([
          ['b', 1],
          ['d', 0],
        ])
        const rest = await conversations.list(10, first[1])
        expect(rest.map(({ id }) => id)).toEqual(['c', 'a'])
        expect(await conversations.list(10, rest[1])).toEqual([])
      }))

    it('are all listed once, also where many have one time', () =>
      withStore(async ({ conversations }) => {
        const ids = Array.from({ length: 25 }, (_, at) => `id-${String(at).padStart(2, '0')}`)
        await Promise.all(ids.map((id) => conversations.begin(about(id))))
        const seen: string[] = []
        for (let page = await conversations.list(7); page.length > 0; page = await conversations.list(7, page.at(-1))) {
          seen.push(...page.map(({ id }) => id))
        }
        expect(seen.toSorted()).toEqual(ids)
      }))

    it('are renamed, which is not a change of what was said, and removed with all of it', () =>
      withStore(async ({ conversations }) => {
        const { updatedAt } = await conversations.begin(about('a'))
        await sleep(3)
        expect(await conversations.rename('a', 'Other')).toBe(true)
        expect(await conversations.list(1)).toMatchObject([{ title: 'Other', updatedAt }])
        await conversations.put('a', 0, exchange('q'))
        expect(await conversations.remove('a')).toBe(true)
        await conversations.begin(about('a'))
        expect((await conversations.get('a'))?.exchanges).toEqual([])
      }))

    it('are answered by one at a time, whether they have begun or not', () =>
      withStore(async ({ conversations }, other) => {
        const theirs = other.of('somebody').conversations
        const never = async () => 'never'
        const given = conversations.exclusively('a', async () => {
          await expect(other.conversations.exclusively('a', never)).rejects.toMatchObject({
            code: 'conflict',
            message: expect.stringContaining('giving an answer in conversation a'),
          })
          await expect(conversations.exclusively('a', never)).rejects.toMatchObject({ code: 'conflict' })
          const [giver, none] = await Promise.all([other.conversations.findAnswer('a'), theirs.findAnswer('a')])
          expect([giver, none]).toEqual([await conversations.findAnswer('a'), undefined])
          expect(giver).toMatch(/^[0-9a-f-]{36}$/)
          expect(await theirs.exclusively('a', async () => 'theirs')).toBe('theirs')
          expect(await other.conversations.exclusively('b', async () => 'another')).toBe('another')
          throw new Error('own')
        })
        await expect(given).rejects.toThrow('own')
        expect(await other.conversations.findAnswer('a')).toBeUndefined()
        expect(await other.conversations.exclusively('a', async () => 'now')).toBe('now')
      }))

    it('have an end where whoever answered is no more, once another answer begins', () =>
      withStore(async ({ conversations }, other) => {
        await conversations.begin(about('a'))
        await conversations.put('a', 0, exchange('q0'))
        await conversations.put('a', 1, exchange('q1', { end: null }))
        await other.conversations.exclusively('a', async () => {
          expect(await conversations.last('a')).toMatchObject({ id: 'q1', end: 'abandoned' })
          expect((await conversations.get('a'))?.exchanges.map(({ end }) => end)).toEqual(['done', 'abandoned'])
          await other.conversations.put('a', 2, exchange('q2', { end: null }))
          expect(await conversations.last('a')).toMatchObject({ id: 'q2', end: null })
        })
      }))

    it('tell whoever gives an answer what others say of it, once and in order', () =>
      withStore(async ({ conversations }, other) => {
        await conversations.exclusively('a', async () => {
          const giver = (await other.conversations.findAnswer('a')) ?? ''
          using watch = conversations.watch('a', 'words')
          for (const word of ['one', 'two']) await other.conversations.sendCommand('a', giver, word)
          await other.conversations.sendCommand('b', giver, 'of another')
          await other.of('somebody').conversations.sendCommand('a', giver, 'of somebody')
          await watch.changed()
          expect(await conversations.receiveCommands('a')).toEqual(['one', 'two'])
          expect(await conversations.receiveCommands('a')).toEqual([])
          await other.conversations.sendCommand('a', giver, 'late')
        })
        // What was said of one answer is not heard by the next.
        expect(await conversations.exclusively('a', () => conversations.receiveCommands('a'))).toEqual([])
        expect(await conversations.receiveCommands('a')).toEqual([])
      }))
  })
}
