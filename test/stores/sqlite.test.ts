import { afterAll } from 'vitest'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { tree } from '../support/tree.ts'
import { byteStoreContract } from './bytes.contract.ts'
import { conversationStoreContract } from './conversations.contract.ts'
import { indexJobStoreContract } from './index-jobs.contract.ts'
import { jobsContract } from './jobs.contract.ts'
import { ownersContract } from './owners.contract.ts'
import { runStoreContract } from './runs.contract.ts'
import { signInStoreContract } from './sign-ins.contract.ts'
import { storeContract } from './store.contract.ts'
import { tokenStoreContract } from './tokens.contract.ts'
import { beside } from './uploads/beside.ts'
import { vectorStoreContract } from './vectors.contract.ts'

const at = tree({})
afterAll(() => at[Symbol.dispose]())

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

const contracts = [
  storeContract,
  vectorStoreContract,
  conversationStoreContract,
  runStoreContract,
  ownersContract,
  byteStoreContract,
  tokenStoreContract,
  signInStoreContract,
  indexJobStoreContract,
  jobsContract,
]
for (const contract of contracts) {
  contract('a SQLite file', inFile)
  contract('SQLite in memory', inMemory)
}

for (const contract of [runStoreContract, ownersContract]) {
  contract('a SQLite file with a directory beside it', besideFile)
}
