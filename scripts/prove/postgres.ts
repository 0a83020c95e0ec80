import { setTimeout as sleep } from 'node:timers/promises'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { tree } from '../../test/support/tree.ts'
import { type Account, checked, noted } from './kills.ts'
import { Child } from './processes.ts'
import type { Part, Proving } from './proving.ts'
import { expectSame, newSession, undisturbed } from './research.ts'
import { prepared } from './writes.ts'

/** Kills in all. */
const KILLS = { ci: 2, quick: 10, full: 250 }

/** Kills of one database. */
const KILLS_EACH = 10

export const postgres: Part = {
  name: 'postgres',
  claim:
    'PostgreSQL is killed while it is written to, and connections are cut while research runs: nothing that was acknowledged is lost, nothing is done twice',
  lacks: lacksPostgres,
  async prove(proving) {
    const kills = Math.ceil(proving.of(KILLS) / KILLS_EACH)
    await proving.rounds('databases', kills, (random) => killedOften(random, proving))
    await proving.rounds('runs of research', proving.of({ ci: 1, quick: 5, full: 50 }), (random) =>
      cutOften(random, proving),
    )
  },
}

async function killedOften(random: () => number, proving: Proving): Promise<void> {
  using files = tree({})
  await using server = await OwnPostgres.start()
  const where = { db: await server.database(), files: files.at('docs') }
  const account: Account = { acknowledged: [], next: 0 }
  await prepared(where)
  for (let kill = 0; kill < Math.min(KILLS_EACH, proving.of(KILLS)); kill++) {
    const writer = new Child('writer', where, account.next, 1_000_000)
    await writer.said(2 + Math.floor(random() * 20))
    await sleep(random() * 500)
    server.kill()
    // It is told that the database is gone, and ends; where it waits, it is killed, too.
    const lines = await Promise.race([writer.ended(), sleep(10_000).then(() => writer.killed())])
    noted(account, lines, proving)
    const end = lines.at(-1) ?? ''
    if (!/^(failed unavailable|begun \d+|kept \d+)$/.test(end)) proving.lose(`A writer ended with ${end}`)
    proving.add('postmasters killed')
    await server.startAgain()
    await checked(where, account, proving)
  }
}

async function cutOften(random: () => number, proving: Proving): Promise<void> {
  await using server = await OwnPostgres.start()
  const expected = await undisturbed()
  const db = await server.database()
  const id = await newSession(db)
  for (let isDone = false, times = 0; !isDone; times++) {
    const worker = new Child('researcher', { db, session: id })
    let isOver = false
    const cutting = (async () => {
      // Every second one gets to something: a run of which five in a row do nothing is put aside, and rightly so.
      await worker.said(times % 2 === 0 ? 1 : 4)
      // After some times it is left alone, so that there is an end.
      while (!isOver && times < 20) {
        await sleep(random() * 60)
        proving.add('connections cut', await server.cut(db))
      }
    })()
    const last = (await worker.ended()).at(-1) ?? ''
    isOver = true
    await cutting
    isDone = last === 'completed'
    if (/^failed (unavailable|conflict|failed|running)$/.test(last)) proving.add('times that a worker gave up')
    else if (!isDone) throw new Error(`A worker ended with ${last}`)
    if (times > 200) throw new Error('It does not come to an end')
  }
  await expectSame({ db, id }, expected, proving)
}
