import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { largestThatFits } from '../../src/text/bisect.ts'

describe('the largest number that fits', () => {
  it('is found, whatever the limit is', () => {
    const number = fc.integer({ min: -1, max: 300 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), number, (most, limit) => {
        expect(largestThatFits(most, (one) => one <= limit)).toBe(Math.min(most, limit))
      }),
    )
  })

  it('is all of them where only that fits', () => {
    expect(largestThatFits(5, (one) => one === 5)).toBe(5)
  })
})
