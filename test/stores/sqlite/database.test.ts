import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { ContextError, NoSpace } from '../../../src/core/errors.ts'
import { migrateSqlite, openDatabase, readSchemaVersion } from '../../../src/stores/sqlite/database.ts'
import { guardSqlite } from '../../../src/stores/sqlite/troubles.ts'
import { SCHEMA_VERSIONS } from '../../../src/stores/statements/mend.ts'
import { tree } from '../../support/tree.ts'

/** Makes our tables in a file that has no log of changes yet, as another process sees it that opens it in the same moment. */
function withoutLog(path: string): void {
  const db = openDatabase(path)
  db.pragma('journal_mode = DELETE')
  db.close()
}

/** What another process does with a file, which needs a thread of its own: to open it keeps this one waiting. */
const WRITER = `
  const { workerData, parentPort } = require('node:worker_threads')
  const Database = require('better-sqlite3')
  const db = new Database(workerData.path)
  db.exec('BEGIN IMMEDIATE')
  parentPort.postMessage('writes')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.ms)
  db.exec('ROLLBACK')
  db.close()`

/** Begins to write to a file, and ends after some milliseconds. */
async function writtenFor(path: string, ms: number): Promise<{ readonly ended: Promise<unknown> }> {
  const worker = new Worker(WRITER, { eval: true, workerData: { path, ms } })
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  await new Promise((resolve) => worker.once('message', resolve))
  return { ended }
}

describe('a file that another process writes to before it has a log of changes', () => {
  it('is waited for', async () => {
    using files = tree({})
    const path = files.at('ambit.db')
    withoutLog(path)
    const { ended } = await writtenFor(path, 200)
    const db = openDatabase(path)
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    db.close()
    await ended
  })

  it('is not waited for any longer than is said', async () => {
    using files = tree({})
    const path = files.at('ambit.db')
    withoutLog(path)
    const { ended } = await writtenFor(path, 1_000)
    const began = performance.now()
    expect(() => openDatabase(path, 50)).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('in use by another process') }),
    )
    expect(performance.now() - began).toBeLessThan(900)
    await ended
  })
})

describe('how many steps of the tables a file has', () => {
  it.each([
    ['that is not there', 'none.db', () => {}, 0],
    ['that is empty', 'ambit.db', (path: string) => new Database(path).exec('VACUUM').close(), 0],
    ['of ours', 'ambit.db', (path: string) => openDatabase(path).close(), SCHEMA_VERSIONS.sqlite],
  ])('is told of one %s, which is left as it is', (_, name, make, steps) => {
    using files = tree({})
    const path = files.at(name)
    make(path)
    const wasThere = existsSync(path)
    expect(readSchemaVersion(path)).toBe(steps)
    expect(existsSync(path)).toBe(wasThere)
  })

  it('is none in memory', () => {
    expect(readSchemaVersion(':memory:')).toBe(0)
  })

  it('is told by what brings it up to date, as it was before', () => {
    using files = tree({})
    const path = files.at('ambit.db')
    const to = SCHEMA_VERSIONS.sqlite
    expect([migrateSqlite(path), migrateSqlite(path)]).toEqual([
      { name: path, from: 0, to },
      { name: path, from: to, to },
    ])
  })
})

describe('trouble with a database', () => {
  /** By its code: what is said of it, and whether it is one of too little space. */
  const TROUBLES: readonly (readonly [code: string, said: string, isFull: boolean])[] = [
    ['SQLITE_FULL', 'The disk of a.db is full.', true],
    ['ENOSPC', 'No space is left on the disk (ENOSPC).', true],
    ['SQLITE_IOERR_WRITE', 'The disk of a.db failed.', false],
    ['SQLITE_CORRUPT_INDEX', 'The database a.db is damaged, or is not a database.', false],
    ['SQLITE_NOTADB', 'The database a.db is damaged, or is not a database.', false],
    ['Z_DATA_ERROR', 'The database a.db is damaged, or is not a database.', false],
    ['SQLITE_BUSY_SNAPSHOT', 'The database a.db is in use by another process.', false],
    ['SQLITE_LOCKED', 'The database a.db is in use.', false],
    ['SQLITE_READONLY', 'The database a.db may not be written.', false],
    ['SQLITE_CANTOPEN', 'The database a.db cannot be opened.', false],
    ['EACCES', 'The database a.db cannot be opened.', false],
  ]

  it.each(TROUBLES)('of the kind %s is told in words', (code, message, isFull) => {
    const cause = Object.assign(new Error('own words'), { code })
    const told = toldOf(() => {
      throw cause
    })
    expect(told).toMatchObject({ code: 'unavailable', message, cause, hint: expect.any(String) })
    expect(told instanceof NoSpace).toBe(isFull)
  })

  it('that is none of the database stays as it is', () => {
    const cause = Object.assign(new Error('own words'), { code: 'ECONNRESET' })
    for (const error of [cause, new TypeError('a bug'), new ContextError('conflict', 'Taken.')]) {
      expect(
        toldOf(() => {
          throw error
        }),
      ).toBe(error)
    }
  })

  it('is a full disk where SQLite says so, and the next write is one again', () => {
    const db = openDatabase(':memory:')
    const most = db.pragma('page_count', { simple: true })
    db.pragma(`max_page_count = ${most}`)
    const insert = () => db.prepare("INSERT INTO research_bytes (sha256, data) VALUES ('a', zeroblob(1000000))").run()
    expect(toldOf(insert)).toBeInstanceOf(NoSpace)
    db.pragma('max_page_count = 100000')
    expect(insert().changes).toBe(1)
    db.close()
  })

  function toldOf(work: () => unknown): unknown {
    try {
      return guardSqlite('a.db', work)
    } catch (error) {
      return error
    }
  }
})

describe('a file that asks for the time by itself', () => {
  // Either is enough: a connection of another program may trust its file.
  it.each([
    ['because functions are for statements alone', 'trusted_schema = ON'],
    ['because it is not trusted', 'trusted_schema = OFF'],
  ])('is refused, %s', (_, pragma) => {
    const db = openDatabase(':memory:')
    db.pragma(pragma)
    for (const word of ['ambit_now', 'ambit_iso_now']) {
      db.exec(`CREATE TEMP TABLE ${word}_words (at); CREATE TABLE main.${word}_rows (at, n DEFAULT (${word}()))`)
      expect(() => db.exec(`INSERT INTO ${word}_rows (at) VALUES (1)`)).toThrow(`unsafe use of ${word}()`)
    }
    db.close()
  })
})

it('a statement knows the time by the clock of the process', () => {
  const db = openDatabase(':memory:')
  const before = Date.now()
  const [ms, iso] = db.prepare('SELECT ambit_now(), ambit_iso_now()').raw().get() as [number, string]
  db.close()
  expect(ms).toBeGreaterThanOrEqual(before)
  expect(ms).toBeLessThanOrEqual(Date.now())
  expect(Date.parse(iso)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(iso)).toBeLessThanOrEqual(Date.now())
})
