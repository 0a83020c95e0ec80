import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { tree } from '../../support/tree.ts'
import { COLLECTION, stored } from '../filled.ts'

/** A database of 200 documents whose texts can hardly be compressed, and what removes all but ten of them. */
async function filled(path: string) {
  const store = openSqlite(path)
  await store.collections.add(COLLECTION)
  // One word each: all of it is text, and next to nothing index.
  const text = (seed: number) =>
    Array.from({ length: 1000 }, (_, at) => createHash('sha512').update(`${seed} ${at}`).digest('hex')).join('')
  const given = Array.from({ length: 200 }, (_, at) => ({ path: `${at}.md`, text: text(at) }))
  const ids = await store.index.exclusively(0, () => stored(store, 'docs', given))
  const full = statSync(path).size
  return { store, full, remove: () => store.index.apply({ removed: ids.slice(10) }) }
}

it('the file of a database is as small again as it should be, after much of it was removed', async () => {
  using files = tree({})
  const path = files.at('ambit.db')
  const { store, full, remove } = await filled(path)
  await store.index.exclusively(0, remove)
  expect(await store.documents.list({})).toHaveLength(10)
  expect(await store.check()).toEqual([])
  await store.close()
  expect(statSync(path).size).toBeLessThan(full / 2)
})

it('work that is done is done, though another process writes when the file should shrink and the right is given back', async () => {
  using files = tree({})
  const path = files.at('ambit.db')
  const { store, full, remove } = await filled(path)
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
