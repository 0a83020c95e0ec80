import { describe, expect, it } from 'vitest'
import { LOCAL_OWNER, type Principal } from '../../../src/engine/principal.ts'
import { OperationLimiter, RequestLimiter, takeEach, withoutReserve } from '../../../src/surfaces/http/limiters.ts'

const visitor = (principal: Principal = { name: 'guest', scopes: ['read'] }) => ({
  principal,
  asked: 0,
  refusal: () => undefined,
})

/** Lets in as many as may enter; with the status of the first that may not. */
function fill(gate: RequestLimiter, one: ReturnType<typeof visitor>) {
  const leaving: (() => void)[] = []
  for (;;) {
    const entered = gate.enter(one)
    if (typeof entered !== 'function') return { leaving, status: entered.status }
    leaving.push(entered)
  }
}

describe('a server that answers twenty requests at once', () => {
  const limits = { requests: 20, requestsEach: 5 }

  it('lets in so many of its owner, and refuses one more', () => {
    const gate = new RequestLimiter(limits)
    const { leaving, status } = fill(gate, visitor(LOCAL_OWNER))
    expect([leaving.length, gate.asked, status]).toEqual([20, 20, 503])
    leaving[0]?.()
    expect(fill(gate, visitor(LOCAL_OWNER)).leaving).toHaveLength(1)
  })

  it('lets in the share of a guest, and tells that guest so', () => {
    const gate = new RequestLimiter(limits)
    const guest = visitor()
    const { leaving, status } = fill(gate, guest)
    expect([leaving.length, guest.asked, status]).toEqual([5, 5, 429])
    for (const leave of leaving) leave()
    expect([guest.asked, gate.asked, fill(gate, guest).leaving.length]).toEqual([0, 0, 5])
  })

  it('keeps a tenth from all guests together, for its owner', () => {
    const gate = new RequestLimiter(limits)
    const guests = Array.from({ length: 5 }, () => fill(gate, visitor()))
    expect(guests.map(({ leaving, status }) => [leaving.length, status])).toEqual([
      ...[429, 429, 429].map((status) => [5, status]),
      [3, 503],
      [0, 503],
    ])
    expect(fill(gate, visitor(LOCAL_OWNER)).leaving).toHaveLength(2)
    guests[0]?.leaving[0]?.()
    expect(fill(gate, visitor()).leaving).toHaveLength(1)
  })
})

it.each([
  [1, 1],
  [9, 9],
  [10, 9],
  [25, 23],
])('of %i, guests may have %i', (most, guests) => {
  expect(withoutReserve(most)).toBe(guests)
})

describe('slots', () => {
  it('are as many as there are; one that is given back twice is one', () => {
    const slots = new OperationLimiter(2)
    const [first] = [slots.take(), slots.take()]
    expect(() => slots.take()).toThrow(/The server has 2 operations under way already/)
    expect(slots.taken).toBe(2)
    first?.()
    first?.()
    expect(slots.taken).toBe(1)
    slots.take()
    expect(() => slots.check()).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })

  it('are taken of each, or of none', () => {
    const [own, all] = [new OperationLimiter(2, true, 'event streams open'), new OperationLimiter(1)]
    const giveBack = takeEach([own, all])
    expect(() => takeEach([own, all])).toThrow(/The server has 1 operations/)
    expect([own.taken, all.taken]).toEqual([1, 1])
    giveBack()
    giveBack()
    expect([own.taken, all.taken]).toEqual([0, 0])
    for (const _ of [1, 2]) own.take()
    expect(() => takeEach([own, all])).toThrow(/You have 2 event streams open already/)
    expect(all.taken).toBe(0)
  })

  it('that are a share say for whom', () => {
    const slots = new OperationLimiter(1, true)
    slots.take()
    expect(() => slots.take()).toThrow(/You have 1 operations under way already/)
  })

  it.each([
    ['ends', async () => 1],
    ['fails', () => Promise.reject(new Error('no'))],
  ])('are given back when an operation %s', async (_, run) => {
    const slots = new OperationLimiter(1)
    const counted = slots.counted({ run } as unknown as Parameters<OperationLimiter['counted']>[0])
    const running = counted.run({} as never, {}, {} as never)
    expect(slots.taken).toBe(1)
    await running.catch(() => {})
    expect(slots.taken).toBe(0)
  })
})
