import { describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import type { RunEvent } from '../../../src/research/events.ts'
import { eventStream, iteratorFeed } from '../../../src/surfaces/http/events/event-stream.ts'
import { frameEvents } from '../../../src/surfaces/http/sessions/stream.ts'

const event = (seq: number): RunEvent => ({ seq, type: 'page_read', session_id: 'a', at: '', url: `u${seq}`, ok: true })

/** A stream of events that are put in, with what became of it. */
function streamed(limits: { heartbeat?: number; stall?: number } = {}, first: readonly string[] = []) {
  const [coming, controller] = [Promise.withResolvers<RunEvent[]>(), new AbortController()]
  const seen = { dropped: 0, done: 0, left: 0 }
  async function* events() {
    try {
      for (const one of await coming.promise) yield one
    } finally {
      seen.left++
    }
  }
  const feed = iteratorFeed(frameEvents(events(), first), () => controller.abort())
  const times = { heartbeat: 60_000, stall: 60_000, ...limits }
  const reader = eventStream(feed, times, { drop: () => seen.dropped++, done: () => seen.done++ }).getReader()
  const text = async () => new TextDecoder().decode((await reader.read()).value)
  return { put: coming.resolve, fail: coming.reject, controller, seen, reader, text }
}

describe('the stream of a session', () => {
  it('says what comes first, then each event, and ends', async () => {
    const { put, text, reader, seen } = streamed({}, ['event: gap\n\n'])
    put([event(1), event(2)])
    expect(await text()).toBe('event: gap\n\n')
    expect(await text()).toMatch(/^id: 1\nevent: page_read\ndata: \{.*"narration":"Read u1\.".*\}\n\n$/)
    expect(await text()).toMatch(/^id: 2\n/)
    expect((await reader.read()).done).toBe(true)
    expect(seen).toMatchObject({ dropped: 0, done: 1 })
  })

  it('says that it is there while nothing happens, as often as that takes, and nobody is dropped for it', async () => {
    const { put, text, seen } = streamed({ heartbeat: 20, stall: 30 })
    for (let beats = 0; beats < 5; beats++) expect(await text()).toBe(': still here\n\n')
    const next = text()
    put([event(1)])
    let told = await next
    while (told.startsWith(':')) told = await text()
    expect(told).toMatch(/^id: 1\n/)
    expect(seen.dropped).toBe(0)
  })

  it('drops who leaves what was sent, and lets go of the events', async () => {
    const { put, text, seen, controller } = streamed({ stall: 20 })
    put([event(1), event(2)])
    await text()
    await expect.poll(() => seen, { timeout: 60_000 }).toMatchObject({ dropped: 1, done: 1 })
    expect(controller.signal.aborted).toBe(true)
  })

  it('lets go of events of which its client has taken some', async () => {
    const { put, text, reader, seen } = streamed()
    put([event(1), event(2), event(3)])
    await text()
    expect(seen.left).toBe(0)
    await reader.cancel()
    await expect.poll(() => seen.left).toBe(1)
  })

  it('lets go of the events when its client goes away, once', async () => {
    const { seen, reader, controller } = streamed()
    const waiting = reader.read()
    await reader.cancel()
    await waiting
    expect([seen, controller.signal.aborted]).toMatchObject([{ dropped: 0, done: 1 }, true])
  })

  it('cuts the connection where the store does not answer, so that its client comes back', async () => {
    const { fail, reader, seen } = streamed()
    void reader.read().catch(() => {})
    fail(new ContextError('unavailable', 'The database is gone.'))
    await expect.poll(() => seen).toMatchObject({ dropped: 1, done: 1 })
  })

  it('breaks off where the events cannot be read', async () => {
    const { fail, reader, seen } = streamed()
    const read = reader.read()
    fail(new Error('The disk is gone.'))
    await expect(read).rejects.toThrow('The disk is gone.')
    expect(seen.done).toBe(1)
  })
})
