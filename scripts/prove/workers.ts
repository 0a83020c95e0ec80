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
import { type Ended, expectSame, newSession, undisturbed } from './research.ts'
import { engineAt } from './writes.ts'

/** Kills of workers with a short heartbeat, in all and of one database. */
const KILLS = { ci: 2, quick: 20, full: 100 }
const KILLS_EACH = 10

/** Seconds. Not the least that may be: on two cores that others use, a worker that is only slow keeps its run. */
const SHORT = 3

/** Kills where no heartbeat is set, in all and at the same time: nearly all of it is waiting. */
const DEFAULTS = { ci: 0, quick: 3, full: 10 }
const AT_ONCE = 5

/** What is promised. Milliseconds. */
const MOST = { noticed: 30_000, resumed: 5_000 }

/** Beyond which nothing is waited for. Milliseconds. */
const NEVER = 300_000

/** A run is killed again within so many events. */
const APART = 20

/** A process that takes nobody's word for who lives on its machine: there is nobody but itself. */
const OWN_HOST = `--import=${pathToFileURL(join(import.meta.dirname, 'children', 'own-host.ts'))}`

export const workers: Part = {
  name: 'workers',
  isMeasured: true,
  claim:
    'a worker that has a run of research is killed, and was alone on its machine: another one notices within 30 seconds and goes on within 5 more, to the report of an undisturbed run, with each effect once and no event missing',
  lacks: lacksPostgres,
  async prove(proving) {
    await using server = await OwnPostgres.start()
    const over = { server, proving, expected: await undisturbed() }
    const kills = Math.min(KILLS_EACH, proving.of(KILLS))
    const short = new Times(proving, '')
    await proving.rounds('databases', Math.ceil(proving.of(KILLS) / kills), (random) =>
      among({ ...over, heartbeat: SHORT, times: short, atOnce: 1 }, async (lot) => {
        for (let done = 0; done < kills; ) done += await disturbed({ ...lot, random }, kills - done)
      }),
    )
    const cycles = proving.of(DEFAULTS)
    if (cycles === 0) return
    const atOnce = Math.min(AT_ONCE, cycles)
    const times = new Times(proving, 'by default: ')
    await proving.rounds('databases by default', Math.ceil(cycles / atOnce), (_, round) =>
      among({ ...over, heartbeat: 'default', times, atOnce }, async (lot) => {
        const cycle = async (at: number) => {
          const random = proving.random(`by default ${round} ${at}`)
          while ((await disturbed({ ...lot, random }, 1)) === 0);
        }
        await Promise.all(Array.from({ length: atOnce }, (_, at) => cycle(at)))
      }),
    )
  },
}

/** What was measured. Milliseconds; the middle is that of what this process has measured. */
class Times {
  readonly #proving: Proving
  readonly #of: string
  readonly #all = { noticed: [] as number[], resumed: [] as number[] }

  constructor(proving: Proving, of: string) {
    this.#proving = proving
    this.#of = of
  }

  /** `noticed`: after the kill; `resumed`: after that. */
  add(taken: Readonly<Record<'noticed' | 'resumed', number>>): void {
    const load = Math.round((loadavg()[0] ?? 0) / availableParallelism())
    this.#proving.add(`${this.#of}kills`)
    this.#proving.most('most processes for each core', load)
    for (const what of ['noticed', 'resumed'] as const) {
      const ms = Math.round(taken[what])
      this.#all[what].push(ms)
      this.#proving.note(`${this.#of}p50 ms until ${what}`, percentile(this.#all[what], 50))
      this.#proving.most(`${this.#of}most ms until ${what}`, ms)
      if (ms <= MOST[what] || this.#proving.isShared) continue
      this.#proving.lose(`${this.#of}${what} after ${ms} ms, with ${load} processes for each core`)
    }
  }
}

interface Over {
  readonly server: OwnPostgres
  readonly proving: Proving
  readonly expected: Ended
  readonly times: Times
}

interface Lot extends Over {
  readonly db: string
  readonly team: Team
  readonly runs: HeldRuns
}

interface Asked extends Over, Required<Pick<TeamOptions, 'heartbeat'>> {
  /** Runs, each of which has a worker for itself; one more waits. */
  readonly atOnce: number
}

/** An API process and workers, on a database of their own. */
async function among({ heartbeat, atOnce, ...over }: Asked, work: (lot: Lot) => Promise<void>): Promise<void> {
  using files = tree({})
  const db = await over.server.database()
  const told = { cwd: files.base, database: db, heartbeat, jobs: 1, env: { NODE_OPTIONS: OWN_HOST } }
  await using team = await Team.of(1, atOnce + 1, told)
  await using runs = await HeldRuns.in(db)
  await work({ ...over, db, team, runs })
}

interface Disturbed extends Lot {
  readonly random: () => number
}

/** A run whose workers are killed, so often at most. Gives how often they were. */
async function disturbed(lot: Disturbed, most: number): Promise<number> {
  const { db, team, runs } = lot
  const id = await newSession(db)
  await team.post(`/api/sessions/${id}/start`)
  let kills = 0
  while (kills < most && (await killed(lot, id))) kills++
  await seen(runs, id, ({ isOver }) => isOver)
  await expectSame({ db, id }, lot.expected, lot.proving)
  return kills
}

/** Kills whoever has the run, at some moment. Gives whether there was somebody. */
async function killed({ team, runs, random, times }: Disturbed, id: string): Promise<boolean> {
  const { last } = await runs.look(id)
  const next = last + 1 + Math.floor(random() * APART)
  await seen(runs, id, (now) => now.isOver || now.last >= next)
  await sleep(random() * 40)
  const before = await seen(runs, id, ({ isOver, holder }) => isOver || holder !== undefined)
  const worker = holderAmong(team, before)
  if (!worker) return false
  await team.kill(worker)
  const at = performance.now()
  const added = team.add('worker')
  const after = await runs.look(id)
  // A worker that is killed between its last event and the release of its lease leaves a lease that nobody takes.
  const { holder } = await seen(runs, id, (now) => now.isOver || now.holder?.id !== before.holder?.id)
  const isTaken = !after.isOver && holder?.id !== before.holder?.id
  const noticed = performance.now() - at
  await inTheEnd(async () => !isTaken || (await runs.typesAfter(id, after.last)).includes('run_resumed'))
  if (isTaken) times.add({ noticed, resumed: performance.now() - at - noticed })
  await added
  return isTaken
}

/** The worker that has the run, unless that is over. */
function holderAmong({ workers }: Team, { isOver, holder }: Seen): Served | undefined {
  if (isOver || !holder) return undefined
  if (holder.host === hostname()) throw new Error('A worker knows on which machine it is.')
  return workers.find(({ child }) => child.pid === holder.pid)
}

/** How it is when something is so. */
async function seen(runs: HeldRuns, id: string, isSo: (now: Seen) => boolean): Promise<Seen> {
  let now = await runs.look(id)
  await inTheEnd(async () => {
    now = await runs.look(id)
    return isSo(now)
  })
  return now
}

async function inTheEnd(isSo: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + NEVER; !(await isSo()); await sleep(5)) {
    if (Date.now() > until) throw new Error(`It did not come to that in ${NEVER} ms: ${isSo}`)
  }
}

/** Who has a run of research, as it stands in the database: what several processes tell each other. */

const LOOK = `
  SELECT s.status, l.holder, (SELECT coalesce(max(e.seq), 0)::int FROM ambit.research_events e WHERE e.session = s.id) AS last
  FROM ambit.research_sessions s
  LEFT JOIN ambit.leases l ON l.name = 'research ' || s.id
  WHERE s.id = $1`

/** At one moment. */
interface Seen {
  readonly isOver: boolean
  /** The number of the last event. */
  readonly last: number
  /** The process that has its lease, and the machine that this says it is on; `id` is of the lease. */
  readonly holder: { readonly id: string; readonly pid: number; readonly host: string } | undefined
}

class HeldRuns implements AsyncDisposable {
  readonly #pool: pg.Pool
  readonly #engine: ReturnType<typeof engineAt>
  readonly #runs: RunStore

  private constructor(pool: pg.Pool, engine: ReturnType<typeof engineAt>, runs: RunStore) {
    this.#pool = pool
    this.#engine = engine
    this.#runs = runs
  }

  static async in(db: string): Promise<HeldRuns> {
    const engine = engineAt({ db })
    const { port } = await engine.library()
    return new HeldRuns(new pg.Pool({ connectionString: db }), engine, port.runs)
  }

  async look(id: string): Promise<Seen> {
    const { status, holder, last } = (await this.#pool.query(LOOK, [id])).rows[0]
    return {
      isOver: status === 'completed',
      last,
      holder: holder === null ? undefined : JSON.parse(holder),
    }
  }

  /** The types of the events after one. */
  async typesAfter(id: string, last: number): Promise<string[]> {
    return (await this.#runs.records(id, last, 100)).map(({ data }) => String(JSON.parse(data).type))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#pool.end(), this.#engine.close()])
  }
}
