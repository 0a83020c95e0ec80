import { describe, expect, it } from 'vitest'
import {
  checkDirectory,
  checkLogicalKey,
  isName,
  isTag,
  isTopHash,
  logicalKeyProblem,
  parseSpec,
  pointerTime,
  printSpec,
} from '../../../src/quilt/names.ts'

describe('names', () => {
  it.each(['a/b', 'team-1/data_2', 'Ж/é', '-/_'])('%s is one of a package', (name) => {
    expect(isName(name)).toBe(true)
  })

  it.each(['', 'a', 'a/', '/b', 'a/b/c', 'a.b/c', 'a b/c', 'a@b/c', 'a/b\n', '../b'])('%j is none', (name) => {
    expect(isName(name)).toBe(false)
  })

  it('of pointers stay a single segment of a key', () => {
    expect(['latest', '1680720965', 'v1.0_x-y'].every(isTag)).toBe(true)
    expect(['', '.', '..', 'a/b', 'a b', 'a\n', 'x'.repeat(256)].some(isTag)).toBe(false)
  })

  it('of hashes have 64 digits', () => {
    expect(isTopHash('0f'.repeat(32))).toBe(true)
    expect(['0f'.repeat(31), '0F'.repeat(32), `${'0f'.repeat(32)}\n`, 'x'.repeat(64)].some(isTopHash)).toBe(false)
  })

  it.each(['team/data', 'team/data:latest', 'team/data@a1b2c3'])('%s is printed as it is read', (text) => {
    expect(printSpec(parseSpec(text))).toBe(text)
  })

  it('that are times tell them', () => {
    expect(pointerTime('1680720965')).toBe('2023-04-05T18:56:05.000Z')
    expect(pointerTime('0')).toBe('1970-01-01T00:00:00.000Z')
    expect(['latest', '', '-1', '1.5', '9'.repeat(13)].map(pointerTime)).toEqual(Array(5).fill(undefined))
    expect(pointerTime('9'.repeat(12))).toMatch(/^\+\d+-/)
  })
})

describe('logical keys', () => {
  it.each(['a', 'a/b.csv', '...', 'a/..b', ' ', '%2e%2e', '\\', 'C:\\x'])('may be %j', (key) => {
    expect(checkLogicalKey(key)).toBe(key)
  })

  it.each([
    ['', 'it is empty'],
    ['/', 'it has an empty segment'],
    ['/a', 'it has an empty segment'],
    ['a/', 'it has an empty segment'],
    ['a//b', 'it has an empty segment'],
    ['..', 'it has the segment ".."'],
    ['a/../b', 'it has the segment ".."'],
    ['a/.', 'it has the segment "."'],
    ['a\0', 'it has a NUL'],
  ])('may not be %j: %s', (key, problem) => {
    expect(logicalKeyProblem(key)).toBe(problem)
    expect(() => checkLogicalKey(key)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
  })

  it('of directories may have a slash at their end', () => {
    expect(['', '/', 'a', 'a/', 'a/b/'].map(checkDirectory)).toEqual(['', '', 'a', 'a', 'a/b'])
    for (const path of ['//', 'a//', '../', '/a']) expect(() => checkDirectory(path)).toThrow()
  })
})
