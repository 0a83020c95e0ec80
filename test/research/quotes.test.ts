import { describe, expect, it } from 'vitest'
import { checkQuotes, isQuoted } from '../../src/research/report/claim-check.ts'
import { fc, forAll } from '../support/property.ts'

const SENTENCE = 'The pump must not run above 65 degrees before 1 May 2024.'

describe('quotes of whatever texts', () => {
  const word = fc.stringMatching(/^[A-Za-zäöé]{1,9}$/)
  const words = fc.array(word, { minLength: 3, maxLength: 30 })

  it('are proven where words in a row are taken, however the source is set', () => {
    const setting = fc.constantFrom(' ', '\n', '  ', '\u00A0', '\r\n\t')
    forAll(1000, words, setting, fc.nat(), fc.nat(), (all, space, from, length) => {
      const start = from % all.length
      const quote = all.slice(start, start + 1 + (length % (all.length - start))).join(' ')
      expect(isQuoted(quote, all.join(space))).toBe(true)
    })
  })

  it('are proven where words are divided at the ends of lines', () => {
    forAll(words, fc.integer({ min: 1, max: 8 }), (all, at) => {
      const divided = all.map((one) => (one.length > at ? `${one.slice(0, at)}-\n${one.slice(at).toLowerCase()}` : one))
      const whole = all.map((one) => (one.length > at ? one.slice(0, at) + one.slice(at).toLowerCase() : one))
      expect(isQuoted(whole.join(' '), divided.join(' '))).toBe(true)
    })
  })

  it('of any length are compared with a source of divided words', () => {
    const long = 'The pump runs at sixty five degrees. '.repeat(400)
    expect([isQuoted(long, `di-\nvided ${long}`), isQuoted(`${long}Not this.`, `di-\nvided ${long}`)]).toEqual([
      true,
      false,
    ])
  })

  it('are not proven where a word is changed, left out or added', () => {
    const change = fc.constantFrom('change', 'leave out', 'add')
    forAll(1000, words, fc.nat(), change, (all, at, how) => {
      const place = 1 + (at % (all.length - 2))
      const changed = { change: ['zzqx'], 'leave out': [], add: [all[place] ?? '', 'zzqx'] }[how]
      const unique = all.map((one, index) => `${one}${index}`)
      const quote = unique.toSpliced(place, 1, ...changed).join(' ')
      expect(isQuoted(quote, unique.join(' '))).toBe(false)
    })
  })

  it('are found in any text without a throw, and in the text itself where it begins and ends with a word', () => {
    forAll(1000, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (quote, source) => {
      expect(typeof isQuoted(quote, source)).toBe('boolean')
      expect(isQuoted(`a ${source} b`, `x a ${source} b y`)).toBe(true)
    })
  })
})

const SOURCES: Readonly<Record<number, string>> = {
  1: SENTENCE,
  2: 'It costs “about five” euros and takes two long days.',
}

function check(report: string) {
  const sourceOf = (number: number) => ({ text: SOURCES[number] ?? '', context: 'Using PPL' })
  return checkQuotes(report, sourceOf, 'By when?')
}

const ABSENT = '*(not found in its source)*'
const UNSOURCED = '*(quotation without a source)*'

describe('a report', () => {
  it('judges each quotation by the citation that follows it', () => {
    const report = 'First "must not run above" [1], then "takes two long days" [2], then "nothing at all here" [1].'
    const { proven, unproven } = check(report)
    expect([proven, unproven]).toEqual([2, [{ quote: 'nothing at all here', number: 1 }]])
  })

  const piece = fc.constantFrom(...'"¦“¦”¦\'¦> ¦\n¦\n\n¦- ¦The pump ¦must not run ¦[1]¦`¦ ¦|¦*'.split('¦'))
  const reports = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  it('whatever it is: nothing but marks is added, and a second check adds none', () => {
    forAll(5000, fc.oneof(reports, fc.string({ unit: 'grapheme' })), (report) => {
      const found = check(report)
      expect(found.text.replaceAll(` ${ABSENT}`, '').replaceAll(` ${UNSOURCED}`, '')).toBe(report)
      expect(found.text.split(/\*\((?:not found|quotation)/).length - 1).toBe(found.unproven.length)
      expect(check(found.text)).toEqual(found)
    })
  })
})
