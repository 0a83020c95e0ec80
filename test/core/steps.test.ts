import { describe, expect, it } from 'vitest'
import { atOnce, inTurns, once, type Steps, yieldToEvents } from '../../src/core/steps.ts'

function* steps(log: string[], most = 3): Steps<string> {
  try {
    for (let step = 1; step <= most; step++) {
      log.push(`step ${step}`)
      yield
    }
    return 'done'
  } finally {
    log.push('closed')
  }
}

const WHOLE = ['step 1', 'step 2', 'step 3', 'closed']

describe('work in steps', () => {
  it('can be done at once', () => {
    const log: string[] = []
    expect(atOnce(steps(log))).toBe('done')
    expect(log).toEqual(WHOLE)
  })

  it('can be done in turns with others', async () => {
    const log: string[] = []
    const other = setImmediate(() => log.push('other'))
    expect(await inTurns(steps(log))).toBe('done')
    clearImmediate(other)
    expect(log.filter((line) => line !== 'other')).toEqual(WHOLE)
    expect(log.indexOf('other')).toBe(1)
  })

  it('is stopped between two steps, and what it holds open is closed', async () => {
    const log: string[] = []
    const controller = new AbortController()
    const done = inTurns(steps(log, 1000), controller.signal)
    setImmediate(() => controller.abort())
    await expect(done).rejects.toMatchObject({ code: 'cancelled' })
    expect(log.length).toBeLessThan(10)
    expect(log.at(-1)).toBe('closed')
  })

  it('does not begin a pause once it is stopped', async () => {
    await expect(yieldToEvents(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('passes on what a step throws', async () => {
    function* failing(): Steps<string> {
      yield
      throw new TypeError('bug')
    }
    await expect(inTurns(failing())).rejects.toThrow(new TypeError('bug'))
    expect(() => atOnce(failing())).toThrow(new TypeError('bug'))
  })
})

describe('what is loaded once', () => {
  it('is tried again after it failed, and then kept', async () => {
    let tries = 0
    const load = once(async () => {
      if (++tries === 1) throw new TypeError('not yet')
      return tries
    })
    await expect(load()).rejects.toThrow('not yet')
    expect([await load(), await load()]).toEqual([2, 2])
  })
})
