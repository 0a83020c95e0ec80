import { describe, expect, it } from 'vitest'
import { decode } from '../../src/text/decode.ts'
import { fc, forAll } from '../support/property.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, bigEndian: boolean) => {
  const units = [...Array(text.length).keys()].flatMap((index) => {
    const [high, low] = [text.charCodeAt(index) >> 8, text.charCodeAt(index) & 0xff]
    return bigEndian ? [high, low] : [low, high]
  })
  return bytes(...(bigEndian ? [0xfe, 0xff] : [0xff, 0xfe]), ...units)
}

describe('decode', () => {
  it.each([
    ['nothing', bytes(), '', 0],
    ['ASCII', utf8('abc'), 'abc', 0],
    ['all lengths of UTF-8', utf8('aé漢😀'), 'aé漢😀', 0],
    ['a byte order mark', utf8('\uFEFFabc'), 'abc', 0],
    ['a byte order mark alone', utf8('\uFEFF'), '', 0],
    ['a second byte order mark', utf8('\uFEFF\uFEFFabc'), '\uFEFFabc', 0],
    ['an invalid byte', bytes(0x61, 0xff, 0x62), 'a\uFFFDb', 1],
    ['a truncated sequence', bytes(0x61, 0xe6, 0xbc), 'a\uFFFD', 1],
    ['an overlong sequence', bytes(0xc0, 0xaf), '\uFFFD\uFFFD', 2],
    ['an encoded surrogate', bytes(0xed, 0xa0, 0x80), '\uFFFD\uFFFD\uFFFD', 3],
    ['a U+FFFD that is in the file', utf8('a\uFFFDb'), 'a\uFFFDb', 0],
    ['both kinds of U+FFFD', bytes(0xef, 0xbf, 0xbd, 0xff, 0xef, 0xbf), '\uFFFD\uFFFD\uFFFD', 2],
    ['invalid bytes after a byte order mark', bytes(0xef, 0xbb, 0xbf, 0xff), '\uFFFD', 1],
    ['UTF-16 LE', utf16('aé漢😀', false), 'aé漢😀', 0],
    ['UTF-16 BE', utf16('aé漢😀', true), 'aé漢😀', 0],
    ['a lone surrogate in UTF-16', utf16('a\ud800b', false), 'a\uFFFDb', 1],
    ['a U+FFFD that is in UTF-16', utf16('a\uFFFD\ud800', true), 'a\uFFFD\uFFFD', 1],
    ['half a character of UTF-16', bytes(0xff, 0xfe, 0x61, 0x00, 0x62), 'a\uFFFD', 1],
    ['control characters', utf8('a\u0001\u001b'), 'a\u0001\u001b', 0],
  ])('reads %s', (_, input, text, replaced) => {
    expect(decode(input)).toEqual({ text, replaced })
  })

  it.each([
    ['a NUL at the end', utf8('abc\0')],
    ['a NUL after invalid bytes', bytes(0xff, 0x00)],
    ['UTF-16 without a mark', utf16('abc', false).slice(2)],
    ['UTF-32', bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    ['a NUL in UTF-16', utf16('a\0b', true)],
  ])('calls %s binary', (_, input) => {
    expect(decode(input)).toEqual({ binary: true, detail: expect.stringContaining('NUL') })
  })

  it('reads what is not UTF-16 as a TextDecoder does', () => {
    const parts = fc.oneof(fc.uint8Array({ maxLength: 6 }), fc.string({ unit: 'binary', maxLength: 6 }).map(utf8))
    forAll(fc.array(parts, { maxLength: 30 }), (pieces) => {
      const input = Uint8Array.from(pieces.flatMap((piece) => [...piece]))
      const decoded = decode(input)
      const isWide = (input[0] === 0xff && input[1] === 0xfe) || (input[0] === 0xfe && input[1] === 0xff)
      if ('text' in decoded && !isWide) expect(decoded.text).toBe(new TextDecoder().decode(input))
    })
  })

  it('never throws, and gives no NUL', () =>
    forAll(fc.uint8Array({ maxLength: 300 }), (input) => {
      const decoded = decode(input)
      if ('binary' in decoded) return
      expect(decoded.text).not.toContain('\0')
      expect(decoded.replaced).toBeGreaterThanOrEqual(0)
      expect(decoded.text.isWellFormed()).toBe(true)
    }))

  it('gives back any text without NUL', () =>
    forAll(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('\0') && !text.startsWith('\uFEFF'))
      expect(decode(utf8(text))).toEqual({ text, replaced: 0 })
      expect(decode(utf16(text, true))).toEqual({ text, replaced: 0 })
      expect(decode(utf16(text, false))).toEqual({ text, replaced: 0 })
    }))
})
