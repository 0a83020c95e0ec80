import { describe, expect, it } from 'vitest'
import { maxEditsOf, nearTerms, partsOfCompound, termsContaining } from '../../src/retrieval/guesses.ts'
import { countEdits } from '../../src/text/nearest.ts'
import { fc, forAll } from '../support/property.ts'

const near = (word: string, terms: readonly string[]) => nearTerms(word, terms, maxEditsOf(word)).map((one) => one.word)

describe('a word that was meant', () => {
  it.each([
    ['a letter left out', 'confguration', 'configur', ['configuration']],
    ['another form of the same stem', 'runnig', 'run', ['running']],
    ['a stem that ends otherwise', 'polcies', 'polici', ['policies']],
    ['a form that lacks the e of its stem', 'typtng', 'type', ['typing']],
    ['a form with another end than its stem', 'reliabbilbity', 'reliabl', ['reliability']],
    ['two slips in a long word', 'confguratoin', 'configur', ['configuration']],
    ['two slips in a short one', 'rexxy', 'retri', []],
    ['the first two swapped', 'ocnfiguration', 'configur', ['configuration']],
    ['the end of its stem swapped with its ending', 'walikng', 'walk', ['walking']],
    ['letters of two units', '\u{10429}\u{10428}\u{1042a}\u{1042b}', '\u{10428}\u{1042a}\u{1042b}', ['𐐨𐐪𐐫']],
    ['a number', '2024', '2025', []],
    ['a word of two letters', 'ca', 'car', []],
    ['itself', 'retry', 'retri', []],
  ])('is found with %s', (_, typed, term, words) => {
    expect(near(typed, ['unlike', term])).toEqual(words)
  })

  it('is as many edits away as the distance of Damerau and Levenshtein counts', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
    forAll(2000, word, word, fc.integer({ min: 0, max: 3 }), (one, other, most) => {
      expect(Math.min(countEdits(one, other, most), most + 1)).toBe(Math.min(edits(one, other), most + 1))
    })
  })

  it.each([
    ['krankenversicherung', ['krank', 'versicherung'], ['krank', 'versicherung']],
    ['versicherungspflicht', ['versicherung', 'pflicht'], ['versicherung', 'pflicht']],
    ['arbeidsmarkt', ['arbeid', 'markt'], ['arbeid', 'markt']],
    ['versicherungspflicht', ['versicherung'], ['versicherung']],
    ['versicherung', ['ver', 'sich'], []],
  ])('is made of parts: %s', (word, known, parts) => {
    expect(partsOfCompound(word, (term) => known.includes(term))).toEqual(parts)
  })

  it('is compared with the forms of a bounded number of near terms', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const swapped = (at: number, letter: string, term: string) => term.slice(0, at) + letter + term.slice(at + 1)
    const places = [
      [2, 4],
      [2, 6],
      [4, 6],
      [3, 5],
      [1, 6],
    ] as const
    const terms = places.flatMap(([one, other]) =>
      letters.flatMap((a) => letters.map((b) => swapped(other, b, swapped(one, a, 'configur')))),
    )
    const found = nearTerms('configuration', [...new Set(terms)], 2)
    expect(found.length).toBeLessThanOrEqual(2000)
    expect(found.length).toBeGreaterThan(1000)
  })

  it('is a part of compounds', () => {
    expect(termsContaining('beitrage', ['krankenversicherungsbeitrag', 'beitrag', 'ertrag'])).toEqual([
      'krankenversicherungsbeitrag',
    ])
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
