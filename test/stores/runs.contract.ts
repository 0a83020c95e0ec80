import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import type { NewFile, RunStore } from '../../src/stores/run-store.ts'
import { type Openable, withStores } from './opened.ts'

const ID = (name: string) => name.repeat(32).slice(0, 32)
const BYTES = (letter: string) => new TextEncoder().encode(letter.repeat(3))
const HASH = (letter: string) => createHash('sha256').update(BYTES(letter)).digest('hex')
const file = (name: string, letter = 'a'): NewFile => {
  const id = `${name}-${letter}`
  return { id, name, size: 3, type: 'text/plain', sha256: HASH(letter) }
}
const record = (seq: number) => ({ seq, at: '2026-11-21T12:00:00.000Z', data: JSON.stringify({ told: `ä ${seq}` }) })

async function addSessions(runs: RunStore, ...names: readonly string[]): Promise<string[]> {
  for (const name of names) await runs.add({ id: ID(name), question: 'What?', settings: '{}' })
  return names.map(ID)
}

/** What every store of runs does. */
export function runStoreContract(name: string, open: () => Promise<Openable>): void {
  const withStore = withStores(open)

  describe(`research in ${name}`, () => {
    it('bytes, and what was worked out of them, stay as long as a session has them', () =>
      withStore(async ({ runs }) => {
        const [a = '', b = ''] = await addSessions(runs, 'a', 'b')
        await runs.addFile(a, file('a'), BYTES('a'))
        await runs.putDerived('text', 'ä'.repeat(1000), HASH('a'))
        await runs.copyFiles(a, b)
        expect((await runs.files(b))[0]).toMatchObject({ alias: 'a', sha256: HASH('a') })
        await runs.remove(a)
        expect([...(await runs.bytes(HASH('a')))]).toEqual([...BYTES('a')])
        expect(await runs.findDerived('text')).toBe('ä'.repeat(1000))
        await runs.remove(b)
        await expect(runs.bytes(HASH('a'))).rejects.toMatchObject({ code: 'not-found' })
        expect(await runs.findDerived('text')).toBeUndefined()
      }))

    it('of two that add at once one does', () =>
      withStore(async ({ runs }, other) => {
        const [id = ''] = await addSessions(runs, 'a')
        const both = await Promise.allSettled([runs, other.runs].map((one) => one.append(id, 0, [record(1)])))
        expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      }))

    it('so many of an owner are run at once, by all processes together, where that is asked', () =>
      withStore(async (store, other) => {
        const ids = await addSessions(store.runs, ...'abcdefgh')
        const [bobs = ''] = await addSessions(store.of('bob').runs, 'i')
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
        expect(await other.of('bob').runs.exclusively(bobs, async () => 'his', { maximum: 1 })).toBe('his')
        end.resolve('done')
        const ended = await Promise.all(tries)
        expect(ended.filter((one) => one === 'done')).toHaveLength(3)
        expect(ended.filter((one) => one === 'over-limit')).toHaveLength(5)
        expect(await other.runs.exclusively(ids[7] ?? '', async () => 'then', { maximum: 1 })).toBe('then')
      }))

    it('one that is run already is no other, and those who do not count are not refused', () =>
      withStore(async ({ runs }) => {
        const [a = '', b = '', c = ''] = await addSessions(runs, 'a', 'b', 'c')
        await runs.exclusively(a, async () => {
          const [again, second] = [a, b].map((id) => runs.exclusively(id, async () => 'never', { maximum: 1 }))
          await expect(again).rejects.toMatchObject({ code: 'conflict' })
          await expect(second).rejects.toMatchObject({ code: 'over-limit' })
          expect(await runs.exclusively(b, async () => 'second', { maximum: 2 })).toBe('second')
          expect(await runs.exclusively(c, async () => 'third')).toBe('third')
          expect([await runs.isHeld(a), await runs.isHeld(c)]).toEqual([true, false])
        })
        expect(await runs.exclusively(b, async () => 'then', { maximum: 1 })).toBe('then')
      }))
  })
}
