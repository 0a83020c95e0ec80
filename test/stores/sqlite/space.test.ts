import { randomBytes } from 'node:crypto'
import { copyFileSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/stores/sqlite/database.ts'
import { SqliteConnection } from '../../../src/stores/sqlite/sql.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { own } from '../../support/own.ts'
import { tree } from '../../support/tree.ts'
import { COLLECTION, stored } from '../filled.ts'

/** A database of 200 documents whose texts can hardly be compressed, and all of them but ten. */
async function fill(path: string): Promise<readonly number[]> {
  const store = openSqlite(path)
  await store.collections.add(COLLECTION)
  // One word each: all of it is text, and next to nothing index.
  const given = Array.from({ length: 200 }, (_, at) => ({
    path: `${at}.md`,
    text: randomBytes(64_000).toString('hex'),
  }))
  const ids = await store.index.exclusively(0, () => stored(store, 'docs', given))
  await store.close()
  return ids.slice(10)
}

const first = own(tree({}))
let ids: readonly number[] = []
beforeAll(async () => {
  ids = await fill(first.at('ambit.db'))
})

/** The same again, without the time that it takes. */
function filled(path: string) {
  copyFileSync(first.at('ambit.db'), path)
  const store = openSqlite(path)
  return { store, full: statSync(path).size, remove: () => store.index.apply({ removed: ids }) }
}

it('the file of a database is as small again as it should be, after much of it was removed', async () => {
  using files = tree({})
  const path = files.at('ambit.db')
  const { store, full, remove } = filled(path)
  await store.index.exclusively(0, remove)
  expect(await store.documents.list({})).toHaveLength(10)
  expect(await store.check()).toEqual([])
  await store.close()
  expect(statSync(path).size).toBeLessThan(full / 2)
})

it('work that is done is done, though another process writes when the file should shrink and the right is given back', async () => {
  using files = tree({})
  const path = files.at('ambit.db')
  const { store, full, remove } = filled(path)
  const other = new Database(path)
  const work = store.index.exclusively(0, async () => {
    await remove()
    other.exec('BEGIN IMMEDIATE')
    setTimeout(() => other.exec('ROLLBACK'), 300)
    return 'done'
  })
  expect(await work).toBe('done')
  expect(await store.index.exclusively(0, async () => 'free at once')).toBe('free at once')
  other.close()
  await store.close()
  expect(statSync(path).size).toBeLessThan(full / 2)
})

const MB = 1_000_000
const LOG = '-wal'

/** A connection to a new file that holds so many megabytes, each a row; what was written is in the log. */
function withMegabytes(path: string, most: number): SqliteConnection {
  const sql = new SqliteConnection(openDatabase(path), path)
  sql.write(() => {
    for (let at = 0; at < most; at++) sql.run('INSERT INTO research_bytes VALUES (?, zeroblob(?), NULL)', `${at}`, MB)
  })
  return sql
}

function remove(sql: SqliteConnection, megabytes: number): void {
  sql.run('DELETE FROM research_bytes WHERE CAST(sha256 AS INTEGER) < ?', megabytes)
}

const answerOf = (sql: SqliteConnection, text: string) => sql.ask({ kind: 'row', text, values: [] })
const pagesOf = (sql: SqliteConnection) => answerOf(sql, 'PRAGMA page_count')

describe('what removed rows leave empty in a file', () => {
  it('is given back a step at a time, until little is left', () => {
    using files = tree({})
    const path = files.at('ambit.db')
    const sql = withMegabytes(path, 24)
    expect(sql.shrinkFile()).toBe(false)
    remove(sql, 22)
    const steps = Array.from({ length: 4 }, () => [sql.shrinkFile(), pagesOf(sql)])
    expect(steps.map(([hasMore]) => hasMore)).toEqual([true, true, false, false])
    expect(steps[2]).toEqual(steps[3])
    sql.close()
    expect(statSync(path).size).toBeLessThan(12 * MB)
  })

  it('stays as it is where it is little, though it is much of the file', () => {
    using files = tree({})
    const sql = withMegabytes(files.at('ambit.db'), 6)
    remove(sql, 5)
    const before = pagesOf(sql)
    expect(sql.shrinkFile()).toBe(false)
    expect(pagesOf(sql)).toEqual(before)
    sql.close()
  })
})

describe('the log of a database', () => {
  it('is short again when work on the index is done', async () => {
    using files = tree({})
    const path = files.at('ambit.db')
    const [sql, store] = [withMegabytes(path, 9), openSqlite(path)]
    expect(statSync(path + LOG).size).toBeGreaterThan(9 * MB)
    await store.index.exclusively(0, async () => 'done')
    expect(statSync(path + LOG).size).toBeLessThan(MB)
    sql.close()
    await store.close()
  })

  it('stays as long as someone reads, which nobody waits for', () => {
    using files = tree({})
    const path = files.at('ambit.db')
    const sql = withMegabytes(path, 9)
    const reader = new Database(path)
    reader.exec('BEGIN; SELECT count(*) FROM collections')
    sql.run("INSERT INTO research_bytes VALUES ('more', x'00', NULL)")
    sql.setBusyTimeout(5_000)
    const began = performance.now()
    sql.shrinkLog()
    expect(performance.now() - began).toBeLessThan(2_500)
    expect(statSync(path + LOG).size).toBeGreaterThan(9 * MB)
    // What it does next waits for others again.
    expect(answerOf(sql, 'PRAGMA busy_timeout')).toEqual({ timeout: 5_000 })
    reader.close()
    sql.shrinkLog()
    expect(statSync(path + LOG).size).toBe(0)
    sql.close()
  })

  it('is not there in memory, which needs none', () => {
    const sql = withMegabytes(':memory:', 1)
    sql.shrinkLog()
    sql.close()
  })
})
