import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { NewFile } from '../../src/stores/run-store.ts'
import type { Store } from '../../src/stores/store.ts'
import type { Openable } from './opened.ts'

const ID = (name: string) => name.repeat(32).slice(0, 32)
const BYTES = (letter: string) => new TextEncoder().encode(letter.repeat(3))
const HASH = (letter: string) => createHash('sha256').update(BYTES(letter)).digest('hex')
const file = (name: string, letter = 'a'): NewFile => {
  const id = `${name}-${letter}`
  return { id, name, size: 3, type: 'text/plain', sha256: HASH(letter) }
}
const record = (seq: number) => ({ seq, at: '2026-11-21T12:00:00.000Z', data: JSON.stringify({ told: `ä ${seq}` }) })

/** What every store of runs does. */
export function runStoreContract(name: string, open: () => Promise<Openable>): void {
  describe(`research in ${name}`, () => {
    const opened: Store[] = []
    const runsOf = async () => {
      const { store, again } = await open()
      opened.push(store)
      return { runs: store.runs, again }
    }
    const withSession = async (id = 'a') => {
      const { runs, again } = await runsOf()
      await runs.add({ id: ID(id), question: 'What?', settings: '{}' })
      return { runs, again, id: ID(id) }
    }
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
    })

    it('sessions are kept, listed with the newest first, changed, and removed', async () => {
      const { runs } = await runsOf()
      for (const id of ['a', 'b', 'c'])
        await runs.add({ id: ID(id), question: id, settings: '{"x":1}', ...(id === 'b' && { follows: ID('a') }) })
      expect((await runs.list(10)).map(({ question }) => question)).toEqual(['c', 'b', 'a'])
      expect((await runs.list(2)).map(({ question }) => question)).toEqual(['c', 'b'])
      expect((await runs.list(2, ID('b'))).map(({ question }) => question)).toEqual(['a'])
      const b = { id: ID('b'), follows: ID('a'), status: 'created', revision: 0, settings: '{"x":1}' }
      expect(await runs.get(ID('b'))).toMatchObject(b)
      await runs.update(ID('b'), { wanted: 'stop', status: 'running' })
      expect(await runs.get(ID('b'))).toMatchObject({ wanted: 'stop', status: 'running' })
      await runs.update(ID('b'), { wanted: '' })
      expect(await runs.get(ID('b'))).not.toHaveProperty('wanted')
      const removed = [await runs.remove(ID('b')), await runs.remove(ID('b')), await runs.get(ID('b'))]
      expect(removed).toEqual([true, false, undefined])
    })

    it('files make revisions, have an alias each, and are kept once', async () => {
      const { runs, id } = await withSession()
      const first = await runs.addFile(id, file('r.pdf'), BYTES('a'))
      expect(first).toMatchObject({ alias: 'r.pdf', revision: 1 })
      expect(await runs.addFile(id, { ...file('r.pdf'), id: 'other' }, BYTES('a'))).toMatchObject({
        id: first.id,
        revision: 1,
      })
      expect(await runs.addFile(id, file('r.pdf', 'b'), BYTES('b'))).toMatchObject({ alias: 'r (2).pdf', revision: 2 })
      expect(await runs.addFile(id, file('README', 'c'), BYTES('c'))).toMatchObject({ alias: 'README', revision: 3 })
      expect((await runs.files(id)).map(({ alias }) => alias)).toEqual(['r.pdf', 'r (2).pdf', 'README'])
      expect([await runs.removeFile(id, first.id), await runs.removeFile(id, first.id)]).toEqual([true, false])
      expect((await runs.get(id))?.revision).toBe(4)
      await expect(runs.addFile(ID('z'), file('a'), BYTES('a'))).rejects.toMatchObject({ code: 'not-found' })
    })

    it('bytes, and what was worked out of them, stay as long as a session has them', async () => {
      const { runs, id } = await withSession()
      await runs.addFile(id, file('a'), BYTES('a'))
      await runs.putDerived('text', 'ä'.repeat(1000), HASH('a'))
      await runs.add({ id: ID('b'), question: 'b', settings: '{}' })
      await runs.copyFiles(id, ID('b'))
      expect((await runs.files(ID('b')))[0]).toMatchObject({ alias: 'a', sha256: HASH('a') })
      await runs.remove(id)
      expect([...(await runs.bytes(HASH('a')))]).toEqual([...BYTES('a')])
      expect(await runs.findDerived('text')).toBe('ä'.repeat(1000))
      await runs.remove(ID('b'))
      await expect(runs.bytes(HASH('a'))).rejects.toMatchObject({ code: 'not-found' })
      expect(await runs.findDerived('text')).toBeUndefined()
    })

    it('a file that is taken away when a run may have bound it keeps its bytes and its alias', async () => {
      const { runs, id } = await withSession()
      const { id: first } = await runs.addFile(id, file('a'), BYTES('a'))
      await runs.append(id, 0, [record(1)], 'running')
      await runs.removeFile(id, first)
      expect(await runs.files(id)).toEqual([])
      expect([...(await runs.bytes(HASH('a')))]).toEqual([...BYTES('a')])
      expect(await runs.addFile(id, file('a', 'b'), BYTES('b'))).toMatchObject({ alias: 'a (2)' })
    })

    it('a log is added to behind what its writer knows, whole or not at all', async () => {
      const { runs, id } = await withSession()
      await runs.append(id, 0, [record(1), record(2)], 'running')
      await expect(runs.append(id, 1, [record(2)])).rejects.toMatchObject({ code: 'conflict' })
      await expect(runs.append(id, 3, [record(4)])).rejects.toMatchObject({ code: 'conflict' })
      await runs.append(id, 2, [record(3)])
      expect(await runs.records(id, 0, 10)).toEqual([record(1), record(2), record(3)])
      expect(await runs.records(id, 1, 1)).toEqual([record(2)])
      expect((await runs.get(id))?.status).toBe('running')
      await expect(runs.append(ID('z'), 0, [record(1)])).rejects.toMatchObject({ code: 'not-found' })
    })

    it('of two that add at once one does', async () => {
      const { runs, id, again } = await withSession()
      const other = again ? await again() : undefined
      if (other) opened.push(other)
      const both = await Promise.allSettled([runs, other?.runs ?? runs].map((one) => one.append(id, 0, [record(1)])))
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    })

    it('a session waits that is wanted to run, or was to end when its process died, unless somebody runs it', async () => {
      const { store } = await open()
      opened.push(store)
      const { runs } = store
      const cases = [
        ['a', { wanted: 'run', status: 'queued' }, true],
        ['b', { wanted: 'pause', status: 'running' }, true],
        ['c', { wanted: 'stop', status: 'running' }, true],
        ['d', { wanted: '', status: 'running' }, false],
        ['g', { wanted: 'pause', status: 'queued' }, true],
        // Whoever wants that does it: nobody has to end it.
        ['e', { wanted: 'pause', status: 'created' }, false],
        ['f', { wanted: 'stop', status: 'paused' }, false],
      ] as const
      for (const [id, change] of cases) {
        await runs.add({ id: ID(id), question: 'What?', settings: '{}' })
        await runs.update(ID(id), change)
      }
      const waiting = cases.flatMap(([id, , isWaiting]) => (isWaiting ? [ID(id)] : []))
      const unheld = async () => (await store.jobs.open()).flatMap(({ key, isHeld }) => (isHeld ? [] : [key]))
      expect(await unheld()).toEqual(waiting)
      await runs.exclusively(ID('b'), async () => {
        expect(await unheld()).toEqual(waiting.filter((id) => id !== ID('b')))
        expect([await runs.isHeld(ID('a')), await runs.isHeld(ID('b'))]).toEqual([false, true])
      })
    })

    it('a session is run by one at a time, and others beside it', async () => {
      const { runs, id } = await withSession()
      const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
      const running = runs.exclusively(id, () => {
        began.resolve()
        return ended.promise
      })
      await began.promise
      await expect(runs.exclusively(id, async () => 'second')).rejects.toMatchObject({ code: 'conflict' })
      expect(await runs.exclusively(ID('b'), async () => 'other')).toBe('other')
      ended.resolve('done')
      expect(await running).toBe('done')
      expect(await runs.exclusively(id, async () => 'then')).toBe('then')
    })

    it('so many of an owner are run at once, by all processes together, where that is asked', async () => {
      const { store, again } = await open()
      const other = (await again?.()) ?? store
      opened.push(store, ...(other === store ? [] : [other]))
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(ID)
      for (const id of ids) await store.runs.add({ id, question: 'What?', settings: '{}' })
      await store.of('bob').runs.add({ id: ID('i'), question: 'What?', settings: '{}' })
      const end = Promise.withResolvers<string>()
      let [running, refused] = [0, 0]
      const tries = ids.map((id, index) => {
        const work = () => {
          running++
          return end.promise
        }
        return (index % 2 === 0 ? store : other).runs.exclusively(id, work, { maximum: 3 }).catch(({ code }) => {
          refused++
          return String(code)
        })
      })
      await vi.waitUntil(() => running === 3 && refused === 5, { timeout: 60_000 })
      expect(await other.of('bob').runs.exclusively(ID('i'), async () => 'another owner', { maximum: 1 })).toBe(
        'another owner',
      )
      end.resolve('done')
      const ended = await Promise.all(tries)
      expect(ended.filter((one) => one === 'done')).toHaveLength(3)
      expect(ended.filter((one) => one === 'over-limit')).toHaveLength(5)
      expect(await other.runs.exclusively(ids[7] ?? '', async () => 'then', { maximum: 1 })).toBe('then')
    })

    it('one that is run already is no other, and those who do not count are not refused', async () => {
      const { runs } = await runsOf()
      for (const id of ['a', 'b', 'c']) await runs.add({ id: ID(id), question: 'What?', settings: '{}' })
      await runs.exclusively(ID('a'), async () => {
        await expect(runs.exclusively(ID('a'), async () => 'again', { maximum: 1 })).rejects.toMatchObject({
          code: 'conflict',
        })
        await expect(runs.exclusively(ID('b'), async () => 'second', { maximum: 1 })).rejects.toMatchObject({
          code: 'over-limit',
        })
        expect(await runs.exclusively(ID('b'), async () => 'second', { maximum: 2 })).toBe('second')
        expect(await runs.exclusively(ID('c'), async () => 'third')).toBe('third')
      })
      expect(await runs.exclusively(ID('b'), async () => 'then', { maximum: 1 })).toBe('then')
    })
  })
}
