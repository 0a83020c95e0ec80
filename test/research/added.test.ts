/**
 * Questions that are added to a run, and runs that end while that is done.
 *
 * @module-tag long
 */

import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/research/events.ts'
import { extractiveStages } from '../../src/research/extractive/stages.ts'
import { openJournal } from '../../src/research/run/journal.ts'
import type { StageLimits, Stages } from '../../src/research/run/stages.ts'
import { FILES, memoryEngine, nodeOf, runOf } from './model-run.ts'
import { type Calls, dyingAfter, goOn, Killed, kept, newSession, stubStages } from './stub.ts'

const engine = memoryEngine()

const REPAIRED = 'When was the south crane repaired?'

/** A finished run on the ferry, to which a question is added, and which goes on to its end. */
async function runWithAdded(added: readonly string[]) {
  const research = await engine.research()
  const first = await runOf(engine, { question: 'How many passengers does the ferry carry?' }, FILES)
  const paused = await research.editPlan(first.id, { add: added })
  const events: RunEvent[] = []
  await research.run(first.id, { emit: (event) => events.push(event) })
  const shown = await research.show(first.id, true)
  return { research, first, paused, events, outcome: { ...first, shown, markdown: shown.report?.markdown ?? '' } }
}

describe('a question that is added to a finished run', () => {
  it('is answered beside the first, in a report made anew', async () => {
    const { first, paused, outcome } = await runWithAdded([REPAIRED])
    expect(first.markdown).not.toContain('2023')
    expect(paused.status).toBe('paused')
    expect(paused.nodes.filter(({ parent }) => parent === '1').at(-1)?.question).toBe(REPAIRED)
    const { shown, markdown } = outcome
    expect(shown.status).toBe('completed')
    expect(markdown).toContain('The ferry carries 120 passengers.')
    expect(markdown).toMatch(/^## 1\.\d+ When was the south crane repaired\?\n\n> [^#]*repaired in 2023\./m)
    const added = nodeOf(outcome, paused.nodes.findLast(({ parent }) => parent === '1')?.id ?? '')
    expect([added.status, added.answered, added.slice?.mode]).toEqual(['partial', 'part', 'routed'])
    const root = new Set(nodeOf(outcome, '1').slice?.selected_items?.map(({ id }) => id))
    expect(added.slice?.selected_items?.every(({ id }) => root.has(id))).toBe(true)
  })

  it('leaves what was answered before as it was', async () => {
    const { first, outcome } = await runWithAdded([REPAIRED])
    const before = first.shown.nodes.filter(({ id }) => id !== '1')
    const after = outcome.shown.nodes.filter(({ id }) => before.some((one) => one.id === id))
    const plain = ({ slice: _, orphans: __, ...node }: (typeof before)[number]) => node
    expect(after.map(plain)).toEqual(before.map(plain))
    expect(nodeOf(outcome, '1').answered).toBe(nodeOf(first, '1').answered)
  })

  it('that nothing answers says so', async () => {
    const { outcome } = await runWithAdded(['Which composer wrote quartets?'])
    expect(outcome.shown.report?.grade).toBe('partial')
    expect(outcome.markdown).toMatch(/^## 1\.1 Which composer wrote quartets\?\n\nNot found: /m)
  })

  it('can be followed with all that went before, to the second end', async () => {
    const { research, first } = await runWithAdded([REPAIRED])
    const types: string[] = []
    for await (const { type } of research.events(first.id, 0)) types.push(type)
    expect(types.filter((type) => type === 'run_completed')).toHaveLength(2)
    expect(types.at(-1)).toBe('run_completed')
    expect(types.indexOf('run_completed')).toBeLessThan(types.indexOf('question_added'))
  })

  it('can be added twice, and again after the second report', async () => {
    const { research, first } = await runWithAdded([REPAIRED])
    await research.editPlan(first.id, { add: ['What must leave first?'] })
    await research.editPlan(first.id, { add: ['What does the north crane lift?'] })
    await research.run(first.id)
    const { report, nodes } = await research.show(first.id)
    expect(nodes.filter(({ parent }) => parent === '1')).toHaveLength(3)
    for (const said of ['2023', 'must leave first', '40 tonnes']) expect(report?.markdown).toContain(said)
  })

  it.each([
    ['before there is a report', async () => (await engine.research()).create({ question: 'What of it?' }), /created/],
    [
      'beyond the questions that a run may have',
      async () => {
        const { id } = await runOf(engine, { question: 'How many passengers?', nodes: 1 }, FILES)
        return { session_id: id }
      },
      /may have 1 questions/,
    ],
  ])('is refused %s', async (_, made, message) => {
    const { session_id } = await made()
    const research = await engine.research()
    await expect(research.editPlan(session_id, { add: [REPAIRED] })).rejects.toThrow(message)
  })

  it('is refused together with changes of what was answered already', async () => {
    const { research, first } = await runWithAdded([REPAIRED])
    await expect(research.editPlan(first.id, { add: ['What else?'], drop: ['1'] })).rejects.toThrow(/no plan to change/)
  })
})

const REQUEST = { depth: 3, calls: 10_000 }
const ADDED = ['What of wind (1.3)?', 'What of water (1.4)?']

type Session = Awaited<ReturnType<typeof newSession>>

async function add({ store, id }: Session): Promise<void> {
  const session = await store.get(id)
  if (!session) throw new Error('There is no session.')
  const journal = await openJournal(store, session)
  for (const [at, question] of ADDED.entries()) {
    await journal.append('question_added', { node: `1.${at + 3}`, payload: { question } })
  }
}

async function finishedAndAdded(request: Parameters<typeof newSession>[0] = REQUEST): Promise<Session> {
  const session = await newSession(request)
  await goOn(session, { stages: withinCalls(stubStages([])), concurrency: 1 })
  await add(session)
  return session
}

/** Stages that quote where no request is left. */
function withinCalls(stages: Stages): Stages {
  const plain: Readonly<Record<string, unknown>> = { ...extractiveStages }
  const all = Object.entries(stages).map(([stage, work]) => {
    const own = async (task: unknown, limits: StageLimits) => {
      if (limits.limits.calls >= 2) return (work as Stages['queries'])(task as never, limits)
      const done = await (plain[stage] as Stages['queries'])(task as never, limits)
      return { ...done, exhausted: 'calls' }
    }
    return [stage, own]
  })
  return Object.fromEntries(all) as unknown as Stages
}

it.each<[string, Parameters<typeof newSession>[0], boolean, string, readonly string[]]>([
  ['a sufficient question keeps its gaps beside added ones', { depth: 1 }, true, 'answered', ['1: Which day?']],
  ['another keeps its state, too', { depth: 1 }, false, 'partial', ['1: Which day?']],
  ['a sufficient question keeps its gaps above a plan', { depth: 2, plan: true }, true, 'answered', ['1: Which day?']],
  ['another leaves them to the questions of its plan', { depth: 2, plan: true }, false, 'answered', []],
])('%s', async (_, request, isSufficient, status, gaps) => {
  const session = await newSession(request)
  const judge = (depth: number) => {
    return { is_sufficient: depth > 1 || isSufficient, reasoning: 'x', gaps: depth > 1 ? [] : ['Which day?'] }
  }
  const stages = stubStages([], { judge })
  await goOn(session, { stages })
  if (!request?.plan) await add(session)
  const { state } = await goOn(session, { stages })
  expect([state.nodes.get('1')?.status, state.report?.gaps]).toEqual([status, gaps])
})

async function eventsOf(session: Session) {
  const events = await kept(session)
  return events
    .filter(({ type }) => type !== 'run_resumed' && type !== 'run_failed')
    .map(({ seq: _, made: __, key: ___, ...event }) => event)
}

describe('a run with added questions that is taken up again', () => {
  it('after any event comes to the same events and report, and does nothing twice', async () => {
    const whole = await finishedAndAdded()
    const first = (await kept(whole)).length
    const journal = await goOn(whole, { stages: stubStages([]), concurrency: 1 })
    const expected = await eventsOf(whole)
    expect(expected.length).toBeGreaterThan(first + 20)
    for (let at = 1; at < expected.length - first; at++) {
      const session = await finishedAndAdded()
      const calls: Calls = []
      const dying = { ...session, store: dyingAfter(session.store, at) }
      await expect(goOn(dying, { stages: stubStages(calls), concurrency: 1 })).rejects.toThrow(Killed)
      const again = await goOn(session, { stages: stubStages(calls), concurrency: 4 })
      expect([at, again.state.report]).toEqual([at, journal.state.report])
      expect([at, (await eventsOf(session)).length]).toEqual([at, expected.length])
      // Both questions are routed from the root.
      const own = calls.filter((name) => name !== 'router 1')
      expect(own.length - new Set(own).size).toBeLessThanOrEqual(1)
    }
  })

  it.each([1, 4, 16])('is the same with %i nodes at once', async (concurrency) => {
    const [one, other] = [await finishedAndAdded(), await finishedAndAdded()]
    const alone = await goOn(one, { stages: stubStages([]), concurrency: 1 })
    const many = await goOn(other, { stages: stubStages([], { ms: () => Math.random() * 2 }), concurrency })
    expect(many.state.report).toEqual(alone.state.report)
  })

  it.each([20, 30, 40, 60])('never asks models more than %i times in all', async (calls) => {
    const session = await finishedAndAdded({ depth: 3, calls })
    const stages = withinCalls(stubStages([]))
    const { state } = await goOn(session, { stages, concurrency: 4 })
    expect(state.spent.calls).toBeLessThanOrEqual(calls)
    expect(state.status).toBe('completed')
  })
})
