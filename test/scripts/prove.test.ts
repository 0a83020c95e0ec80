import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { load } from '../../scripts/prove/load.ts'
import { proved } from '../../scripts/prove/one.ts'
import { section } from '../../scripts/prove/paper.ts'
import { PARTS } from '../../scripts/prove/parts.ts'
import { type Part, type Progress, Proving, percentile, type Tier } from '../../scripts/prove/proving.ts'
import { knownOf } from '../../scripts/prove/results.ts'
import { type Held, KINDS, kindOf, wrongIn } from '../../scripts/prove/writes.ts'

function proving(progress: Partial<Progress> = {}, tier: Tier = 'full') {
  const kept: Progress[] = []
  const whole: Progress = { seed: 7, figures: {}, lost: [], done: {}, seconds: 0, ...progress }
  const given = { tier, progress: whole, kept: (now: Progress) => kept.push(structuredClone(now)) }
  return { proving: new Proving(given), progress: whole, kept }
}

describe('a part of the proof', () => {
  it('goes on after the rounds that are done, with the numbers that they would have had', async () => {
    const [whole, rest]: [number[], number[]] = [[], []]
    await proving().proving.rounds('rounds', 5, async (random) => void whole.push(random()))
    await proving({ done: { rounds: 3 } }).proving.rounds('rounds', 5, async (random) => void rest.push(random()))
    expect(new Set(whole).size).toBe(5)
    expect(rest).toEqual(whole.slice(3))
  })

  it('keeps where it is after each round, with what was counted', async () => {
    const { proving: one, kept } = proving()
    await one.rounds('rounds', 3, async () => one.add('kills', 2))
    expect(kept.map(({ done, figures }) => [done.rounds, figures.kills])).toEqual([
      [1, 2],
      [2, 4],
      [3, 6],
    ])
  })

  it('loses what is otherwise, and tells some of it', () => {
    const { proving: one, progress } = proving()
    expect([one.same('a', [1], [1]), one.same('b', [1], [2])]).toEqual([true, false])
    for (let more = 0; more < 100; more++) one.lose(`${more}`)
    expect([progress.lost.length, progress.lost[0], progress.figures.lost]).toEqual([20, 'b: [1] and not [2]', 101])
  })

  it.each([
    ['ci', 10],
    ['quick', 100],
    ['full', 1000],
  ] as const)('does as much as its tier says: %s', (tier, count) => {
    expect(proving({}, tier).proving.of({ quick: 100, full: 1000 })).toBe(count)
  })

  it('keeps no result of a machine that does other things, too', async () => {
    const part: Part = { name: 'made-up-by-a-test', claim: 'nothing', prove: async () => {} }
    expect(await proved(part, { tier: 'quick', fresh: true, isShared: true })).toBe('held')
    expect(knownOf(part)).toEqual({ part: part.name, claim: part.claim })
  })

  it.each([
    ['lost', { prove: async (one: Proving) => one.lose('It is gone.') }],
    ['lost', { prove: () => Promise.reject(new Error('It broke.')) }],
    ['untried', { prove: async () => {}, lacks: () => 'no such machine' }],
  ])('is told as %s, and as nothing else', async (outcome, made) => {
    const part: Part = { name: 'made-up-by-a-test', claim: 'nothing', ...made }
    // What is made up is not told among real results.
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    expect(await proved(part, { tier: 'quick', fresh: true, isShared: true })).toBe(outcome)
    log.mockRestore()
  })

  it('has a name of its own, and a claim that is a clause', () => {
    expect(new Set(PARTS.map(({ name }) => name)).size).toBe(PARTS.length)
    for (const { claim } of PARTS) expect(claim).toMatch(/^[^\n]+[^.]$/)
  })
})

describe('what a store must hold after writes', () => {
  const writes = Array.from({ length: 200 }, (_, number) => number)
  const first = Object.fromEntries(KINDS.map((kind) => [kind, writes.find((number) => kindOf(number) === kind) ?? -1]))
  const nothing: Held = { document: {}, context: {}, conversation: {}, research: {} }

  it('is of every kind', () => {
    for (const kind of KINDS) expect(writes.filter((number) => kindOf(number) === kind).length).toBeGreaterThan(30)
  })

  it.each(KINDS)('is a lost %s where it was acknowledged and is not there', (kind) => {
    const number = first[kind] ?? -1
    expect(wrongIn(nothing, [number], 200)).toEqual([expect.stringContaining(`${kind} ${number} was acknowledged`)])
  })

  it.each([
    ['nobody wrote', [500]],
    ['is out of order', [9, 4]],
    ['is there twice', [4, 4]],
  ])('has nothing that %s', (_, numbers) => {
    expect(wrongIn({ ...nothing, research: { 0: numbers } }, [], 200)).toHaveLength(1)
  })

  it('may have one more than was acknowledged', () => {
    expect(wrongIn({ ...nothing, research: { 0: [4, 9] } }, [], 10)).toEqual([])
  })
})

describe('a load', () => {
  it('counts every answer by its status, over connections that end or stay', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      if (asked % 3 === 0) response.writeHead(503, { connection: 'close' }).end('too much')
      else response.writeHead(200).end('x'.repeat(asked % 5 === 0 ? 100_000 : 10))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { requests, statuses, broken, latencies } = await load({ port, path: '/', connections: 4, ms: 300 })
    server.closeAllConnections()
    server.close()
    expect([requests, broken, latencies.length]).toEqual([asked, 0, asked])
    expect(statuses).toEqual({ 200: asked - Math.floor(asked / 3), 503: Math.floor(asked / 3) })
  })

  it('notices connections that break within an answer', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('x')
      setTimeout(() => response.destroy(), 20)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect((await load({ port, path: '/', connections: 1, ms: 200 })).broken).toBeGreaterThan(0)
    server.close()
  })
})

describe('results', () => {
  it('are shown as a table', () => {
    const result = {
      date: '2026-11-21',
      seed: 7,
      seconds: 9,
      figures: { kills: 5000, by: 'a|b', lost: 0 },
      lost: [],
      machine: {},
    }
    expect(section({ part: 'kills', claim: 'nothing is lost', full: result })).toBe(
      '\n### kills\n\nNothing is lost. `npm run prove -- quick kills`\n\n| run | lost | figures | seed, date, time |\n| --- | --: | --- | --- |\n| full | 0 | 5,000 kills; by: a\\|b | 7, 2026-11-21, 9 s |\n',
    )
  })

  it.each([
    [50, 5],
    [99, 9],
    [0, 0],
  ])('have a percentile of %i', (percent, value) => {
    expect(percentile([9, 8, 7, 6, 5, 4, 3, 2, 1, 0], percent)).toBe(value)
  })
})
