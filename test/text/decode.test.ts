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
