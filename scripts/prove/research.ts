/** A run of research that is disturbed, and the same run that was not. */

import type { Engine } from '../../src/engine/engine.ts'
import type { LogRecord } from '../../src/research/events.ts'
import { recordsOf } from '../../src/research/run/journal.ts'
import type { Proving } from './proving.ts'
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
