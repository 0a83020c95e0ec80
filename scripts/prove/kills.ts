import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { tree } from '../../test/support/tree.ts'
import { Child, type Part, type Proving } from './proving.ts'
import {
  engineAt,
  indexProblemsIn,
  prepare,
  prepareStore,
  problemsIn,
  readWrites,
  type StoreLocation,
  write,
} from './writes.ts'

/** Number of kills. */
const KILLS = { ci: 10, quick: 200, full: 5000 }

/** Number of kills for each database. */
const KILLS_EACH = 25

/** Maximum milliseconds that a writer lives after its first write. */
const MOST_MS = 250

export const kills: Part = {
  name: 'kills',
  claim: 'a writer on SQLite is killed at any moment: no acknowledged write is lost, and nothing is damaged',
  async prove(proving) {
    const count = Math.ceil(proving.amount(KILLS) / KILLS_EACH)
    await proving.rounds('databases', count, (random) => oneDatabase(proving, random))
  },
}

/** The acknowledged writes of a database, and the number of the next write. */
export interface Account {
  readonly acknowledged: number[]
  next: number
}

async function oneDatabase(proving: Proving, random: () => number): Promise<void> {
  using files = tree({})
  const where = { db: files.at('ambit.db'), files: files.at('docs') }
  const account: Account = { acknowledged: [], next: 0 }
  await prepareStore(where)
  for (let kill = 0; kill < Math.min(KILLS_EACH, proving.amount(KILLS)); kill++) {
    const writer = new Child('writer', where, account.next, 1_000_000)
    // Some writers are killed while they open the database.
    if (random() < 0.9) await writer.said(1 + Math.floor(random() * 8))
    await sleep(random() * MOST_MS)
    addToAccount(account, await writer.killed(), proving)
    proving.add('kills')
    if (!isIntact(where.db, proving)) return
    await checkContent(where, account, proving)
  }
  await expectLikeFresh(where, account, proving)
}

/** Adds the lines of a writer to the account. */
export function addToAccount(account: Account, lines: readonly string[], proving: Proving): void {
  const numbers = (word: string) =>
    lines.filter((line) => line.startsWith(word)).map((line) => Number(line.split(' ')[1]))
  const [begun, kept] = [numbers('begun'), numbers('kept')]
  account.acknowledged.push(...kept)
  account.next = Math.max(account.next, ...begun.map((number) => number + 1))
  proving.add('writes acknowledged', kept.length)
  if (begun.length > kept.length) proving.add('killed within a write')
}

/** Whether SQLite's own checks find the file intact. */
export function isIntact(db: string, proving: Proving): boolean {
  const connection = new Database(db)
  try {
    const integrity = connection.pragma('integrity_check', { simple: true })
    const keys = connection.pragma('foreign_key_check')
    proving.add('integrity checks')
    return proving.same('integrity_check', [integrity, keys], ['ok', []])
  } finally {
    connection.close()
  }
}

/** Checks that every acknowledged write is stored, and that the product's own check finds no problem. */
export async function checkContent(
  where: StoreLocation,
  { acknowledged, next }: Account,
  proving: Proving,
): Promise<void> {
  const engine = engineAt(where)
  try {
    const { port } = await engine.library()
    proving.same('the product’s own check', await port.check(), [])
    const stored = await readWrites(port)
    const wrong = [...problemsIn(stored, acknowledged, next), ...(await indexProblemsIn(engine, stored))]
    for (const sentence of wrong) proving.lose(sentence)
  } finally {
    await engine.close()
  }
}

/** Checks that indexing again makes the database equal to a fresh one. */
export async function expectLikeFresh(where: StoreLocation, account: Account, proving: Proving): Promise<void> {
  const [old, fresh] = [engineAt(where), engineAt({ db: ':memory:' })]
  try {
    await prepare(fresh, where)
    for (const engine of [old, fresh]) await (await engine.library()).collections.index()
    const texts = await Promise.all(
      [old, fresh].map(async (engine) => (await readWrites((await engine.library()).port)).document),
    )
    proving.same('documents after one more index', texts[0], texts[1])
    for (const query of ['lion', 'berth3', '"lion w*"', 'ber*']) {
      const answers = await Promise.all(
        [old, fresh].map(async (engine) => {
          const { results } = await (await engine.library()).search({ query, limit: 100 })
          return results.map(({ path, score }) => [path, score])
        }),
      )
      proving.same(`the answer to ${query}`, answers[0], answers[1])
    }
    await write(old, where, account.next)
  } finally {
    await Promise.all([old.close(), fresh.close()])
  }
  if (existsSync(where.db)) rmSync(where.db)
}
