import { describe, expect, it } from 'vitest'
import { Progress } from '../../../src/surfaces/mcp/server.ts'
import { fc, forAll } from '../../support/property.ts'
import { tree } from '../../support/tree.ts'
import { answerOf, connected, ERAS, partsOf } from './support.ts'

function step(what: string, done: number, total: number) {
  return { type: 'progress', what, done, total } as const
}

describe('progress', () => {
  it('is the work that is done, of the whole; several works are added up', () => {
    const progress = new Progress()
    const events = [step('a', 0, 2), step('a', 1, 2), step('a', 2, 2), step('b', 0, 3), step('b', 3, 3)]
    const told = events.map((event, at) => progress.of(event, at * 1000))
    expect(told).toEqual([
      { progress: 0, total: 2, message: 'a: 0 of 2' },
      { progress: 1, total: 2, message: 'a: 1 of 2' },
      { progress: 2, total: 2, message: 'a: 2 of 2' },
      undefined,
      { progress: 5, total: 5, message: 'b: 3 of 3' },
    ])
  })

  it('is not told more often than a client can draw, but for the end', () => {
    const progress = new Progress()
    const told = Array.from({ length: 1001 }, (_, done) => progress.of(step('a', done, 1000), done)).filter(Boolean)
    expect(told.map((one) => one?.progress)).toEqual([...Array.from({ length: 10 }, (_, at) => at * 100), 1000])
  })

  it('only grows, whatever is told, and is never more than the whole', () => {
    const steps = fc.record({ what: fc.constantFrom('a', 'b'), done: fc.nat(9), more: fc.nat(9) })
    forAll(fc.array(steps, { maxLength: 30 }), fc.nat(200), (given, pause) => {
      const progress = new Progress()
      const told = given.flatMap(
        ({ what, done, more }, at) => progress.of(step(what, done, done + more), at * pause) ?? [],
      )
      for (const [at, { progress: done, total }] of told.entries()) {
        expect(done).toBeGreaterThan(told[at - 1]?.progress ?? -1)
        expect(done).toBeLessThanOrEqual(total)
      }
    })
  })

  it.each(ERAS)('of an index is told to a client of %s as files of all files', async (_, era) => {
    using planted = tree({ 'one/a.md': 'a', 'one/b.md': 'b', 'two/c.md': 'c', 'two/d.md': 'd', 'two/e.md': 'e' })
    const parts = partsOf({ allowWrite: true })
    for (const name of ['one', 'two']) await answerOf(parts.engine, 'collections.add', { name, root: planted.at(name) })
    await using client = await connected(era, parts)
    const heard: { progress: number; total?: number | undefined }[] = []
    const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }) => {
      heard.push({ progress, total })
    }
    await client.callTool({ name: 'index', arguments: {} }, { onprogress })
    expect(heard.at(-1)).toEqual({ progress: 5, total: 5 })
    expect(heard).toContainEqual({ progress: 2, total: 2 })
    expect(heard.map(({ progress }) => progress)).toEqual([...new Set(heard.map(({ progress }) => progress))].sort())
  })
})
