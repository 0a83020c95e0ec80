import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect } from 'vitest'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { own } from '../support/own.ts'
import { tree } from '../support/tree.ts'
import { endAll } from './store-process.ts'

/** A directory for the databases of a file of tests, and paths in it that no other test has. */
export function placeOfDatabases() {
  const place = own(tree({}))
  afterEach(endAll)
  let count = 0
  /** In a directory of its own. */
  const fresh = (name = 'ambit.db') => join(place.base, `${++count}`, name)
  return { place, fresh }
}

/** Opens a database, does something with it, and closes it. */
export async function opened<Value>(path: string, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = openSqlite(path)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** That nothing is damaged: neither what SQLite itself says nor what we know. */
export async function expectWhole(path: string): Promise<void> {
  const db = new Database(path)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('foreign_key_check')).toEqual([])
  db.close()
  expect(await opened(path, (store) => store.check())).toEqual([])
}
