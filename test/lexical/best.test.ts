import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut } from '../../src/lexical/best.ts'

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
    ['no hits among them', [[0, 0, 1], [0]], 2, Number.MIN_VALUE, 1],
    ['none', [[], []], 3, Number.MIN_VALUE, 0],
  ])('is told of %s', (_, scores, most, threshold, total) => {
    expect(
      cut(
        scores.map((each) => Float64Array.from(each)),
        most,
      ),
    ).toEqual({ threshold, total })
  })

  it('is what sorting them finds', () => {
    const score = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.array(score, { maxLength: 40 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }),
        (lists, most) => {
          const hits = lists.flat().filter((one) => one > 0)
          const sorted = [...hits].sort((a, b) => b - a)
          const { threshold, total } = cut(
            lists.map((each) => Float64Array.from(each)),
            most,
          )
          expect(total).toBe(hits.length)
          expect(threshold).toBe(hits.length < most ? Number.MIN_VALUE : sorted[most - 1])
        },
      ),
    )
  })
})
