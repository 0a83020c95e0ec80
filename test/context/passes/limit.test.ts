import { describe, expect, it } from 'vitest'
import { limit } from '../../../src/context/passes/limits.ts'
import type { Fragment, Selection } from '../../../src/core/flow.ts'
import { fragment, left, namesOf, plainly, selectionOf, stepOf } from '../../core/fragments.ts'
import { fc, forAllAsync } from '../../support/property.ts'

const apply = async (most: number, names: string, exempt?: (one: Fragment) => boolean): Promise<Selection> =>
  limit(most, exempt)(
    selectionOf(
      [...names].map((name) => fragment(name)),
      [left('x')],
    ),
    stepOf(plainly),
  )

const isUpper = ({ title }: Fragment) => title === title.toUpperCase()

describe('limit', () => {
  it.each([
    [0, 'abc', '', 'abc'],
    [1, 'abc', 'a', 'bc'],
    [2, 'abc', 'ab', 'c'],
    [3, 'abc', 'abc', ''],
    [4, 'abc', 'abc', ''],
    [1, '', '', ''],
  ])('of %i keeps of %j the first: %j', async (most, names, kept, gone) => {
    const selection = await apply(most, names)
    expect(namesOf(selection.kept).join('')).toBe(kept)
    expect(namesOf(selection.left).join('')).toBe(`x${gone}`)
  })

  it.each([
    [0, 'aBcD', 'BD'],
    [1, 'AbCdE', 'AbCE'],
    [2, 'abcD', 'abD'],
  ])('of %i keeps of %j what is exempt too, without counting it: %j', async (most, names, kept) => {
    expect(namesOf((await apply(most, names, isUpper)).kept).join('')).toBe(kept)
  })

  it('says which number each one was', async () => {
    const { left: gone } = await apply(1, 'aBcd', isUpper)
    expect(gone.slice(1).map(({ why, detail }) => `${why}: ${detail}`)).toEqual([
      'over-limit: Number 2 of at most 1.',
      'over-limit: Number 3 of at most 1.',
    ])
  })

  it('keeps, under a larger limit, all that it kept under a smaller one', () =>
    forAllAsync(fc.array(fc.constantFrom('a', 'B')), fc.nat(12), async (letters, most) => {
      const names = letters.join('')
      const [small, large] = [await apply(most, names, isUpper), await apply(most + 1, names, isUpper)]
      expect(large.kept.length - small.kept.length).toBeLessThanOrEqual(1)
      expect(small.kept.filter((one) => !isUpper(one))).toHaveLength(
        Math.min(most, letters.filter((letter) => letter === 'a').length),
      )
      expect(small.kept.length + small.left.length).toBe(letters.length + 1)
    }))
})
