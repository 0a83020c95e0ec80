/**
 * The queue of jobs, in the process and in PostgreSQL: given out, told, cancelled, given out again.
 *
 * @module-tag long
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { InProcessJobs } from '../../../src/stores/in-process.ts'
import { type PgBossOptions, pgBossJobs } from '../../../src/stores/jobs/pg-boss.ts'
import { type Jobs, LOST, type Task } from '../../../src/stores/jobs.ts'
import { asked, type Databases, databases, withPostgres } from '../../support/postgres.ts'
import { jobsContract } from './jobs.contract.ts'

jobsContract('one process', async () => ({ jobs: new InProcessJobs() }))

describe('a job of one process that could not be done', () => {
  const job = { kind: 'research', key: 'a', owner: '' } as const

  it('waits, and is not begun for each who puts it in meanwhile', async () => {
    const jobs = new InProcessJobs()
    let tries = 0
    const handler = async () => {
      tries++
      throw new Error('Not now.')
    }
    await jobs.work('research', { most: 8, handler })
    await jobs.enqueue(job)
    await until(() => jobs.running === 0)
    const before = tries
    for (let times = 0; times < 20; times++) void jobs.enqueue(job)
    expect(tries).toBe(before)
    await until(() => tries > before)
    await jobs.close()
  })

  it('may be cancelled as it waits, and whoever asked for it is told', async () => {
    const jobs = new InProcessJobs()
    await jobs.work('research', { most: 8, handler: () => Promise.reject(new Error('Not now.')) })
    const asking = jobs.ask(job)
    await until(() => jobs.running === 0)
    await jobs.cancel('research', 'a')
    await expect(asking).rejects.toMatchObject({ code: 'cancelled' })
    expect(await jobs.state('research', 'a')).toBeUndefined()
    await jobs.close()
  })
})

let made: Databases | undefined
afterAll(() => made?.drop(), 120_000)

const queues = async (told: Partial<PgBossOptions> = {}) => {
  made ??= await databases()
  const url = await made.create()
  const open = () => pgBossJobs({ url, isWorker: true, ...told })
  return { url, open }
}

const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 120_000, interval: 20 })

withPostgres('jobs in PostgreSQL', () => {
  jobsContract('PostgreSQL', async () => {
    const { open } = await queues()
    return { jobs: await open(), again: open }
  })

  describe('between processes', () => {
    it('a job that is handed over is taken by another at once', async () => {
      const { open } = await queues()
      const [first, second] = [await open(), await open()]
      const begun: string[] = []
      const held = (name: string) => (task: Task) =>
        new Promise<void>((resolve, reject) => {
          begun.push(name)
          if (name === 'second') resolve()
          task.signal.addEventListener('abort', () => reject(new Error('handed over')))
        })
      await first.work('research', { most: 1, handler: held('first') })
      await first.enqueue({ kind: 'research', key: 'a', owner: '' })
      await until(() => begun.length === 1)
      await second.work('research', { most: 1, handler: held('second') })
      await first.close()
      await until(() => begun.length === 2)
      expect(begun).toEqual(['first', 'second'])
      await second.close()
    })

    it('what is of the dead is given to others, and what they say of it later changes nothing', async () => {
      const { url, open } = await queues({ heartbeatMs: 2_000 })
      const [dead, alive] = [await open(), await open()]
      const told: string[] = []
      let end = () => {}
      const late = (task: Task) =>
        new Promise<void>((resolve) => {
          told.push('dead begins')
          task.signal.addEventListener('abort', () => {
            told.push(`dead is told: ${task.signal.reason}`)
            until(() => told.includes('another begins')).then(() => resolve())
          })
        })
      const other = () =>
        new Promise<void>((resolve) => {
          told.push('another begins')
          end = resolve
        })
      await dead.work('research', { most: 1, handler: late })
      await dead.enqueue({ kind: 'research', key: 'a', owner: '' })
      await until(() => told.length === 1)
      await alive.work('research', { most: 1, handler: other })
      // As of a process that was stopped, its last sign of life is from an hour ago.
      const silence = `UPDATE ambit_jobs.job SET heartbeat_on = now() - interval '1 hour' WHERE state = 'active' AND retry_count = 0`
      await asked(url, (client: pg.Client) =>
        until(async () => {
          await client.query(silence)
          return told.includes('another begins')
        }),
      )
      await until(() => told.includes(`dead is told: ${LOST}`))
      await until(() => dead.running === 0)
      expect(await alive.state('research', 'a')).toBe('active')
      end()
      await until(async () => (await alive.state('research', 'a')) === undefined)
      await Promise.all([dead.close(), alive.close()])
    }, 240_000)

    it('four that begin at once make the tables once', async () => {
      const { open } = await queues()
      const all: Jobs[] = await Promise.all([open(), open(), open(), open()])
      const done: string[] = []
      await Promise.all(
        all.map((jobs) => jobs.work('research', { most: 1, handler: async ({ key }) => void done.push(key) })),
      )
      await Promise.all(all.map((jobs, at) => jobs.enqueue({ kind: 'research', key: `k${at}`, owner: '' })))
      await until(() => done.length === 4)
      await Promise.all(all.map((jobs) => jobs.close()))
    })
  })

  it('a queue that answers no more is told in words', async () => {
    const { open } = await queues()
    const jobs = await open()
    await jobs.close()
    await expect(jobs.waiting()).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('a worker that begins again, since it could not begin with another kind, takes no more at once than it may', async () => {
    const { open } = await queues()
    const jobs = await open()
    let [now, most, done] = [0, 0, 0]
    const handler = async () => {
      most = Math.max(most, ++now)
      // For longer than the queue is left alone.
      await sleep(1_000)
      now--
      done++
    }
    for (let times = 0; times < 2; times++) await jobs.work('research', { most: 1, handler })
    await Promise.all(['a', 'b', 'c'].map((key) => jobs.enqueue({ kind: 'research', key, owner: '' })))
    await until(() => done === 3)
    expect(most).toBe(1)
    await jobs.close()
  })

  it('a database that goes away before jobs are taken is told in words', async () => {
    const { url, open } = await queues()
    const jobs = await open()
    const { pathname } = new URL(url)
    const beside = Object.assign(new URL(url), { pathname: '/postgres' }).href
    await asked(beside, (client) => client.query(`DROP DATABASE ${pathname.slice(1)} WITH (FORCE)`))
    const taking = jobs.work('research', { most: 1, handler: async () => {} })
    await expect(taking).rejects.toMatchObject({ code: 'unavailable', hint: expect.any(String) })
    await jobs.close()
  })

  it('a database that is not there is told in words', async () => {
    const { url } = await queues()
    const gone = Object.assign(new URL(url), { pathname: '/nowhere' }).href
    await expect(pgBossJobs({ url: gone, isWorker: true })).rejects.toMatchObject({ code: 'unavailable' })
  })
})
