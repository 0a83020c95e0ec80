/** A run of research that is disturbed, and the same run that was not. */

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

/** A session with its files, in a database that may be new. */
export async function newSession(db: string): Promise<string> {
  const engine = engineAt({ db })
  try {
    return await begun(engine)
  } finally {
    await engine.close()
  }
}

async function begun(engine: Engine): Promise<string> {
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

/** What a run came to, without what may differ from run to run: when it was, and in which order what is side by side came. */
export interface Ended {
  readonly report: string
  /** By their keys, sorted. */
  readonly events: readonly string[]
}

/** What no run is disturbed by. */
export async function undisturbed(): Promise<Ended> {
  const engine = engineAt({ db: ':memory:' })
  try {
    const id = await begun(engine)
    await (await engine.research()).run(id)
    return (await endOf(engine, id)).ended
  } finally {
    await engine.close()
  }
}

const BREAKS = ['run_resumed', 'run_paused', 'run_failed']

async function endOf(engine: Engine, id: string): Promise<{ ended: Ended; records: readonly LogRecord[] }> {
  const { port } = await engine.library()
  const records = await Array.fromAsync(recordsOf(port.runs, id, 0))
  const { markdown } = await (await engine.research()).report(id)
  const events = records
    .filter(({ type }) => !BREAKS.includes(type))
    .map(({ key, payload }) => `${key} ${JSON.stringify(payload).replaceAll(id, 'ID')}`)
    .sort()
  return { ended: { report: markdown.replaceAll(id, 'ID'), events }, records }
}

/** That a session which was disturbed has come to the same, with nothing done twice and no number left out. */
export async function expectSame(where: { db: string; id: string }, expected: Ended, proving: Proving): Promise<void> {
  const engine = engineAt(where)
  try {
    const { ended, records } = await endOf(engine, where.id)
    proving.same('the report', ended.report, expected.report)
    const more = ended.events.filter((event) => !expected.events.includes(event))
    const less = expected.events.filter((event) => !ended.events.includes(event))
    proving.same('events that are otherwise', [more, less], [[], []])
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
