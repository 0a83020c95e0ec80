import { describe, expect, it, vi } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { EVENT_LIMITS, eventStream } from '../../../src/surfaces/http/events/event-stream.ts'
import { LogFeed, RunLog, RunLogs } from '../../../src/surfaces/http/events/run-log.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { appOf, ask, echo, eventsIn, operation, waiter } from './support.ts'

const STREAM = { accept: 'text/event-stream' }
const CONNECTED = { drop: () => {}, done: () => {} }

/** Emits so many events, then answers. */
const steps = operation('steps', async ({ count, word }, { emit }) => {
  for (let tokens = 1; tokens <= count; tokens++) emit({ type: 'rendered', tokens })
  if (word) throw new ContextError('conflict', word)
  return { said: 'done' }
})

function logOf(buffer = EVENT_LIMITS.buffer, grace = 1000) {
  return new RunLog('run-run-run-run-run-22', { buffer, grace })
}

describe('a stream of events', () => {
  const app = appOf({ operations: [steps, echo] })

  it('goes on after the event that a client names, and has no content after the last', async () => {
    const { body } = await ask(app, '/api/steps?count=3', { headers: STREAM })
    const all = eventsIn(body)
    for (const [index, { id }] of all.entries()) {
      const again = await ask(app, '/api/steps?count=3', { headers: { ...STREAM, 'last-event-id': id } })
      expect(eventsIn(again.body)).toEqual(all.slice(index + 1))
      expect(again.status).toBe(index === all.length - 1 ? 204 : 200)
    }
  })

  it('goes on only at the operation that it is of', async () => {
    const { body } = await ask(app, '/api/steps', { headers: STREAM })
    const [first] = eventsIn(body)
    const headers = { ...STREAM, 'last-event-id': first?.id }
    expect((await ask(app, '/api/echo', { headers })).status).toBe(404)
  })
})

it('a run is forgotten a minute after its end', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const app = appOf({ operations: [steps] })
  const began = async (headers: object) => ask(app, '/api/steps?count=1', { headers: { ...STREAM, ...headers } })
  const [first] = eventsIn((await began({})).body)
  const statuses: number[] = []
  for (const ms of [59_999, 1]) {
    vi.advanceTimersByTime(ms)
    await began({})
    statuses.push((await began({ 'last-event-id': first?.id })).status)
  }
  vi.useRealTimers()
  expect(statuses).toEqual([200, 404])
})

it('ended runs are forgotten, the oldest first, while they have more than 32 MiB', () => {
  const logs = new RunLogs(EVENT_LIMITS, () => () => {})
  const end = () => logs.start('load', async (log) => log.end('result', 'x'.repeat(17 << 20)))
  const [first, second, third] = [end(), end(), end()]
  end()
  for (const { id } of [first, second])
    expect(() => logs.findPosition('load', `${id}.1`)).toThrow(/its events are deleted/)
  expect(logs.findPosition('load', `${third.id}.1`)).toEqual({ log: third, seq: 1 })
  expect(() => logs.findPosition('load', `${third.id}.2`)).toThrow(/has not happened yet/)
})

describe('the work of a stream', () => {
  it('goes on for a moment when nobody listens, and is stopped then', async () => {
    const { seen, wait } = waiter()
    const app = appOf({ operations: [wait], limits: { events: { ...EVENT_LIMITS, grace: 30 } } })
    const response = await app.fetch(
      new Request('http://127.0.0.1:7377/api/wait', {
        headers: { ...STREAM, host: '127.0.0.1:7377', authorization: 'Bearer canary-3f1d5c0b9a7e4d2f8b6a1c3e5d7f9b0a' },
      }),
    )
    await response.body?.cancel()
    expect(seen).toEqual({ started: 1, stopped: 0 })
    await expect.poll(() => seen.stopped).toBe(1)
  })

  it('is not stopped when somebody comes back meanwhile', async () => {
    const log = logOf(undefined, 20)
    const first = eventStream(new LogFeed(log, 0), EVENT_LIMITS, CONNECTED)
    await first.cancel()
    const second = eventStream(new LogFeed(log, 0), EVENT_LIMITS, CONNECTED)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(log.signal.aborted).toBe(false)
    await second.cancel()
    await expect.poll(() => log.signal.aborted).toBe(true)
  })
})

describe('the buffer of a run', () => {
  it('keeps the last events, and tells how many are gone', () => {
    const log = logOf(2000)
    for (let number = 1; number <= 100; number++) log.append('rendered', { number })
    expect(log.size).toBeLessThanOrEqual(2000)
    const missed = log.frameAfter(0)
    const [told] = eventsIn(new TextDecoder().decode(missed?.bytes))
    expect(told).toMatchObject({ event: 'missed', data: { events: missed?.seq } })
    expect(log.frameAfter(missed?.seq ?? 0)?.seq).toBe((missed?.seq ?? 0) + 1)
    expect(log.frameAfter(100)).toBeUndefined()
  })

  it('deletes many events in a moment', () => {
    const log = logOf(16 * 1024 * 1024)
    let last = 0
    for (let size = -1; log.size > size; ) {
      size = log.size
      const began = process.cpuUsage()
      log.append('rendered', 0)
      last = process.cpuUsage(began).user
    }
    expect(last).toBeLessThan(1_000_000)
  })

  it('keeps an answer that is larger than it', () => {
    const log = logOf(100)
    log.append('rendered', { number: 1 })
    log.end('result', { text: 'x'.repeat(10_000) })
    expect(log.frameAfter(1)?.bytes.length).toBeGreaterThan(10_000)
    log.append('rendered', { number: 2 })
    expect([log.lastSeq, log.endedAt]).toEqual([2, expect.any(Number)])
  })

  it('is read whole by those who keep up, whatever its size and the order of reads and events', async () => {
    const sizes = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40 })
    await forAllAsync(200, sizes, async (bursts) => {
      const log = logOf()
      const reader = eventStream(new LogFeed(log, 0), EVENT_LIMITS, CONNECTED).getReader()
      const read: Uint8Array[] = []
      const reading = (async () => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) read.push(next.value)
      })()
      let number = 0
      for (const burst of bursts) {
        for (let each = 0; each < burst; each++) log.append('rendered', { number: ++number })
        await Promise.resolve()
      }
      log.end('result', { number: ++number })
      await reading
      const events = eventsIn(Buffer.concat(read).toString())
      expect(events.map(({ data }) => data.number)).toEqual(Array.from({ length: number }, (_, index) => index + 1))
    })
  })
})

describe('a client', () => {
  it('that does not read while the buffer moves on is dropped at once; one that waits for news is told of the gap', async () => {
    const log = logOf(1000)
    const drops = [vi.fn(), vi.fn()]
    const [idle, waiting] = drops.map((drop) =>
      eventStream(new LogFeed(log, 0), EVENT_LIMITS, { ...CONNECTED, drop }).getReader(),
    )
    log.append('rendered', { number: 0 })
    await idle?.read()
    await waiting?.read()
    const next = waiting?.read()
    await new Promise((resolve) => setImmediate(resolve))
    for (let number = 1; number <= 100; number++) log.append('rendered', { number })
    expect(drops.map((drop) => drop.mock.calls.length)).toEqual([1, 0])
    expect(new TextDecoder().decode((await next)?.value)).toContain('event: missed')
    await waiting?.cancel()
  })

  it('that has read all events that are gone is not dropped', async () => {
    const log = logOf(1000)
    const drop = vi.fn()
    const reader = eventStream(new LogFeed(log, 0), EVENT_LIMITS, { ...CONNECTED, drop }).getReader()
    log.append('rendered', { text: 'x'.repeat(600) })
    await reader.read()
    await new Promise((resolve) => setImmediate(resolve))
    while (log.size > 600) log.append('rendered', {})
    expect([new TextDecoder().decode(log.frameAfter(0)?.bytes), drop.mock.calls.length]).toEqual([
      expect.stringContaining('"events":1'),
      0,
    ])
    await reader.cancel()
  })

  it('that reads slowly gets a large event bit by bit', async () => {
    const log = logOf()
    log.end('result', { text: 'x'.repeat(200_000) })
    const reader = eventStream(new LogFeed(log, 0), EVENT_LIMITS, CONNECTED).getReader()
    const sizes: number[] = []
    for (let next = await reader.read(); !next.done; next = await reader.read()) sizes.push(next.value.length)
    expect(sizes.slice(0, 3)).toEqual([65_536, 65_536, 65_536])
  })

  it('gets one line of JSON for each event, whatever is in it', () => {
    const log = logOf()
    const text = 'a\nevent: forged\r\nid: 9\u2028\n\ndata: {}'
    log.append('a\nb: c', { type: text })
    const sent = new TextDecoder().decode(log.frameAfter(0)?.bytes)
    expect(sent.split('\n')).toHaveLength(5)
    expect(sent).not.toMatch(/\r/)
    expect(eventsIn(sent)).toMatchObject([{ event: 'a_b__c', data: { type: text } }])
  })
})
