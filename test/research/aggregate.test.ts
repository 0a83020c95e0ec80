import { describe, expect, it } from 'vitest'
import { aggregateOf } from '../../src/research/run/aggregate.ts'
import { SOON } from '../support/soon.ts'

describe('the items of files', () => {
  it('are put together in a moment, also where all of them have the same words', () => {
    const began = Date.now()
    const same = Array.from({ length: 40_000 }, () => ({
      kind: 'fact' as const,
      text: 'Pump north runs.',
      sources: ['S1'],
    }))
    expect(aggregateOf([{ alias: 'a.md', items: same }]).length).toBeGreaterThan(0)
    expect(Date.now() - began).toBeLessThan(SOON)
  })
})
