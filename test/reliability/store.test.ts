import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Collections } from '../../src/collections/collections.ts'
import { libraryOver } from '../../src/collections/library.ts'
import { openDatabase } from '../../src/stores/sqlite/database.ts'
import { salvage } from '../../src/stores/sqlite/salvage.ts'
import { MIGRATIONS } from '../../src/stores/sqlite/schema.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { ODD_WORDS } from '../stores/contexts.contract.ts'
import { COLLECTION, stored } from '../stores/filled.ts'
import { found } from '../stores/found.ts'
import { seeded } from '../support/seed.ts'
import { tree } from '../support/tree.ts'
import { Library } from './library.ts'
import { onFullDisk } from './small-disk.ts'
import { done, endAll, Job } from './store-process.ts'

const place = tree({})
afterEach(endAll)
afterAll(() => place[Symbol.dispose]())
let count = 0
/** A path that no other test has, in a directory of its own. */
const fresh = (name = 'ambit.db') => join(place.base, `${++count}`, name)

async function opened<Value>(path: string, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = openSqlite(path)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** That nothing is damaged: neither what SQLite itself says nor what we know. */
async function expectWhole(path: string): Promise<void> {
  const db = new Database(path)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('foreign_key_check')).toEqual([])
  db.close()
  expect(await opened(path, (store) => store.check())).toEqual([])
}

/** That it is what it would be if it were read at once. */
async function expectFresh(library: Library): Promise<void> {
  const { own, fresh } = await library.ends()
  expect(own).toEqual(fresh)
}

describe('the database', () => {
  it('D1 loses nothing that was said to be done, killed 50 times while it indexes', async () => {
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

  it('D2 is there, empty and usable, when the first who opened it was killed', async () => {
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

  it('D3 is read by 40 readers while it is written, and each sees one state', async () => {
    using library = new Library(fresh(), 1, 30)
    await opened(library.path, async (store) => {
      await library.add(store)
      await new Collections(store).index()
      const until = join(library.path, '..', 'until')
      writeFileSync(until, '')
      const readers = Array.from({ length: 8 }, () => new Job('search', { db: library.path, until, total: 30 }))
      await Promise.all(readers.map((reader) => reader.line(0)))
      for (let round = 0; round < 25; round++) {
        for (let file = 0; file < 30; file++) library.write('c0', file, `lion round${round}`)
        await new Collections(store).index()
        await sleep(5)
      }
      writeFileSync(until, 'enough')
      for (const reader of readers) expect((await reader.ended())[1]).toMatch(/^\d{2,} $/)
    })
    await expectWhole(library.path)
  })

  it('D4 is opened by 60 processes at once, though it is not there yet', async () => {
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
    const held = store.index.exclusively(5000, async () => 'held')
    await sleep(800)
    // Were it blocked for all that time, there would be one.
    expect(turns).toBeGreaterThan(5)
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

/** A database and its log, as they lie on the disk when the machine stops: 30 commits that are only in the log. */
async function logged(): Promise<{ readonly path: string; readonly main: Buffer; readonly log: Buffer }> {
  const path = fresh()
  const store = openSqlite(path)
  for (let index = 100; index < 130; index++) {
    await store.collections.add({ ...COLLECTION, name: `${index}` })
    await stored(store, `${index}`, [{ path: `${index}`, text: `lion ${'word '.repeat(300)}` }])
  }
  const [main, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
  await store.close()
  return { path, main, log }
}

/** How many of the commits a database of this log holds; they are always the first ones. */
async function commitsOf(main: Buffer, log: Buffer): Promise<number> {
  const path = fresh()
  mkdirSync(join(path, '..'))
  writeFileSync(path, main)
  writeFileSync(`${path}-wal`, log)
  const names = await opened(path, async (store) => {
    expect(await store.check()).toEqual([])
    const collections = await store.collections.list()
    const holding = collections.filter(({ documents }) => documents === 1).map(({ name }) => name)
    expect(holding).toEqual(await found(store, 'lion').then((all) => all.map((each) => each.split('/')[0])))
    return collections.map(({ name }) => name)
  })
  rmSync(join(path, '..'), { recursive: true })
  expect(names).toEqual(Array.from({ length: names.length }, (_, index) => `${100 + index}`))
  return names.length
}

describe('a log that is not whole', () => {
  it('D8 gives the first commits, wherever it is cut off', async () => {
    const { main, log } = await logged()
    // A page, and the header of its frame.
    const frame = main.readUInt16BE(16) + 24
    const edges = Array.from({ length: Math.ceil((log.length - 32) / frame) }, (_, index) => 32 + frame * index)
    const random = seeded('D8')
    const offsets = Array.from({ length: 1000 }, () => Math.floor(random() * log.length))
    let last = 0
    for (const size of [0, 31, ...edges, ...offsets, log.length].sort((a, b) => a - b)) {
      const commits = await commitsOf(main, log.subarray(0, size))
      expect(commits).toBeGreaterThanOrEqual(last)
      last = commits
    }
    expect(last).toBe(30)
  }, 300_000)

  it('D9 gives the first commits, whichever bit of it is another', async () => {
    const { main, log } = await logged()
    const seen = new Set<number>()
    const random = seeded('D9')
    for (let flip = 0; flip < 500; flip++) {
      const bit = Math.floor(random() * log.length * 8)
      const harmed = Buffer.from(log)
      harmed[bit >> 3] = (harmed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      seen.add(await commitsOf(main, harmed))
    }
    expect(seen.size).toBeGreaterThan(5)
  }, 300_000)

  it('D12 gives what was brought into the main file, when it is gone', async () => {
    const { main } = await logged()
    expect(await commitsOf(main, Buffer.alloc(0))).toBe(0)
  })
})

describe('a database that is damaged', () => {
  it('D10 ends no program and keeps none busy; what is told is a sentence with what to do', async () => {
    const path = fresh()
    await opened(path, async (store) => {
      await store.collections.add(COLLECTION)
      const text = (index: number) => `lion zebra ${Array.from({ length: 200 }, (_, at) => `w${index * at}`).join(' ')}`
      for (let part = 0; part < 4; part++) {
        await stored(
          store,
          'docs',
          Array.from({ length: 20 }, (_, index) => ({ path: `${part}/${index}`, text: text(index) })),
        )
      }
    })
    const whole = readFileSync(path)
    const random = seeded('D10')
    const paths = Array.from({ length: 500 }, (_, index) => {
      const harmed = Buffer.from(whole)
      for (let byte = 0; byte < 8; byte++) {
        harmed[Math.floor(random() * harmed.length)] = Math.floor(random() * 256)
      }
      const copy = `${path}-${index}`
      writeFileSync(copy, harmed)
      return copy
    })
    const lines = await done('read', { paths: JSON.stringify(paths) })
    expect(lines).toHaveLength(paths.length)
    const bugs = lines.filter((line) => line.includes('bug:'))
    expect(bugs).toEqual([])
    for (const line of lines)
      if (!line.startsWith('{')) expect(line).toMatch(/^unavailable: .*(damaged|another program|newer|not of Ambit)/)
    const noticed = lines.filter((line) => !line.startsWith('{"problems":[],'))
    expect(noticed.length).toBeGreaterThan(20)
  })

  it.each([
    ['a text', Buffer.from('This is no database. '.repeat(500))],
    ['zeros', Buffer.alloc(8192)],
    ['the beginning of one alone', 'cut'],
  ])('D10 is told as such, with a way to make it anew: %s', async (_, bytes) => {
    const path = fresh()
    await opened(path, async (store) => {
      await store.collections.add(COLLECTION)
      await stored(store, 'docs', [{ path: 'a', text: 'word '.repeat(5000) }])
    })
    if (typeof bytes === 'string') truncateSync(path, 5000)
    else writeFileSync(path, bytes)
    const before = readFileSync(path)
    const told = await done('use', { db: path })
    expect(told[0]).toMatch(/^unavailable: .* is damaged, or is none\. .*ambit rebuild/)
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})

describe('a place for a database', () => {
  /** What a user who is not root is told, after the permissions were changed; root owns nothing there. */
  const asNobody = async (closing: (path: string) => void): Promise<string[]> => {
    const base = mkdtempSync(join(tmpdir(), 'ambit-'))
    chmodSync(base, 0o755)
    const path = join(base, 'd', 'ambit.db')
    await opened(path, async (store) => {
      await store.collections.add({ ...COLLECTION, root: place.base })
      await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
    })
    for (const each of [join(base, 'd'), path]) if (process.getuid?.() === 0) chownSync(each, 65534, 65534)
    closing(path)
    try {
      return await done('use', { db: path, nobody: true })
    } finally {
      chmodSync(join(base, 'd'), 0o700)
      rmSync(base, { recursive: true })
    }
  }

  it.each([
    ['a file that may not be written', (path: string) => chmodSync(path, 0o400)],
    ['a file that may not be read', (path: string) => chmodSync(path, 0o000)],
    ['a directory that may not be written', (path: string) => chmodSync(join(path, '..'), 0o500)],
    ['a directory that may not be entered', (path: string) => chmodSync(join(path, '..'), 0o000)],
  ])('D12 is told when it cannot be used: %s', async (_, closing) => {
    const lines = await asNobody(closing)
    // Either all is refused, or what is read is what was written.
    if (lines[0] === 'opened') expect(lines.slice(1, 3)).toEqual([expect.stringMatching(/^unavailable: /), 'found 1'])
    else expect(lines).toEqual([expect.stringMatching(/^unavailable: .*(cannot be opened|may not be written)/)])
  })

  it('D12 is never a new, empty database where the old one cannot be read', async () => {
    const path = fresh()
    await opened(path, (store) => store.collections.add(COLLECTION))
    renameSync(path, `${path}.old`)
    mkdirSync(path)
    expect((await done('use', { db: path }))[0]).toMatch(/^unavailable: .* cannot be opened/)
  })

  it.each([
    ['a directory that is not there is made, for its owner alone', 'a/b/ambit.db', 0o700],
    ['one that is there stays as it is', '../ambit.db', 0o755],
  ])('D12 %s', async (_, name, mode) => {
    const path = fresh(name)
    await opened(path, (store) => store.collections.add(COLLECTION))
    expect(statSync(join(path, '..')).mode & 0o777).toBe(mode)
  })

  it.each([
    ['below a file', (path: string) => writeFileSync(join(path, '..'), 'x')],
    ['where a directory is', (path: string) => mkdirSync(path, { recursive: true })],
    [
      'where a link goes round',
      (path: string) => {
        mkdirSync(join(path, '..'))
        symlinkSync('ambit.db', path)
      },
    ],
    ['with too long a name', () => {}],
  ])('D12 is refused in words: %s', (what, make) => {
    const path = fresh(what.startsWith('with') ? 'x'.repeat(300) : undefined)
    make(path)
    expect(() => openSqlite(path)).toThrow(expect.objectContaining({ code: 'unavailable', hint: expect.any(String) }))
  })

  it('D13 that is full is told; what was stored stays, is found, and goes on when there is room', async () => {
    using files = tree({})
    const plant = (from: number, to: number) => {
      for (let file = from; file < to; file++) {
        const text = Array.from({ length: 500 }, (_, index) => `${file * index * 7919}`).join(' ')
        files.plant({ [`root/${file}.md`]: `lion ${text}` })
      }
    }
    plant(0, 5)
    const path = fresh()
    await opened(path, async (store) => {
      await store.collections.add({ ...COLLECTION, root: files.at('root') })
      await new Collections(store).index()
    })
    plant(5, 405)
    const [told, after] = await onFullDisk(path)
    expect(told).toEqual([
      'opened',
      expect.stringMatching(/^unavailable: The disk of .* (is full|failed)\. .*again/),
      'found 5',
      'problems []',
    ])
    expect(after).toEqual(['added 400 changed 0 moved 0 removed 0 unchanged 5', 'problems []', 'closed'])
  })

  it.each(['wal', 'delete'])('D16 of a newer version is refused, and left as it is: %s', async (mode) => {
    const path = fresh()
    await opened(path, (store) => store.collections.add(COLLECTION))
    const db = new Database(path)
    db.pragma(`journal_mode = ${mode}`)
    db.pragma(`user_version = ${MIGRATIONS.length + 1}`)
    db.close()
    const before = readFileSync(path)
    expect(() => openSqlite(path)).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringContaining('newer'),
        hint: expect.any(String),
      }),
    )
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(join(path, '..'))).toEqual(['ambit.db'])
  })

  it('D16 of another program is refused, and left as it is', () => {
    const path = fresh()
    mkdirSync(join(path, '..'))
    const db = new Database(path)
    db.exec('CREATE TABLE bookmarks (url TEXT)')
    db.close()
    const before = readFileSync(path)
    expect(() => openSqlite(path)).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('another program') }),
    )
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('D23 is a file that its owner alone may read, with all that lies beside it', async () => {
    const mask = process.umask(0)
    const path = fresh()
    try {
      const store = openSqlite(path)
      await store.collections.add(COLLECTION)
      const names = readdirSync(join(path, '..')).sort()
      expect(names).toEqual(['ambit.db', 'ambit.db-shm', 'ambit.db-wal'])
      for (const name of names) expect([name, statSync(join(path, '..', name)).mode & 0o777]).toEqual([name, 0o600])
      await store.close()
    } finally {
      process.umask(mask)
    }
  })

  it.each(['there', 'not there yet'])('D23 may be a link to a file that is %s', async (what) => {
    const path = fresh()
    const target = join(path, '..', 'real', 'ambit.db')
    mkdirSync(join(target, '..'), { recursive: true })
    symlinkSync('real/ambit.db', path)
    if (what === 'there') await opened(target, async (store) => store.collections.add({ ...COLLECTION, name: 'other' }))
    const one = openSqlite(path)
    await one.collections.add(COLLECTION)
    await opened(target, async (two) => {
      expect((await two.collections.list()).map(({ name }) => name)).toContain('docs')
    })
    expect(readdirSync(join(path, '..')).sort()).toEqual(['ambit.db', 'real'])
    expect(statSync(target).mode & 0o777).toBe(0o600)
    await one.close()
  })
})

describe('a database that someone else prepared', () => {
  it.each([
    ['a trigger', "CREATE TRIGGER evil AFTER INSERT ON path_contexts BEGIN UPDATE collections SET root = '/etc'; END"],
    ['a view', 'CREATE VIEW evil AS SELECT * FROM documents'],
    [
      'a trigger in the place of ours',
      'DROP TRIGGER contexts_deleted; CREATE TRIGGER contexts_deleted AFTER DELETE ON path_contexts BEGIN DELETE FROM collections; END',
    ],
  ])('D24 is refused when it holds %s, and made anew without it', async (_, sql) => {
    const path = fresh()
    await opened(path, (store) => store.collections.add(COLLECTION))
    const other = new Database(path)
    other.exec(sql)
    other.close()
    expect(() => openSqlite(path)).toThrow(/holds "(evil|contexts_deleted)", which is not of Ambit/)
    expect(salvage(path).collections).toMatchObject([{ name: 'docs', root: COLLECTION.root }])
  })

  it('D24 has tables that are told by a check when they are not ours', async () => {
    const path = fresh()
    await opened(path, (store) => store.collections.add(COLLECTION))
    const other = new Database(path)
    other.exec('CREATE TABLE more (a); DROP INDEX documents_hash')
    other.close()
    await opened(path, async (store) => {
      expect(await store.check()).toEqual([
        expect.stringMatching(/not as this version makes them: documents_hash, more/),
      ])
    })
  })

  it('D24 may call no function that does more than to count', async () => {
    const path = fresh()
    const connection = openDatabase(path)
    expect(connection.pragma('trusted_schema', { simple: true })).toBe(0)
    connection.close()
  })
})

describe('names that are SQL', () => {
  it('D18 are names, through collections, files, contexts and queries', async () => {
    using files = tree({ 'root/': '' })
    const words = ODD_WORDS.filter((word) => !word.includes('/'))
    for (const word of words) files.plant({ [`root/${word}/${word}.md`]: `# ${word}\n\nzebra ${word}` })
    await opened(fresh(), async (store) => {
      const { collections, contexts, search, documents } = libraryOver(store)
      await collections.add({ name: 'docs', root: files.at('root'), exclude: [`'; DROP TABLE documents; --`] })
      for (const word of words) {
        await expect(collections.add({ name: `${word};`, root: files.at('root') })).rejects.toMatchObject({
          code: 'invalid-input',
        })
      }
      expect(await collections.index()).toMatchObject({ added: words.length })
      for (const word of words) {
        await contexts.set({ collection: 'docs', pathPrefix: `/${word}` }, word)
        const { results } = await search({
          query: 'zebra',
          path: [`**/${word.replace(/[*?]/g, '\\$&')}.md`],
          where: [],
        })
        expect(results.map(({ path }) => path)).toContain(`${word}/${word}.md`)
        await search({ query: word, where: [`${word}=${word}`] })
        await search({ query: `path:${word} title:"${word}" -"${word}" ${word}*` })
        await (await documents()).list(`docs/${word}`)
      }
      expect(await store.check()).toEqual([])
      expect(await store.documents.list({})).toHaveLength(words.length)
    })
  })

  it('D20 the context of everything, said twice, is one', async () => {
    await opened(fresh(), async (store) => {
      for (const text of ['one', 'two']) await store.contexts.set({ collection: '', pathPrefix: '/' }, text)
      expect((await store.contexts.list()).map(({ context }) => context)).toEqual(['two'])
    })
  })
})
