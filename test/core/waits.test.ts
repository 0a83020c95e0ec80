import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { callClock } from '../../src/agent/tool-servers/questions.ts'
import { untilAborted, waitForWake, withTimeout } from '../../src/core/steps.ts'
import { withTimeouts } from '../../src/models/service/fetch.ts'

describe('what is waited for', () => {
  const ANSWERED = async () => new Response('Yes.')
  const MINUTES = { answerMs: 60_000, chunkMs: 60_000 }

  it.each<[string, (signal: AbortSignal) => unknown]>([
    ['in time', () => withTimeout(Promise.resolve(), 60_000, undefined)],
    ['until it is woken', (signal) => waitForWake(60_000, signal, (wake) => wake())],
    ['unless it is stopped', (signal) => untilAborted(Promise.resolve(), signal)],
    ['from a tool', () => callClock(60_000)[Symbol.dispose]()],
    ['from a model', async () => (await withTimeouts(ANSWERED, '', MINUTES)('http://a')).text()],
  ])('%s leaves no timer and no listener behind', async (_, work) => {
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
    const [before, { signal }] = [timers(), new AbortController()]
    await work(signal)
    expect(timers()).toBeLessThanOrEqual(before)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
