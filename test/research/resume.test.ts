import { describe, expect, it } from 'vitest'
import type { RunStore } from '../../src/stores/run-store.ts'
import { type Calls, dyingAfter, goOn, Killed, kept, newSession, stubWorkers } from './stub.ts'

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
  const journal = await goOn(session, { workers: stubWorkers(calls), places, concurrency: 1 })
  return { events: await told(session), report: journal.state.report, calls }
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

/** A store that gives no text any more. */
function withoutTexts(store: RunStore): RunStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name === 'kept' || name === 'bytes') return () => Promise.reject(new Killed())
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('a run that is taken up again', () => {
  it('has three levels, and all that the spec names', async () => {
    const { events, report } = await uninterrupted()
    expect(events.length).toBeGreaterThan(60)
    expect(events.filter(({ type }) => type === 'node_completed').map(({ nodeId }) => nodeId)).toEqual([
      '1.1.1',
      '1.1.2',
      '1.1',
      '1.2.1',
      '1.2.2',
      '1.2',
      '1',
    ])
    expect(report?.grade).toBe('full')
    expect(report?.quotes.unproven).toEqual([])
  })

  it('after any event tells the same, does nothing twice, and ends with the same report', async () => {
    const whole = await uninterrupted()
    for (let at = 1; at < whole.events.length; at++) {
      const session = await newSession(REQUEST)
      const calls: Calls = []
      const workers = stubWorkers(calls)
      const dying = { ...session, store: dyingAfter(session.store, at) }
      await expect(goOn(dying, { workers, places, concurrency: 1 })).rejects.toThrow(Killed)
      const before = await keptCalls(session)
      const journal = await goOn(session, { workers, places, concurrency: 1 })
      expect([at, await told(session)]).toEqual([at, whole.events])
      expect([at, journal.state.report]).toEqual([at, whole.report])
      const again = calls.filter((name, index) => calls.indexOf(name) !== index)
      // What was under way when it died is done again, once; nothing of what was kept.
      expect([at, again.length]).toEqual([at, Math.min(again.length, 1)])
      expect(again.filter((name) => before.has(name))).toEqual([])
    }
  })

  it.each([4, 16])('after any event, with %i nodes at once, comes to the same tree and report', async (concurrency) => {
    const whole = await uninterrupted()
    for (let at = 1; at < whole.events.length; at += 3) {
      const session = await newSession(REQUEST)
      const calls: Calls = []
      const workers = stubWorkers(calls, { ms: () => Math.random() * 2 })
      const dying = { ...session, store: dyingAfter(session.store, at) }
      await expect(goOn(dying, { workers, places, concurrency })).rejects.toThrow(Killed)
      const before = await keptCalls(session)
      const journal = await goOn(session, { workers, places, concurrency })
      expect([at, journal.state.report]).toEqual([at, whole.report])
      const keys = (await told(session)).map(({ key }) => key).toSorted()
      expect(keys).toEqual(whole.events.map(({ key }) => key).toSorted())
      const again = calls.filter((name, index) => calls.indexOf(name) !== index)
      expect(again.filter((name) => before.has(name))).toEqual([])
    }
  })

  it('and fails before it does anything leaves no timer behind, for which its process would wait', async () => {
    const session = await newSession(REQUEST)
    const dying = { ...session, store: dyingAfter(session.store, 12) }
    await expect(goOn(dying, { workers: stubWorkers([]) })).rejects.toThrow(Killed)
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const lost = { ...session, store: withoutTexts(session.store) }
    await expect(goOn(lost, { workers: stubWorkers([]) })).rejects.toThrow(Killed)
    expect(timers()).toBe(before)
  })

  it('may be interrupted again and again', async () => {
    const whole = await uninterrupted()
    const session = await newSession(REQUEST)
    const calls: Calls = []
    const workers = stubWorkers(calls)
    for (let tries = 0; tries < 500; tries++) {
      const dying = { ...session, store: dyingAfter(session.store, 3) }
      const isDone = await goOn(dying, { workers, places, concurrency: 1 }).then(
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
      workers: stubWorkers([], { ms: () => Math.random() * 3 }),
      places,
      concurrency,
    })
    expect(journal.state.report).toEqual(whole.report)
    const events = await told(session)
    const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
    expect(events.toSorted(byKey)).toEqual(whole.events.toSorted(byKey))
  })
})
