import { setTimeout as sleep } from 'node:timers/promises'
import { Team } from '../../test/stores/jobs/team.ts'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import { type Account, addToAccount, checkContent } from './kills.ts'
import { Child, type Part, type Proving } from './proving.ts'
import { expectSame, newSession, type RunResult, runUndisturbed } from './research.ts'
import { prepareStore } from './writes.ts'

/** Number of kills. */
const KILLS = { ci: 2, quick: 10, full: 250 }

/** Kills of one server: the first half while a writer writes, the others while servers have runs of research. */
const KILLS_EACH = 10

export const postgres: Part = {
  name: 'postgres',
  claim:
    'PostgreSQL is killed while it is written to and while workers have runs of research, and connections are cut while research runs: nothing that was acknowledged is lost, nothing is done twice, and each run comes to the report of an undisturbed one',
  lacks: lacksPostgres,
  async prove(proving) {
    const expected = await runUndisturbed()
    const testWith = (random: () => number) => ({ random, proving, expected })
    const servers = Math.ceil(proving.amount(KILLS) / KILLS_EACH)
    await proving.rounds('servers', servers, (random) => killServer(testWith(random)))
    await proving.rounds('runs of research', proving.amount({ ci: 1, quick: 5, full: 50 }), (random) =>
      cutConnections(testWith(random)),
    )
  },
}

interface KillTest {
  readonly random: () => number
  readonly proving: Proving
  readonly expected: RunResult
}

async function killServer(test: KillTest): Promise<void> {
  await using server = await OwnPostgres.start()
  const kills = Math.min(KILLS_EACH, test.proving.amount(KILLS))
  await killUnderWriters(server, Math.ceil(kills / 2), test)
  await killUnderRuns(server, Math.floor(kills / 2), test)
}

async function killUnderWriters(server: OwnPostgres, kills: number, { random, proving }: KillTest): Promise<void> {
  using files = tree({})
  const where = { db: await server.database(), files: files.at('docs') }
  const account: Account = { acknowledged: [], next: 0 }
  await prepareStore(where)
  for (let kill = 0; kill < kills; kill++) {
    const writer = new Child('writer', where, account.next, 1_000_000)
    await writer.said(2 + Math.floor(random() * 20))
    await sleep(random() * 500)
    server.kill()
    // The writer gets an error and ends. A writer that waits is killed.
    const lines = await Promise.race([writer.ended(), sleep(10_000).then(() => writer.killed())])
    addToAccount(account, lines, proving)
    const end = lines.at(-1) ?? ''
    if (!/^(failed unavailable|begun \d+|kept \d+)$/.test(end)) proving.lose(`A writer ended with ${end}`)
    proving.add('postmasters killed')
    await server.startAgain()
    await checkContent(where, account, proving)
  }
}

/** Kills the database while servers run research. The servers stay alive. */
async function killUnderRuns(
  server: OwnPostgres,
  kills: number,
  { random, proving, expected }: KillTest,
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
  await runs.finish()
}

async function cutConnections({ random, proving, expected }: KillTest): Promise<void> {
  await using server = await OwnPostgres.start()
  const db = await server.database()
  const id = await newSession(db)
  for (let isDone = false, times = 0; !isDone; times++) {
    const worker = new Child('researcher', { db, session: id })
    let isOver = false
    const cutting = (async () => {
      // Every second worker makes progress: a run is rightly quarantined after five workers in a row without progress.
      await worker.said(times % 2 === 0 ? 1 : 4)
      // After some workers, connections are no longer cut, so that the run ends.
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
    if (times > 200) throw new Error('The run does not end')
  }
  await expectSame({ db, id }, expected, proving)
}

/** Maximum number of events of a run between two disturbances of its database. */
const MOST_EVENTS_APART = 20

/** Maximum milliseconds of a run. */
const RUN_TIMEOUT_MS = 180_000

interface ActiveRun {
  readonly id: string
  readonly heard: { readonly types: readonly string[] }
  readonly done: Promise<void>
}

/** An API process and a worker that execute one run after the other. */
class DisturbedRuns implements AsyncDisposable {
  readonly #proving: Proving
  readonly #expected: RunResult
  readonly #files: Tree
  readonly #db: string
  readonly #team: Team
  #run: ActiveRun | undefined

  private constructor(test: { proving: Proving; expected: RunResult; files: Tree; db: string; team: Team }) {
    this.#proving = test.proving
    this.#expected = test.expected
    this.#files = test.files
    this.#db = test.db
    this.#team = test.team
  }

  static async on(server: OwnPostgres, proving: Proving, expected: RunResult): Promise<DisturbedRuns> {
    const [db, files] = [await server.database(), tree({})]
    const team = await Team.of(1, 1, { cwd: files.base, database: db, heartbeat: 'default' })
    return new DisturbedRuns({ proving, expected, files, db, team })
  }

  /** Waits for a random moment within a run. */
  async within(random: () => number): Promise<void> {
    for (;;) {
      this.#run ??= await this.#start()
      const { types } = this.#run.heard
      const next = types.length + 1 + Math.floor(random() * MOST_EVENTS_APART)
      for (const until = Date.now() + RUN_TIMEOUT_MS; types.length < next && !isOver(types) && Date.now() < until; )
        await sleep(5)
      await sleep(random() * 40)
      if (types.length >= next && !isOver(types)) return
      await this.finish()
    }
  }

  /** Waits for the end of the current run, and compares it with an undisturbed run. */
  async finish(): Promise<void> {
    if (!this.#run) return
    const { id, done, heard } = this.#run
    this.#run = undefined
    await Promise.race([done, sleep(RUN_TIMEOUT_MS, undefined, { ref: false })])
    if (isOver(heard.types)) await expectSame({ db: this.#db, id }, this.#expected, this.#proving)
    else this.#proving.lose(`A run has not ended: ${JSON.stringify(await this.#team.ask(`/api/sessions/${id}`))}`)
  }

  async #start(): Promise<ActiveRun> {
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
