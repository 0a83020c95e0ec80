import { describe, expect, it } from 'vitest'
import { aggregateOf } from '../../src/research/run/slices.ts'
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

  it.each([
    [
      'Der Server unterstützt TLS Version drei bei allen Kunden.',
      'Der Server unterstützt TLS Version drei nicht bei allen Kunden.',
    ],
    ['Le serveur prend TLS version trois chez tous.', 'Le serveur ne prend pas TLS version trois chez tous.'],
    ['The pump north runs in winter.', 'The pump north never runs in winter.'],
  ])('are not put together where one denies the other: %s', (said, denied) => {
    const digest = (alias: string, text: string) => ({
      alias,
      items: [{ kind: 'fact' as const, text, sources: ['S1'] }],
    })
    expect(aggregateOf([digest('a.md', said), digest('b.md', denied)]).map(({ text }) => text)).toEqual([said, denied])
  })
})
