import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { tree } from '../../support/tree.ts'
import { contextStoreContract } from '../contexts.contract.ts'

const at = tree({})
afterAll(() => at[Symbol.dispose]())

let count = 0
contextStoreContract('SQLite on the disk', () => openSqlite(at.at(`${++count}.db`)))
contextStoreContract('SQLite in memory', () => openSqlite(':memory:'))

describe('contexts in a file', () => {
  const root = { name: 'docs', root: '/srv/docs', patterns: [], exclude: [] }
  const place = { collection: 'docs', pathPrefix: '/a' }

  it('are there when it is opened again', async () => {
    const path = at.at('again.db')
    const first = openSqlite(path)
    await first.collections.add(root)
    await first.contexts.set(place, 'said')
    const before = await first.contexts.list()
    await first.close()
    const second = openSqlite(path)
    expect(await second.contexts.list()).toEqual(before)
    await second.close()
  })

  it('are seen by another that has it open, whose version changes', async () => {
    const path = at.at('both.db')
    const [one, other] = [openSqlite(path), openSqlite(path)]
    await one.collections.add(root)
    const before = [await other.version(), await other.contexts.version()]
    await one.contexts.set(place, 'said')
    expect(await other.version()).not.toBe(before[0])
    expect(await other.contexts.version()).not.toBe(before[1])
    expect(await other.contexts.list()).toMatchObject([{ collection: 'docs', pathPrefix: '/a', context: 'said' }])
    await one.collections.remove('docs')
    await expect(other.contexts.set(place, 'late')).rejects.toMatchObject({ code: 'not-found' })
    await Promise.all([one.close(), other.close()])
  })
})
