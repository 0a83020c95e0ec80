/**
 * Budgets of searches, pages and minutes, at any concurrency and after any event.
 *
 * @module-tag long
 */

import { describe, expect, it } from 'vitest'
import type { ResearchRequest } from '../../src/research/input.ts'
import type { LookupPlaces } from '../../src/research/run/lookup.ts'
import type { Stages } from '../../src/research/run/stages.ts'
import { openFiles } from '../../src/research/run/text-thread.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { dyingAfter, goOn, Killed, kept, newSession, stubStages } from './stub.ts'

/** What was asked of the web, in order. */
interface Asked {
  readonly searches: string[]
  readonly pages: string[]
}

/** A web of which each search finds six pages; `spread`: how many searches find the same. */
function webOf(spread: number) {
  const asked: Asked = { searches: [], pages: [] }
  const places: LookupPlaces = {
    web: {
      name: 'made',
      search: async (query) => {
        asked.searches.push(query)
        const from = (query.length * 7) % spread
        return Array.from({ length: 6 }, (_, at) => ({
          url: `https://a.example/${from + at}`,
          title: 'A page',
          snippet: '',
        }))
      },
    },
    pages: {
      read: async (url) => {
        asked.pages.push(url)
        await new Promise((resolve) => setImmediate(resolve))
        return { url, title: url, text: `The page ${url} tells of boats, cranes, tides and wind.` }
      },
    },
  }
  return { asked, places }
}

/** Models that find no question answered, and search further so many times. */
function unsatisfied(tries: number): Stages {
  const stub = stubStages([], { judge: () => ({ is_sufficient: false, reasoning: 'Never.', gaps: ['More.'] }) })
  return {
    ...stub,
    explore: async (task, limits) => {
      const found = [...task.passages]
      for (let at = 1; at <= tries; at++)
        found.push(...((await task.search?.(`${task.question} ${'again '.repeat(at)}`.trim())) ?? []))
      return await stub.explore({ ...task, passages: found }, limits)
    },
  }
}

const budgets = fc.record({
  searches: fc.nat(14),
  pages: fc.nat(24),
  spread: fc.integer({ min: 1, max: 12 }),
  tries: fc.nat(3),
})

type Web = Pick<ResearchRequest, 'searches' | 'pages'>

const sessionOf = ({ searches, pages }: Web, request: Partial<ResearchRequest> = {}) =>
  newSession({ depth: 3, calls: 10_000, web: 'searxng', searches, pages, searchCollections: false, ...request })

/** The keys of all events, without the marks of interruptions. */
async function keysOf(session: Parameters<typeof kept>[0]) {
  const events = await kept(session)
  return events
    .filter(({ type }) => type !== 'run_resumed' && type !== 'run_failed')
    .map(({ key }) => key)
    .toSorted()
}

const CONCURRENCIES = [1, 4, 16] as const

describe('a run whose questions search the web further', () => {
  it('asks no more than it may, no page twice, and comes to the same at any concurrency', async () => {
    await forAllAsync(20, budgets, async ({ spread, tries, ...web }) => {
      const reports = []
      for (const concurrency of CONCURRENCIES) {
        const { asked, places } = webOf(spread)
        const { state } = await goOn(await sessionOf(web), { stages: unsatisfied(tries), places, concurrency })
        expect(asked.searches.length).toBeLessThanOrEqual(web.searches)
        expect(asked.pages.length).toBeLessThanOrEqual(web.pages)
        expect(new Set(asked.pages).size).toBe(asked.pages.length)
        expect(state.spent.searches ?? 0).toBe(asked.searches.length)
        reports.push(state.report)
      }
      expect(reports[1]).toEqual(reports[0])
      expect(reports[2]).toEqual(reports[0])
    })
  })

  it('after any event goes on as if nothing had happened, and reads and searches nothing again that is kept', async () => {
    await forAllAsync(
      40,
      budgets,
      fc.nat(),
      fc.constantFrom(...CONCURRENCIES),
      async ({ spread, tries, ...web }, killed, concurrency) => {
        const whole = await sessionOf(web)
        const { state: first } = await goOn(whole, {
          stages: unsatisfied(tries),
          places: webOf(spread).places,
          concurrency: 1,
        })
        const session = await sessionOf(web)
        const at = 1 + (killed % (first.lastSeq - 1))
        const { asked, places } = webOf(spread)
        const dying = { ...session, store: dyingAfter(session.store, at) }
        await expect(goOn(dying, { stages: unsatisfied(tries), places, concurrency })).rejects.toThrow(Killed)
        const known = new Set(
          (await kept(session)).flatMap(({ made }) => Object.values(made).map((one) => Object(one).url)),
        )
        const before = asked.pages.length
        const { state } = await goOn(session, { stages: unsatisfied(tries), places, concurrency })
        expect(state.report).toEqual(first.report)
        expect(await keysOf(session)).toEqual(await keysOf(whole))
        expect(state.spent).toEqual(first.spent)
        expect(asked.pages.slice(before).filter((url) => known.has(url))).toEqual([])
      },
    )
  })
})

/** Never done before it is cancelled. */
const never = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

describe('the minutes of a run', () => {
  const stub = stubStages([])
  const { places } = webOf(6)
  it.each<[string, Partial<Stages>, LookupPlaces]>([
    ['a digest', { digest: never }, places],
    ['queries', { queries: never }, places],
    ['the work on a question', { explore: never }, places],
    ['the report', { report: never }, places],
    ['a search', {}, { ...places, web: { name: 'made', search: never } }],
    ['a page', {}, { ...places, pages: { read: (url, signal) => never(url, { signal }) } }],
  ])('end it with a report, though %s never ends', async (_, own, web) => {
    const session = await sessionOf({}, { minutes: 0.005, depth: 2 })
    const { state } = await goOn(session, { stages: { ...stub, ...own }, places: web })
    expect(state.status).toBe('completed')
    expect(state.report?.markdown).toMatch(/^# What of the harbour\?/)
  })

  it('wait for no long text that is read when they are over', async () => {
    const text = 'The ferry carries forty cars on each crossing. '.repeat(20_000)
    const spans = [{ id: 'S1', text, start: 0, end: text.length, headings: [], lines: { start: 1, end: 1 } }]
    const ending = new AbortController()
    using files = openFiles([{ alias: 'a.md', title: 'A', text, spans }], ending.signal)
    const asking = files.assess('What does the ferry carry?', [])
    ending.abort('over')
    await expect(asking).rejects.toBe('over')
  })

  it('count over all processes that worked on it, and not what lies between', async () => {
    await forAllAsync(
      15,
      fc.integer({ min: 3, max: 40 }),
      fc.constantFrom(...CONCURRENCIES),
      async (at, concurrency) => {
        const session = await sessionOf({}, { minutes: 1 })
        let now = 0
        const clock = () => {
          now += 1000
          return now
        }
        const going = { stages: stub, places, concurrency, now: clock }
        const dying = { ...session, store: dyingAfter(session.store, at) }
        await expect(goOn(dying, going)).rejects.toThrow(Killed)
        // An hour in which nobody works.
        now += 3_600_000
        const { state } = await goOn(session, going)
        expect(state.status).toBe('completed')
        const [entries] = [await kept(session)]
        const worked = entries.length * 1000
        expect(Math.abs(state.workedMs - worked)).toBeLessThanOrEqual(3000)
      },
    )
  })

  it.each(CONCURRENCIES)('that are over leave nothing to be explored, with %i at once', async (concurrency) => {
    const session = await sessionOf({}, { minutes: 1 })
    let now = 0
    const slow = () => {
      now += 20_000
      return now
    }
    const dying = { ...session, store: dyingAfter(session.store, 12) }
    await expect(goOn(dying, { stages: stub, places, concurrency, now: slow })).rejects.toThrow(Killed)
    const waiting: Partial<Stages> = { explore: never, queries: never, digest: never }
    const { state } = await goOn(session, { stages: { ...stub, ...waiting }, places, concurrency, now: slow })
    expect(state.exhausted).toContain('ms')
    expect(state.report).toMatchObject({ is_partial: true })
  })
})
