import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDigits } from '../../src/research/report/number-words.ts'

const SMALL = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** As it is said, with or without `and`. */
function said(number: number, and: string): string {
  const parts = [
    [1_000_000, 'million'],
    [1000, 'thousand'],
    [100, 'hundred'],
  ] as const
  for (const [size, name] of parts) {
    if (number < size) continue
    const rest = number % size
    return `${said(Math.floor(number / size), and)} ${name}${rest === 0 ? '' : `${rest < 100 ? and : ' '}${said(rest, and)}`}`
  }
  const tens = TENS[Math.floor(number / 10) - 2]
  return tens === undefined ? `${SMALL[number]}` : number % 10 === 0 ? tens : `${tens}-${SMALL[number % 10]}`
}

describe('a number in words', () => {
  it.each([
    ['seven lamps and ten piers', '7 lamps and 10 piers'],
    ['twenty-one or thirty two', '21 or 32'],
    ['Two hundred and fifty boats', '250 boats'],
    ['two hundred fifty', '250'],
    ['one hundred and twenty thousand five hundred', '120500'],
    ['one thousand and one nights', '1001 nights'],
    ['nineteen hundred', '1900'],
    ['three million two hundred thousand and six', '3200006'],
    ['a hundred and ten, an hour', '110, an hour'],
    ['half a million and half an hour', '500000 and half an hour'],
    ['two and a half million', '2.5 million'],
    ['one and a half tonnes, 3 and a half', '1.5 tonnes, 3.5'],
    ['a dozen, two dozen, half a dozen', '12, 24, 6'],
  ])('is written in digits: %s', (text, digits) => {
    expect(toDigits(text)).toBe(digits)
  })

  it.each([
    ['five and six', '5 and 6'],
    ['two three four', '2 3 4'],
    ['between two hundred and three thousand', 'between 200 and 3000'],
    ['two hundred and three hundred', '200 and 300'],
    ['one thousand and two thousand', '1000 and 2000'],
    ['one, two and one', 'one, 2 and one'],
  ])('is one of several: %s', (text, digits) => {
    expect(toDigits(text)).toBe(digits)
  })

  it.each([
    'one of them',
    'hundreds of thousands',
    'a million-dollar idea’s thousandth',
    'weight, tent, often',
    'A one',
  ])('is not made of other words: %s', (text) => {
    expect(toDigits(text)).toBe(text.replace('a million-', '1000000-'))
  })

  it('is read back as it was said', () => {
    const numbers = fc.integer({ min: 2, max: 999_999_999 })
    fc.assert(
      fc.property(numbers, fc.constantFrom(' and ', ' '), (number, and) => {
        expect(toDigits(`the ${said(number, and)} boats`)).toBe(`the ${number} boats`)
      }),
    )
  })
})
