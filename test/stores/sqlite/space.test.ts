import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { tree } from '../../support/tree.ts'
import { COLLECTION, stored } from '../filled.ts'

it('the file of a database is as small again as it should be, after much of it was removed', async () => {
  using files = tree({})
  const path = files.at('ambit.db')
  const store = openSqlite(path)
  await store.collections.add(COLLECTION)
  // One word that can hardly be compressed: all of it is text, and next to nothing index.
  const text = (seed: number) =>
    Array.from({ length: 1000 }, (_, at) => createHash('sha512').update(`${seed} ${at}`).digest('hex')).join('')
  const given = Array.from({ length: 200 }, (_, at) => ({ path: `${at}.md`, text: text(at) }))
  const ids = await store.index.exclusively(0, () => stored(store, 'docs', given))
  const full = statSync(path).size
  await store.index.exclusively(0, () => store.index.apply({ removed: ids.slice(10) }))
  expect(await store.documents.list({})).toHaveLength(10)
  expect(await store.check()).toEqual([])
  await store.close()
  expect(statSync(path).size).toBeLessThan(full / 2)
  const db = new Database(path)
  const [empty, pages] = ['freelist_count', 'page_count'].map((name) => Number(db.pragma(name, { simple: true })))
  expect((empty ?? 0) < 1000 || (empty ?? 0) * 20 < (pages ?? 0)).toBe(true)
  db.close()
}, 60_000)
