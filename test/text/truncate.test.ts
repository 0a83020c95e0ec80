import { describe, expect, it } from 'vitest'
import { byteStart, clipBytes } from '../../src/text/truncate.ts'
import { fc, forAll } from '../support/property.ts'

const bytes = (text: string) => new TextEncoder().encode(text).length

describe('clipBytes', () => {
  it('gives the longest prefix that fits', () => {
    forAll(fc.string({ unit: 'binary' }), fc.nat(60), (text, most) => {
      const clipped = clipBytes(text, most)
      const next = String.fromCodePoint(
        ...[...text.slice(clipped.length)].slice(0, 1).map((char) => char.codePointAt(0)!),
      )
      expect(text.startsWith(clipped)).toBe(true)
      expect(bytes(clipped)).toBeLessThanOrEqual(most)
      if (clipped !== text) expect(bytes(clipped + next)).toBeGreaterThan(most)
    })
  })
})

describe('byteStart', () => {
  it('gives the longest ending that fits', () => {
    forAll(fc.string({ unit: 'binary' }), fc.nat(20), (text, most) => {
      const start = byteStart(text, text.length, most)
      expect(bytes(text.slice(start))).toBeLessThanOrEqual(most)
      expect(text.slice(start).isWellFormed()).toBe(true)
      const before = [...text.slice(0, start)].at(-1) ?? ''
      if (start > 0) expect(bytes(before + text.slice(start))).toBeGreaterThan(most)
    })
  })
})
