import { describe, expect, it } from 'vitest'
import { ancestors, byCodeUnit, isWithin, parentOf, pathDepth, relativeTo, segments } from '../../src/text/paths.ts'
import { fc, forAll } from '../support/property.ts'

describe('any path', () => {
  const name = fc.string({ minLength: 1, maxLength: 4 }).filter((text) => !text.includes('/') && text !== '.')
  const names = fc.array(name, { maxLength: 6 })
  const absolute = (parts: readonly string[]) => `/${parts.join('/')}`

  it('is its directory and what it is from there', () =>
    forAll(names, names, (above, below) => {
      const [directory, path] = [absolute(above), absolute([...above, ...below])]
      expect(relativeTo(directory, path)).toBe(below.join('/'))
      expect(segments(path)).toEqual([...above, ...below])
      expect(pathDepth(path)).toBe(above.length + below.length)
    }))

  it('has its parents as ancestors, one segment less each, and is within each of them', () =>
    forAll(names, names, (above, below) => {
      const [top, path] = [absolute(above), absolute([...above, ...below])]
      const found = ancestors(path, top)
      expect(found.map(pathDepth)).toEqual(below.map((_, index) => pathDepth(path) - index).concat(above.length))
      expect([found[0], found.at(-1)]).toEqual([path, top])
      found.forEach((directory, index) => {
        expect(isWithin(directory, path)).toBe(true)
        if (index > 0) expect(directory).toBe(parentOf(found[index - 1] ?? ''))
      })
    }))

  it('is within another just when its segments begin with those of the other', () => {
    const few = fc.array(fc.constantFrom('a', 'ab', 'b'), { maxLength: 3 })
    forAll(1000, few, few, (one, two) => {
      const begins = one.every((segment, index) => two[index] === segment)
      expect(isWithin(absolute(one), absolute(two))).toBe(begins)
    })
  })
})

describe('byCodeUnit', () => {
  it('orders by UTF-16 code unit, whatever the locale', () => {
    const sorted = ['', 'B', 'Z.md', '_', 'a', 'a.md', 'b', 'z', 'ä', '漢', '😀', '\uffee']
    expect(sorted.toReversed().toSorted(byCodeUnit)).toEqual(sorted)
    expect(byCodeUnit('a', 'a')).toBe(0)
  })

  it('is an order: what it says of two, it says the other way round', () =>
    forAll(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(byCodeUnit(a, b)).toBe(0 - byCodeUnit(b, a))
      expect(byCodeUnit(a, b) === 0).toBe(a === b)
    }))
})
