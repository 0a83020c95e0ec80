import { availableParallelism, hostname, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { RunStore } from '../../src/stores/run-store.ts'
import type { Served } from '../../test/reliability/served.ts'
import { Team, type TeamOptions } from '../../test/stores/jobs/team.ts'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { tree } from '../../test/support/tree.ts'
import { type Part, type Proving, percentile } from './proving.ts'
import { expectSame, newSession, type RunResult, runUndisturbed } from './research.ts'
import { engineAt } from './writes.ts'

/** Number of kills of workers with a short heartbeat: in total, and for each database. */
const KILLS = { ci: 2, quick: 20, full: 100 }
const KILLS_EACH = 10

/** The short heartbeat in seconds. Longer than the minimum, so that a slow worker on a busy machine keeps its run. */
const SHORT = 3

/** Number of kills with the default heartbeat: in total, and at the same time, because they mostly wait. */
const DEFAULTS = { ci: 0, quick: 3, full: 10 }
const AT_ONCE = 5

/** The promised maximum milliseconds. */
const LIMITS_MS = { noticed: 30_000, resumed: 5_000 }

/** Maximum milliseconds to wait for a state. */
const WAIT_MS = 300_000

/** Maximum number of events between two kills of a run. */
const MOST_EVENTS_APART = 20

/** Gives a process a host name of its own, as if it were alone on its machine. */
const OWN_HOST = `--import=${pathToFileURL(join(import.meta.dirname, 'children', 'own-host.ts'))}`

export const workers: Part = {
  name: 'workers',
  isMeasured: true,
  claim:
    'a worker that has a run of research is killed, and was alone on its machine: another one notices within 30 seconds and goes on within 5 more, to the report of an undisturbed run, with each effect once and no event missing',
  lacks: lacksPostgres,
  async prove(proving) {
    await using server = await OwnPostgres.start()
    const setup = { server, proving, expected: await runUndisturbed() }
    const kills = Math.min(KILLS_EACH, proving.amount(KILLS))
    const short = new Times(proving, '')
    await proving.rounds('databases', Math.ceil(proving.amount(KILLS) / kills), (random) =>
      withTeam({ ...setup, heartbeat: SHORT, times: short, atOnce: 1 }, async (test) => {
        for (let done = 0; done < kills; ) done += await disturbRun({ ...test, random }, kills - done)
      }),
    )
    const cycles = proving.amount(DEFAULTS)
    if (cycles === 0) return
    const atOnce = Math.min(AT_ONCE, cycles)
    const times = new Times(proving, 'by default: ')
    await proving.rounds('databases by default', Math.ceil(cycles / atOnce), (_, round) =>
      withTeam({ ...setup, heartbeat: 'default', times, atOnce }, async (test) => {
        const cycle = async (at: number) => {
          const random = proving.random(`by default ${round} ${at}`)
          while ((await disturbRun({ ...test, random }, 1)) === 0);
        }
        await Promise.all(Array.from({ length: atOnce }, (_, at) => cycle(at)))
      }),
    )
  },
}

/** The measured milliseconds. Medians are those of this process. */
class Times {
  readonly #proving: Proving
  readonly #prefix: string
  readonly #all = { noticed: [] as number[], resumed: [] as number[] }

  constructor(proving: Proving, prefix: string) {
    this.#proving = proving
    this.#prefix = prefix
  }

  /** `noticed`: milliseconds after the kill; `resumed`: milliseconds after `noticed`. */
  add(taken: Readonly<Record<'noticed' | 'resumed', number>>): void {
    const load = Math.round((loadavg()[0] ?? 0) / availableParallelism())
    this.#proving.add(`${this.#prefix}kills`)
    this.#proving.most('most processes for each core', load)
    for (const what of ['noticed', 'resumed'] as const) {
      const ms = Math.round(taken[what])
      this.#all[what].push(ms)
      this.#proving.note(`${this.#prefix}p50 ms until ${what}`, percentile(this.#all[what], 50))
      this.#proving.most(`${this.#prefix}most ms until ${what}`, ms)
      if (ms <= LIMITS_MS[what] || this.#proving.isShared) continue
      this.#proving.lose(`${this.#prefix}${what} after ${ms} ms, with ${load} processes for each core`)
    }
  }
}

interface TestSetup {
  readonly server: OwnPostgres
  readonly proving: Proving
  readonly expected: RunResult
  readonly times: Times
}

interface TestTeam extends TestSetup {
  readonly db: string
  readonly team: Team
  readonly runs: RunStates
}

interface TeamTest extends TestSetup, Required<Pick<TeamOptions, 'heartbeat'>> {
  /** Number of runs at once. Each has its own worker, and one more worker waits. */
  readonly atOnce: number
}

/** Starts an API process and workers on a new database. */
async function withTeam(
  { heartbeat, atOnce, ...setup }: TeamTest,
  work: (test: TestTeam) => Promise<void>,
): Promise<void> {
  using files = tree({})
  const db = await setup.server.database()
  const options = { cwd: files.base, database: db, heartbeat, jobs: 1, env: { NODE_OPTIONS: OWN_HOST } }
  await using team = await Team.of(1, atOnce + 1, options)
  await using runs = await RunStates.in(db)
  await work({ ...setup, db, team, runs })
}

interface DisturbedTeam extends TestTeam {
  readonly random: () => number
}

/** Starts a run, and kills its workers at most `most` times. Returns the number of kills. */
async function disturbRun(test: DisturbedTeam, most: number): Promise<number> {
  const { db, team, runs } = test
  const id = await newSession(db)
  await team.post(`/api/sessions/${id}/start`)
  let kills = 0
  while (kills < most && (await killHolder(test, id))) kills++
  await awaitState(runs, id, ({ isOver }) => isOver)
  await expectSame({ db, id }, test.expected, test.proving)
  return kills
}

/** Kills the worker of a run at a random moment. Returns whether another worker took the run. */
async function killHolder({ team, runs, random, times }: DisturbedTeam, id: string): Promise<boolean> {
  const { last } = await runs.look(id)
  const next = last + 1 + Math.floor(random() * MOST_EVENTS_APART)
  await awaitState(runs, id, (now) => now.isOver || now.last >= next)
  await sleep(random() * 40)
  const before = await awaitState(runs, id, ({ isOver, holder }) => isOver || holder !== undefined)
  const worker = holderAmong(team, before)
  if (!worker) return false
  await team.kill(worker)
  const at = performance.now()
  const added = team.add('worker')
  const after = await runs.look(id)
  // A worker that is killed between its last event and the release of its lease leaves a lease that nobody takes.
  const { holder } = await awaitState(runs, id, (now) => now.isOver || now.holder?.id !== before.holder?.id)
  const isTaken = !after.isOver && holder?.id !== before.holder?.id
  const noticed = performance.now() - at
  await waitUntil(async () => !isTaken || (await runs.typesAfter(id, after.last)).includes('run_resumed'))
  if (isTaken) times.add({ noticed, resumed: performance.now() - at - noticed })
  await added
  return isTaken
}

/** The worker that has the run, unless the run is over. */
function holderAmong({ workers }: Team, { isOver, holder }: RunState): Served | undefined {
  if (isOver || !holder) return undefined
  if (holder.host === hostname()) throw new Error('A worker has the host name of this machine.')
  return workers.find(({ child }) => child.pid === holder.pid)
}

/** Waits until a run is in a state, and returns the state. */
async function awaitState(runs: RunStates, id: string, isWanted: (now: RunState) => boolean): Promise<RunState> {
  let now = await runs.look(id)
  await waitUntil(async () => {
    now = await runs.look(id)
    return isWanted(now)
  })
  return now
}

async function waitUntil(isWanted: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + WAIT_MS; !(await isWanted()); await sleep(5)) {
    if (Date.now() > until) throw new Error(`The condition did not hold within ${WAIT_MS} ms: ${isWanted}`)
  }
}

/** Reads from the database which process has a run of research. */

const LOOK = `
  SELECT s.status, l.holder, (SELECT coalesce(max(e.seq), 0)::int FROM ambit.research_events e WHERE e.session = s.id) AS last
  FROM ambit.research_sessions s
  LEFT JOIN ambit.leases l ON l.name = 'research ' || s.id
  WHERE s.id = $1`

/** The state of a run at one moment. */
interface RunState {
  readonly isOver: boolean
  /** The number of the last event. */
  readonly last: number
  /** The process that has the lease of the run, and its host name. `id` is that of the lease. */
  readonly holder: { readonly id: string; readonly pid: number; readonly host: string } | undefined
}

class RunStates implements AsyncDisposable {
  readonly #pool: pg.Pool
  readonly #engine: ReturnType<typeof engineAt>
  readonly #runs: RunStore

  private constructor(pool: pg.Pool, engine: ReturnType<typeof engineAt>, runs: RunStore) {
    this.#pool = pool
    this.#engine = engine
    this.#runs = runs
  }

  static async in(db: string): Promise<RunStates> {
    const engine = engineAt({ db })
    const { port } = await engine.library()
    return new RunStates(new pg.Pool({ connectionString: db }), engine, port.runs)
  }

  async look(id: string): Promise<RunState> {
    const { status, holder, last } = (await this.#pool.query(LOOK, [id])).rows[0]
    return {
      isOver: status === 'completed',
      last,
      holder: holder === null ? undefined : JSON.parse(holder),
    }
  }

  /** The types of the events after the event number `last`. */
  async typesAfter(id: string, last: number): Promise<string[]> {
    return (await this.#runs.records(id, last, 100)).map(({ data }) => String(JSON.parse(data).type))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#pool.end(), this.#engine.close()])
  }
}
