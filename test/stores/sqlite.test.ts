import { afterAll } from 'vitest'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { tree } from '../support/tree.ts'
import { storeContract } from './store.contract.ts'

const at = tree({})
afterAll(() => at[Symbol.dispose]())

let count = 0
storeContract('a SQLite file', async () => {
  const path = at.at(`${++count}.db`)
  return { store: openSqlite(path), again: async () => openSqlite(path) }
})

storeContract('SQLite in memory', async () => ({ store: openSqlite(':memory:') }))
