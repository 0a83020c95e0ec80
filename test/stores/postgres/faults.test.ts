/** A PostgreSQL that is slow, silent, full or gone. */

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContextError, StoreTrouble } from '../../../src/core/errors.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { parseDatabaseUrl } from '../../../src/stores/postgres/url.ts'
import type { Store } from '../../../src/stores/store.ts'
import { own } from '../../support/own.ts'
import { asked, ownDatabases, untilHeldUp, withPostgres } from '../../support/postgres.ts'
import { startServer, stopServer } from '../../support/postgres-server.ts'
import { tree } from '../../support/tree.ts'
import { COLLECTION, stored, written } from '../filled.ts'
import { found } from '../found.ts'

const SECRET = 'p4ss-w0rd'

/** Everything that an error could show. */
const shownOf = (error: unknown) => inspect(error, { depth: 20, showHidden: true })

async function refusal(opening: Promise<unknown>): Promise<ContextError> {
  const error = await opening.then(
    () => new Error('It was let in.'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ContextError)) throw error
  return error
}

describe('the URL of a database', () => {
  it.each([
    ...['mysql://user:p4ss-w0rd@host/name', 'user:p4ss-w0rd@host/name', 'postgres://user:p4ss-w0rd@host:port/name'],
    ...['postgres://user:p4ss-w0rd@[/name', 'postgres://user:p4ss-w0rd@host/name?pool=0'],
    ...['postgres://user:p4ss-w0rd@host/name?pool=many', 'postgres://user:p4ss-w0rd@host/name?pool=1001'],
  ])('is refused, and not shown: %s', async (url) => {
    const error = await refusal(openPostgres(url))
    expect(error).toMatchObject({ code: 'invalid-input', hint: expect.stringContaining('postgres://') })
    expect(shownOf(error)).not.toContain(SECRET)
  })
})

describe('the mode of encryption', () => {
  it.each([
    ['?sslmode=require', '?sslmode=verify-full'],
    ['?sslmode=prefer&pool=3', '?sslmode=verify-full'],
    ['?sslmode=verify-ca&sslrootcert=/ca.pem', '?sslmode=verify-full&sslrootcert=%2Fca.pem'],
    ['?sslmode=require&uselibpqcompat=true', '?sslmode=require&uselibpqcompat=true'],
    ['?sslmode=disable&sslmode=require', '?sslmode=verify-full'],
    ['?sslmode=no-verify', '?sslmode=no-verify'],
    ['?sslmode=disable', '?sslmode=disable'],
    ['?pool=1000', ''],
    ['', ''],
  ])('of %j is what the client makes of it, said so that it does not warn', (given, used) => {
    expect(new URL(parseDatabaseUrl(`postgres://host/name${given}`).url).search).toBe(used)
  })
})

const database = ownDatabases()
let server: string
withPostgres('a database that is not there', () => {
  beforeAll(async () => {
    server = await database()
  })
  const changed = (change: Partial<Record<'username' | 'password' | 'pathname' | 'port', string>>) =>
    Object.assign(new URL(server), change).href

  it.each(['?port=abc', '?port=70000', '?port=5432&port=abc'])(
    'is told at once where its port is none: %s',
    async (query) => {
      const error = await refusal(openPostgres(`${server}${query}`))
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('port'),
        hint: expect.any(String),
      })
    },
  )

  it('is told as lost, and may be tried again, when it breaks off', async () => {
    const breaking = createServer((socket) => socket.once('data', () => socket.resetAndDestroy())).listen(
      0,
      '127.0.0.1',
    )
    await once(breaking, 'listening')
    const { port } = breaking.address() as AddressInfo
    const error = await refusal(openPostgres(`postgres://127.0.0.1:${port}/name`))
    expect(error).toBeInstanceOf(StoreTrouble)
    expect(error.message).toMatch(/connection .* was lost/)
    breaking.close()
  })

  it.each([
    ['an unknown option', '?options=endpoint%3Dep-1', /refuses a setting of AMBIT_DATABASE_URL.*endpoint=ep-1/],
    ['a setting that does not exist', '?options=-c%20nothing%3D1', /refuses a setting.*"nothing"/],
    ['a value that is none', '?statement_timeout=abc', /refuses a setting.*statement_timeout/],
    ['no file of a certificate', '?sslrootcert=/nowhere.pem', /certificate or key .* cannot be read.*nowhere\.pem/],
    ['a directory for a certificate', '?sslrootcert=/', /certificate or key .* cannot be read/],
  ])('is told as a mistake in the URL: %s', async (_, query, message) => {
    const error = await refusal(openPostgres(`${server}${query}`))
    expect(error).toMatchObject({ code: 'invalid-input', hint: expect.any(String) })
    expect(error.message).toMatch(message)
    expect(shownOf(error)).not.toContain(new URL(server).password || SECRET)
  })

  it.each([
    ['a wrong password', () => changed({ password: SECRET }), /does not let/],
    ['no such user', () => changed({ username: 'nobody', password: SECRET }), /does not let/],
    ['no such database', () => changed({ pathname: '/none' }), /There is no database/],
    ['nobody who listens', () => changed({ port: '1', password: SECRET }), /cannot be reached/],
    ['a name that is none', () => `postgres://a:${SECRET}@no-such-host.invalid/x`, /cannot be reached/],
  ])('is told in words: %s', async (_, url, message) => {
    const error = await refusal(openPostgres(url(), { connectMs: 5000 }))
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    })
    expect(error.cause).toBeInstanceOf(Error)
    for (const secret of [SECRET, new URL(server).password]) expect(shownOf(error)).not.toContain(secret)
  })

  it('is told when the server says nothing', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const address = silent.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const error = await refusal(openPostgres(changed({ port }), { connectMs: 300 }))
    expect(error).toMatchObject({ code: 'unavailable' })
    silent.close()
  })

  it('is refused where it keeps texts otherwise, or has a schema of another program', async () => {
    const name = `ascii_${process.pid}`
    await asked(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII'`))
    const error = await refusal(openPostgres(changed({ pathname: `/${name}` })))
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('SQL_ASCII') })
    await asked(server, (client) => client.query(`DROP DATABASE ${name}`))
    const url = await database()
    await asked(url, (client) => client.query('CREATE SCHEMA ambit; CREATE TABLE ambit.documents (mine text)'))
    const foreign = await refusal(openPostgres(url))
    expect(foreign).toMatchObject({ code: 'unavailable', message: expect.stringContaining('another program') })
    const { rows } = await asked(url, (client) => client.query("SELECT * FROM pg_tables WHERE schemaname = 'ambit'"))
    expect(rows).toHaveLength(1)
  })

  it('is called without its password', async () => {
    const store = await openPostgres(server)
    expect(store.name).toMatch(/^postgres:\/\/\w+@127\.0\.0\.1:\d+\/\w+$/)
    await store.close()
    await store.close()
  })
})

withPostgres('connections that end', () => {
  let url: string
  let store: Store
  beforeAll(async () => {
    url = await database()
    store = await openPostgres(url)
    await store.collections.add(COLLECTION)
    await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
  })
  afterAll(() => store.close())
  const cut = () =>
    asked(url, (client) =>
      client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ambit' AND datname = current_database()",
      ),
    )

  it('between two calls are not noticed', { tags: 'long' }, async () => {
    for (let times = 0; times < 5; times++) {
      await Promise.all([store.collections.list(), store.collections.list(), found(store, 'lion')])
      await cut()
      expect(await found(store, 'lion')).toEqual(['docs/a'])
      await cut()
      await sleep(20)
      await store.contexts.set({ collection: 'docs', pathPrefix: '/' }, `${times}`)
    }
  })

  it('within a write take all of it back, are told, and the next call goes on', async () => {
    const before = await store.collections.list()
    // Held up by a lock, so that it is cut off in its midst.
    const error = await asked(url, async (client) => {
      await client.query('BEGIN; LOCK TABLE ambit.texts IN ACCESS EXCLUSIVE MODE')
      const writing = refusal(stored(store, 'docs', [{ path: 'b', text: 'zebra' }]))
      await untilHeldUp(client)
      await cut()
      return writing
    })
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('was lost'),
      hint: expect.any(String),
    })
    expect(await store.collections.list()).toEqual(before)
    expect(await store.check()).toEqual([])
    await stored(store, 'docs', [{ path: 'b', text: 'zebra' }])
    expect(await found(store, 'zebra')).toEqual(['docs/b'])
  })

  it('at random moments lose nothing that was said to be kept', { tags: 'long' }, async () => {
    await store.runs.add({ id: 'a'.repeat(32), question: 'What?', settings: '{}' })
    let [kept, isOver] = [0, false]
    const cutting = (async () => {
      while (!isOver) {
        await sleep(Math.random() * 15)
        await cut()
      }
    })()
    for (let tries = 0; tries < 150; tries++) {
      const record = { seq: kept + 1, at: '2026-11-21T12:00:00.000Z', data: `${tries}` }
      try {
        await store.runs.append('a'.repeat(32), kept, [record])
        kept++
      } catch (error) {
        expect(error).toMatchObject({ code: 'unavailable' })
        // It may have been kept, where the answer was lost.
        for (let asking = 0; asking < 20; asking++) {
          const last = await store.runs.records('a'.repeat(32), kept, 2).catch(() => undefined)
          if (!last) continue
          expect(last.length).toBeLessThan(2)
          kept += last.length
          break
        }
      }
    }
    isOver = true
    await cutting
    const records = await store.runs.records('a'.repeat(32), 0, 1000)
    expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: kept }, (_, at) => at + 1))
    expect(kept).toBeGreaterThan(10)
  })

  it('of a database that others hold up are told as in use, or too slow', async () => {
    const hasty = await openPostgres(url, { lockMs: 200, statementMs: 2000 })
    await asked(url, async (client) => {
      await client.query('BEGIN; LOCK TABLE ambit.collections IN ACCESS EXCLUSIVE MODE')
      const told = { code: 'unavailable', message: expect.stringContaining('in use') }
      await expect(hasty.collections.list()).rejects.toMatchObject(told)
      await expect(hasty.collections.add({ ...COLLECTION, name: 'x' })).rejects.toMatchObject(told)
      await client.query('ROLLBACK')
    })
    expect(await hasty.collections.list()).toHaveLength(1)
    await hasty.close()
    const slow = await openPostgres(url, { statementMs: 200 })
    await asked(url, async (client) => {
      await client.query('BEGIN; LOCK TABLE ambit.collections IN ACCESS EXCLUSIVE MODE')
      const told = { code: 'unavailable', message: expect.stringContaining('too long') }
      await expect(slow.collections.list()).rejects.toMatchObject(told)
      await client.query('ROLLBACK')
    })
    expect(await slow.collections.list()).toHaveLength(1)
    await slow.close()
  })

  it('are as many as the pool allows, and more calls than that wait for each other', async () => {
    const few = await openPostgres(`${url}?pool=2`)
    const calls = Array.from({ length: 60 }, (_, at) =>
      at % 3 === 0 ? few.contexts.set({ collection: 'docs', pathPrefix: `/${at}` }, 'said') : found(few, 'lion'),
    )
    await Promise.all(calls)
    const select =
      "SELECT count(*) AS c FROM pg_stat_activity WHERE application_name = 'ambit' AND datname = current_database()"
    await store.close()
    const { rows } = await asked(url, (client) => client.query(select))
    expect(Number(rows[0].c)).toBeLessThanOrEqual(2)
    await few.close()
    store = await openPostgres(url)
  })

  it('none of which comes free are told as such, whatever is asked, and those that do are taken', async () => {
    const one = await openPostgres(`${url}?pool=1`, { connectMs: 300 })
    await asked(url, async (client) => {
      await client.query('BEGIN; LOCK TABLE ambit.collections IN ACCESS EXCLUSIVE MODE')
      const held = one.collections.list()
      await untilHeldUp(client)
      const told = {
        code: 'unavailable',
        message: expect.stringContaining('came free'),
        hint: expect.stringContaining('?pool='),
      }
      await expect(found(one, 'lion')).rejects.toMatchObject(told)
      await expect(one.contexts.set({ collection: 'docs', pathPrefix: '/' }, 'never')).rejects.toMatchObject(told)
      await client.query('ROLLBACK')
      expect(await held).toHaveLength(1)
    })
    expect(await found(one, 'lion')).toEqual(['docs/a'])
    expect((await one.contexts.list()).map(({ context }) => context)).not.toContain('never')
    await one.close()
  })
})

withPostgres('a server that is killed', () => {
  // One that keeps what it says, as where it matters.
  const server = own(tree({})).at('server')
  afterAll(() => stopServer(server))

  it('has kept what it said it would, and is found again when it is back', { tags: 'long' }, async () => {
    const first = await startServer(server, ['shared_buffers=16MB'])
    const store = await openPostgres(first)
    await store.collections.add(COLLECTION)
    await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
    const added = await written(store, 'docs', [{ path: 'b', text: 'zebra' }])
    await stopServer(server)
    expect(await refusal(store.index.apply({ added }))).toMatchObject({ code: 'unavailable' })
    expect(await refusal(store.collections.list())).toMatchObject({ code: 'unavailable' })
    await startServer(server, ['shared_buffers=16MB'], { port: Number(new URL(first).port) })
    expect(await found(store, 'lion')).toEqual(['docs/a'])
    await store.index.apply({ added })
    expect(await found(store, 'zebra')).toEqual(['docs/b'])
    expect(await store.check()).toEqual([])
    await store.close()
  })
})
