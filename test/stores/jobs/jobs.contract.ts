import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HANDED_OVER, type Job, type Jobs, MOST_EACH, type Task } from '../../../src/stores/jobs.ts'

interface Opened {
  readonly jobs: Jobs
  /** The same queue, as another process has it. */
  readonly again?: () => Promise<Jobs>
}

const job = (key: string, owner = ''): Job => ({ kind: 'research', key, owner })

/** Waits for what comes in the end, on a machine of any speed. */
const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 120_000, interval: 20 })

/** What every queue does. */
export function jobsContract(name: string, open: () => Promise<Opened>): void {
  describe(`the queue of ${name}`, () => {
    const opened: Jobs[] = []
    const both = async () => {
      const { jobs, again } = await open()
      const other = await again?.()
      opened.push(jobs, ...(other ? [other] : []))
      return { jobs, other }
    }
    afterEach(async () => {
      for (const jobs of opened.splice(0)) await jobs.close()
    })

    it('gives out what is put in, to one who works', async () => {
      const { jobs, other } = await both()
      const done: string[] = []
      for (const one of [jobs, ...(other ? [other] : [])]) {
        await one.work('research', { most: 4, handler: async ({ key, owner }) => void done.push(`${key} of ${owner}`) })
      }
      for (const key of ['a', 'b', 'c']) await jobs.enqueue(job(key, 'alice'))
      await until(() => done.length >= 3)
      expect(done.sort()).toEqual(['a of alice', 'b of alice', 'c of alice'])
      await until(async () => (await jobs.state('research', 'a')) === undefined)
    })

    it('has one job of a kind and key at a time, and takes it again when it is done', async () => {
      const { jobs } = await both()
      const ends: (() => void)[] = []
      const handler = () => new Promise<void>((resolve) => ends.push(resolve))
      await jobs.work('research', { most: 4, handler })
      await jobs.enqueue(job('a'))
      await until(() => ends.length === 1)
      await jobs.enqueue(job('a'))
      expect([await jobs.state('research', 'a'), jobs.running]).toEqual(['active', 1])
      ends[0]?.()
      await until(async () => (await jobs.state('research', 'a')) === undefined)
      await jobs.enqueue(job('a'))
      await until(() => ends.length === 2)
      ends[1]?.()
    })

    it('gives out again what could not be done', async () => {
      const { jobs } = await both()
      let tries = 0
      const handler = async () => {
        if (++tries < 3) throw new Error('Not now.')
      }
      await jobs.work('research', { most: 1, handler })
      await jobs.enqueue(job('a'))
      await until(() => tries === 3)
      await until(async () => (await jobs.state('research', 'a')) === undefined)
    })

    it('gives a worker no more than it may do at once', async () => {
      const { jobs } = await both()
      const running = new Set<string>()
      let most = 0
      const handler = async ({ key }: Task) => {
        running.add(key)
        most = Math.max(most, running.size)
        await sleep(20)
        running.delete(key)
        done++
      }
      let done = 0
      for (let at = 0; at < 9; at++) await jobs.enqueue(job(`k${at}`, `owner ${at}`))
      await jobs.work('research', { most: 3, handler })
      for (let at = 0; at < 9; at++) await jobs.enqueue(job(`k${at}`, `owner ${at}`))
      await until(() => done >= 9)
      expect(most).toBeLessThanOrEqual(3)
    })

    it(`works on ${MOST_EACH} jobs of one owner at once, in all processes, and on those of others meanwhile`, async () => {
      const { jobs, other } = await both()
      const running = new Map<string, number>()
      const ends: (() => void)[] = []
      let most = 0
      const handler = async ({ owner }: Task) => {
        running.set(owner, (running.get(owner) ?? 0) + 1)
        most = Math.max(most, running.get(owner) ?? 0)
        await new Promise<void>((resolve) => ends.push(resolve))
        running.set(owner, (running.get(owner) ?? 0) - 1)
      }
      for (const one of [jobs, ...(other ? [other] : [])]) await one.work('research', { most: 12, handler })
      for (let at = 0; at < 20; at++) await jobs.enqueue(job(`a${at}`, 'alice'))
      for (let at = 0; at < 2; at++) await jobs.enqueue(job(`b${at}`, 'bob'))
      await until(() => running.get('alice') === MOST_EACH && running.get('bob') === 2)
      for (let done = 0; done < 22; ) {
        await until(() => ends.length > 0)
        for (const end of ends.splice(0)) {
          end()
          done++
        }
      }
      expect(most).toBe(MOST_EACH)
    }, 240_000)

    it('tells whoever waits for a job what came of it, also where another put it in', async () => {
      const { jobs, other } = await both()
      let runs = 0
      const handler = async ({ key, data }: Task) => {
        runs++
        await sleep(50)
        return `${key} ${data?.word}`
      }
      await jobs.work('index', { most: 1, handler })
      const asked = { kind: 'index', key: 'a', owner: '', data: { word: 'ä\u0000' } } as const
      const from = other ?? jobs
      const [one, two] = await Promise.all([jobs.ask(asked), from.ask(asked)])
      expect([one, two]).toEqual(['a ä\u0000', 'a ä\u0000'])
      expect(runs).toBeGreaterThanOrEqual(1)
    })

    it('tells all who wait for a job how far it is: the newest in any case, and before its end where that takes long', async () => {
      const { jobs, other } = await both()
      const [heard, elsewhere]: [string[], string[]] = [[], []]
      const handler = async ({ key, tell }: Task) => {
        tell('never heard where a newer one comes at once')
        tell('half ä\u0000')
        if (key === 'long') await until(() => heard.length > 0 && elsewhere.length > 0)
        tell('all')
      }
      await jobs.work('index', { most: 1, handler })
      const asking = (key: string, heard: string[]) =>
        ({
          job: { kind: 'index', key, owner: '' },
          asking: { heard: (news: string) => void heard.push(news) },
        }) as const
      const long = [asking('long', heard), asking('long', elsewhere)] as const
      const from = other ?? jobs
      await Promise.all([jobs.ask(long[0].job, long[0].asking), from.ask(long[1].job, long[1].asking)])
      for (const all of [heard, elsewhere]) expect(all.slice(-2)).toEqual(['half ä\u0000', 'all'])
      const short = asking('short', [])
      const last: string[] = []
      await jobs.ask(short.job, { heard: (news) => void last.push(news) })
      expect(last.at(-1)).toBe('all')
    })

    it('tells whoever waits that a job was cancelled, and cancels what nobody waits for', async () => {
      const { jobs } = await both()
      let isEnded = false
      const handler = ({ signal }: Task) =>
        new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            isEnded = true
            resolve()
          }),
        )
      await jobs.work('index', { most: 1, handler })
      const controller = new AbortController()
      const waiting = jobs.ask({ kind: 'index', key: 'a', owner: '' }, { signal: controller.signal })
      const told = expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
      await until(() => jobs.running === 1)
      controller.abort()
      await until(() => isEnded)
      await told
    })

    it('takes out what is cancelled, and tells whoever works on it', async () => {
      const { jobs } = await both()
      const begun: string[] = []
      let reason: unknown
      const handler = async ({ key, signal }: Task) => {
        begun.push(key)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        reason = signal.reason
      }
      await jobs.work('research', { most: 1, handler })
      await jobs.enqueue(job('a'))
      await until(() => begun.length === 1)
      await jobs.enqueue(job('b'))
      expect(await jobs.state('research', 'b')).toBe('queued')
      await jobs.cancel('research', 'b')
      expect(await jobs.state('research', 'b')).toBe(undefined)
      await jobs.cancel('research', 'a')
      await until(() => reason !== undefined)
      expect([begun, typeof reason]).toEqual([['a'], 'string'])
    })

    it('says how many of each kind nobody works on yet, in all processes', async () => {
      const { jobs, other } = await both()
      const ends: (() => void)[] = []
      const worker = { most: 1, handler: () => new Promise<void>((resolve) => ends.push(resolve)) }
      for (const one of [jobs, ...(other ? [other] : [])]) {
        expect(await one.waiting()).toEqual({ research: 0, index: 0 })
      }
      await jobs.work('research', worker)
      await jobs.work('index', worker)
      for (const key of ['a', 'b', 'c']) await jobs.enqueue(job(key))
      for (const key of ['a', 'b']) await jobs.enqueue({ kind: 'index', key, owner: 'alice' })
      await until(() => jobs.running === 2)
      for (const one of [jobs, ...(other ? [other] : [])]) {
        expect(await one.waiting()).toEqual({ research: 2, index: 1 })
      }
      await jobs.cancel('research', 'c')
      expect(await jobs.waiting()).toEqual({ research: 1, index: 1 })
      for (let done = 0; done < 4; done++) {
        await until(() => ends.length > done)
        ends[done]?.()
      }
      await until(async () => jobs.running === 0)
      expect(await jobs.waiting()).toEqual({ research: 0, index: 0 })
    })

    it('is told of its end, and waits for the work to hear of it', async () => {
      const { jobs } = await both()
      let reason: unknown
      const handler = ({ signal }: Task) =>
        new Promise<void>((_, reject) =>
          signal.addEventListener('abort', () => {
            reason = signal.reason
            setTimeout(() => reject(new Error('ended')), 50)
          }),
        )
      await jobs.work('research', { most: 1, handler })
      await jobs.enqueue(job('a'))
      await until(() => jobs.running === 1)
      await jobs.close()
      expect([reason, jobs.running]).toEqual([HANDED_OVER, 0])
    })
  })
}
