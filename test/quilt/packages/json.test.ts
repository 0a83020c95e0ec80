import { describe, expect, it } from 'vitest'
import { isObject, isRawNumber, parseJson, readJson } from '../../../src/quilt/packages/json.ts'
import { pythonJson } from '../../../src/quilt/packages/top-hash.ts'
import { fc, forAll } from '../../support/property.ts'

const READERS = [
  ['parseJson', parseJson],
  ['readJson', readJson],
] as const

/** Anything, with any characters in its texts and keys; among them many that are escaped. */
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
  fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom('z', '\\', '"', '\n', '\ud800', '😀', '/') }),
)

describe.each(READERS)('%s', (_, read) => {
  it.each('0 -0 1.0 1.50 1e16 1E+2 -0.0 12345678901234567890123 9007199254740993 1e400 [1.0,{"a":-0}]'.split(' '))(
    'gives %s back as it was written',
    (text) => {
      expect(JSON.stringify(read(text))).toBe(text)
    },
  )

  it('keeps what Python writes for numbers that are none, which JSON has as texts', () => {
    const value = read('{"a": NaN, "b": [-Infinity, Infinity], "c": "NaN"}')
    expect(pythonJson(value)).toBe('{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN"}')
    expect(JSON.stringify(value)).toBe('{"a":"NaN","b":["-Infinity","Infinity"],"c":"NaN"}')
  })

  it('keeps a number that loses nothing as a number', () => {
    expect(read('[1, -5, 9007199254740991]')).toEqual([1, -5, 9007199254740991])
  })

  it('keeps __proto__ as a key like others', () => {
    const value = read('{"__proto__": {"admin": 1.0}, "constructor": 1}')
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    expect((value as { admin?: unknown }).admin).toBeUndefined()
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('lets the last of equal keys win', () => {
    expect(read('{"a": 1, "b": 2, "a": 3}')).toEqual({ a: 3, b: 2 })
  })

  it('gives escaped keys their names, also after the same shape with another was read', () => {
    for (const first of ['{"h":[],"\\\\":0}', '{"h":[],"a":0}']) read(first)
    for (const [text, key] of [
      ['{"h":1,"\\"":2}', '"'],
      ['{"h":1,"\\n":2}', '\n'],
      ['{"h":1,"\\u0061":2}', 'a'],
    ] as const)
      expect(Object.keys(read(text) as object)).toEqual(['h', key])
  })

  it('reads no more than a thousand arrays within each other', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    for (const depth of [1001, 400_000]) expect(() => read(nested(depth))).toThrow(SyntaxError)
    expect(() => read(`[1.0,${nested(400_000)}]`)).toThrow(SyntaxError)
  })

  it.each(
    (
      '| |{|[1,]|{"a":1,}|{a:1}|{\'a\':1}|01|1.|.5|+1|1e|nul|nan|+Infinity|"a|"\\x"|"\t"|"\\u12"|1 2|{}{}|' +
      '\ufeff{}|\u00a01|["a\\"]'
    ).split('|'),
  )('refuses %j', (text) => {
    expect(() => read(text)).toThrow(SyntaxError)
  })

  it('gives back what was written, also where it is escaped', () => {
    forAll(values, (value) => {
      const text = JSON.stringify(value)
      expect(JSON.stringify(read(text))).toBe(text)
      expect(JSON.stringify(read(JSON.stringify(value, null, '\t')))).toBe(text)
      // No word of JSON has a z.
      expect(JSON.stringify(read(text.replaceAll('z', '\\u007a')))).toBe(text)
    })
  })

  it('refuses what JSON.parse refuses, and nothing else', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\10.e-tu ') })
    forAll(5000, texts, (text) => {
      expect(isTaken(read, text)).toBe(isTaken(JSON.parse, text))
    })
  })
})

function isTaken(read: (text: string) => unknown, text: string): boolean {
  try {
    read(text)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return false
  }
}

describe('values', () => {
  it('tell an object from an array and from a number by its source', () => {
    const kinds = ['{}', '[]', '1.0', 'null', '"a"'].map(parseJson)
    expect(kinds.map(isObject)).toEqual([true, false, false, false, false])
    expect(kinds.map(isRawNumber)).toEqual([false, false, true, false, false])
  })
})
