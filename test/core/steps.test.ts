import { setTimeout, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  Deadline,
  loadOnce,
  runSteps,
  runStepsAsync,
  SharedWork,
  type Steps,
  yieldToEvents,
} from '../../src/core/steps.ts'

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
    expect(runSteps(steps(log))).toBe('done')
    expect(log).toEqual(WHOLE)
  })

  it('can be done in turns with others', async () => {
    const log: string[] = []
    const other = setImmediate(() => log.push('other'))
    expect(await runStepsAsync(steps(log))).toBe('done')
    clearImmediate(other)
    expect(log.filter((line) => line !== 'other')).toEqual(WHOLE)
    expect(log.indexOf('other')).toBe(1)
  })

  it('is stopped between two steps, and what it holds open is closed', async () => {
    const log: string[] = []
    const controller = new AbortController()
    const done = runStepsAsync(steps(log, 1000), controller.signal)
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
    await expect(runStepsAsync(failing())).rejects.toThrow(new TypeError('bug'))
    expect(() => runSteps(failing())).toThrow(new TypeError('bug'))
  })
})

describe('what is loaded once', () => {
  it('is tried again after it failed, and then kept, even if work for other settings fails', async () => {
    let [tries, settings] = [0, 'old']
    const work = async () => (++tries < 3 ? Promise.reject(new TypeError('not yet')) : tries)
    const load = loadOnce(work, () => settings)
    await expect(load()).rejects.toThrow('not yet')
    const failing = load()
    settings = 'new'
    const loaded = load()
    await expect(failing).rejects.toThrow('not yet')
    expect([await loaded, await load()]).toEqual([3, 3])
  })
})

/** Work of a moment that counts how often it was begun and stopped. */
function counted() {
  const seen = { begun: 0, stopped: 0 }
  const work = async (signal: AbortSignal): Promise<number> => {
    const own = ++seen.begun
    signal.addEventListener('abort', () => seen.stopped++, { once: true })
    await sleep(20, undefined, { signal })
    return own
  }
  return { seen, work }
}

it('Work that several want at once is done once; what is wanted later is done anew', async () => {
  const { seen, work } = counted()
  const shared = new SharedWork<number>()
  const all = [shared.do('a', work), shared.do('a', work), shared.do('b', work)]
  expect(await Promise.all(all)).toEqual([1, 1, 2])
  expect(await shared.do('a', work)).toBe(3)
  expect(seen.begun).toBe(3)
})

it('Who leaves stops nothing that others wait for; when the last has left it is stopped', async () => {
  const { seen, work } = counted()
  const shared = new SharedWork<number>()
  const [one, other] = [new AbortController(), new AbortController()]
  const first = shared.do('a', work, one.signal)
  const second = shared.do('a', work, other.signal)
  one.abort()
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
  expect(seen.stopped).toBe(0)
  other.abort()
  await expect(second).rejects.toMatchObject({ code: 'cancelled' })
  expect(seen).toEqual({ begun: 1, stopped: 1 })
  expect(await shared.do('a', work)).toBe(2)
})

it('What failed is told to all who waited, and is tried again', async () => {
  const shared = new SharedWork<number>()
  const failing = async () => {
    await sleep(1)
    throw new Error('no')
  }
  const told = await Promise.allSettled([shared.do('a', failing), shared.do('a', failing)])
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await shared.do('a', async () => 7)).toBe(7)
})

it('After it is forgotten nobody gets what was begun before', async () => {
  const { work } = counted()
  const shared = new SharedWork<number>()
  const before = shared.do('a', work)
  shared.forget()
  expect(await Promise.all([before, shared.do('a', work)])).toEqual([1, 2])
})

it('a deadline fires when its time is over', async () => {
  using late = new Deadline(1)
  expect(late.isOver).toBe(false)
  await expect.poll(() => late.isOver).toBe(true)
  expect(late.signal.reason).toMatchObject({ name: 'TimeoutError' })
})

it('a deadline fires with others, whichever is first', async () => {
  const other = new AbortController()
  using late = new Deadline(1)
  using never = new Deadline(1e9)
  expect(never.or(undefined)).toBe(never.signal)
  const [first, second] = [late.or(other.signal, undefined), never.or(other.signal)]
  await expect.poll(() => first.aborted).toBe(true)
  expect([second.aborted, other.signal.aborted]).toEqual([false, false])
  other.abort()
  expect([second.aborted, never.isOver]).toEqual([true, false])
})

it('a deadline that is disposed of does not fire', async () => {
  const late = new Deadline(1)
  late[Symbol.dispose]()
  await setTimeout(30)
  expect(late.isOver).toBe(false)
})
