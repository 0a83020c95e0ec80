/**
 * Many processes at one PostgreSQL.
 *
 * @module-tag long
 */

import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { mergeSegments } from '../../../src/ingest/indexing/merge.ts'
import { migrateTables, openPool, prepareTables } from '../../../src/stores/postgres/database.ts'
import { migratePostgres, openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { SCHEMA_VERSIONS } from '../../../src/stores/statements/mend.ts'
import type { Store } from '../../../src/stores/store.ts'
import { asked, ownDatabases, partsOfSchema, untilHeldUp, withPostgres } from '../../support/postgres.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { COLLECTION, stored, written } from '../filled.ts'
import { found } from '../found.ts'

/** Databases that earlier versions of the program made, by the number of steps that their tables had: 9 is of 0.2.0, with content. */
const SNAPSHOTS = new URL('snapshots/', import.meta.url)
const VERSION = SCHEMA_VERSIONS.postgres
const CONTENT = `
  INSERT INTO ambit.collections (name, root, patterns, exclude, created_at)
    VALUES ('docs', '/srv', '["*.md"]', '[]', '2026-01-01');
  INSERT INTO ambit.conversations (id, title, place, model, created_at, updated_at)
    VALUES ('one', 'One', '/', 'm', '2026-01-01', '2026-01-01')`

const database = ownDatabases()
const open: Store[] = []
const opened = async (...args: Parameters<typeof openPostgres>) => {
  const store = await openPostgres(...args)
  open.push(store)
  return store
}

withPostgres('many processes on one database', () => {
  afterAll(() => Promise.all(open.map((store) => store.close())))

  it('open an empty one at once, and each finds it made', async () => {
    const url = await database()
    const stores = await Promise.all(Array.from({ length: 20 }, () => opened(`${url}?pool=2`)))
    await Promise.all(stores.map((store, at) => store.collections.add({ ...COLLECTION, name: `c${at}` })))
    expect(await stores[0]?.collections.list()).toHaveLength(20)
    expect(await migratePostgres(url)).toMatchObject({ from: VERSION, to: VERSION })
    await Promise.all(stores.map((store) => store.close()))
  })

  it.each(readdirSync(SNAPSHOTS))(
    'bring an older one up to date once, and only when they are told to: %s',
    async (name) => {
      const [url, fresh] = [await database(), await database()]
      const text = readFileSync(new URL(name, SNAPSHOTS), 'utf8')
      const isFilled = text.includes('INTO ambit.collections')
      await asked(url, (client) => client.query(isFilled ? text : `${text}${CONTENT}`))
      const connections = await Promise.all(Array.from({ length: 8 }, () => openPool(`${url}?pool=1`)))
      for (const sql of connections)
        await expect(prepareTables(sql)).rejects.toMatchObject({ hint: 'Run "ambit migrate".' })
      const done = await Promise.all(connections.map((sql) => migrateTables(sql)))
      const from = Number(name.replace(/\D/g, ''))
      expect(done.map((one) => one.from).toSorted((one, other) => one - other)).toEqual([
        from,
        ...Array(7).fill(VERSION),
      ])
      await Promise.all(connections.map((sql) => sql.close()))
      const [store] = [await opened(url), await opened(fresh)]
      expect(await store.check()).toEqual([])
      expect(await store.collections.list()).toMatchObject([{ name: 'docs' }])
      expect(await store.conversations.list(9)).toHaveLength(1)
      expect(await found(store, 'lion')).toEqual(isFilled ? ['docs/lions.md'] : [])
      expect(await store.runs.list(9)).toMatchObject(isFilled ? [{ status: 'completed' }] : [])
      // Of another owner.
      await store.of('ada').conversations.begin({ id: 'one', title: '', place: '/', model: 'm' })
      expect(await partsOfSchema(url)).toEqual(await partsOfSchema(fresh))
    },
  )

  it('may belong to a user who may make nothing but what is in the schema', async () => {
    const url = await database()
    const role = `small_${process.pid}_${Date.now()}`
    const own = Object.assign(new URL(url), { username: role, password: 'p' }).href
    await asked(url, (client) => client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`))
    await expect(openPostgres(own)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('may not'),
    })
    await asked(url, (client) => client.query(`CREATE SCHEMA ambit AUTHORIZATION ${role}`))
    const store = await opened(own)
    await store.collections.add(COLLECTION)
    expect(await store.check()).toEqual([])
    await store.close()
    await asked(url, (client) => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`))
  })

  it('see what the others wrote as soon as it is written, and all of it as of one moment', async () => {
    const url = await database()
    const [writer, ...readers] = await Promise.all([opened(url), opened(url), opened(url)])
    await writer?.collections.add(COLLECTION)
    let isOver = false
    const reading = readers.map(async (store) => {
      const seen: number[] = []
      while (!isOver) {
        // As many documents as there are segments: each comes with one of its own.
        const view = await store.index.read({ terms: ['lion'], filter: {} })
        const lists = view.terms.get('lion') ?? []
        expect(lists.filter((one) => one !== undefined)).toHaveLength(view.segments.length)
        const names = (await found(store, 'lion')).length
        expect(names).toBeGreaterThanOrEqual(seen.at(-1) ?? 0)
        seen.push(names)
      }
      return seen
    })
    for (let at = 0; at < 40; at++) {
      if (writer) await stored(writer, 'docs', [{ path: `${at}`, text: `lion ${at}` }])
      for (const store of readers) expect(await found(store, 'lion')).toHaveLength(at + 1)
    }
    isOver = true
    await Promise.all(reading)
  })

  it('write one log, of which each entry is by one of them', async () => {
    const url = await database()
    const stores = await Promise.all([opened(url), opened(url), opened(url)])
    const id = 'a'.repeat(32)
    await stores[0]?.runs.add({ id, question: 'What?', settings: '{}' })
    const wins = await Promise.all(
      stores.map(async ({ runs }, number) => {
        let won = 0
        for (let seq = 0; seq < 30; seq++) {
          const record = { seq: seq + 1, at: '2026-11-21T12:00:00.000Z', data: `${number}` }
          await runs.append(id, seq, [record]).then(
            () => won++,
            (error: unknown) => expect(error).toMatchObject({ code: 'conflict' }),
          )
          while ((await runs.records(id, seq, 1)).length === 0) await sleep(1)
        }
        return won
      }),
    )
    expect(wins.reduce((all, one) => all + one)).toBe(30)
    const records = (await stores[1]?.runs.records(id, 0, 100)) ?? []
    expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1))
    expect(wins.map((_, number) => records.filter(({ data }) => data === `${number}`).length)).toEqual(wins)
  })

  it('of many that make the same at once one does', async () => {
    const url = await database()
    const stores = await Promise.all(Array.from({ length: 6 }, () => opened(url)))
    const outcomes = async (work: (store: Store) => Promise<unknown>) => {
      const done = await Promise.allSettled(stores.map(work))
      return done.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.code)).sort()
    }
    const once = ['conflict', 'conflict', 'conflict', 'conflict', 'conflict', 'done']
    expect(await outcomes(({ collections }) => collections.add(COLLECTION))).toEqual(once)
    expect(
      await outcomes(({ conversations }) => conversations.begin({ id: 'a', title: '', place: '', model: '' })),
    ).toEqual(once)
    const said = await outcomes(({ contexts }) => contexts.set({ collection: '', pathPrefix: '/' }, 'all'))
    expect(new Set(said)).toEqual(new Set(['done']))
    expect(await stores[0]?.contexts.list()).toHaveLength(1)
  })
})

const TIMES = { lease: { lastsMs: 300, renewedMs: 60_000 } }

withPostgres('a writer that is late', () => {
  it('is refused after another has taken over', async () => {
    const url = await database()
    // It is never renewed: as where the process was stopped for a while.
    const [late, other] = [await opened(url, TIMES), await opened(url)]
    await late.collections.add(COLLECTION)
    await late.index.exclusively(0, async () => {
      const added = await written(late, 'docs', [{ path: 'late', text: 'lion' }])
      await sleep(400)
      await other.index.exclusively(1000, async () => {
        await stored(other, 'docs', [{ path: 'new', text: 'lion' }])
        for (const work of [() => late.index.apply({ added }), () => late.index.begin(), () => late.index.put(1, [])]) {
          await expect(work()).rejects.toMatchObject({
            code: 'conflict',
            message: expect.stringContaining('taken over'),
          })
        }
      })
      await expect(late.index.apply({ added })).rejects.toMatchObject({ code: 'conflict' })
    })
    expect(await found(other, 'lion')).toEqual(['docs/new'])
    expect(await other.check()).toEqual([])
  })

  it('that is at it keeps the other one waiting until it is done', async () => {
    const url = await database()
    const [slow, other] = [await opened(url, TIMES), await opened(url)]
    await slow.collections.add(COLLECTION)
    let taken: string[] | undefined
    await slow.index.exclusively(0, async () => {
      const added = await written(slow, 'docs', [{ path: 'slow', text: 'lion' }])
      await asked(url, async (client) => {
        await client.query('BEGIN; LOCK TABLE ambit.texts IN ACCESS EXCLUSIVE MODE')
        const writing = slow.index.apply({ added })
        await untilHeldUp(client)
        // So long that the lease has run out.
        await sleep(500)
        const taking = other.index.exclusively(60_000, async () => {
          taken = await found(other, 'lion')
        })
        await sleep(200)
        expect(taken).toBeUndefined()
        await client.query('COMMIT')
        await Promise.all([writing, taking])
      })
    })
    // Not before what the first one wrote was there, whichever of the two heard of it sooner.
    expect(taken).toEqual(['docs/slow'])
  })

  it('though it lives, loses no segment to another one who begins as its last step ends', async () => {
    const url = await database()
    // Renewed all the time; but its row is locked by its own last step.
    const lease = { lastsMs: 600, renewedMs: 100 }
    const [slow, other] = [await opened(url, { lease }), await opened(url, { lease })]
    await slow.collections.add(COLLECTION)
    for (const path of ['a', 'b']) await stored(slow, 'docs', [{ path, text: 'lion' }])
    await asked(url, async (client) => {
      await client.query('BEGIN; LOCK TABLE ambit.documents IN ACCESS EXCLUSIVE MODE')
      const merging = slow.index.exclusively(0, async () => mergeSegments(slow.index, await slow.index.segments()))
      await untilHeldUp(client)
      const over = 'SELECT expires < extract(epoch FROM clock_timestamp()) * 1000 AS over FROM ambit.leases'
      await expect.poll(async () => (await client.query(over)).rows[0]?.over).toBe(true)
      const lab = other.index.of('lab')
      const beginning = lab.exclusively(0, () => lab.begin())
      const dropping =
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM ambit.segments%'"
      await asked(url, async (another) => {
        while ((await another.query(dropping)).rows.length === 0) await sleep(5)
      })
      await client.query('COMMIT')
      await Promise.all([merging, beginning])
    })
    expect(await other.check()).toEqual([])
    expect(await found(other, 'lion')).toEqual(['docs/a', 'docs/b'])
  })

  it('of a process that is no more is not waited for', async () => {
    const url = await database()
    const store = await opened(url)
    const { hostname } = await import('node:os')
    const holder = JSON.stringify({ id: 'x', pid: 2 ** 22 + 1, host: hostname() })
    const insert = `INSERT INTO ambit.leases VALUES ('merge', $1, 9999999999999)`
    await asked(url, (client) => client.query(insert, [holder]))
    expect(await store.index.exclusively(0, async () => 'now')).toBe('now')
    await asked(url, (client) => client.query(insert, [holder.replace(hostname(), 'elsewhere')]))
    await expect(store.index.exclusively(0, async () => 'never')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('elsewhere'),
    })
  })
})

withPostgres('any text', () => {
  it('is kept as SQLite keeps it, and in the same order', async () => {
    const stores = [openSqlite(':memory:'), await openPostgres(await database())]
    const odd = fc.string({ unit: fc.constantFrom(...'\0\u0001\u0002a/\\\'"{é\u{10ffff}😀', '\ud800') })
    const text = fc.oneof(odd, fc.string({ unit: 'binary' })).map((one) => `x${one}`)
    await forAllAsync(40, fc.uniqueArray(text, { maxLength: 12 }), async (texts) => {
      const lists = await Promise.all(
        stores.map(async ({ contexts }) => {
          for (const { pathPrefix } of await contexts.list()) await contexts.remove({ collection: '', pathPrefix })
          for (const one of texts) await contexts.set({ collection: '', pathPrefix: `/${one}` }, one)
          return (await contexts.list()).map(({ pathPrefix, context }) => [pathPrefix, context])
        }),
      )
      expect(lists[1]).toEqual(lists[0])
    })
    await Promise.all(stores.map((store) => store.close()))
  })
})
