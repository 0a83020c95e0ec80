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

    it('of two that add at once one does', async () => {
      const { runs, id, again } = await withSession()
      const other = again ? await again() : undefined
      if (other) opened.push(other)
      const both = await Promise.allSettled([runs, other?.runs ?? runs].map((one) => one.append(id, 0, [record(1)])))
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
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
      expect([await runs.isHeld(id), await runs.isHeld(ID('b'))]).toEqual([true, false])
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
