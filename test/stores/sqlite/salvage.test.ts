import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { libraryOver } from '../../../src/collections/library.ts'
import { rebuilt } from '../../../src/collections/rebuild.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { salvage } from '../../../src/stores/sqlite/salvage.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { tree } from '../../support/tree.ts'
import { exchange } from '../conversations.contract.ts'
import { COLLECTION } from '../filled.ts'

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
    const { collections, lost } = salvage(path)
    expect([collections.map(({ name }) => name), lost]).toEqual([['lions', 'zebras'], []])
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
    expect(salvaged.lost).toEqual([])
    const fresh = openSqlite(path)
    expect(await rebuilt(libraryOver(fresh), salvaged, SILENT)).toMatchObject({ conversations: 2, problems: [] })
    expect((await fresh.conversations.list(5)).map(({ id }) => id)).toEqual(['second', 'first'])
    const kept = await fresh.conversations.get('first')
    expect(kept?.head).toMatchObject({ title: 'Of first', exchanges: 2 })
    expect(kept?.exchanges).toEqual([exchange('q0'), exchange('q1', { end: null, isWhole: true })])
    await fresh.close()
  })

  it('are none in a database of before there were any, and that is not a loss', () => {
    using files = tree({})
    const path = files.at('a.db')
    const db = new Database(path)
    db.exec(readFileSync(new URL('snapshots/steps-1.sql', import.meta.url), 'utf8'))
    db.close()
    expect(salvage(path)).toMatchObject({ collections: [{ name: 'docs' }], conversations: [], lost: [] })
  })

  it('are lost where they cannot be read, and nothing else is', () => {
    using files = tree({})
    const path = files.at('a.db')
    openSqlite(path).close()
    const db = new Database(path)
    db.exec('ALTER TABLE conversations RENAME COLUMN updated_at TO gone')
    db.close()
    expect(salvage(path).lost).toEqual(['conversations'])
  })
})
