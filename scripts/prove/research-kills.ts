import { setTimeout as sleep } from 'node:timers/promises'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { tree } from '../../test/support/tree.ts'
import { Child, type Part, type Proving } from './proving.ts'
import { type Ended, expectSame, newSession, undisturbed } from './research.ts'

/** Kills of one round; the run goes to its end after them, and another one is begun where it ended before. */
const KILLS_EACH = 20

export const researchKills: Part = {
  name: 'research-kills',
  claim:
    'a worker is killed at any moment of a run of research: the report is that of an undisturbed run, each effect is kept once, no event is missing',
  async prove(proving) {
    const each = proving.of({ ci: 5, quick: KILLS_EACH, full: KILLS_EACH })
    const count = Math.ceil(proving.of({ ci: 10, quick: 200, full: 2000 }) / each)
    const reason = lacksPostgres()
    proving.note('stores', reason === undefined ? 'SQLite, PostgreSQL' : `SQLite; ${reason}`)
    const expected = await undisturbed()
    const onSqlite = reason === undefined ? Math.ceil(count / 2) : count
    await proving.rounds('rounds on SQLite', onSqlite, async (random) => {
      using files = tree({})
      await killed(async () => files.at(`${Math.floor(random() * 1e9)}.db`), { random, expected, each, proving })
    })
    if (reason !== undefined) return
    await using server = await OwnPostgres.start()
    await proving.rounds('rounds on PostgreSQL', Math.floor(count / 2), (random) =>
      killed(() => server.database(), { random, expected, each, proving }),
    )
  },
}

interface Killing {
  readonly random: () => number
  readonly expected: Ended
  /** Kills. */
  readonly each: number
  readonly proving: Proving
}

/** Runs of research, one after the other, until so many workers were killed. */
async function killed(place: () => Promise<string>, { random, expected, each, proving }: Killing): Promise<void> {
  for (let kills = 0; kills < each; ) {
    const db = await place()
    const id = await newSession(db)
    for (let isDone = false; !isDone; ) {
      const worker = new Child('researcher', { db, session: id })
      if (kills < each) {
        await worker.said(Math.floor(random() * 14))
        await sleep(random() * 40)
        worker.process.kill('SIGKILL')
      }
      const lines = await worker.ended()
      const last = lines.at(-1) ?? ''
      isDone = last === 'completed'
      if (worker.process.signalCode === 'SIGKILL') {
        kills++
        proving.add('kills')
      } else if (last === 'failed conflict') await sleep(200)
      else if (!isDone) throw new Error(`A worker ended with ${lines.slice(-3)}`)
    }
    await expectSame({ db, id }, expected, proving)
  }
}
