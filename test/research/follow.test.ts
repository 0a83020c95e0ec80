import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { EventType } from '../../src/research/events.ts'
import { followSession } from '../../src/research/sessions/session-answer.ts'
import type { RunStore } from '../../src/stores/run-store.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { endedAfterEach, own } from '../support/own.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { through } from '../support/through.ts'
import { tree } from '../support/tree.ts'

/** What comes in the end, on a machine of any speed. */
const SOON = { timeout: 60_000, interval: 5 }

const ID = 'a'.repeat(32)
const keep = endedAfterEach()
const files = own(tree({}))
const openedAt = async (path = ':memory:') => keep(openSqlite(path)).runs

/** A session without a log. */
async function session(path?: string) {
  const runs = await openedAt(path)
  await runs.add({ id: ID, question: 'What?', settings: '{}' })
  return runs
}

const told = (runs: RunStore, seq: number, type: EventType = 'page_read', size = 1) => {
  const data = JSON.stringify({ type, key: String(seq), told: { url: 'x'.repeat(size) }, made: {} })
  return runs.append(ID, seq - 1, [{ seq, at: '2026-11-21T12:00:00.000Z', data }])
}

/** The same store, and how often its log was read. */
function counted(runs: RunStore) {
  const calls = { records: 0, get: 0 }
  const store = through(runs, (name, call) => {
    if (name === 'records' || name === 'get') calls[name]++
    return call()
  })
  return { calls, store }
}

/** Follows to the end; `pause` is waited for before each event is taken. */
function following(runs: RunStore, after = 0, pause: () => Promise<unknown> = async () => {}) {
  const ids: number[] = []
  const leaving = new AbortController()
  const read = async () => {
    for await (const { seq } of followSession(runs, ID, { after, signal: leaving.signal })) {
      ids.push(seq)
      await pause()
    }
  }
  return { ids, done: read(), leave: () => leaving.abort() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, at) => from + at)

/** Bytes in use. */
function held(): number {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc === 'function') for (let time = 0; time < 3; time++) gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('those who follow a session', () => {
  it('get what is new by one reading, however many they are', async () => {
    const { calls, store } = counted(await session())
    const all = Array.from({ length: 200 }, () => following(store))
    await told(store, 1)
    await expect.poll(() => all.every(({ ids }) => ids.length === 1), SOON).toBe(true)
    const before = { ...calls }
    for (let seq = 2; seq <= 11; seq++) {
      await told(store, seq)
      await expect.poll(() => all.every(({ ids }) => ids.length === seq), SOON).toBe(true)
    }
    // Ten events, and what looks whether there are more.
    expect(calls.records - before.records).toBeLessThan(40)
    expect(calls.get - before.get).toBeLessThan(40)
    await told(store, 12, 'run_completed')
    await Promise.all(all.map(({ done }) => done))
    for (const { ids } of all) expect(ids).toEqual(upTo(12))
  })

  it('get each event once, in order, whenever they come, however slow they are, and however much is written at once', async () => {
    const step = fc.record({ write: fc.integer({ min: 0, max: 40 }), turns: fc.integer({ min: 0, max: 6 }) })
    const client = fc.record({ at: fc.nat(6), after: fc.nat(60), turns: fc.nat(3) })
    const sizes = fc.constantFrom(1, 10_000, 300_000)
    await forAllAsync(
      15,
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.array(client, { minLength: 1, maxLength: 8 }),
      sizes,
      async (steps, clients, size) => {
        const runs = await session()
        const all: (ReturnType<typeof following> & { readonly from: number })[] = []
        let last = 0
        for (const [index, { write, turns }] of steps.entries()) {
          for (const { at, after, turns } of clients) {
            const slowly = async () => {
              for (let pause = 0; pause < turns; pause++) await turn()
            }
            const from = Math.min(after, last)
            if (at % steps.length === index) all.push({ ...following(runs, from, slowly), from })
          }
          for (let count = 0; count < Math.min(write, size > 1000 ? 5 : 40); count++)
            await told(runs, ++last, 'page_read', size)
          for (let pause = 0; pause < turns; pause++) await turn()
        }
        await told(runs, ++last, 'run_completed')
        await Promise.all(all.map(({ done }) => done))
        for (const { ids, from } of all) expect(ids).toEqual(upTo(last, from + 1))
      },
    )
  })

  it('hear of what another process writes, and of what is written while they begin', async () => {
    const path = files.at('others.db')
    const [here, there] = [await session(path), await openedAt(path)]
    const all = [following(here), following(here)]
    for (let seq = 1; seq <= 5; seq++) await told(there, seq)
    await expect.poll(() => all.every(({ ids }) => ids.length === 5), SOON).toBe(true)
    const late = following(here, 3)
    await told(there, 6, 'run_completed')
    await Promise.all([...all, late].map(({ done }) => done))
    expect(late.ids).toEqual([4, 5, 6])
  })

  it('come to their end when it is removed, and when they leave, which is nothing to the others', async () => {
    const runs = await session()
    const [one, two, three] = [following(runs), following(runs), following(runs)]
    await told(runs, 1)
    await expect.poll(() => three.ids.length, SOON).toBe(1)
    one.leave()
    await one.done
    await told(runs, 2)
    await expect.poll(() => [two, three].every(({ ids }) => ids.length === 2), SOON).toBe(true)
    await runs.remove(ID)
    await Promise.all([two.done, three.done])
    expect([one, two, three].map(({ ids }) => ids)).toEqual([[1], [1, 2], [1, 2]])
  })

  it('are told that it cannot be read, and those who come later read it again', async () => {
    const runs = await session()
    let isBroken = false
    const broken = through(runs, (name, call) =>
      name === 'records' && isBroken ? Promise.reject(new Error('The disk is gone.')) : call(),
    )
    const all = [following(broken), following(broken)]
    const ends = Promise.allSettled(all.map(({ done }) => done))
    await told(runs, 1)
    await expect.poll(() => all.every(({ ids }) => ids.length === 1), SOON).toBe(true)
    isBroken = true
    await told(runs, 2)
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isBroken = false
    const late = following(broken, 1)
    await told(runs, 3, 'run_completed')
    await late.done
    expect(late.ids).toEqual([2, 3])
  })

  it('who do not read on leave little in memory, however much is written meanwhile', { tags: 'long' }, async () => {
    const runs = await session()
    const stuck = Promise.withResolvers<void>()
    const [slow, quick] = [following(runs, 0, () => stuck.promise), following(runs)]
    await told(runs, 1)
    await expect.poll(() => slow.ids.length + quick.ids.length, SOON).toBe(2)
    const before = held()
    for (let seq = 2; seq <= 400; seq++) {
      await told(runs, seq, 'page_read', 100_000)
      await expect.poll(() => quick.ids.length, SOON).toBe(seq)
    }
    // Of 40 MB.
    expect(held() - before).toBeLessThan(8_000_000)
    stuck.resolve()
    await told(runs, 401, 'run_completed')
    await Promise.all([slow.done, quick.done])
    expect([slow.ids, quick.ids]).toEqual([upTo(401), upTo(401)])
  })
})
