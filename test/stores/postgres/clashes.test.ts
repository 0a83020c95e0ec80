/** Transactions that are in each other's way: what the server ends for that is done all the same, and once. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPool } from '../../../src/stores/postgres/database.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import type { Queries, Sql } from '../../../src/stores/postgres/sql.ts'
import { asked, ownDatabases, untilHeldUp, withPostgres } from '../../support/postgres.ts'

const MORE = 'UPDATE counts SET count = count + 1 WHERE name ='

/** Fails as the server does where it finds no order for two. */
const clash = (queries: Queries, code: string) =>
  queries.run(`DO $$ BEGIN RAISE EXCEPTION 'They are in each other''s way.' USING ERRCODE = '${code}'; END $$`)

const CLASHES = [
  ['a deadlock', '40P01'],
  ['a failure to serialize', '40001'],
] as const

withPostgres('transactions that are in the way of each other', () => {
  const database = ownDatabases()
  let url: string
  let sql: Sql
  beforeAll(async () => {
    url = await database()
    await (await openPostgres(url)).close()
    await asked(url, (client) => client.query('CREATE TABLE counts (name text PRIMARY KEY, count bigint)'))
    sql = await openPool(url)
  })
  afterAll(() => sql.close())
  beforeEach(async () => {
    await asked(url, (client) => client.query("TRUNCATE counts; INSERT INTO counts VALUES ('a', 0), ('b', 0)"))
  })
  const counts = () => sql.column<number>('SELECT count FROM counts ORDER BY name')

  it('E5: of which each waits for what the other one has, are both done, each once', async () => {
    let tries = 0
    const has = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
    const both = (one: 'a' | 'b', other: 'a' | 'b') => async (queries: Queries) => {
      tries++
      await queries.run(`${MORE} $1`, one)
      has[one].resolve()
      await has[other].promise
      await queries.run(`${MORE} $1`, other)
    }
    await Promise.all([sql.write('tokens', both('a', 'b')), sql.write('segments', both('b', 'a'))])
    expect(await counts()).toEqual([2, 2])
    // The server has ended one of them.
    expect(tries).toBe(3)
  })

  it('E5: of which a statement has no order for both, as the database was set, is done after the other one', async () => {
    const name = new URL(url).pathname.slice(1)
    await asked(url, (client) =>
      client.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`),
    )
    const strict = await openPool(url)
    await asked(url, async (client) => {
      await client.query(`BEGIN; ${MORE} 'a'`)
      const waiting = strict.run(`${MORE} $1`, 'a')
      await untilHeldUp(client)
      await client.query('COMMIT')
      expect(await waiting).toBe(1)
    })
    expect(await counts()).toEqual([2, 0])
    await strict.close()
    await asked(url, (client) => client.query(`ALTER DATABASE ${name} RESET default_transaction_isolation`))
  })

  it.each(CLASHES)('E5: are tried three times (%s), and then told as in use', async (_, code) => {
    let tries = 0
    const writing = sql.write('tokens', async (queries) => {
      tries++
      await queries.run(`${MORE} $1`, 'a')
      await clash(queries, code)
    })
    const told = { code: 'unavailable', message: expect.stringContaining('in use'), hint: expect.any(String) }
    await expect(writing).rejects.toMatchObject(told)
    expect(tries).toBe(3)
    await expect(sql.read((queries) => clash(queries, code))).rejects.toMatchObject(told)
    expect(await counts()).toEqual([0, 0])
  })

  it.each(CLASHES)('E5: are tried once (%s) where what they are given comes once', async (_, code) => {
    let tries = 0
    const writing = sql.writeOnce('library', async (queries) => {
      tries++
      await queries.run(`${MORE} $1`, 'a')
      await clash(queries, code)
    })
    await expect(writing).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('in use') })
    expect([tries, await counts()]).toEqual([1, [0, 0]])
  })

  it('E5: are tried once where anything else is wrong', async () => {
    let tries = 0
    const writing = sql.write('tokens', async (queries) => {
      tries++
      await clash(queries, '23505')
    })
    await expect(writing).rejects.toMatchObject({ code: 'unavailable' })
    expect(tries).toBe(1)
  })
})
