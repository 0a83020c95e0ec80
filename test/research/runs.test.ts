import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { narrationOf, type RunEvent } from '../../src/research/events.ts'
import type { Stages } from '../../src/research/run/stages.ts'
import { assertAddable } from '../../src/research/sessions/refusals.ts'
import { FILES, memoryEngine, runOf, sessionOn } from './model-run.ts'
import { type Calls, goOn, kept, newSession, stubStages } from './stub.ts'

const engine = memoryEngine()

const REQUEST = { depth: 3 }

describe('a run', () => {
  it('without a model is the same twice, but for ids and times', async () => {
    const question = 'How many passengers does the ferry carry, and what does the north crane lift?'
    const plain = async () => {
      const { id, events, markdown } = await runOf(engine, { question }, FILES)
      const told = events.map(({ at: _, session_id: __, ...event }) => event)
      return JSON.stringify({ told, markdown }).replaceAll(id, 'ID')
    }
    expect(await plain()).toBe(await plain())
  })

  it('routes in the order that is promised', async () => {
    const session = await newSession(REQUEST)
    await goOn(session, { stages: stubStages([]), concurrency: 4 })
    const events = await kept(session)
    const at = (type: string, node: string) => events.findIndex((event) => event.type === type && event.nodeId === node)
    for (const node of ['1', '1.1', '1.2']) {
      const children = [`${node}.1`, `${node}.2`]
      expect(at('node_decomposed', node)).toBeLessThan(at('context_routing_started', node))
      for (const child of children) {
        const order = ['context_routing_completed', 'node_started', 'context_for_node_ready'].map((type) =>
          at(type, child),
        )
        expect(at('context_routing_started', node)).toBeLessThan(order[0] ?? -1)
        expect(order).toEqual(order.toSorted((a, b) => a - b))
        expect(
          events.filter(({ type, nodeId }) => type === 'context_routing_completed' && nodeId === child),
        ).toHaveLength(1)
      }
    }
  })

  it('gives each child a part of what its parent has, and counts the rest', async () => {
    const session = await newSession(REQUEST)
    const { state } = await goOn(session, { stages: stubStages([]) })
    for (const { slice, parent } of state.nodes.values()) {
      const above = state.nodes.get(parent ?? '')?.slice?.selected_items ?? slice?.selected_items ?? []
      const ids = new Set(above.map(({ id }) => id))
      expect(slice?.selected_items.every(({ id }) => ids.has(id))).toBe(true)
      expect((slice?.selected_items.length ?? 0) + (slice?.dropped_items_count ?? 0)).toBe(above.length)
    }
  })

  it('ends with one event of its kind, and numbers all without a gap', async () => {
    const { events } = await runOf(engine, {}, FILES)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
    const ends = events.filter(({ type }) => /^run_(completed|aborted|failed)$/.test(type))
    expect(ends).toEqual([events.at(-1)])
  })

  it('is told in sentences', async () => {
    const { events } = await runOf(engine, {}, FILES)
    for (const event of events) expect(narrationOf(event)).toMatch(/^[\p{Lu}\d].*[.?…:!]$/su)
    expect(events.map(narrationOf)).toContain('Parsed context file 1/1: harbour.md.')
    expect(events.map(narrationOf)).toContain('Attached full user context for report writing.')
  })

  it('has no more questions than it may', async () => {
    const session = await newSession({ depth: 6, nodes: 10 })
    const judge = () => ({ is_sufficient: false, reasoning: 'Never.', gaps: ['x'] })
    const { state } = await goOn(session, { stages: stubStages([], { children: 4, judge }) })
    expect(state.nodes.size).toBeLessThanOrEqual(10)
    expect(state.report?.gaps.join()).toContain('as many questions as it may')
  })

  it.each([1, 16])(
    'gives the first questions two nodes each where there are too few, with %i at once',
    async (concurrency) => {
      const stub = stubStages([], { children: 4, ms: () => Math.random() * 3 })
      const explore: Stages['explore'] = async (task, limits) => {
        const is_sufficient = /\(1\.[34]\)/.test(task.question)
        return { ...(await stub.explore(task, limits)), sufficiency: { is_sufficient, reasoning: 'x', gaps: ['x'] } }
      }
      const below = [8, 9, 11].map(async (nodes) => {
        const { state } = await goOn(await newSession({ depth: 3, nodes }), {
          stages: { ...stub, explore },
          concurrency,
        })
        return [...state.nodes.keys()].filter((id) => id.length > 3).sort()
      })
      expect(await Promise.all(below)).toEqual([
        ['1.1.1', '1.1.2'],
        ['1.1.1', '1.1.2', '1.2.1', '1.2.2'],
        ['1.1.1', '1.1.2', '1.2.1', '1.2.2'],
      ])
    },
  )

  it.each([
    [50, 7],
    [1, 1],
  ])('is asked for children, of which none is itself: of %i it takes %i', async (offered, taken) => {
    const session = await newSession({ depth: 2 })
    const decompose: Stages['decompose'] = async ({ question }) => ({
      value: [question, ...Array.from({ length: offered }, (_, at) => `Question ${at}?`)],
      spent: { calls: 1, input: 1, output: 1 },
      by: 'stub',
    })
    const { state } = await goOn(session, { stages: { ...stubStages([]), decompose } })
    const questions = [...state.nodes.values()].map(({ question }) => question)
    expect(questions).toEqual(['What of the harbour?', ...Array.from({ length: taken }, (_, at) => `Question ${at}?`)])
  })

  it('whose time is over writes its report of what there is', async () => {
    const session = await newSession({ depth: 3, minutes: 0.003 })
    const { state } = await goOn(session, { stages: stubStages([], { ms: 40 }), concurrency: 1 })
    expect([state.status, state.report?.is_partial]).toEqual(['completed', true])
    expect(state.report?.gaps.join()).toContain('time of the run was over')
  })

  it('whose time is over while a model writes the report says so, and the report is extractive', async () => {
    const session = await newSession({ depth: 1, minutes: 0.02 })
    const report: Stages['report'] = async (_, { signal }) => {
      await sleep(20_000, undefined, { signal })
      return { value: 'Late.', spent: { calls: 1, input: 1, output: 1 }, by: 'stub' }
    }
    const { state } = await goOn(session, { stages: { ...stubStages([]), report } })
    expect([state.status, state.report?.is_partial]).toEqual(['completed', true])
    expect(state.report?.gaps.join()).toContain('time of the run was over')
    const told = (await kept(session)).filter(({ type }) => type === 'budget_exhausted')
    expect(told).toMatchObject([{ told: { what: 'ms' } }])
  })
})

describe('a run that is ended', () => {
  const until = (count: number) => {
    const controller = new AbortController()
    const onEvent = ({ seq }: RunEvent) => {
      if (seq === count) controller.abort(reason)
    }
    let reason: unknown = 'pause'
    return {
      controller,
      onEvent,
      with: (why: unknown) => {
        reason = why
      },
    }
  }

  it('with a pause goes on to the report that it would have had', async () => {
    const whole = await goOn(await newSession(REQUEST), { stages: stubStages([]), concurrency: 1 })
    for (const count of [2, 9, 20, 33]) {
      const session = await newSession(REQUEST)
      const { controller, onEvent } = until(count)
      const paused = await goOn(session, { stages: stubStages([]), concurrency: 1, onEvent, signal: controller.signal })
      expect(paused.state.status).toBe('paused')
      const { state } = await goOn(session, { stages: stubStages([]), concurrency: 1 })
      expect(state.report).toEqual(whole.state.report)
    }
  })

  it('by the failure of one file keeps what the others at the same time have cost', async () => {
    const session = await newSession(REQUEST)
    const calls: Calls = []
    const stub = stubStages(calls)
    const digest: Stages['digest'] = async (task, limits) => {
      if (task.alias === 'tides.txt') return stub.digest(task, limits)
      while (calls.length === 0) await sleep(1)
      throw new Error('The key was revoked.')
    }
    const failing = { ...stub, digest }
    await expect(goOn(session, { stages: failing, concurrency: 2 })).rejects.toThrow('revoked')
    await goOn(session, { stages: stub })
    expect(calls.filter((name) => name.startsWith('digest'))).toEqual(['digest tides.txt', 'digest harbour.md'])
  })

  it('for good has a report of what there is, graded, that says what is missing', async () => {
    for (const count of [1, 2, 9, 20, 33]) {
      const session = await newSession(REQUEST)
      const end = until(count)
      end.with('stop')
      const { onEvent, controller } = end
      const { state } = await goOn(session, {
        stages: stubStages([]),
        concurrency: 1,
        onEvent,
        signal: controller.signal,
      })
      expect([state.status, state.report?.is_partial]).toEqual(['stopped', true])
      expect(['none', 'partial']).toContain(state.report?.grade)
      expect(state.report?.markdown).toMatch(/stopped before it was done: \d+ of \d+ questions were not explored/)
      expect(state.report?.quotes.unproven).toEqual([])
    }
  })
})

describe('sessions', () => {
  it('are run by one at a time: of two that go on at once, one does', async () => {
    const research = await engine.research()
    const { session_id } = await research.create({ question: 'What of it?' })
    const both = await Promise.allSettled([research.run(session_id), research.run(session_id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await research.show(session_id)).status).toBe('completed')
  })

  it.each<[object, number, string]>([
    [{}, 2, ''],
    [{}, 3, 'The run may have 4 questions, and has 2.'],
    [{ status: 'stopped', workedMs: 900 }, 2, 'The time of the run is used up.'],
    [{ status: 'running' }, 2, 'The session is running: '],
    [{ isReported: false, round: { ids: ['2'] } }, 2, ''],
    [{ isReported: false, round: { ids: ['1', '2'] } }, 2, 'The session is completed: '],
  ])('take more questions when they are over, or wait with a plan: %j', (change, count, problem) => {
    const nodes = new Map(['answered', 'pending'].map((status, at) => [`${at + 1}`, { status }]))
    const state = { status: 'completed', isReported: true, workedMs: 899, nodes, ...change }
    const add = () => assertAddable(state as never, { ms: 1000, nodes: 4 } as never, count)
    if (problem === '') expect(add).not.toThrow()
    else expect(add).toThrow(problem)
  })

  it('that are forgotten while they run end', async () => {
    const { research, id } = await sessionOn(engine)
    await research.start(id)
    await research.remove(id)
    await expect(research.show(id)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('keep what they bound when a file is added or taken away while they run', async () => {
    const research = await engine.research()
    const request = { question: 'What does the ferry carry?', plan: true, searchCollections: false }
    const { session_id } = await research.create(request)
    const add = (name: string, text: string) =>
      research.addFile(session_id, { name, type: '', bytes: new TextEncoder().encode(text) })
    const { id } = await add('a.md', 'The ferry carries cars.')
    await research.run(session_id)
    await add('b.md', 'The ferry carries lions.')
    await research.removeFile(session_id, id)
    await research.run(session_id)
    const { markdown, sources } = await research.report(session_id)
    expect(sources.map(({ file }) => file)).toEqual(['a.md'])
    expect(markdown).not.toContain('lions')
    const next = await research.create({ question: 'And lions?', follows: session_id })
    expect(next.files.map(({ alias }) => alias)).toEqual(['b.md'])
    expect((await research.show(session_id)).revision).toBe(3)
  })

  it('divide a question of a plan unless it is pinned', async () => {
    const question = 'What does the ferry carry? When does the ferry leave?'
    const files = { 'a.md': 'The ferry carries cars. The ferry carries goats. The ferry leaves at nine.' }
    const { research, id } = await sessionOn(engine, { question, plan: true }, files)
    await research.run(id)
    const wide = 'What does the raft carry? When does the raft leave?'
    await research.plan(id, [{ question: wide, pinned: true }, { question: `Again: ${wide}` }])
    await research.run(id)
    const { nodes } = await research.show(id)
    expect(nodes.map(({ id }) => id)).toEqual(['1', '1.1', '1.2', '1.2.1', '1.2.2'])
    expect(nodes.flatMap(({ id, pinned }) => (pinned ? [id] : []))).toEqual(['1.1'])
  })
})
