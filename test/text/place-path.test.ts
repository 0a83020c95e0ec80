import { describe, expect, it } from 'vitest'
import { BOUNDS } from '../../src/core/bounds.ts'
import { normalPath, placePath } from '../../src/text/paths.ts'
import { fc, forAll } from '../support/property.ts'

describe('the path of a place', () => {
  it.each([
    ['/', '/'],
    ['', '/'],
    ['.', '/'],
    ['./', '/'],
    ['//', '/'],
    ['path', '/path'],
    ['/path', '/path'],
    ['/api/', '/api'],
    ['api', '/api'],
    ['/api//v2///', '/api/v2'],
    ['./api/./v2/.', '/api/v2'],
    ['api\\v2', '/api/v2'],
    ['\\api\\\\v2\\', '/api/v2'],
    ['.hidden/..x/...', '/.hidden/..x/...'],
    ['API', '/API'],
    ['cafe\u0301', '/caf\u00e9'],
    ['100%', '/100%'],
    ['a_b*c?', '/a_b*c?'],
    ["'; DROP TABLE path_contexts; --", "/'; DROP TABLE path_contexts; --"],
    ['📚/日本語', '/📚/日本語'],
    [' a / b ', '/ a / b '],
  ])('of %j is %j', (given, normal) => {
    expect(placePath(given)).toEqual({ path: normal })
    expect(normalPath(given)).toBe(normal)
  })

  it.each([
    ['..', 'leads up'],
    ['/..', 'leads up'],
    ['a/../b', 'leads up'],
    ['a/..', 'leads up'],
    ['a\\..\\b', 'leads up'],
    ['a\0b', 'control character'],
    ['a\nb', 'control character'],
    ['a\x1b[31m', 'control character'],
    ['a\x9f', 'control character'],
    ['a\ud800', 'Unicode'],
    ['a'.repeat(BOUNDS.placePath + 1), `${BOUNDS.placePath + 1} characters`],
  ])('is refused for %j, which says why', (given, problem) => {
    expect(placePath(given)).toEqual({ problem: expect.stringContaining(problem) })
  })

  it('may be as long as the longest', () => {
    expect(placePath('a'.repeat(BOUNDS.placePath))).toHaveProperty('path')
  })

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
