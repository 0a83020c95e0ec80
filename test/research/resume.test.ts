/**
 * Runs that end at any event and are resumed.
 *
 * @module-tag long
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NoSpace } from '../../src/core/errors.ts'
import type { RunStore } from '../../src/stores/run-store.ts'
import { through } from '../support/through.ts'
import { type Calls, dyingAfter, goOn, Killed, kept, newSession, stubStages } from './stub.ts'

const REQUEST = { depth: 3, calls: 10_000 }

/** Looks up one passage for each query. */
const places = {
  collections: async (query: string) => [
    {
      ref: `ambit://docs/${query.length}.md#L1-L2`,
      kind: 'collections' as const,
      title: 'A page',
      text: `A page about ${query} has two lines.`,
    },
  ],
}

/** A whole run, one node at a time. */
async function uninterrupted() {
  const session = await newSession(REQUEST)
  const calls: Calls = []
  const journal = await goOn(session, { stages: stubStages(calls), places, concurrency: 1 })
  return { events: await told(session), report: journal.state.report, spent: journal.state.spent, calls }
}

/** What happened, without when, and without the marks of interruptions. */
async function told(session: Parameters<typeof kept>[0]) {
  const events = await kept(session)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  return events
    .filter(({ type }) => type !== 'run_resumed' && type !== 'run_failed')
    .map(({ seq: _, made: __, ...event }) => event)
}

/** The names of calls whose results are in the log. */
async function keptCalls(session: Parameters<typeof kept>[0]): Promise<Set<string>> {
  const names = (await kept(session)).flatMap(({ made }) => Object.keys(made))
  return new Set(names.map((name) => name.split('/').reverse().join(' ').trim()))
}

/** A store of a process that dies at the first request of which that is so. */
function refusingWhen(store: RunStore, isLast: (name: string, given: readonly unknown[]) => boolean): RunStore {
  let isDead = false
  return through(store, async (name, call, given) => {
    isDead ||= isLast(name, given)
    if (isDead) throw new Killed()
    return call()
  })
}

/** A store that has room for a line, and for nothing larger. */
const nearlyFull = (store: RunStore) =>
  through(store, async (name, call, given) => {
    if (name === 'append' && JSON.stringify(given[2]).length > 1500) throw new NoSpace('The disk is full.')
    return call()
  })

/** A store that gives no text any more. */
const withoutTexts = (store: RunStore) =>
  through(store, (name, call) => (name === 'findDerived' || name === 'bytes' ? Promise.reject(new Killed()) : call()))

describe('a run that is taken up again', () => {
  it('has three levels, and all that the spec names', async () => {
    const { events, report } = await uninterrupted()
    expect(events.length).toBeGreaterThan(60)
    expect(events.filter(({ type }) => type === 'node_completed').map(({ nodeId }) => nodeId)).toEqual(
      '1.1.1 1.1.2 1.1 1.2.1 1.2.2 1.2 1'.split(' '),
    )
    expect(report?.grade).toBe('full')
    expect(report?.quotes.unproven).toEqual([])
  })

  it('after any event tells the same, does nothing twice, and ends with the same report', async () => {
    const whole = await uninterrupted()
    for (let at = 1; at < whole.events.length; at++) {
      const session = await newSession(REQUEST)
      const calls: Calls = []
      const stages = stubStages(calls)
      const dying = { ...session, store: dyingAfter(session.store, at) }
      await expect(goOn(dying, { stages, places, concurrency: 1 })).rejects.toThrow(Killed)
      const before = await keptCalls(session)
      const journal = await goOn(session, { stages, places, concurrency: 1 })
      expect([at, await told(session)]).toEqual([at, whole.events])
      expect([at, journal.state.report]).toEqual([at, whole.report])
      const again = calls.filter((name, index) => calls.indexOf(name) !== index)
      // What was under way when it died is done again, once; nothing of what was kept.
      expect([at, again.length]).toEqual([at, Math.min(again.length, 1)])
      expect(again.filter((name) => before.has(name))).toEqual([])
    }
  })

  it('after any event only to be ended has one report and one end, as that report says', async () => {
    const whole = await uninterrupted()
    const written = whole.events.findIndex(({ type }) => type === 'report_generation_completed') + 1
    expect(written).toBe(whole.events.length - 1)
    for (let at = 1; at < whole.events.length; at++) {
      const session = await newSession(REQUEST)
      const dying = { ...session, store: dyingAfter(session.store, at) }
      await expect(goOn(dying, { stages: stubStages([]), places, concurrency: 1 })).rejects.toThrow(Killed)
      const { state } = await goOn(session, { stages: stubStages([]), places, signal: AbortSignal.abort('stop') })
      const isWritten = at >= written
      expect([at, state.status, state.report?.is_partial]).toEqual([
        at,
        isWritten ? 'completed' : 'stopped',
        !isWritten,
      ])
      const events = await kept(session)
      expect(events.filter(({ type }) => type === 'report_generation_completed')).toHaveLength(1)
      expect(events.at(-1)).toMatchObject({
        type: isWritten ? 'run_completed' : 'run_aborted',
        told: { grade: state.report?.grade, calls: state.spent.calls },
      })
      if (isWritten) expect(state.report).toEqual(whole.report)
    }
  })

  it('before the log has what a file says reads it again, and says what that took', async () => {
    const whole = await uninterrupted()
    const told = whole.events.findIndex(({ type }) => type === 'context_binding_parsing_file_completed')
    const session = await newSession(REQUEST)
    const calls: Calls = []
    const dying = {
      ...session,
      store: refusingWhen(session.store, (name, given) => name === 'append' && Number(given[1]) >= told),
    }
    await expect(goOn(dying, { stages: stubStages(calls), places, concurrency: 1 })).rejects.toThrow(Killed)
    const journal = await goOn(session, { stages: stubStages(calls), places, concurrency: 1 })
    expect(calls.filter((name) => name === calls[0])).toHaveLength(2)
    expect(journal.state.spent).toEqual(whole.spent)
  })

  it('and fails before it does anything leaves no timer behind, for which its process would wait', async () => {
    const session = await newSession(REQUEST)
    const dying = { ...session, store: dyingAfter(session.store, 12) }
    await expect(goOn(dying, { stages: stubStages([]) })).rejects.toThrow(Killed)
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const lost = { ...session, store: withoutTexts(session.store) }
    await expect(goOn(lost, { stages: stubStages([]) })).rejects.toThrow(Killed)
    expect(timers()).toBe(before)
  })

  it('from a disk that was full says so each time, is not put aside, and ends with the same report', async () => {
    const whole = await uninterrupted()
    const session = await newSession(REQUEST)
    const full = { ...session, store: nearlyFull(session.store) }
    for (let times = 0; times < 7; times++) {
      await expect(goOn(full, { stages: stubStages([]), places, concurrency: 1 })).rejects.toThrow(NoSpace)
      expect((await kept(session)).at(-1)).toMatchObject({
        type: 'run_failed',
        told: { code: 'unavailable', reason: 'The disk is full.', hint: expect.stringContaining('Free some space') },
      })
    }
    const journal = await goOn(session, { stages: stubStages([]), places, concurrency: 1 })
    expect([journal.state.status, journal.state.report]).toEqual(['completed', whole.report])
    expect(await told(session)).toEqual(whole.events)
  })

  it('after fifty random requests to its store ends with the same bytes, however many nodes at once', async () => {
    const whole = await uninterrupted()
    const points = fc.record({ at: fc.integer({ min: 1, max: 2 * whole.events.length }), wide: fc.constantFrom(1, 4) })
    await fc.assert(
      fc.asyncProperty(points, async ({ at, wide }) => {
        const session = await newSession(REQUEST)
        let left = at
        const dying = { ...session, store: refusingWhen(session.store, () => --left < 0) }
        const given = { stages: stubStages([]), places, concurrency: wide }
        await goOn(dying, given).catch((error: unknown) => expect(error).toBeInstanceOf(Killed))
        const { state } = await goOn(session, given)
        expect(JSON.stringify(state.report)).toBe(JSON.stringify(whole.report))
        if (wide === 1) expect(await told(session)).toEqual(whole.events)
      }),
      { numRuns: 50, seed: 39 },
    )
  })

  it('may be interrupted again and again', async () => {
    const whole = await uninterrupted()
    const session = await newSession(REQUEST)
    const calls: Calls = []
    const stages = stubStages(calls)
    for (let tries = 0; tries < 500; tries++) {
      const dying = { ...session, store: dyingAfter(session.store, 3) }
      const isDone = await goOn(dying, { stages, places, concurrency: 1 }).then(
        () => true,
        () => false,
      )
      if (isDone) break
    }
    expect(await told(session)).toEqual(whole.events)
  })
})

describe('however many nodes are worked on at once', () => {
  it.each([1, 4, 16])('%i: the tree, the slices and the report are the same', async (concurrency) => {
    const whole = await uninterrupted()
    const session = await newSession(REQUEST)
    const journal = await goOn(session, {
      stages: stubStages([], { ms: () => Math.random() * 3 }),
      places,
      concurrency,
    })
    expect(journal.state.report).toEqual(whole.report)
    const events = await told(session)
    const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
    expect(events.toSorted(byKey)).toEqual(whole.events.toSorted(byKey))
  })
})
