import { setTimeout as sleep } from 'node:timers/promises'
import { Team } from '../../test/stores/jobs/team.ts'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import { type Account, checked, noted } from './kills.ts'
import { Child, type Part, type Proving } from './proving.ts'
import { type Ended, expectSame, newSession, undisturbed } from './research.ts'
import { prepared } from './writes.ts'

/** Kills in all. */
const KILLS = { ci: 2, quick: 10, full: 250 }

/** Kills of one server: the first half while a writer writes, the others while servers have runs of research. */
const KILLS_EACH = 10

export const postgres: Part = {
  name: 'postgres',
  claim:
    'PostgreSQL is killed while it is written to and while workers have runs of research, and connections are cut while research runs: nothing that was acknowledged is lost, nothing is done twice, and each run comes to the report of an undisturbed one',
  lacks: lacksPostgres,
  async prove(proving) {
    const expected = await undisturbed()
    const given = (random: () => number) => ({ random, proving, expected })
    const servers = Math.ceil(proving.of(KILLS) / KILLS_EACH)
    await proving.rounds('servers', servers, (random) => killedOften(given(random)))
    await proving.rounds('runs of research', proving.of({ ci: 1, quick: 5, full: 50 }), (random) =>
      cutOften(given(random)),
    )
  },
}

interface Given {
  readonly random: () => number
  readonly proving: Proving
  readonly expected: Ended
}

async function killedOften(given: Given): Promise<void> {
  await using server = await OwnPostgres.start()
  const kills = Math.min(KILLS_EACH, given.proving.of(KILLS))
  await killedUnderWriters(server, Math.ceil(kills / 2), given)
  await killedUnderRuns(server, Math.floor(kills / 2), given)
}

async function killedUnderWriters(server: OwnPostgres, kills: number, { random, proving }: Given): Promise<void> {
  using files = tree({})
  const where = { db: await server.database(), files: files.at('docs') }
  const account: Account = { acknowledged: [], next: 0 }
  await prepared(where)
  for (let kill = 0; kill < kills; kill++) {
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

/** The servers live, and see it come back. */
async function killedUnderRuns(
  server: OwnPostgres,
  kills: number,
  { random, proving, expected }: Given,
): Promise<void> {
  await using runs = await DisturbedRuns.on(server, proving, expected)
  for (let kill = 0; kill < kills; kill++) {
    await runs.within(random)
    server.kill()
    proving.add('postmasters killed')
    proving.add('of them within a run')
    await sleep(random() * 2_000)
    await server.startAgain()
  }
  await runs.ended()
}

async function cutOften({ random, proving, expected }: Given): Promise<void> {
  await using server = await OwnPostgres.start()
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

/** Maximum number of events of a run between two disturbances of its database. */
const APART = 20

/** Beyond which a run comes to nothing any more. Milliseconds. */
const NEVER = 180_000

interface Under {
  readonly id: string
  readonly heard: { readonly types: readonly string[] }
  readonly done: Promise<void>
}

/** An API process and a worker, which have one run after the other. */
class DisturbedRuns implements AsyncDisposable {
  readonly #proving: Proving
  readonly #expected: Ended
  readonly #files: Tree
  readonly #db: string
  readonly #team: Team
  #run: Under | undefined

  private constructor(given: { proving: Proving; expected: Ended; files: Tree; db: string; team: Team }) {
    this.#proving = given.proving
    this.#expected = given.expected
    this.#files = given.files
    this.#db = given.db
    this.#team = given.team
  }

  static async on(server: OwnPostgres, proving: Proving, expected: Ended): Promise<DisturbedRuns> {
    const [db, files] = [await server.database(), tree({})]
    const team = await Team.of(1, 1, { cwd: files.base, database: db, heartbeat: 'default' })
    return new DisturbedRuns({ proving, expected, files, db, team })
  }

  /** Waits for some moment within a run. */
  async within(random: () => number): Promise<void> {
    for (;;) {
      this.#run ??= await this.#begun()
      const { types } = this.#run.heard
      const next = types.length + 1 + Math.floor(random() * APART)
      for (const until = Date.now() + NEVER; types.length < next && !isOver(types) && Date.now() < until; )
        await sleep(5)
      await sleep(random() * 40)
      if (types.length >= next && !isOver(types)) return
      await this.ended()
    }
  }

  /** What was begun comes to the end of one that nobody disturbed. */
  async ended(): Promise<void> {
    if (!this.#run) return
    const { id, done, heard } = this.#run
    this.#run = undefined
    await Promise.race([done, sleep(NEVER, undefined, { ref: false })])
    if (isOver(heard.types)) await expectSame({ db: this.#db, id }, this.#expected, this.#proving)
    else
      this.#proving.lose(
        `A run has not come to its end: ${JSON.stringify(await this.#team.ask(`/api/sessions/${id}`))}`,
      )
  }

  async #begun(): Promise<Under> {
    const id = await newSession(this.#db)
    const { heard, done } = this.#team.follow(id)
    await this.#team.post(`/api/sessions/${id}/start`)
    return { id, heard, done }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#team[Symbol.asyncDispose]()
    this.#files[Symbol.dispose]()
  }
}

function isOver(types: readonly string[]): boolean {
  return types.at(-1) === 'run_completed'
}
