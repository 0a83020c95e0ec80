import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/stores/postgres/postgres.ts'
import { openDatabase } from '../../src/stores/sqlite/database.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { own } from '../support/own.ts'
import { ownDatabases, withPostgres } from '../support/postgres.ts'
import { tree } from '../support/tree.ts'
import { exchange } from './conversations.contract.ts'

const ID = 'a'.repeat(32)
const record = (seq: number) => ({ seq, at: '2026-11-21T12:00:00.000Z', data: '{}' })

/** Of the process that is late: it shows no sign of life. The next one lives, with what there is by default. */
const lease = { lastsMs: 200, renewedMs: 3_600_000 }

const at = own(tree({ 'here/': '' }))
const database = ownDatabases()

/** Does something with the session as soon as it can be had. */
async function taken(store: Store, work: () => Promise<void>): Promise<void> {
  for (let isTaken = false; !isTaken; await sleep(20)) {
    const begun = async () => {
      isTaken = true
      await work()
    }
    await store.runs.exclusively(ID, begun).catch((error) => {
      if (isTaken || error.code !== 'conflict') throw error
    })
  }
}

/** Whoever lost its session writes nothing more of it, though the log is as it knows it. */
async function isFenced(late: Store, next: Store): Promise<void> {
  await late.runs.add({ id: ID, question: 'What?', settings: '{}' })
  await late.runs.exclusively(ID, async () => {
    await late.runs.append(ID, 0, [record(1)], 'running')
    await taken(next, async () => {
      await expect(late.runs.append(ID, 1, [record(2)])).rejects.toMatchObject({ code: 'conflict' })
      await next.runs.append(ID, 1, [record(2)], 'running')
    })
    await expect(late.runs.append(ID, 2, [record(3)])).rejects.toMatchObject({ code: 'conflict' })
    await next.runs.update(ID, { wanted: 'run', status: 'queued' })
    await expect(late.runs.update(ID, { wanted: '' })).rejects.toMatchObject({ code: 'conflict' })
  })
  expect(await next.runs.get(ID)).toMatchObject({ wanted: 'run', status: 'queued' })
  expect((await next.runs.records(ID, 0, 10)).map(({ seq }) => seq)).toEqual([1, 2])
  await late.close()
  await next.close()
}

/** Whoever stood still while another began to answer writes nothing more of its own answer. */
async function isFencedAnswer(late: Store, next: Store): Promise<void> {
  await late.conversations.begin({ id: ID, title: 'What?', place: '.', model: 'm' })
  const put = (store: Store, id: string) => store.conversations.put(ID, 0, exchange(id))
  await late.conversations.exclusively(ID, async () => {
    await put(late, 'late')
    await expect.poll(() => next.conversations.findAnswer(ID)).toBeUndefined()
    // Nor may this process begin another one, which would have to be told from it.
    await expect(late.conversations.exclusively(ID, async () => 'never')).rejects.toMatchObject({ code: 'conflict' })
    await next.conversations.exclusively(ID, async () => {
      await put(next, 'next')
      await expect(put(late, 'late')).rejects.toMatchObject({ code: 'conflict' })
      // What is said is said to the new one.
      const giver = (await late.conversations.findAnswer(ID)) ?? ''
      await late.conversations.sendCommand(ID, giver, 'stop')
      await expect(late.conversations.receiveCommands(ID)).rejects.toMatchObject({ code: 'conflict' })
      expect(await next.conversations.receiveCommands(ID)).toEqual(['stop'])
    })
    await expect(put(late, 'late')).rejects.toMatchObject({ code: 'conflict' })
  })
  expect(await next.conversations.last(ID)).toMatchObject({ id: 'next' })
  await late.close()
  await next.close()
}

/** Another process takes over in the very moment in which the lease was taken. */
const TAKEOVER = `
  CREATE TRIGGER takeover AFTER INSERT ON leases BEGIN
    UPDATE leases SET holder = '{"id":"next","pid":1,"host":"elsewhere"}' WHERE name = new.name;
  END`

describe('an answer that was lost to another process', () => {
  it('is not begun, where it was lost before its first write, in SQLite', async () => {
    const store = openSqlite(at.at('begin.db'), { lease })
    await store.conversations.begin({ id: ID, title: 'What?', place: '.', model: 'm' })
    const other = openDatabase(at.at('begin.db'))
    other.exec(TAKEOVER)
    other.close()
    let isBegun = false
    const begin = async () => {
      isBegun = true
    }
    await expect(store.conversations.exclusively(ID, begin)).rejects.toMatchObject({ code: 'conflict' })
    expect(isBegun).toBe(false)
    await store.close()
  })
})

it('who lives keeps what it has, though others write as it says so', async () => {
  const times = { lastsMs: 6_000, renewedMs: 2_000 }
  const [store, other] = [openSqlite(at.at('busy.db'), { lease: times }), openSqlite(at.at('busy.db'))]
  const writer = openDatabase(at.at('busy.db'))
  await store.conversations.exclusively(ID, async () => {
    await sleep(1_800)
    writer.exec('BEGIN IMMEDIATE')
    await sleep(450)
    writer.exec('COMMIT')
    await sleep(5_000)
    expect(await other.conversations.findAnswer(ID)).toBeDefined()
  })
  writer.close()
  await store.close()
  await other.close()
})

describe.each([
  ['an answer', isFencedAnswer],
  ['a session', isFenced],
] as const)('%s that was lost to another process is not written any more', (name, isFenced) => {
  it('in SQLite', async () => {
    const path = at.at(`${name}.db`)
    await isFenced(openSqlite(path, { lease }), openSqlite(path))
  })

  withPostgres('in PostgreSQL', () => {
    it('of which each process has its own connections', async () => {
      const url = await database()
      await isFenced(await openPostgres(url, { runs: lease }), await openPostgres(url))
    })
  })
})
