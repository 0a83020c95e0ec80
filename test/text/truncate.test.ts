import { describe, expect, it } from 'vitest'
import { byteEnd, byteStart, clipBytes } from '../../src/text/truncate.ts'
import { fc, forAll } from '../support/property.ts'

const bytes = (text: string) => new TextEncoder().encode(text).length

describe('clipBytes', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['abc', 0, ''],
    ['', 5, ''],
    ['aé', 2, 'a'],
    ['aé', 3, 'aé'],
    ['漢字', 5, '漢'],
    ['😀😀', 7, '😀'],
    ['😀', 3, ''],
    ['a\ud800b', 4, 'a\ud800'],
    ['a\ud800b', 3, 'a'],
    ['\udc00', 3, '\udc00'],
  ])('cuts %j to %i bytes: %j', (text, most, expected) => {
    expect(clipBytes(text, most)).toBe(expected)
  })

  it('gives the longest prefix that fits', () =>
    forAll(fc.string({ unit: 'binary' }), fc.nat(60), (text, most) => {
      const clipped = clipBytes(text, most)
      const next = String.fromCodePoint(
        ...[...text.slice(clipped.length)].slice(0, 1).map((char) => char.codePointAt(0)!),
      )
      expect(text.startsWith(clipped)).toBe(true)
      expect(bytes(clipped)).toBeLessThanOrEqual(most)
      if (clipped !== text) expect(bytes(clipped + next)).toBeGreaterThan(most)
    }))
})

it('byteEnd counts from where it starts', () => {
  expect(byteEnd('漢字 abc', 1, 3)).toBe(2)
  expect(byteEnd('漢字 abc', 2, 100)).toBe(6)
  expect(byteEnd('abc', 3, 5)).toBe(3)
})

describe('byteStart', () => {
  it.each([
    ['abc', 3, 2, 1],
    ['abc', 2, 5, 0],
    ['漢字', 2, 5, 1],
    ['a🌾', 3, 3, 3],
    ['a🌾', 3, 4, 1],
    ['a🌾b', 3, 5, 0],
    ['', 0, 5, 0],
  ])('of %j up to %i with %i bytes is %i', (text, end, most, expected) => {
    expect(byteStart(text, end, most)).toBe(expected)
  })

  it('gives the longest ending that fits', () =>
    forAll(fc.string({ unit: 'binary' }), fc.nat(20), (text, most) => {
      const start = byteStart(text, text.length, most)
      expect(bytes(text.slice(start))).toBeLessThanOrEqual(most)
      expect(text.slice(start).isWellFormed()).toBe(true)
      const before = [...text.slice(0, start)].at(-1) ?? ''
      if (start > 0) expect(bytes(before + text.slice(start))).toBeGreaterThan(most)
    }))
})
