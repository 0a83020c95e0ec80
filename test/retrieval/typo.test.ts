import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNear, nearTerms } from '../../src/retrieval/typo.ts'

describe('a word that was meant', () => {
  it.each([
    ['a letter left out', 'confguration', 'configuration'],
    ['a letter too many', 'configguration', 'configuration'],
    ['another letter', 'configiration', 'configuration'],
    ['two letters swapped', 'confgiuration', 'configuration'],
    ['the first two swapped', 'ocnfiguration', 'configuration'],
    ['the last left out', 'configuratio', 'configuration'],
    ['accents beyond folding', 'strøm', 'strom'],
  ])('is found with %s', (_, typed, meant) => {
    expect(isNear(typed, meant)).toBe(true)
    expect(nearTerms(typed, ['other', meant])).toEqual([meant])
  })

  it.each([
    ['the word itself', 'retry', 'retry'],
    ['two other letters', 'retry', 'rexxy'],
    ['two letters swapped that do not stand together', 'retry', 'yetrr'],
    ['two letters too many', 'retry', 'retryxx'],
    ['two swapped and one exchanged', 'retry', 'erxry'],
  ])('is not found with %s', (_, typed, other) => {
    expect(isNear(typed, other)).toBe(false)
    expect(nearTerms(typed, [other])).toEqual([])
  })

  it.each([
    ['short words', 'cat', ['car', 'cats']],
    ['numbers', '2024', ['2025']],
    ['versions', '1.0.21', ['1.0.22']],
  ])('is not looked for instead of %s', (_, typed, candidates) => {
    expect(nearTerms(typed, candidates)).toEqual([])
  })

  it('is told once, in order, and of few', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    const candidates = [...letters].flatMap((letter) => [`retr${letter}s`, `${letter}etrys`, `retr${letter}s`])
    const near = nearTerms('retrys', candidates)
    expect(near).toEqual([...new Set(near)].sort())
    expect(near).toHaveLength(32)
  })

  it('is one edit away, as the distance of Damerau and Levenshtein counts', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(isNear(one, other)).toBe(edits(one, other) === 1)
        expect(isNear(other, one)).toBe(isNear(one, other))
      }),
      { numRuns: 2000 },
    )
  })
})

/** Optimal string alignment: the fewest insertions, deletions, exchanges, and swaps of neighbours. */
function edits(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (__, j) => i + j),
  )
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const options = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)]
      if (isSwap) options.push(at(i - 2, j - 2) + 1)
      const row = rows[i]
      if (row) row[j] = Math.min(...options)
    }
  }
  return at(one.length, other.length)
}
