import { describe, expect, it } from 'vitest'
import { globs, patternsOf } from '../../src/text/globs.ts'
import { fc, forAll } from '../support/property.ts'
import { SOON } from '../support/soon.ts'

const matches = (pattern: string, path: string) => globs([pattern]).matches(path)

describe('a pattern', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['/src/a.ts', 'src/a.ts'],
    ['*.ts', 'a.ts'],
    ['*', '.env'],
    ['.*', '.env'],
    ['*.test.*', 'a.b.test.ts'],
    ['a?c', 'abc'],
    ['?', '😀'],
    ['**', 'a/b/c'],
    ['**/*', 'a'],
    ['**/*.ts', 'a.ts'],
    ['**/*.ts', 'a/b/.c/d.ts'],
    ['src/**', 'src/a/b'],
    ['src/**', 'src'],
    ['src/**/test/*.ts', 'src/test/a.ts'],
    ['src/**/test/*.ts', 'src/a/test/b/test/a.ts'],
    ['a**b', 'axxb'],
    ['src/', 'src/a/b'],
    ['[abc].md', 'b.md'],
    ['[a-c0-9].md', '7.md'],
    ['[!a].md', 'b.md'],
    ['[^a].md', 'b.md'],
    ['[]a].md', '].md'],
    ['[a\\]].md', '].md'],
    ['[z-].md', '-.md'],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
    ['app/[...slug]/*', 'app/[...slug]/page.tsx'],
    ['[id', '[id'],
    ['\\*.md', '*.md'],
    ['a\\{b}', 'a{b}'],
    ['{a,b}.ts', 'b.ts'],
    ['*.{ts,tsx}', 'x.tsx'],
    ['{src,test}/**/*.{ts,js}', 'test/a/b.js'],
    ['{a,{b,c}}/x', 'c/x'],
    ['x{,.min}.js', 'x.js'],
    ['x{,.min}.js', 'x.min.js'],
    ['{a/b,c}/d', 'a/b/d'],
    ['{ts}', 'ts'],
    ['{a', '{a'],
    ['a}', 'a}'],
    ['ü/*.md', 'ü/é.md'],
  ])('%s matches %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(true)
  })

  it.each([
    ['', 'a'],
    ['src', 'src/a.ts'],
    ['*.ts', 'src/a.ts'],
    ['*.ts', 'a.tsx'],
    ['*.TS', 'a.ts'],
    ['src/*', 'src/a/b'],
    ['src/*', 'src'],
    ['src/**', 'srcs/a'],
    ['**/b', 'a/bb'],
    ['a?c', 'a/c'],
    ['?', ''],
    ['[a-c].md', 'd.md'],
    ['[!a].md', 'a.md'],
    ['[a]', '/'],
    ['{a,b}.ts', 'c.ts'],
    ['\\*.md', 'a.md'],
    ['a.c', 'abc'],
    ['(a|b)', 'a'],
    ['a+', 'aa'],
    ['src/', 'src2/a'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(false)
  })
})

it.each([
  [['a/*', 'b/*'], 'b/x', true],
  [['a/*', 'b/*'], 'c/x', false],
  [['src/**', '!src/gen/**'], 'src/a.ts', true],
  [['src/**', '!src/gen/**'], 'src/gen/a.ts', false],
  [['!src/gen/**', 'src/**'], 'src/gen/a.ts', false],
  [['!src/gen/**'], 'src/a.ts', false],
  [[], 'a', false],
])('several patterns %j: %s is %s', (patterns, path, expected) => {
  expect(globs(patterns).matches(path)).toBe(expected)
})

it.each([
  ['src/**/*.ts', ['src/**/*.ts']],
  ['*.ts, *.tsx,*.js', ['*.ts', '*.tsx', '*.js']],
  ['src/*.{ts,tsx}, lib/**', ['src/*.{ts,tsx}', 'lib/**']],
  ['{a,{b,c}},d', ['{a,{b,c}}', 'd']],
  ['{a,b', ['{a', 'b']],
  ['"*.ts", \'*.js\'', ['*.ts', '*.js']],
  [
    ['a', 'b,c'],
    ['a', 'b', 'c'],
  ],
  [[['deep']], ['deep']],
  [' , ,', []],
  ['', []],
  [null, []],
  [undefined, []],
  [7, []],
  [true, []],
  [{ ts: true }, []],
  [[1, 'a', null], ['a']],
])('a front matter value %j holds the patterns %j', (value, expected) => {
  expect(patternsOf(value)).toEqual(expected)
})

describe('a hostile pattern', () => {
  const name = 'a'.repeat(255)
  const HOSTILE: readonly (readonly [string, string])[] = [
    [`${'*a'.repeat(34)}b`, name],
    [`${'*'.repeat(34)}b`, name],
    [`${'a*'.repeat(120)}b`, `${`${name}/`.repeat(15)}${name}`],
    [`${'**/'.repeat(80)}b`, `${'a/'.repeat(2000)}c`],
    [`${'**/a/'.repeat(50)}b`, `${'a/'.repeat(2000)}c`],
    [`${'?*'.repeat(120)}b`, name],
    [`${'[a-z]*'.repeat(40)}0`, name],
    ['[a-z]'.repeat(51), name],
    ['{a,b}'.repeat(51), name],
    [`${'{a,aa}'.repeat(40)}b`, name],
    [`${'{*,a*}'.repeat(6)}b`, name],
    [`{${'a,'.repeat(120)}}`, name],
    [`${'{'.repeat(120)}a${'}'.repeat(120)}`, name],
    ['{'.repeat(256), name],
    ['['.repeat(256), name],
    ['\\'.repeat(256), name],
    ['+(+(a+)+)+b', name],
    ['@(a|aa|aaa)*(a|aa)b', name],
    ['{1..1000000}', '5'],
    ['('.repeat(256), name],
    ['x'.repeat(10_000), name],
  ]

  it.each(HOSTILE)('%.40s takes no time', (pattern, path) => {
    const began = performance.now()
    matches(pattern, path)
    expect(performance.now() - began).toBeLessThan(SOON)
  })

  it.each([
    ['too long', 'x'.repeat(10_000)],
    ['with too many braces', '{a,b}'.repeat(40)],
  ])('%s is refused, and said to be', (_, pattern) => {
    const { matches, refused } = globs(['ok', pattern])
    expect(refused).toEqual([pattern])
    expect(matches('ok')).toBe(true)
  })

  it('is one of many: those that come to too much together are refused', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `some/directory/${index}/**`)
    const { matches, refused } = globs(many)
    expect(matches('some/directory/1/a')).toBe(true)
    expect(refused.length).toBeGreaterThan(9000)
    expect(globs(many, Number.POSITIVE_INFINITY).refused).toEqual([])
  })

  it('in a front matter of 64 KiB takes no time either', () => {
    const began = performance.now()
    for (const value of ['{'.repeat(65_000), '{a,'.repeat(20_000), ','.repeat(65_000), '"'.repeat(65_000)]) {
      globs(patternsOf(value))
    }
    expect(performance.now() - began).toBeLessThan(SOON)
  })
})

const NAME = fc.stringMatching(/^[a-c._-]{1,4}$/).filter((name) => !/^\.+$/.test(name))
const PATH = fc.array(NAME, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'))

/** The same question put to a regular expression, for patterns of letters and stars. */
function regularly(pattern: string, path: string): boolean {
  const source = pattern
    .split('/')
    .map((segment) =>
      segment === '**' ? '(?:[^/]+/)*' : `${segment.replace(/[.]/g, '\\.').replaceAll('*', '[^/]*')}/`,
    )
    .join('')
  return new RegExp(`^${source}$`).test(`${path}/`)
}

describe('for all', () => {
  it('paths, a path matches itself, and ** and **/* match it', () =>
    forAll(PATH, (path) => {
      expect([path, '**', '**/*', `**/${path}`, `${path}/**`].map((pattern) => matches(pattern, path))).toEqual(
        Array.from({ length: 5 }, () => true),
      )
    }))

  it('patterns of stars and letters, the answer is that of a regular expression', () => {
    const segment = fc.oneof(
      fc.constant('**'),
      fc.stringMatching(/^[ab*.]{1,4}$/).filter((text) => !/\*\*/.test(text)),
    )
    const pattern = fc
      .array(segment, { minLength: 1, maxLength: 5 })
      .map((segments) => segments.join('/'))
      .filter((text) => !text.startsWith('./'))
    forAll(2000, pattern, PATH, (glob, path) => {
      expect(matches(glob, path)).toBe(regularly(glob, path))
    })
  })

  it('texts, reading and matching ends without throwing', () =>
    forAll(2000, fc.string({ unit: fc.constantFrom(...'*?[]{},!\\/ab-^'), maxLength: 40 }), PATH, (pattern, path) => {
      expect(typeof matches(pattern, path)).toBe('boolean')
    }))
})
