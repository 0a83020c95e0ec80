/** The right to do something: how long it lasts, who may take it over, and what its holder is told. */

import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { LeaseTimes } from '../../src/stores/statements/lease.ts'
import type { Store } from '../../src/stores/store.ts'
import { endedAfterEach, own } from '../support/own.ts'
import { tree } from '../support/tree.ts'

const ID = 'a'.repeat(32)
const OTHER = 'b'.repeat(32)

const at = own(tree({}))
const keep = endedAfterEach()

let count = 0

/** A store, and its file as another process has it. */
function fresh(lease?: LeaseTimes) {
  const path = at.at(`${++count}.db`)
  return { path, store: keep(openSqlite(path, lease && { lease })), other: keep(new Database(path)) }
}

/** Everything that one process does at a time. */
const WORKS: readonly (readonly [string, <Value>(store: Store, work: () => Promise<Value>) => Promise<Value>])[] = [
  ['a collection', ({ index }, work) => index.of('docs').exclusively(0, work)],
  ['all of the index', ({ index }, work) => index.exclusively(0, work)],
  ['the vectors', ({ vectors }, work) => vectors.exclusively(0, work)],
  ['a session', ({ runs }, work) => runs.exclusively(ID, work)],
  ['a session that is counted', ({ runs }, work) => runs.exclusively(ID, work, { maximum: 1 })],
  ['an answer', ({ conversations }, work) => conversations.exclusively(ID, work)],
]

describe.each(WORKS)('the right to %s', (_, exclusively) => {
  it('is taken, though another process writes at that moment', async () => {
    const { store, other } = fresh()
    other.exec('BEGIN IMMEDIATE')
    setTimeout(() => other.exec('ROLLBACK'), 120)
    expect(await exclusively(store, async () => 'done')).toBe('done')
  })

  it('is refused at once where the database cannot keep it', { timeout: 3_000 }, async () => {
    const { store, other } = fresh()
    other.exec('DROP TABLE leases')
    await expect(exclusively(store, async () => 'never')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('The table leases is missing'),
    })
  })

  it('takes nothing away from work that is done, where it can be neither renewed nor given back', async () => {
    const { store, other } = fresh({ lastsMs: 60_000, renewedMs: 10 })
    const work = exclusively(store, async () => {
      other.exec('ALTER TABLE leases RENAME TO elsewhere')
      await sleep(60)
      return 'done'
    })
    expect(await work).toBe('done')
    other.exec('ALTER TABLE elsewhere RENAME TO leases')
    // Its row says that this process has it, which has ended what it did.
    expect(other.prepare('SELECT count(*) AS rows FROM leases').get()).toEqual({ rows: 1 })
    expect(await exclusively(store, async () => 'free at once')).toBe('free at once')
    expect(other.prepare('SELECT count(*) AS rows FROM leases').get()).toEqual({ rows: 0 })
  })
})

it('a right is kept for as long as its holder lives, which is longer than a sign of life lasts', async () => {
  const { path, store } = fresh({ lastsMs: 900, renewedMs: 100 })
  const other = keep(openSqlite(path))
  await store.conversations.exclusively(ID, async () => {
    await sleep(1_400)
    expect(await other.conversations.findAnswer(ID)).toBe(await store.conversations.findAnswer(ID))
    expect(await other.conversations.findAnswer(ID)).toBeDefined()
  })
})

it('a right that was lost is neither renewed nor given back', async () => {
  const { store, other } = fresh({ lastsMs: 60_000, renewedMs: 10 })
  await store.conversations.exclusively(ID, async () => {
    other.prepare('UPDATE leases SET holder = ?, expires = 1').run(holderOf({ host: 'elsewhere' }))
    await sleep(60)
    expect(other.prepare('SELECT expires FROM leases').get()).toEqual({ expires: 1 })
  })
  // Nor is it given back: it is that of another.
  expect(other.prepare('SELECT count(*) AS rows FROM leases').get()).toEqual({ rows: 1 })
})

/** What a row says of a process; of a living one on this machine, where nothing is said. */
function holderOf(more: { readonly pid?: number; readonly host?: string }): string {
  return JSON.stringify({ id: randomUUID(), pid: process.ppid, host: hostname(), ...more })
}

it('what was said to whoever lost its right is not heard by it', async () => {
  const { store, other } = fresh()
  await store.conversations.exclusively(ID, async () => {
    const giver = (await store.conversations.findAnswer(ID)) ?? ''
    await store.conversations.sendCommand(ID, giver, 'stop')
    other.prepare('UPDATE leases SET holder = ?').run(holderOf({}))
    await expect(store.conversations.receiveCommands(ID)).rejects.toMatchObject({ code: 'conflict' })
    expect(other.prepare('SELECT word FROM answer_words').all()).toEqual([{ word: 'stop' }])
  })
})

interface LeaseRow {
  readonly name: string
  readonly holder: string
  /** Milliseconds from now. */
  readonly lasts: number
}

function putHolder(db: Database.Database, { name, holder, lasts }: LeaseRow): void {
  db.prepare('INSERT OR REPLACE INTO leases VALUES (?, ?, ?)').run(name, holder, Date.now() + lasts)
}

const ended = spawnSync(process.execPath, ['-e', '0']).pid
const LATER = 60_000

/** Who is in the row, how long it lasts, and whether it is respected. */
const HOLDERS = [
  ['a process that lives', holderOf({}), LATER, true],
  ['a process that lives, and has shown no sign of it', holderOf({}), -1, false],
  ['a process that is no more', holderOf({ pid: ended }), LATER, false],
  ['this process, which does nothing of the kind', holderOf({ pid: process.pid }), LATER, false],
  ['a process of another machine', holderOf({ pid: ended, host: 'elsewhere' }), LATER, true],
  ['a process of another machine that shows no sign of life', holderOf({ host: 'elsewhere' }), -1, false],
] as const

describe.each(HOLDERS)('what is held by %s', (_, holder, lasts, isRespected) => {
  const put = (other: Database.Database, name: string) => putHolder(other, { name, holder, lasts })
  const taken = (work: Promise<string>) => work.catch(({ code }) => String(code))

  it(`is ${isRespected ? 'refused' : 'taken over'}`, async () => {
    const { store, other } = fresh()
    await store.runs.add({ id: ID, question: 'What?', settings: '{}' })
    for (const name of ['index docs', 'merge', `research ${ID}`, `answer ${ID} `]) put(other, name)
    const outcomes = [
      await taken(store.index.of('docs').exclusively(0, async () => 'taken')),
      await taken(store.index.exclusively(0, async () => 'taken')),
      await taken(store.runs.exclusively(ID, async () => 'taken')),
      await taken(store.runs.exclusively(ID, async () => 'taken', { maximum: 1 })),
      await taken(store.conversations.exclusively(ID, async () => 'taken')),
    ]
    expect(new Set(outcomes)).toEqual(new Set([isRespected ? 'conflict' : 'taken']))
  })

  it(`${isRespected ? 'is known and counted, and nothing is waited for' : 'is nobody who gives an answer or counts, and waits for another'}`, async () => {
    const { store, other } = fresh()
    for (const id of [ID, OTHER]) await store.runs.add({ id, question: 'What?', settings: '{}' })
    await store.runs.update(ID, { wanted: 'run' })
    for (const name of [`research ${ID}`, `answer ${ID} `]) put(other, name)
    expect(await store.conversations.findAnswer(ID)).toBe(isRespected ? JSON.parse(holder).id : undefined)
    expect(await store.jobs.open()).toMatchObject([{ key: ID, isHeld: isRespected }])
    const second = await taken(store.runs.exclusively(OTHER, async () => 'taken', { maximum: 1 }))
    expect(second).toBe(isRespected ? 'over-limit' : 'taken')
  })
})

interface Told {
  /** The name of the row. */
  readonly name: string
  /** What its holder does, in words. */
  readonly doing: string
  /** The command that does it again. */
  readonly again: string
  /** Runs `lose`, and then writes what its holder alone may write. */
  readonly work: (store: Store, lose: () => void) => Promise<unknown>
}

const TOLD: readonly Told[] = [
  {
    name: 'index docs',
    doing: 'indexing docs',
    again: 'index docs',
    work: ({ index }, lose) => {
      const docs = index.of('docs')
      return docs.exclusively(0, async () => {
        lose()
        await docs.apply({})
      })
    },
  },
  {
    name: 'merge',
    doing: 'merging the index',
    again: 'index',
    work: ({ index }, lose) =>
      index.exclusively(0, async () => {
        lose()
        await index.apply({})
      }),
  },
  {
    name: 'embed',
    doing: 'embedding',
    again: 'embed',
    work: ({ vectors }, lose) =>
      vectors.exclusively(0, async () => {
        lose()
        await vectors.put('a model', new Float32Array([1]), [])
      }),
  },
  {
    name: `research ${ID}`,
    doing: `working on research session ${ID}`,
    again: `research resume ${ID}`,
    work: ({ runs }, lose) =>
      runs.exclusively(ID, async () => {
        lose()
        await runs.update(ID, { status: 'running' })
      }),
  },
  {
    name: `answer ${ID} `,
    doing: `giving an answer in conversation ${ID}`,
    again: `chat --resume ${ID}`,
    work: ({ conversations }, lose) =>
      conversations.exclusively(ID, async () => {
        lose()
        await conversations.receiveCommands(ID)
      }),
  },
]

describe.each(TOLD)('whoever wants to be $doing', ({ name, doing, again, work }) => {
  it('is told who is', async () => {
    const { store, other } = fresh()
    const put = (holder: string) => putHolder(other, { name, holder, lasts: LATER })
    put(holderOf({}))
    const told = (by: string) => ({ code: 'conflict', message: `Another process is ${doing} (process ${by}).` })
    const never = () => expect.unreachable()
    await expect(work(store, never)).rejects.toMatchObject(told(`${process.ppid}`))
    put(holderOf({ host: 'elsewhere' }))
    await expect(work(store, never)).rejects.toMatchObject(told(`${process.ppid} on elsewhere`))
  })

  it('is told when another does it meanwhile, or did', async () => {
    const { store, other } = fresh()
    const hint = `Run "ambit ${again}" again: it does only what is missing.`
    const told = (now: string) => ({ code: 'conflict', message: `Another process has taken over, and ${now}.`, hint })
    const take = () => {
      other.prepare('UPDATE leases SET holder = ?, expires = 0').run(holderOf({}))
    }
    const end = () => {
      other.exec('DELETE FROM leases')
    }
    await expect(work(store, take)).rejects.toMatchObject(told(`is ${doing}`))
    const over = name === 'index docs' ? 'has ended, or docs was removed or renamed' : 'has ended'
    await expect(work(store, end)).rejects.toMatchObject(told(over))
  })
})
