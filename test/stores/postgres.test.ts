/**
 * The suite of all stores on PostgreSQL.
 *
 * @module-tag long
 */

import { openPostgres } from '../../src/stores/postgres/postgres.ts'
import { ownDatabases, withPostgres } from '../support/postgres.ts'
import { CONTRACTS } from './store.contract.ts'

const database = ownDatabases()

const inDatabase = async () => {
  const url = await database()
  return { store: await openPostgres(url), again: () => openPostgres(url) }
}

withPostgres('PostgreSQL', () => {
  for (const contract of CONTRACTS) contract('PostgreSQL', inDatabase)
})
