import { describe, expect, it } from 'vitest'
import { largestThatFits } from '../../src/text/bisect.ts'
import { fc, forAll } from '../support/property.ts'

describe('the largest number that fits', () => {
  it('is found, whatever the limit is', () => {
    const number = fc.integer({ min: -1, max: 300 })
    forAll(fc.integer({ min: 0, max: 300 }), number, (most, limit) => {
      expect(largestThatFits(most, (one) => one <= limit)).toBe(Math.min(most, limit))
    })
  })

  it('is all of them where only that fits', () => {
    expect(largestThatFits(5, (one) => one === 5)).toBe(5)
  })
})
