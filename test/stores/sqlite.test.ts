import { describe } from 'vitest'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { own } from '../support/own.ts'
import { tree } from '../support/tree.ts'
import { runStoreContract } from './runs.contract.ts'
import { CONTRACTS } from './store.contract.ts'
import { beside } from './uploads/beside.ts'

const at = own(tree({}))

let count = 0
const inFile = async () => {
  const path = at.at(`${++count}.db`)
  return { store: openSqlite(path), again: async () => openSqlite(path) }
}
const inMemory = async () => ({ store: openSqlite(':memory:') })

const besideFile = async () => {
  const path = at.at(`${++count}.db`)
  const open = () => beside(openSqlite(path), `${path}.objects`).store
  return { store: open(), again: async () => open() }
}

for (const contract of CONTRACTS) contract('a SQLite file', inFile)

// The same statements, on what most other tests are made with.
describe('without a file', { tags: 'long' }, () => {
  for (const contract of CONTRACTS) contract('SQLite in memory', inMemory)
})

runStoreContract('a SQLite file with a directory beside it', besideFile)
