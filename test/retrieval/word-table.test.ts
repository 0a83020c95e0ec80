import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WordTable } from '../../src/retrieval/index/word-table.ts'

describe('a table of words', () => {
  it('finds each word, wherever in a text it stands, and no other', () => {
    const word = fc.oneof(fc.string({ maxLength: 3 }), fc.string({ unit: 'binary', maxLength: 20 }))
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 200 }), fc.string(), fc.string(), (words, before, after) => {
        const table = new WordTable<string>()
        const [known, unknown] = [words.filter((_, at) => at % 2 === 0), words.filter((_, at) => at % 2 === 1)]
        for (const each of known) table.add(`${before}${each}`, before.length, before.length + each.length, each)
        const found = (each: string) => table.find(`${each}${after}`, 0, each.length)
        expect(known.map(found)).toEqual(known)
        expect(unknown.map(found)).toEqual(unknown.map(() => undefined))
        expect(table.size).toBe(known.length)
      }),
    )
  })

  it('grows, is emptied, and fills anew', () => {
    const table = new WordTable<number>()
    for (const round of [1, 2]) {
      for (let at = 0; at < 20_000; at++) table.add(`word${at}`, 0, `word${at}`.length, at * round)
      expect(table.find('a word19999 b', 2, 11)).toBe(19_999 * round)
      expect(table.find('word20000', 0, 9)).toBeUndefined()
      table.clear()
      expect(table.size).toBe(0)
      expect(table.find('word1', 0, 5)).toBeUndefined()
    }
  })
})
