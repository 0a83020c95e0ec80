import { describe, expect, it } from 'vitest'
import { aggregateOf } from '../../src/research/run/aggregate.ts'
import { SOON } from '../support/soon.ts'

/** Files whose items each hold several sentences that differ in nothing but their number. */
function alike(files: number, items: number) {
  const sentence = (number: number) => `Pump north runs ${number} bars.`
  return Array.from({ length: files }, (_, file) => ({
    alias: `f${file}.md`,
    items: Array.from({ length: items }, (_, at) => ({
      kind: 'fact' as const,
      text: Array.from(
        { length: 10 },
        (_, each) => `${sentence((file * items + at) * 10 + each)} Group${at % 200}`,
      ).join(' '),
      sources: [`S${at + 1}`],
    })),
  }))
}

describe('the items of files that were made to disagree', () => {
  it('are told with so many conflicts, however many there are', () => {
    const items = aggregateOf(alike(6, 300))
    expect(items.filter(({ kind }) => kind === 'conflict')).toHaveLength(500)
    expect(items.filter(({ kind }) => kind === 'fact')).toHaveLength(1800)
  })

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
