import { afterEach, describe, expect, it } from 'vitest'
import { readSimpleMatter } from '../../src/text/front-matter.ts'
import { parseFrontMatter } from '../../src/text/metadata.ts'
import { fc, forAll } from '../support/property.ts'

const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype)

afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(PROTOTYPE)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

describe('metadata', () => {
  it.each([
    ['a string', 'a: some text', 'some text'],
    ['a quoted string', 'a: "it\\n\'s"', "it\n's"],
    ['a quoted number', "a: '1'", '1'],
    ['a date', 'a: 2024-01-31', '2024-01-31'],
    ['yes, which is not a boolean', 'a: yes', 'yes'],
    ['a block of text', 'a: |\n  one\n  two\n', 'one\ntwo\n'],
    ['a boolean', 'a: true', 'true'],
    ['nothing', 'a:', 'null'],
    ['an integer', 'a: 42', '42'],
    ['a huge integer', 'a: 123456789012345678901234567890', '123456789012345678901234567890'],
    ['a number with a zero at its end', 'a: 1.10', '1.10'],
    ['a number with an exponent', 'a: 1e400', '1e400'],
    ['a hexadecimal number', 'a: 0x1F', '31'],
    ['a number with leading zeros', 'a: 007', '7'],
    ['a number with a plus', 'a: +5', '5'],
    ['infinity', 'a: .inf', '.inf'],
    ['a list', 'a: [x, 1.50, true, null]', '["x",1.50,true,null]'],
    ['a list over lines', 'a:\n  - x\n  - y: [1]\n', '["x",{"y":[1]}]'],
    ['a map', 'a: {b: {c: 12345678901234567890}}', '{"b":{"c":12345678901234567890}}'],
    ['an empty map', 'a: {}', '{}'],
    ['an alias', 'b: &x [1, 2]\na: {c: *x}', '{"c":[1,2]}'],
    ['infinity in a list', 'a: [.nan]', '[".nan"]'],
  ])('has %s', (_, matter, text) => {
    const { metadata, warnings } = parseFrontMatter(matter)
    expect(metadata.a).toBe(text)
    expect(warnings).toEqual([])
  })

  it('has keys of all kinds as strings', () => {
    const { metadata } = parseFrontMatter('"a b": 1\n2: x\ntrue: y\n? [a, b]\n: z\nnull: n\n')
    expect(metadata).toEqual({ 'a b': '1', '2': 'x', true: 'y', '["a","b"]': 'z', null: 'n' })
  })

  it.each([
    ['nothing', '', 0],
    ['a comment', '# nothing\n', 0],
    ['a list', '- a\n- b\n', 1],
    ['a text', 'just text', 1],
  ])('is empty for %s', (_, matter, warnings) => {
    const read = parseFrontMatter(matter)
    expect(read.metadata).toEqual({})
    expect(read.warnings).toHaveLength(warnings)
  })

  it('has the same values as the map of values', () => {
    const { values } = parseFrontMatter('paths: [src, "*.ts"]\nalways: true\nn: 1.5\ndescription: x\n')
    expect([...values]).toEqual([
      ['paths', ['src', '*.ts']],
      ['always', true],
      ['n', 1.5],
      ['description', 'x'],
    ])
  })
})

it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
  'keys that mean something to JavaScript are data: %s',
  (key) => {
    const { metadata, values } = parseFrontMatter(`${key}: {polluted: yes}\nb: {${key}: {polluted: 1}}\n`)
    expect(Object.hasOwn(metadata, key)).toBe(true)
    expect(Object.getOwnPropertyDescriptor(metadata, key)?.value).toBe('{"polluted":"yes"}')
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype)
    const nested = values.get('b') as object
    expect(Object.hasOwn(nested, key)).toBe(true)
    expect(Object.getPrototypeOf(nested)).toBe(Object.prototype)
    expect(metadata.b).toBe(`{"${key}":{"polluted":1}}`)
  },
)

describe('a warning', () => {
  it('tells of a key that is there twice, and the last one counts', () => {
    const { metadata, warnings } = parseFrontMatter('a: 1\nb: {c: 1, c: 2}\na: 3\n')
    expect(metadata).toEqual({ a: '3', b: '{"c":2}' })
    expect(warnings).toEqual([expect.stringContaining('"c" twice'), expect.stringContaining('"a" twice')])
  })

  it.each([
    ['on a value', 'a: !!js/function "function () { throw 1 }"', 'function () { throw 1 }'],
    ['on a map', 'a: !thing {x: 1}', '{"x":1}'],
    ['for bytes', 'a: !!binary aGVsbG8=', 'aGVsbG8='],
    ['for a time', 'a: !!timestamp 2001-12-14', '2001-12-14'],
    ['for a set', 'a: !!set {x}', '{"x":null}'],
  ])('tells of a tag %s, which does nothing', (_, matter, text) => {
    const { metadata, warnings } = parseFrontMatter(matter)
    expect(metadata.a).toBe(text)
    expect(warnings).toEqual([expect.stringContaining('tags')])
  })

  it('tells of YAML that is none, read as plain lines', () => {
    const { metadata, values, warnings } = parseFrontMatter(
      'description: Rules for "x": y\nglobs: *.ts,*.tsx\nalwaysApply: true\nempty:\n# no: comment\n  - item: no\n- item: no\n',
    )
    expect(metadata).toEqual({ description: 'Rules for "x": y', globs: '*.ts,*.tsx', alwaysApply: 'true', empty: '' })
    expect(values.get('globs')).toBe('*.ts,*.tsx')
    expect(warnings).toEqual([expect.stringMatching(/not valid YAML.*line \d/)])
    expect(parseFrontMatter('\nglobs: [a\n').warnings).toEqual([expect.stringContaining('(line 3)')])
  })

  it.each([
    ['an alias that is not there', 'globs: **/*.ts\n', '**/*.ts'],
    ['an alias to what it stands in', 'globs: &x {self: *x}\n', '&x {self: *x}'],
    ['a quote that is not closed', 'globs: "a\n', '"a'],
    ['a tab', 'globs: x\n\ty\n', 'x'],
    ['a second document', 'globs: x\n--- y\n', 'x'],
    ['an anchor twice without a value', 'globs: &a &a x\n', '&a &a x'],
  ])('tells of %s', (_, matter, globs) => {
    const { metadata, warnings } = parseFrontMatter(matter)
    expect(metadata.globs).toBe(globs)
    expect(warnings[0]).toContain('not valid YAML')
  })

  it('names the last of two plain lines with one key', () => {
    const { metadata, warnings } = parseFrontMatter('globs: *.a\nglobs: *.b\n__proto__: x\n')
    expect(metadata.globs).toBe('*.b')
    expect(Object.getOwnPropertyDescriptor(metadata, '__proto__')?.value).toBe('x')
    expect(warnings).toHaveLength(2)
  })

  it('tells of front matter over 64 KiB, which is not read', () => {
    const fits = `a: ${'x'.repeat(64 * 1024 - 3)}`
    expect(parseFrontMatter(fits).metadata.a).toHaveLength(64 * 1024 - 3)
    for (const matter of [`${fits}x`, `a: ${'漢'.repeat(22_000)}`, `a: ${'x'.repeat(1_000_000)}`]) {
      expect(parseFrontMatter(matter)).toEqual({
        values: new Map(),
        metadata: {},
        warnings: [expect.stringContaining('65536 bytes')],
      })
    }
  })

  it.each([
    ['lists of lists', ['&a [x,x,x,x,x,x,x,x,x]', ...'bcdefghi'].map(bomb).join('')],
    ['a long text', `a: &a ${'x'.repeat(10_000)}\nb: [${Array(500).fill('*a')}]\n`],
    [
      'keys',
      `a: &a {k: ${'x'.repeat(1000)}}\n${Array.from({ length: 500 }, (_, n) => `? [*a,*a,${n}]\n: *a\n`).join('')}`,
    ],
  ])('tells of aliases that expand to too much: %s', (_, matter) => {
    const read = parseFrontMatter(matter)
    expect(read).toEqual({ values: new Map(), metadata: {}, warnings: [expect.stringContaining('aliases')] })
  })
})

function bomb(line: string, depth: number): string {
  const key = String.fromCharCode(97 + depth)
  if (depth === 0) return `${key}: ${line}\n`
  const before = String.fromCharCode(96 + depth)
  return `${key}: &${key} [${Array(9).fill(`*${before}`)}]\n`
}

describe('parseFrontMatter', () => {
  const yaml = fc
    .array(fc.constantFrom(...'a¦: ¦\n¦- ¦[¦]¦{¦}¦&x ¦*x¦"¦\'¦!t ¦|¦>¦? ¦,¦ ¦\t¦__proto__¦1.0¦#¦\r¦---¦%'.split('¦')))
    .map((parts) => parts.join(''))

  it('never throws, and gives strings and valid JSON only', () =>
    forAll(1000, fc.oneof(yaml, fc.string({ unit: 'binary' })), (matter) => {
      const { metadata, values } = parseFrontMatter(matter)
      expect(Object.keys(metadata).sort()).toEqual([...values.keys()].sort())
      for (const [key, value] of values) {
        const text = Object.getOwnPropertyDescriptor(metadata, key)?.value
        if (typeof value === 'string') expect(text).toBe(value)
        else expect(() => JSON.parse(text)).not.toThrow()
      }
    }))

  it.each([
    ['brackets', '['.repeat(60_000)],
    ['braces', 'a: {b: '.repeat(8_000)],
    ['keys', 'a:\n'.repeat(2000)],
    ['spaces', `a${' '.repeat(60_000)}b: *x`],
    ['indentation', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
    ['a chain', `a0: &a0 x\n${Array.from({ length: 3000 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}]\n`).join('')}`],
  ])('survives many %s', (_, matter) => {
    expect(parseFrontMatter(matter).warnings.length).toBeGreaterThan(-1)
  })
})

describe('front matter that is simple', () => {
  const key = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/)
  const value = fc.oneof(
    fc.stringMatching(/^[A-Za-z][\w ,.;()/+=?!-]{0,20}$/),
    fc.stringMatching(/^"[^"\\\p{C}\u2028\u2029\ufeff]{0,20}"$/u),
    fc.array(fc.stringMatching(/^"[\w :#,-]{0,9}"$/), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.constantFrom(...'true|null|No|12|1e3|0x1f|.5|12/31/2025|2025-12-31|a: b|a #b|~|'.split('|')),
  )
  const line = fc
    .tuple(key, fc.constantFrom(': ', ':  ', ':', ':\t'), value, fc.constantFrom('', ' '))
    .map((part) => part.join(''))

  it('reads as the whole of YAML has it', () =>
    forAll(2000, fc.array(line, { maxLength: 3 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
      const matter = lines.map((one) => `${one}${end}`).join('')
      fc.pre(readSimpleMatter(matter) !== undefined)
      // A comment is not simple.
      expect(parseFrontMatter(matter)).toEqual(parseFrontMatter(`${matter}# a comment${end}`))
    }))
})
