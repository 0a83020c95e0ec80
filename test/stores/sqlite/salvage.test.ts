import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { libraryOver } from '../../../src/collections/library.ts'
import { rebuildLibrary } from '../../../src/collections/rebuild.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { salvage } from '../../../src/stores/sqlite/salvage.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { tree } from '../../support/tree.ts'
import { exchange } from '../conversations.contract.ts'
import { COLLECTION } from '../filled.ts'

/** What is taken out of a database: what is lost, and the collections and the number of conversations. */
async function salvagedFrom(path: string) {
  const lost: string[] = []
  const groups = await Array.fromAsync(salvage(path).rows((what) => lost.push(what)))
  const of = (table: string) => groups.filter((one) => one.table === table).flatMap(({ rows }) => rows)
  return { lost, collections: of('collections').map(([, name]) => name), conversations: of('conversations').length }
}

describe('collections', () => {
  it('are taken out of a database though the index of their names is damaged', async () => {
    using files = tree({})
    const path = files.at('a.db')
    const old = openSqlite(path)
    for (const name of ['zebras', 'lions']) await old.collections.add({ ...COLLECTION, name })
    await old.close()
    const db = new Database(path)
    const select = "SELECT (pageno - 1) * pgsize FROM dbstat WHERE name = 'sqlite_autoindex_collections_1'"
    const place = Number(db.prepare(select).pluck().get())
    db.close()
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(512, 0xab), 0, 512, place)
    closeSync(file)
    expect(await salvagedFrom(path)).toMatchObject({ collections: ['zebras', 'lions'], lost: [] })
  })
})

describe('conversations', () => {
  it('are taken out of a database, and kept in the one that is made anew', async () => {
    using files = tree({})
    const path = files.at('a.db')
    const old = openSqlite(path)
    for (const id of ['first', 'second']) {
      await old.conversations.begin({ id, title: `Of ${id}`, place: '.', model: 'local/extractive' })
      await old.conversations.put(id, 0, exchange('q0'))
      await old.conversations.put(id, 1, exchange('q1', { end: null, isWhole: true }))
    }
    await old.close()
    const salvaged = salvage(path)
    const fresh = openSqlite(path)
    expect(await rebuildLibrary(libraryOver(fresh), salvaged, SILENT)).toMatchObject({
      conversations: 2,
      lost: [],
      problems: [],
    })
    expect((await fresh.conversations.list(5)).map(({ id }) => id)).toEqual(['second', 'first'])
    const kept = await fresh.conversations.get('first')
    expect(kept?.head).toMatchObject({ title: 'Of first', exchanges: 2 })
    expect(kept?.exchanges).toEqual([exchange('q0'), exchange('q1', { end: null, isWhole: true })])
    await fresh.close()
  })

  it('are none in a database of before there were any, and that is not a loss', async () => {
    using files = tree({})
    const path = files.at('a.db')
    const db = new Database(path)
    db.exec(readFileSync(new URL('snapshots/steps-1.sql', import.meta.url), 'utf8'))
    db.close()
    expect(await salvagedFrom(path)).toEqual({ collections: ['docs'], conversations: 0, lost: [] })
  })

  it('are lost where they cannot be read, and nothing else is', async () => {
    using files = tree({})
    const path = files.at('a.db')
    openSqlite(path).close()
    const db = new Database(path)
    db.exec('ALTER TABLE conversations RENAME COLUMN updated_at TO gone')
    db.close()
    expect((await salvagedFrom(path)).lost).toEqual(['conversations'])
  })
})
