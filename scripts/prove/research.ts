/** Compares a disturbed research run with the same run without disturbances. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../src/engine/engine.ts'
import type { LogRecord } from '../../src/research/events.ts'
import { recordsOf } from '../../src/research/run/journal.ts'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { tree } from '../../test/support/tree.ts'
import { Child, type Part, type Proving } from './proving.ts'
import { engineAt } from './writes.ts'

const QUESTION =
  'What does the ferry carry, what does the crane lift, when does the pilot boat leave, and when is the tide high?'

const TOPICS = ['ferry', 'crane', 'pilot boat', 'tide', 'harbour']

/** Creates a session with files, in a database that may be new. */
export async function newSession(db: string): Promise<string> {
  const engine = engineAt({ db })
  try {
    return await createSession(engine)
  } finally {
    await engine.close()
  }
}

async function createSession(engine: Engine): Promise<string> {
  const research = await engine.research()
  const { session_id } = await research.create({ question: QUESTION, extractive: true, depth: 3, concurrency: 2 })
  for (const topic of TOPICS) {
    const sentences = Array.from(
      { length: 60 },
      (_, at) => `The ${topic} of berth ${at} carries ${at * 7} tonnes and must leave before ${at % 24} o'clock.`,
    )
    const bytes = new TextEncoder().encode(`# The ${topic}\n\n${sentences.join(' ')}`)
    await research.addFile(session_id, { name: `${topic}.md`, type: '', bytes })
  }
  return session_id
}

/** The result of a run, without what differs from run to run: times, and the order of parallel events. */
export interface RunResult {
  readonly report: string
  /** Events with their keys, sorted. */
  readonly events: readonly string[]
}

/** Runs the research without disturbances. */
export async function runUndisturbed(): Promise<RunResult> {
  const engine = engineAt({ db: ':memory:' })
  try {
    const id = await createSession(engine)
    await (await engine.research()).run(id)
    return (await resultOf(engine, id)).ended
  } finally {
    await engine.close()
  }
}

const BREAKS = ['run_resumed', 'run_paused', 'run_failed']

async function resultOf(engine: Engine, id: string): Promise<{ ended: RunResult; records: readonly LogRecord[] }> {
  const { port } = await engine.library()
  const records = await Array.fromAsync(recordsOf(port.runs, id, 0))
  const { markdown } = await (await engine.research()).report(id)
  const events = records
    .filter(({ type }) => !BREAKS.includes(type))
    .map(({ key, payload }) => `${key} ${JSON.stringify(payload).replaceAll(id, 'ID')}`)
    .sort()
  return { ended: { report: markdown.replaceAll(id, 'ID'), events }, records }
}

/** Checks that a disturbed session has the same result, with no effect twice and no event number missing. */
export async function expectSame(
  where: { db: string; id: string },
  expected: RunResult,
  proving: Proving,
): Promise<void> {
  const engine = engineAt(where)
  try {
    const { ended, records } = await resultOf(engine, where.id)
    proving.same('the report', ended.report, expected.report)
    const unexpected = ended.events.filter((event) => !expected.events.includes(event))
    const missing = expected.events.filter((event) => !ended.events.includes(event))
    proving.same('events that are otherwise', [unexpected, missing], [[], []])
    proving.same('events of a run', ended.events.length, expected.events.length)
    const numbers = records.map(({ seq }) => seq)
    proving.same(
      'numbers of events',
      numbers,
      numbers.map((_, at) => at + 1),
    )
    const effects = records.flatMap(({ made }) => Object.keys(made))
    proving.same(
      'effects that are kept twice',
      effects.filter((name, at) => effects.indexOf(name) !== at),
      [],
    )
    const ends = records.filter(({ type }) => /^run_(completed|aborted)$/.test(type))
    proving.same(
      'ends',
      ends.map(({ seq }) => seq),
      [records.length],
    )
    proving.add('runs')
    proving.add('effects', effects.length)
    proving.add('events', records.length)
  } finally {
    await engine.close()
  }
}

/** Number of kills in a round. After them, the run may finish. If it finishes earlier, another run is started. */
const KILLS_EACH = 20

export const researchKills: Part = {
  name: 'research-kills',
  claim:
    'a worker is killed at any moment of a run of research: the report is that of an undisturbed run, each effect is kept once, no event is missing',
  async prove(proving) {
    const each = proving.amount({ ci: 5, quick: KILLS_EACH, full: KILLS_EACH })
    const count = Math.ceil(proving.amount({ ci: 10, quick: 200, full: 2000 }) / each)
    const reason = lacksPostgres()
    proving.note('stores', reason === undefined ? 'SQLite, PostgreSQL' : `SQLite; ${reason}`)
    const expected = await runUndisturbed()
    const onSqlite = reason === undefined ? Math.ceil(count / 2) : count
    await proving.rounds('rounds on SQLite', onSqlite, async (random) => {
      using files = tree({})
      await killWorkers(async () => files.at(`${Math.floor(random() * 1e9)}.db`), { random, expected, each, proving })
    })
    if (reason !== undefined) return
    await using server = await OwnPostgres.start()
    await proving.rounds('rounds on PostgreSQL', Math.floor(count / 2), (random) =>
      killWorkers(() => server.database(), { random, expected, each, proving }),
    )
  },
}

interface KillRound {
  readonly random: () => number
  readonly expected: RunResult
  /** Number of kills. */
  readonly each: number
  readonly proving: Proving
}

/** Executes research runs, one after the other, until `each` workers were killed. */
async function killWorkers(
  place: () => Promise<string>,
  { random, expected, each, proving }: KillRound,
): Promise<void> {
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
