import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { SharedWork } from '../../src/core/steps.ts'

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
