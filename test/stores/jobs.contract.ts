import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { HANDED_OVER, type Job, Jobs, MAX_PER_OWNER, type Task, type Worker } from '../../src/stores/jobs.ts'
import type { Store } from '../../src/stores/store.ts'
import { type Openable, withStores } from './opened.ts'

const ID = (at: number) => String(at).padStart(32, '0')

/** Waits for what comes in the end, on a machine of any speed. */
const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 120_000, interval: 20 })

/** Sessions that are wanted to run. */
async function wanted(store: Store, numbers: readonly number[], owner = ''): Promise<Job[]> {
  const { runs } = store.of(owner)
  for (const at of numbers) {
    if (!(await runs.get(ID(at)))) await runs.add({ id: ID(at), question: 'What?', settings: '{}' })
    await runs.update(ID(at), { wanted: 'run', status: 'queued' })
  }
  return numbers.map((at) => ({ kind: 'research', key: ID(at), owner }))
}

/** A worker that holds the lease of each session during the work, if it is still wanted, and wants it no more afterwards. */
function worker(
  store: Store,
  most: number,
  work: (task: Task) => Promise<unknown>,
): Record<'research' | 'index', Worker> {
  const handler = (task: Task) => {
    const { runs } = store.of(task.owner)
    return runs.exclusively(
      task.key,
      async () => {
        if ((await runs.get(task.key))?.wanted === undefined) return
        await work(task)
        await runs.update(task.key, { wanted: '' })
      },
      { maximum: MAX_PER_OWNER },
    )
  }
  return { research: { maximum: most, handler }, index: { maximum: 1, handler: async () => {} } }
}

/** What processes that share a store do with jobs, however it keeps them. */
export function jobsContract(name: string, open: () => Promise<Openable>): void {
  const withStore = withStores(open)
  /** Two processes. */
  const withBoth = (
    test: (one: Jobs, other: Jobs, stores: readonly [Store, Store]) => Promise<void>,
    isAlone = false,
  ) =>
    withStore(async (store, again) => {
      const [one, other] = [new Jobs(store.jobs, isAlone), new Jobs(again.jobs, isAlone)]
      try {
        await test(one, other, [store, again])
      } finally {
        await Promise.all([one.close(), other.close()])
      }
    })

  describe(`jobs in ${name}`, () => {
    it('are each done once, whichever process asked for them', () =>
      withBoth(async (one, other, [store, again]) => {
        const done: string[] = []
        const work = async ({ key, owner }: Task) => void done.push(`${owner} ${Number(key)}`)
        one.work(worker(store, 4, work))
        other.work(worker(again, 4, work))
        await wanted(store, [1, 2], 'alice')
        await wanted(again, [3], 'bob')
        await until(async () => (await store.jobs.open()).length === 0)
        expect(done.sort()).toEqual(['alice 1', 'alice 2', 'bob 3'])
        await wanted(again, [3], 'bob')
        await until(() => done.length === 4)
      }))

    it('are tried again after a failure, and rest before', () =>
      withBoth(async (one, _, [store]) => {
        const at: number[] = []
        await wanted(store, [1])
        one.work(
          worker(store, 1, async () => {
            if (at.push(performance.now()) < 2) throw new Error('Not now.')
          }),
        )
        await until(async () => (await store.jobs.open()).length === 0)
        expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(900)
      }))

    it('are at most as many at once as the process may do', () =>
      withBoth(async (one, _, [store]) => {
        let [now, most, done] = [0, 0, 0]
        const workers = worker(store, 3, async () => {
          most = Math.max(most, ++now)
          // The first ones wait for each other, however slow the database is.
          await until(() => most >= 3)
          await sleep(20)
          now--
          done++
        })
        for (let at = 0; at < 9; at++) await wanted(store, [at], `owner ${at}`)
        one.work(workers)
        one.work(workers)
        await until(() => done === 9)
        expect(most).toBe(3)
      }))

    it(
      `are ${MAX_PER_OWNER} of an owner at once, in all processes, and those of others meanwhile`,
      () =>
        withBoth(async (one, other, [store, again]) => {
          const running = new Map<string, number>()
          const ends: (() => void)[] = []
          let most = 0
          const work = async ({ owner }: Task) => {
            running.set(owner, (running.get(owner) ?? 0) + 1)
            most = Math.max(most, running.get(owner) ?? 0)
            await new Promise<void>((resolve) => ends.push(resolve))
            running.set(owner, (running.get(owner) ?? 0) - 1)
          }
          await wanted(
            store,
            Array.from({ length: 20 }, (_, at) => at),
            'alice',
          )
          await wanted(store, [20, 21], 'bob')
          one.work(worker(store, 12, work))
          other.work(worker(again, 12, work))
          await until(() => running.get('alice') === MAX_PER_OWNER && running.get('bob') === 2)
          for (let done = 0; done < 22; done++) {
            await until(() => ends.length > done)
            ends[done]?.()
          }
          await until(async () => (await store.jobs.open()).length === 0)
          expect(most).toBe(MAX_PER_OWNER)
        }),
      240_000,
    )

    it('of one owner are begun by a process only up to the maximum of their kind', () =>
      withBoth(async (one, _, [store]) => {
        await store.collections.add({ name: 'docs', root: '/srv/docs', patterns: [], exclude: [] })
        await store.indexJobs.addJob('docs', { owner: 'alice', isForced: false })
        await wanted(store, [...Array(MAX_PER_OWNER + 2).keys()], 'alice')
        // It holds no lease, which would refuse them.
        const handler = ({ signal }: Task) => new Promise((end) => signal.addEventListener('abort', end))
        one.work({ research: { maximum: 12, handler }, index: { maximum: 1, handler } })
        await until(() => one.running >= MAX_PER_OWNER)
        await store.jobs.notify()
        await sleep(100)
        expect(one.running).toBe(MAX_PER_OWNER + 1)
      }))

    it('are counted while no process does them', () =>
      withBoth(async (one, other, [store]) => {
        expect(await other.waiting()).toEqual({ research: 0, index: 0 })
        await store.collections.add({ name: 'docs', root: '/srv/docs', patterns: [], exclude: [] })
        await store.indexJobs.addJob('docs', { owner: 'alice', isForced: false })
        await wanted(store, [1, 2])
        expect(await other.waiting()).toEqual({ research: 2, index: 1 })
        const { promise, resolve } = Promise.withResolvers<void>()
        one.work({ ...worker(store, 1, () => promise), index: { maximum: 0, handler: async () => {} } })
        await until(async () => (await other.waiting()).research === 1)
        expect([(await store.jobs.open()).filter(({ isHeld }) => isHeld).length, one.running]).toEqual([1, 1])
        resolve()
        await until(async () => (await other.waiting()).research === 0)
        await store.indexJobs.stop('docs')
        expect(await other.waiting()).toEqual({ research: 0, index: 0 })
      }))

    it('are continued by another process at once where theirs ends, which waits for their work', () =>
      withBoth(async (one, other, [store, again]) => {
        const told: string[] = []
        await wanted(store, [1])
        one.work(
          worker(store, 1, async ({ signal }) => {
            told.push('begun')
            await new Promise((_, reject) =>
              signal.addEventListener('abort', () => {
                told.push(String(signal.reason))
                setTimeout(() => reject(new Error('ended')), 50)
              }),
            )
          }),
        )
        await until(() => told.length === 1)
        other.work(worker(again, 1, async () => void told.push('begun again')))
        await one.close()
        expect([told.slice(0, 2), one.running]).toEqual([['begun', HANDED_OVER], 0])
        await until(async () => (await store.jobs.open()).length === 0)
        expect(told).toEqual(['begun', HANDED_OVER, 'begun again'])
      }))

    it('of others are left to them by a process that does only its own', () =>
      withBoth(async (one, other, [store, again]) => {
        const done: string[] = []
        const work = async ({ key }: Task) => void done.push(key)
        one.work(worker(store, 4, work))
        other.work(worker(again, 4, work))
        const [mine, theirs] = await wanted(store, [1, 2])
        if (!mine || !theirs) return
        expect([one.isTaken(mine), one.isTaken(theirs)]).toEqual([false, false])
        one.add(mine)
        expect([one.isTaken(mine), one.isTaken(theirs)]).toEqual([true, false])
        await until(() => done.length === 1)
        await until(async () => (await store.jobs.open()).length === 1)
        expect([done, await one.waiting()]).toEqual([[mine.key], { research: 1, index: 0 }])
      }, true))
  })
}
