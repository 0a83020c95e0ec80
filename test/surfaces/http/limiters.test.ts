import { describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../../src/engine/principal.ts'
import type { TakeSlot } from '../../../src/surfaces/http/http-parts.ts'
import { Limiter, limitOperation, SlotShares } from '../../../src/surfaces/http/limiters.ts'

const GUEST = { name: 'guest', scopes: ['read'] } as const

/** Takes as many as there are; with the error of the first that there is not. */
function fill(take: TakeSlot) {
  const leaving: (() => void)[] = []
  try {
    for (;;) leaving.push(take())
  } catch (error) {
    return { leaving, code: Object(error).code, message: Object(error).message }
  }
}

describe('a server that has twenty places', () => {
  const places = () => new SlotShares({ maximum: 20, each: 5 }, 'requests under way')

  it('lets in so many of its owner, and refuses one more', () => {
    const all = places()
    const { leaving, ...refusal } = fill(all.for(LOCAL_OWNER))
    expect([leaving.length, all.all.takenCount]).toEqual([20, 20])
    expect(refusal).toEqual({ code: 'unavailable', message: 'The server has 20 requests under way already.' })
    leaving[0]?.()
    leaving[0]?.()
    expect(fill(all.for(LOCAL_OWNER)).leaving).toHaveLength(1)
  })

  it('lets in the share of a guest, and tells that guest so', () => {
    const all = places()
    const guest = all.for(GUEST)
    const { leaving, ...refusal } = fill(guest)
    expect([leaving.length, all.all.takenCount]).toEqual([5, 5])
    expect(refusal).toEqual({ code: 'over-limit', message: 'You have 5 requests under way already.' })
    for (const leave of leaving) leave()
    expect([all.all.takenCount, fill(guest).leaving.length]).toEqual([0, 5])
  })

  it('keeps a tenth from all guests together, for its owner', () => {
    const all = places()
    const guests = Array.from({ length: 5 }, () => fill(all.for(GUEST)))
    expect(guests.map(({ leaving, code }) => [leaving.length, code])).toEqual([
      ...[5, 5, 5].map((each) => [each, 'over-limit']),
      [3, 'unavailable'],
      [0, 'unavailable'],
    ])
    expect(fill(all.for(LOCAL_OWNER)).leaving).toHaveLength(2)
    guests[0]?.leaving[0]?.()
    expect(fill(all.for(GUEST)).leaving).toHaveLength(1)
  })
})

it.each([
  ['ends', async () => 1],
  ['fails', () => Promise.reject(new Error('no'))],
])('a place is given back when an operation %s', async (_, run) => {
  const limiter = new Limiter(1, 'operations under way')
  const limited = limitOperation({ run } as unknown as Parameters<typeof limitOperation>[0], () => limiter.take())
  const running = limited.run({} as never, {}, {} as never)
  expect(limiter.takenCount).toBe(1)
  await running.catch(() => {})
  expect(limiter.takenCount).toBe(0)
})
