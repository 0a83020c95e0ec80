import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Best } from '../../src/retrieval/ranking/scorer.ts'

describe('the least of the best scores', () => {
  it.each([
    ['fewer than are wanted', [[3, 1], [2]], 5, Number.MIN_VALUE, 3],
    ['as many as are wanted', [[3, 1], [2]], 3, 1, 3],
    ['more than are wanted', [[3, 1], [2]], 2, 2, 3],
    [
      'ties',
      [
        [2, 2, 2],
        [2, 1],
      ],
      2,
      2,
      5,
    ],
    ['none', [[], []], 3, Number.MIN_VALUE, 0],
  ])('is told of %s', (_, scores, most, threshold, total) => {
    const best = new Best(most)
    for (const score of scores.flat()) best.offer(score)
    expect(best).toMatchObject({ threshold, total })
  })

  it('is what sorting them finds', () => {
    const score = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.double({ min: 1e-9, max: 1e9, noNaN: true }))
    fc.assert(
      fc.property(fc.array(score, { maxLength: 90 }), fc.integer({ min: 1, max: 60 }), (scores, most) => {
        const best = new Best(most)
        const kept = scores.filter((one) => best.offer(one))
        const sorted = [...scores].sort((a, b) => b - a)
        expect(best.total).toBe(scores.length)
        expect(best.threshold).toBe(scores.length < most ? Number.MIN_VALUE : sorted[most - 1])
        const isBest = (one: number) => one >= best.threshold
        expect(kept.filter(isBest)).toEqual(scores.filter(isBest))
      }),
    )
  })
})
