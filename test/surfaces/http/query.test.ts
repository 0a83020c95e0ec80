import { describe, expect, it } from 'vitest'
import type { InputFields } from '../../../src/core/input.ts'
import { inputFromQuery } from '../../../src/surfaces/http/api.ts'
import { fc, forAll } from '../../support/property.ts'

const description = 'an input'
const FIELDS: InputFields = {
  word: { is: 'text', description },
  words: { is: 'text', list: true, description },
  count: { is: 'integer', description },
  share: { is: 'number', description },
  on: { is: 'flag', description },
}

function read(query: string) {
  return inputFromQuery(new URLSearchParams(query), FIELDS)
}

describe('a query string', () => {
  it.each([
    ['', {}],
    ['word=', { word: '' }],
    ['word=1', { word: '1' }],
    ['word=a,b', { word: 'a,b' }],
    ['words=a', { words: ['a'] }],
    ['words=a,b', { words: ['a', 'b'] }],
    ['words=a&words=b', { words: ['a', 'b'] }],
    ['words=a,b&words=c', { words: ['a,b', 'c'] }],
    ['words=', { words: [] }],
    ['count=-3', { count: -3 }],
    ['count=007', { count: 7 }],
    ['share=0.5', { share: 0.5 }],
    ['on=true', { on: true }],
    ['on=0', { on: false }],
    ['stranger=1', { stranger: '1' }],
  ])('%j gives %j', (query, input) => {
    expect(read(query)).toEqual(input)
  })

  it.each(['count=', 'count=1e3', 'count=0x10', 'count= 1', 'count=NaN', 'on=', 'on=TRUE', 'word=a&word=b'])(
    '%j is refused',
    (query) => {
      expect(() => read(query)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
    },
  )

  it('gives back any words that were put into it', () => {
    const inputs = fc.record({
      word: fc.string(),
      words: fc.array(fc.string(), { minLength: 2 }),
      count: fc.maxSafeInteger(),
      on: fc.boolean(),
    })
    forAll(inputs, ({ word, words, count, on }) => {
      const pairs = [['word', word], ...words.map((each) => ['words', each]), ['count', `${count}`], ['on', `${on}`]]
      expect(read(new URLSearchParams(pairs as [string, string][]).toString())).toEqual({
        word: word.toWellFormed(),
        words: words.map((each) => each.toWellFormed()),
        count,
        on,
      })
    })
  })
})
