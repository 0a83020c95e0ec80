/** The rows of group H. README.md says where the others are. */

import { existsSync, readdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { EVENT_LIMITS } from '../../src/surfaces/http/events/event-stream.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { SOON } from '../support/soon.ts'
import { appOf, ask, BEARER, eventsIn, HOST, listening, operation, seqOf, TOKEN } from '../surfaces/http/support.ts'

const STREAM = { accept: 'text/event-stream' }
const EVENTS = { ...EVENT_LIMITS, grace: 50 }

/** Emits so many events of a kilobyte, one at each turn, until it is stopped; how many there were, and their bytes. */
function ticker() {
  const seen = { sent: 0, bytes: 0, isOver: false }
  const tick = operation('tick', async ({ count }, { emit, signal }) => {
    for (let number = 1; number <= count && !signal?.aborted; number++) {
      emit({ type: 'passed', pass: 'x'.repeat(1000), kept: number, left: 0 })
      seen.sent = number
      seen.bytes += 1000
      await new Promise((resolve) => setImmediate(resolve))
    }
    seen.isOver = true
    return { said: 'done' }
  })
  return { seen, tick }
}

/** A client that asks for a stream, and reads only when told to. */
function idle(port: number, path: string, more = ''): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  const headers = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: text/event-stream\r\n${more}`
  socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n`)
  return socket
}

/** The numbers of the events in what came so far. */
function numbers(text: string): number[] {
  return eventsIn(text).map(({ id }) => seqOf(id))
}

describe('a client that does not read', () => {
  it('H1 is dropped when the buffer moves on, before a megabyte waits for it; others lose nothing, and nothing is logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { seen, tick } = ticker()
    await using server = await listening({ operations: [tick], limits: { events: EVENTS } })
    const ends: Socket[] = []
    server.server.on('connection', (socket: Socket) => ends.push(socket))
    const stalled = idle(server.port, '/api/tick?count=100000')
    await expect.poll(() => seen.sent).toBeGreaterThan(0)
    const [end] = ends
    let waiting = 0
    const sampled = setInterval(() => {
      if (!end || end.destroyed) return
      // What the system has taken is not counted: it holds a few megabytes between the two ends, and is not ours.
      waiting = Math.max(waiting, seen.bytes - (end.bytesWritten - end.writableLength))
    }, 1)
    const other = await fetch(`${server.url}/api/tick?count=500`, { headers: { ...server.headers, ...STREAM } })
    expect(numbers(await other.text())).toEqual(Array.from({ length: 501 }, (_, index) => index + 1))
    await expect.poll(() => end?.destroyed).toBe(true)
    clearInterval(sampled)
    expect(waiting).toBeGreaterThan(100_000)
    expect(waiting).toBeLessThan(EVENTS.buffer + 2 * 65_536)
    // The run ends soon after, since nobody listens.
    await expect.poll(() => seen.isOver).toBe(true)
    expect(seen.sent).toBeLessThan(100_000)
    stalled.destroy()
    expect(logged.mock.calls).toEqual([])
    logged.mockRestore()
  })

  it('H2 and dies leaves nothing behind: its run hears of it', async () => {
    const { seen, tick } = ticker()
    await using server = await listening({ operations: [tick], limits: { events: { ...EVENTS, buffer: 2 ** 30 } } })
    const stalled = idle(server.port, '/api/tick?count=1000000')
    await expect.poll(() => seen.sent).toBeGreaterThan(5000)
    stalled.destroy()
    await expect.poll(() => seen.isOver).toBe(true)
    expect(seen.sent).toBeLessThan(1_000_000)
  })
})

describe('many clients', () => {
  it('H3 of one run get each event once: 300 of them, and none is lost', async () => {
    let go = () => {}
    const started = new Promise<void>((resolve) => {
      go = resolve
    })
    const told = operation('told', async (_, { emit }) => {
      emit({ type: 'rendered', tokens: 1 })
      await started
      for (let tokens = 2; tokens <= 20; tokens++) {
        emit({ type: 'rendered', tokens })
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return {}
    })
    await using server = await listening({ operations: [told] })
    const headers = { ...server.headers, ...STREAM }
    const first = await fetch(`${server.url}/api/told`, { headers })
    const reader = first.body?.getReader()
    const begun = new TextDecoder().decode((await reader?.read())?.value)
    const [run] = eventsIn(begun)[0]?.id.split('.') ?? []
    const others = Array.from({ length: 300 }, async () => {
      const response = await fetch(`${server.url}/api/told`, { headers: { ...headers, 'last-event-id': `${run}.0` } })
      return response
    })
    const joined = await Promise.all(others)
    go()
    const all = Array.from({ length: 21 }, (_, index) => index + 1)
    for (const response of joined) expect(numbers(await response.text())).toEqual(all)
    await reader?.cancel()
  })

  it.runIf(existsSync('/proc/self/fd'))(
    'H9 come and go ten thousand times on sockets, and leave no descriptor, timer or memory',
    { tags: 'long' },
    async () => {
      const quiet = operation('quiet', (_, { emit, signal }) => {
        emit({ type: 'rendered', tokens: 1 })
        return new Promise((resolve) => signal?.addEventListener('abort', () => resolve({}), { once: true }))
      })
      await using server = await listening({ operations: [quiet], limits: { events: EVENTS } })
      // One that stays, so that all are of one run.
      const staying = new AbortController()
      const headers = { ...server.headers, ...STREAM }
      const first = await fetch(`${server.url}/api/quiet`, { headers, signal: staying.signal })
      const begun = await first.body?.getReader().read()
      const [run] = eventsIn(new TextDecoder().decode(begun?.value))[0]?.id.split('.') ?? []
      const batch = () =>
        Promise.all(Array.from({ length: 100 }, (_, at) => visit(server.port, `${run}.0`, at % 2 === 0)))
      for (let round = 0; round < 20; round++) await batch()
      const before = await settled(server.server)
      for (let round = 0; round < 80; round++) await batch()
      const after = await settled(server.server)
      expect([after.connections, after.descriptors, after.timers]).toEqual([1, before.descriptors, before.timers])
      // A hundred bytes for each client would be 800 kB.
      expect(after.heap - before.heap).toBeLessThan(800_000)
      staying.abort()
    },
  )
})

/** A client that hears one event and goes away: by an end, or by breaking off. */
function visit(port: number, lastEventId: string, isPolite: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = idle(port, '/api/quiet', `Last-Event-ID: ${lastEventId}\r\n`).resume()
    let heard = ''
    socket.setTimeout(10_000, () => reject(new Error(`Only this was heard: ${heard}`)))
    socket.on('data', (chunk) => {
      heard += chunk
      if (!heard.includes('event: rendered')) return
      if (isPolite) socket.end()
      else socket.resetAndDestroy()
      socket.removeAllListeners('data').resume()
    })
    socket.once('close', () => resolve())
  })
}

/** What is open and kept once the connections of those who left are closed. */
async function settled(server: Server) {
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  await expect.poll(connections).toBe(1)
  // What was closed is let go in the turns after.
  await new Promise((resolve) => setTimeout(resolve, 200))
  collect()
  return {
    connections: await connections(),
    descriptors: readdirSync('/proc/self/fd').length,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    heap: process.memoryUsage().heapUsed,
  }
}

function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc === 'function') for (let time = 0; time < 3; time++) gc()
}

describe('a client that comes back', () => {
  it('H5 however often it is cut off has each event once, in order', async () => {
    const step = operation('step', async ({ count }, { emit }) => {
      for (let tokens = 1; tokens <= count; tokens++) {
        emit({ type: 'rendered', tokens })
        if (tokens % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      return {}
    })
    const app = appOf({ operations: [step] })
    await forAllAsync(100, fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 12 }), async (cuts) => {
      const seen: number[] = []
      let last: string | undefined
      for (const reads of [...cuts, Number.POSITIVE_INFINITY]) {
        const headers = { ...BEARER, ...STREAM, ...(last !== undefined && { 'last-event-id': last }) }
        const response = await app.fetch(new Request(`http://${HOST}/api/step?count=20`, { headers }))
        const reader = response.body?.getReader()
        for (let read = 0; read < reads; read++) {
          const next = await reader?.read()
          if (!next || next.done) break
          for (const { id } of eventsIn(new TextDecoder().decode(next.value))) {
            last = id
            seen.push(seqOf(id))
          }
        }
        await reader?.cancel()
      }
      expect(seen).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
    })
  })

  it('H6 from the future is refused, and one that was away for too long is told what it missed', async () => {
    const { tick } = ticker()
    const app = appOf({ operations: [tick], limits: { events: { ...EVENTS, buffer: 10_000 } } })
    const { body } = await ask(app, '/api/tick?count=100', { headers: STREAM })
    const last = eventsIn(body).at(-1)?.id ?? ''
    const [run] = last.split('.')
    const future = await ask(app, '/api/tick', { headers: { ...STREAM, 'last-event-id': `${run}.102` } })
    expect(future.status).toBe(400)
    const late = await ask(app, '/api/tick', { headers: { ...STREAM, 'last-event-id': `${run}.1` } })
    const [missed, ...rest] = eventsIn(late.body)
    expect(missed).toMatchObject({ event: 'missed' })
    expect(1 + missed?.data.events + rest.length).toBe(101)
  })

  it('H10 to a server that was started again is sent to the beginning', async () => {
    const { tick } = ticker()
    const { body } = await ask(appOf({ operations: [tick] }), '/api/tick', { headers: STREAM })
    const headers = { ...STREAM, 'last-event-id': eventsIn(body)[0]?.id ?? '' }
    const again = await ask(appOf({ operations: [tick] }), '/api/tick', { headers })
    expect(again.json).toMatchObject({ status: 404, hint: 'Ask again without Last-Event-ID.' })
  })
})

describe('a stream', () => {
  it('H8 says that it is not to be held back, and is not compressed', async () => {
    await using server = await listening({ operations: [ticker().tick] })
    const headers = { ...server.headers, ...STREAM, 'accept-encoding': 'gzip, br' }
    const response = await fetch(`${server.url}/api/tick`, { headers })
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(EVENT_LIMITS.heartbeat).toBeLessThanOrEqual(15_000)
    await response.text()
  })

  it('H11 of 100,000 events at once takes a bounded time and memory, and has its end', async () => {
    const burst = operation('burst', ({ count }, { emit }) => {
      for (let tokens = 1; tokens <= count; tokens++) emit({ type: 'rendered', tokens })
      return { said: 'done' }
    })
    const began = performance.now()
    const { body } = await ask(appOf({ operations: [burst] }), '/api/burst?count=100000', { headers: STREAM })
    expect(performance.now() - began).toBeLessThan(SOON)
    expect(body.length).toBeLessThan(2 * EVENT_LIMITS.buffer)
    const events = eventsIn(body)
    expect([events[0]?.event, events.at(-1)?.event]).toEqual(['missed', 'result'])
    expect(seqOf(events.at(-1)?.id)).toBe(100_001)
  })
})
