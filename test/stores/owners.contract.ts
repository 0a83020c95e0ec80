import { afterEach, describe, expect, it } from 'vitest'
import type { Owned, Store } from '../../src/stores/store.ts'
import { exchange } from './conversations.contract.ts'
import type { Openable } from './opened.ts'

const OWNERS = ['', 'alice', 'Alice', "o'brien", '%'] as const
const ID = 'c'.repeat(32)
const head = { id: ID, title: 'Mine', place: '.', model: 'local/extractive' }
const file = { id: 'f', name: 'a.txt', size: 3, type: 'text/plain', sha256: 'a'.repeat(64) }
const record = { seq: 1, at: '2026-11-21T12:00:00.000Z', data: '{}' }

/** What one owner may try with the ids of another; each says what it is like where there is nothing. */
const TRIES: readonly (readonly [string, (theirs: Owned) => Promise<unknown>, unknown])[] = [
  ['read a conversation', ({ conversations }) => conversations.get(ID), undefined],
  ['list conversations', ({ conversations }) => conversations.list(10), []],
  ['rename a conversation', ({ conversations }) => conversations.rename(ID, 'Theirs'), false],
  ['remove a conversation', ({ conversations }) => conversations.remove(ID), false],
  ['go on with a conversation', ({ conversations }) => conversations.put(ID, 0, exchange('x')), 'not-found'],
  ['read a session', ({ runs }) => runs.get(ID), undefined],
  ['list sessions', ({ runs }) => runs.list(10), []],
  ['list sessions made before one', ({ runs }) => runs.list(10, ID), []],
  ['change a session', ({ runs }) => runs.update(ID, { status: 'stopped', wanted: 'stop' }), undefined],
  ['remove a session', ({ runs }) => runs.remove(ID), false],
  ['list files', ({ runs }) => runs.files(ID), 'not-found'],
  ['add a file', ({ runs }) => runs.addFile(ID, { ...file, id: 'g' }, new Uint8Array(3)), 'not-found'],
  ['remove a file', ({ runs }) => runs.removeFile(ID, file.id), 'not-found'],
  ['copy files', ({ runs }) => runs.copyFiles(ID, ID), 'not-found'],
  ['write a log', ({ runs }) => runs.append(ID, 1, [{ ...record, seq: 2 }], 'completed'), 'not-found'],
  ['read a log', ({ runs }) => runs.records(ID, 0, 10), []],
]

/** What any store does so that nobody sees what belongs to another. */
export function ownersContract(name: string, open: () => Promise<Openable>): void {
  describe(`owners in ${name}`, () => {
    const opened: Store[] = []
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
    })

    /** A store in which `owner` has a conversation, and a session with a file and a log. */
    const filledFor = async (owner: string) => {
      const { store } = await open()
      opened.push(store)
      await fill(store.of(owner))
      return store
    }

    it.each(TRIES)('cannot %s of another, as if it were not there', async (_, attempt, outcome) => {
      for (const owner of ['', 'alice']) {
        const store = await filledFor(owner)
        const before = await seenBy(store.of(owner))
        for (const other of OWNERS.filter((one) => one !== owner)) {
          const found = await attempt(store.of(other)).catch((error) => error.code)
          expect([other, found]).toEqual([other, outcome])
        }
        expect(await seenBy(store.of(owner))).toEqual(before)
      }
    })

    it('each have a conversation of the same id', async () => {
      const store = await filledFor('')
      for (const owner of OWNERS.slice(1)) await store.of(owner).conversations.begin({ ...head, title: owner })
      for (const owner of OWNERS.slice(1)) {
        expect((await store.of(owner).conversations.get(ID))?.head.title).toBe(owner)
      }
      await store.of('alice').conversations.remove(ID)
      expect(await store.of('Alice').conversations.get(ID)).toBeDefined()
      expect(await store.conversations.get(ID)).toBeDefined()
    })

    it('are the local one where none is named', async () => {
      const store = await filledFor('')
      expect(await seenBy(store)).toEqual(await seenBy(store.of('')))
      expect((await store.conversations.list(5)).map(({ id }) => id)).toEqual([ID])
      expect((await store.runs.list(5)).map(({ id }) => id)).toEqual([ID])
    })

    it('are told by name, once, for whoever keeps something', async () => {
      const store = await filledFor('b')
      expect(await store.owners()).toEqual(['b'])
      await store.of('a').conversations.begin(head)
      await store.runs.add({ id: 'd'.repeat(32), question: 'What?', settings: '{}' })
      expect(await store.owners()).toEqual(['', 'a', 'b'])
      await store.of('b').conversations.remove(ID)
      await store.of('b').runs.remove(ID)
      expect(await store.owners()).toEqual(['', 'a'])
    })
  })
}

async function fill({ conversations, runs }: Owned): Promise<void> {
  await conversations.begin(head)
  await conversations.put(ID, 0, exchange('q'))
  await runs.add({ id: ID, question: 'What?', settings: '{}' })
  await runs.addFile(ID, file, new Uint8Array([1, 2, 3]))
  await runs.append(ID, 0, [record], 'running')
}

async function seenBy({ conversations, runs }: Owned): Promise<unknown> {
  const [session] = await runs.list(10)
  return {
    conversation: await conversations.get(ID),
    session,
    files: await runs.files(ID),
    records: await runs.records(ID, 0, 10),
  }
}
