/**
 * The rows of group D that no other test shows. README.md says where the others are.
 *
 * @module-tag long
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { libraryOver } from '../../src/collections/library.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { COLLECTION, stored } from '../stores/filled.ts'
import { found } from '../stores/found.ts'
import { seeded } from '../support/seed.ts'
import { expectWhole, opened, placeOfDatabases } from './databases.ts'
import { Library } from './library.ts'
import { done, Job } from './store-process.ts'

const { fresh } = placeOfDatabases()

/** That it is what it would be if it were read at once. */
async function expectFresh(library: Library): Promise<void> {
  const { own, fresh } = await library.ends()
  expect(own).toEqual(fresh)
}

describe('the database', () => {
  it('D1 loses nothing that was said to be done, killed 50 times while it indexes', { tags: 'long' }, async () => {
    const random = seeded('D1')
    using library = new Library(fresh(), 24, 15)
    await opened(library.path, (store) => library.add(store))
    let acknowledged = 0
    let cutShort = 0
    for (let round = 0; round < 50; round++) {
      for (const [index, name] of library.names.entries()) library.write(name, (round + index) % 15, `round${round}`)
      const job = new Job('index', { db: library.path })
      // However slow the machine is, some of it is done by then.
      await job.line(Math.floor(random() * 8))
      await sleep(random() * 40)
      const lines = await job.killed()
      const names = lines.slice(1, -1).map((line) => line.split(' ')[0] ?? '')
      acknowledged += names.length
      if (!lines.includes('end')) cutShort++
      await opened(library.path, async (store) => {
        expect(await store.check()).toEqual([])
        const shown = new Set(await found(store, `round${round}`))
        for (const [index, name] of library.names.entries()) {
          if (names.includes(name)) expect(shown).toContain(`${name}/${(round + index) % 15}.md`)
        }
        for (const name of names) expect(await store.collections.get(name)).toMatchObject({ documents: 15 })
      })
    }
    expect(cutShort).toBeGreaterThan(25)
    expect(acknowledged).toBeGreaterThan(50)
    await expectWhole(library.path)
    await expectFresh(library)
  })

  it('D2 is there, empty and usable, when the first who opened it was killed', { tags: 'long' }, async () => {
    const random = seeded('D2')
    const kills = async (index: number) => {
      const path = fresh()
      mkdirSync(join(path, '..'))
      const job = new Job('open', { db: path })
      await job.line(0)
      job.tell()
      await sleep((index % 20) * random())
      await job.killed()
      await opened(path, async (store) => {
        expect(await store.collections.list()).toEqual([])
        await store.collections.add(COLLECTION)
      })
      await expectWhole(path)
    }
    for (let index = 0; index < 52; index += 4) {
      await Promise.all([0, 1, 2, 3].map((more) => kills(index + more)))
    }
  })

  it('D3 is read by 40 readers while it is written, and each sees one state', { tags: 'long' }, async () => {
    using library = new Library(fresh(), 1, 30)
    await opened(library.path, async (store) => {
      await library.add(store)
      await libraryOver(store).collections.index()
      const until = join(library.path, '..', 'until')
      writeFileSync(until, '')
      const readers = Array.from({ length: 8 }, () => new Job('search', { db: library.path, until, total: 30 }))
      await Promise.all(readers.map((reader) => reader.line(0)))
      for (let round = 0; round < 25; round++) {
        for (let file = 0; file < 30; file++) library.write('c0', file, `lion round${round}`)
        await libraryOver(store).collections.index()
        await sleep(5)
      }
      writeFileSync(until, 'enough')
      for (const reader of readers) expect((await reader.ended())[1]).toMatch(/^\d{2,} $/)
    })
    await expectWhole(library.path)
  })

  it('D4 is opened by 60 processes at once, though it is not there yet', { tags: 'long' }, async () => {
    const path = fresh('deep/er/ambit.db')
    const jobs = Array.from({ length: 60 }, () => new Job('open', { db: path }))
    await Promise.all(jobs.map((job) => job.line(0)))
    const time = Date.now() + 300
    for (const job of jobs) job.tell(time)
    const answers = await Promise.all(jobs.map((job) => job.ended()))
    expect(answers.map(([, line]) => line)).toEqual(jobs.map(() => 'opened'))
    await expectWhole(path)
  })

  it.each(['SELECT * FROM sqlite_schema', 'PRAGMA user_version = 0'])(
    'D4 is opened when one that makes it has done: %s',
    async (held) => {
      const path = fresh()
      mkdirSync(join(path, '..'))
      const other = new Database(path)
      other.exec(`BEGIN; ${held}`)
      const job = new Job('open', { db: path })
      await job.line(0)
      job.tell()
      await sleep(150)
      other.exec('COMMIT')
      other.close()
      expect(await job.line(1)).toBe('opened')
    },
  )

  it('D5 is indexed by two at once as by one', async () => {
    using library = new Library(fresh(), 4, 40)
    await opened(library.path, (store) => library.add(store))
    const both = await Promise.all([done('index', { db: library.path }), done('index', { db: library.path })])
    for (const name of library.names) {
      const lines = both.flat().filter((line) => line.startsWith(`${name} `))
      expect(lines.sort()).toEqual([
        `${name} added 0 changed 0 moved 0 removed 0 unchanged 40`,
        `${name} added 40 changed 0 moved 0 removed 0 unchanged 0`,
      ])
    }
    await expectWhole(library.path)
    await expectFresh(library)
  })

  it('D5 is written by four at once', async () => {
    const path = fresh()
    const jobs = ['a', 'b', 'c', 'd'].map((name) => new Job('write', { db: path, name }))
    await Promise.all(jobs.map((job) => job.line(0)))
    const time = Date.now() + 50
    for (const job of jobs) job.tell(time)
    expect(await Promise.all(jobs.map((job) => job.line(1)))).toEqual(jobs.map(() => 'added'))
    await opened(path, async ({ collections }) => {
      const all = await collections.list()
      expect(all.filter(({ isPaused }) => isPaused)).toHaveLength(400)
    })
    await expectWhole(path)
  })

  it('D6 takes no write of one who was stopped for so long that another has taken over', async () => {
    const path = fresh()
    await opened(path, async (store) => {
      await store.collections.add(COLLECTION)
      const job = new Job('hold', { db: path })
      await job.line(0)
      const refused = store.index.exclusively(0, async () => 'never')
      await expect(refused).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`${job.process.pid}`),
      })
      job.process.kill('SIGSTOP')
      await store.index.exclusively(10_000, () => stored(store, 'docs', [{ path: 'a', text: 'lion' }]))
      job.process.kill('SIGCONT')
      job.tell()
      const [, line] = await job.ended()
      expect(line).toMatch(/^conflict: Another process has taken over/)
      expect(await found(store, 'lion held')).toEqual(['docs/a'])
      expect(await store.index.exclusively(0, async () => 'free')).toBe('free')
    })
    await expectWhole(path)
  })

  it('D6 is free at once when who held it was killed', async () => {
    const path = fresh()
    await opened(path, async (store) => {
      await store.collections.add(COLLECTION)
      const job = new Job('hold', { db: path })
      await job.line(0)
      await job.killed()
      expect(await store.index.exclusively(0, () => stored(store, 'docs', [{ path: 'a' }]))).toHaveLength(1)
    })
  })

  it('D7 says that it is in use, and that it helps to try again, when another keeps it locked', async () => {
    const path = fresh("it's $& {} $1.db")
    await opened(path, (store) => store.collections.add(COLLECTION))
    const other = new Database(path)
    const store = openSqlite(path, { busyMs: 50 })
    other.exec('BEGIN IMMEDIATE')
    const told = { code: 'unavailable', message: expect.stringContaining(path), hint: expect.stringContaining('again') }
    await expect(store.collections.update('docs', { isPaused: true })).rejects.toMatchObject(told)
    await expect(store.index.exclusively(0, async () => 'never')).rejects.toMatchObject(told)
    expect(await store.collections.list()).toHaveLength(1)
    expect(() => openSqlite(path, { busyMs: 50 })).not.toThrow()
    other.exec('ROLLBACK')
    await store.collections.update('docs', { isPaused: true })
    await store.close()
    other.close()
  })

  it('D7 goes on with all else while it waits for another, and then does what was asked', async () => {
    const path = fresh()
    await opened(path, (store) => store.collections.add(COLLECTION))
    const other = new Database(path)
    const store = openSqlite(path)
    other.exec('BEGIN IMMEDIATE')
    let turns = 0
    const clock = setInterval(() => turns++, 10)
    const paused = store.collections.update('docs', { isPaused: true })
    const held = store.index.exclusively(60_000, async () => 'held')
    // Were it blocked while it waits, there would be none of these turns.
    await expect.poll(() => turns).toBeGreaterThan(5)
    other.exec('ROLLBACK')
    await paused
    expect(await held).toBe('held')
    expect(await store.collections.get('docs')).toMatchObject({ isPaused: true })
    clearInterval(clock)
    await store.close()
    other.close()
  })

  it('D7 says so, too, when it is not there yet and another is making it', async () => {
    const path = fresh()
    mkdirSync(join(path, '..'))
    const other = new Database(path)
    other.exec('BEGIN EXCLUSIVE')
    expect(() => openSqlite(path, { busyMs: 50 })).toThrow(/in use by another process/)
    other.exec('ROLLBACK')
    await opened(path, (store) => store.collections.add(COLLECTION))
    other.close()
  })

  it('D7 does not end a program whose sign of life finds it locked', async () => {
    const path = fresh()
    const store = openSqlite(path, { busyMs: 10, lease: { lastsMs: 60_000, renewedMs: 20 } })
    const other = new Database(path)
    const held = await store.index.exclusively(0, async () => {
      other.exec('BEGIN IMMEDIATE')
      await sleep(150)
      return 'held'
    })
    expect(held).toBe('held')
    other.exec('ROLLBACK')
    other.close()
    await store.close()
  })
})
