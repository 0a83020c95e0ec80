import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bootstrapInterval, measuresTable, ndcg, reciprocalRank } from '../../../bench/quality/measure.ts'

const RELEVANCE = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 1],
  ['z', 0],
])

describe('nDCG', () => {
  // Best order: 3 + 2 / log2(3) + 1 / log2(4) = 3 + 1.26186 + 0.5 = 4.76186.
  it.each([
    ['is 1 for the best order', ['a', 'b', 'c'], 10, 1],
    ['discounts what comes late', ['c', 'b', 'a'], 10, (1 + 2 / Math.log2(3) + 3 / 2) / 4.76186],
    ['counts what nobody judged as nothing', ['x', 'a'], 10, 3 / Math.log2(3) / 4.76186],
    ['counts what was judged irrelevant as nothing', ['z', 'a'], 10, 3 / Math.log2(3) / 4.76186],
    ['is 0 when nothing relevant was found', ['x', 'z'], 10, 0],
    ['is 0 for no answer', [], 10, 0],
    ['looks at the first k only, in the best order too', ['x', 'a', 'b'], 1, 0],
    ['can be 1 at k with more relevant documents than k', ['a'], 1, 1],
  ])('%s', (_, ranking, k, value) => {
    expect(ndcg(ranking, RELEVANCE, k)).toBeCloseTo(value, 5)
  })

  it('is 0 where nothing is relevant', () => {
    expect(ndcg(['a'], new Map([['a', 0]]), 10)).toBe(0)
  })

  it('is as published for gains 3, 2, 3, 0, 1, 2', () => {
    const relevance = new Map([3, 2, 3, 0, 1, 2].map((gain, at) => [`d${at + 1}`, gain]))
    expect(ndcg(['d1', 'd2', 'd3', 'd4', 'd5', 'd6'], relevance, 6)).toBeCloseTo(0.961, 3)
  })
})

describe('the reciprocal rank', () => {
  it.each([
    [['a'], 10, 1],
    [['x', 'z', 'c'], 10, 1 / 3],
    [['x', 'y', 'c'], 2, 0],
    [[], 10, 0],
  ])('of %j among the first %i is %f', (ranking, k, value) => {
    expect(reciprocalRank(ranking, RELEVANCE, k)).toBeCloseTo(value)
  })
})

describe('scores', () => {
  it('lie between 0 and 1, and the better of two neighbours first never lowers nDCG', () => {
    const gains = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 12 })
    fc.assert(
      fc.property(gains, fc.nat(), (values, at) => {
        const relevance = new Map(values.map((gain, index) => [`${index}`, gain]))
        const ranking = [...relevance.keys()]
        const first = at % (ranking.length - 1)
        const swapped = [...ranking]
        swapped.splice(first, 2, ranking[first + 1] ?? '', ranking[first] ?? '')
        const [before, after] = [ndcg(ranking, relevance, 10), ndcg(swapped, relevance, 10)]
        expect(before).toBeGreaterThanOrEqual(0)
        expect(before).toBeLessThanOrEqual(1 + 1e-12)
        const better = (relevance.get(swapped[first] ?? '') ?? 0) >= (relevance.get(ranking[first] ?? '') ?? 0)
        if (better) expect(after).toBeGreaterThanOrEqual(before - 1e-12)
      }),
    )
  })
})

it('tells between what a mean lies', () => {
  const [low, high] = bootstrapInterval(Array.from({ length: 100 }, (_, at) => at % 2))
  expect(low).toBeGreaterThan(0.38)
  expect(low).toBeLessThan(0.42)
  expect(high).toBeGreaterThan(0.58)
  expect(high).toBeLessThan(0.62)
  expect(bootstrapInterval([0.5, 0.5])).toEqual([0.5, 0.5])
})

it('has a row for each thing that is asked and a column for each ranker', () => {
  const measures = [
    { row: 'one', ranker: 'A', scores: [1, 1, 1] },
    { row: 'other', ranker: 'A', scores: [0] },
    { row: 'one', ranker: 'B', scores: [0.5, 0.5, 0.5] },
  ]
  expect(measuresTable('', '', measures)).toMatchObject({
    columns: ['', 'queries', 'A', 'B'],
    rows: [
      ['one', '3', '1.000 [1.000–1.000]', '0.500 [0.500–0.500]'],
      ['other', '1', '0.000 [0.000–0.000]', ''],
    ],
  })
})
