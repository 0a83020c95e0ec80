import { describe, expect, it } from 'vitest'
import { normalPath } from '../../src/text/paths.ts'
import { fc, forAll } from '../support/property.ts'

describe('the path of a place', () => {
  it('of a document may hold what a person may not write, but never leads up', () => {
    expect(normalPath('a\nb/c.md')).toBe('/a\nb/c.md')
    expect(normalPath('../b')).toBeUndefined()
    expect(normalPath('a/../b')).toBeUndefined()
  })

  const paths = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\\', '.', 'e\u0301', '%', ' '), maxLength: 20 })

  it('is its own normal form', () =>
    forAll(paths, (path) => {
      const once = normalPath(path)
      expect(once === undefined ? undefined : normalPath(once)).toBe(once)
    }))

  it('has one slash before each name and nowhere else', () =>
    forAll(paths, (path) => {
      expect(normalPath(path) ?? '/').toMatch(/^\/$|^(\/(?!\.?(\/|$))[^/\\]+)+$/)
    }))
})
