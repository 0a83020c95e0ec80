/**
 * The suite of all stores on PostgreSQL.
 *
 * @module-tag long
 */

import { afterAll } from 'vitest'
import { openPostgres } from '../../src/stores/postgres/postgres.ts'
import { type Databases, databases, withPostgres } from '../support/postgres.ts'
import { CONTRACTS } from './store.contract.ts'

let made: Databases | undefined
afterAll(() => made?.drop(), 600_000)

const inDatabase = async () => {
  made ??= await databases()
  const url = await made.create()
  return { store: await openPostgres(url), again: () => openPostgres(url) }
}

withPostgres('PostgreSQL', () => {
  for (const contract of CONTRACTS) contract('PostgreSQL', inDatabase)
})
