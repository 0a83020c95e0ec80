/**
 * The suite of all stores on PostgreSQL.
 *
 * @module-tag long
 */

import { afterAll } from 'vitest'
import { openPostgres } from '../../src/stores/postgres/postgres.ts'
import { type Databases, databases, withPostgres } from '../support/postgres.ts'
import { byteStoreContract } from './bytes.contract.ts'
import { contextStoreContract } from './contexts.contract.ts'
import { conversationStoreContract } from './conversations.contract.ts'
import { indexJobStoreContract } from './index-jobs.contract.ts'
import { jobsContract } from './jobs.contract.ts'
import { ownersContract } from './owners.contract.ts'
import { runStoreContract } from './runs.contract.ts'
import { signInStoreContract } from './sign-ins.contract.ts'
import { storeContract } from './store.contract.ts'
import { tokenStoreContract } from './tokens.contract.ts'
import { vectorStoreContract } from './vectors.contract.ts'

let made: Databases | undefined
afterAll(() => made?.drop(), 600_000)

const inDatabase = async () => {
  made ??= await databases()
  const url = await made.create()
  return { store: await openPostgres(url), again: () => openPostgres(url) }
}

withPostgres('PostgreSQL', () => {
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
    contract('PostgreSQL', inDatabase)
  }
  contextStoreContract('PostgreSQL', async () => (await inDatabase()).store)
})
