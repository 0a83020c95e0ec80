import { describe, expect, it } from 'vitest'
import { bytes4, utf8Length } from '../../src/core/tokens.ts'
import { fc, forAll } from '../support/property.ts'
import { SOON } from '../support/soon.ts'

/** Any sequence of UTF-16 units, mostly odd ones. */
const units = fc
  .array(
    fc.oneof(fc.constantFrom(0x41, 0x7f, 0x80, 0x7ff, 0x800, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xffff), fc.nat(0xffff)),
    { maxLength: 40 },
  )
  .map((codes) => String.fromCharCode(...codes))

describe('bytes4', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['abcd', 1],
    ['abcde', 2],
    ['é', 1],
    ['ééé', 2],
    ['漢字', 2],
    ['😀', 1],
    ['😀😀😀', 3],
    ['\ud800', 1],
    ['\udc00\ud800', 2],
    ['\0\0\0\0\0', 2],
  ])('counts %j as %i', (text, tokens) => {
    expect(bytes4(text)).toBe(tokens)
  })

  it('is a quarter of the bytes that the platform writes, rounded up, for any text', () => {
    forAll(5000, units, (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text))
      expect(bytes4(text)).toBe(Math.ceil(Buffer.byteLength(text) / 4))
    })
  })

  it.each(['a', 'é', '漢', '😀', '\ud83d', '\ude00', 'a\ud83d', '😀\ude00'])(
    'counts long texts of %j like short ones',
    (character) => {
      for (const times of [1, 1365, 2730, 2731, 5460, 5461, 5462, 16_383, 16_384, 16_385, 100_000]) {
        for (const before of ['', 'x', 'xy']) {
          const text = before + character.repeat(times)
          expect([times, utf8Length(text)]).toEqual([times, Buffer.byteLength(text)])
        }
      }
    },
  )

  it('counts parts as the text they make, and never fewer where they part a character', () => {
    const whole = fc.array(fc.string({ unit: 'grapheme', maxLength: 9 }), { maxLength: 5 })
    const parts = (texts: readonly string[]) => bytes4.ofParts?.(texts)
    forAll(whole, (texts) => {
      expect(parts(texts)).toBe(bytes4(texts.join('')))
    })
    forAll(1000, fc.array(units), (texts) => {
      expect(parts(texts)).toBeGreaterThanOrEqual(bytes4(texts.join('')))
    })
  })

  it('never shrinks when a text grows at either end, not even where two halves of a character meet', () => {
    forAll(5000, units, units, (one, two) => {
      expect(bytes4(one + two)).toBeGreaterThanOrEqual(Math.max(bytes4(one), bytes4(two)))
      expect(bytes4(one + two)).toBeLessThanOrEqual(bytes4(one) + bytes4(two))
    })
  })

  it('takes ten megabytes in far less than a second', () => {
    const text = '漢字😀 and so on. '.repeat(400_000)
    const start = performance.now()
    expect(bytes4(text)).toBe(Math.ceil(Buffer.byteLength(text) / 4))
    expect(performance.now() - start).toBeLessThan(SOON)
  })
})
