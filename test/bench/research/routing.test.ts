import { describe, expect, it } from 'vitest'
import { byOverlap, type LabelledGroup, labelledGroups, routingScores } from '../../../bench/research/labelled.ts'
import { route } from '../../../src/research/routing/route.ts'

const { mixed, single } = labelledGroups()

describe('the labelled set', () => {
  it('has groups of three documents, and each of their documents alone', () => {
    expect(mixed.map(({ name }) => name)).toEqual(['bus', 'heat', 'river'])
    expect(single).toHaveLength(9)
  })

  it('labels lines for questions that are there', () => {
    for (const { children, helpful, items } of mixed) {
      expect(items.length).toBeGreaterThan(30)
      for (const { id } of children) expect([id, (helpful.get(id)?.size ?? 0) >= 4]).toEqual([id, true])
    }
  })

  it('is read line by line: a heading or a blank line ends a span', () => {
    expect(mixed[1]?.items.slice(-3).map(({ sources }) => sources)).toEqual(
      [['treasurer.txt::S3'], ['treasurer.txt::S4'], ['treasurer.txt::S4'], ['treasurer.txt::S4']].slice(-3),
    )
  })
})

describe('the router', () => {
  it('is as good on three documents as is promised, and better than token overlap', () => {
    const { recall, precision, orphans } = routingScores(mixed, route)
    const overlap = routingScores(mixed, byOverlap)
    expect(recall).toBeGreaterThanOrEqual(0.6)
    expect(orphans).toBeLessThanOrEqual(0.15)
    expect(recall).toBeGreaterThan(overlap.recall)
    expect(precision).toBeGreaterThan(overlap.precision)
  })
})

describe('the scores', () => {
  const group: LabelledGroup = {
    name: 'x',
    items: ['F1', 'F2', 'F3', 'F4'].map((id) => ({ id, kind: 'fact', text: id, sources: [] })),
    children: [
      { id: 'a', question: '' },
      { id: 'b', question: '' },
    ],
    helpful: new Map([
      ['a', new Set(['F1', 'F2'])],
      ['b', new Set(['F3'])],
    ]),
  }

  it('are means over the questions, and orphans over the items', () => {
    const router = () =>
      new Map([
        ['a', ['F1', 'F3']],
        ['b', []],
      ])
    expect(routingScores([group], router)).toEqual({ recall: 0.25, precision: 0.25, orphans: 0.5 })
  })

  it('are perfect for a perfect router', () => {
    const router = () => new Map([...group.helpful].map(([id, items]) => [id, [...items]]))
    expect(routingScores([group], router)).toEqual({ recall: 1, precision: 1, orphans: 0.25 })
  })
})
