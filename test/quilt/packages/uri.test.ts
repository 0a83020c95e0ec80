import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPackageUri, type PackageUri, parsePackageUri, printPackageUri } from '../../../src/quilt/place.ts'

const HASH = 'a1'.repeat(32)
const at = (rest: string) => `quilt+s3://bucket#package=${rest}`

describe('the address of a package', () => {
  it.each<[string, PackageUri]>([
    [at('team/data'), { bucket: 'bucket', name: 'team/data' }],
    [at('team/data:latest'), { bucket: 'bucket', name: 'team/data', revision: { tag: 'latest' } }],
    [at('team/data:1680720965'), { bucket: 'bucket', name: 'team/data', revision: { tag: '1680720965' } }],
    [at('team/data@a1b2c3'), { bucket: 'bucket', name: 'team/data', revision: { hash: 'a1b2c3' } }],
    [at(`team/data@${HASH}`), { bucket: 'bucket', name: 'team/data', revision: { hash: HASH } }],
    [at('team/data&path=a%2Fb.csv'), { bucket: 'bucket', name: 'team/data', path: 'a/b.csv' }],
    [at('team/data&path=a/b/'), { bucket: 'bucket', name: 'team/data', path: 'a/b/' }],
    // Decoded once: what was a percent sign stays one.
    [at('team/data&path=100%2525'), { bucket: 'bucket', name: 'team/data', path: '100%25' }],
    [at('team/data&path=%252e%252e'), { bucket: 'bucket', name: 'team/data', path: '%2e%2e' }],
    [at('team/data&path=a+b%2Bc%20d'), { bucket: 'bucket', name: 'team/data', path: 'a b+c d' }],
    [at('team/data&path=%D0%96'), { bucket: 'bucket', name: 'team/data', path: 'Ж' }],
    [at('team/data&catalog=open.example.com'), { bucket: 'bucket', name: 'team/data' }],
    [at('team%2Fdata'), { bucket: 'bucket', name: 'team/data' }],
    ['quilt+s3://b-1.x_y#path=p&package=Команда/Ряд_1', { bucket: 'b-1.x_y', name: 'Команда/Ряд_1', path: 'p' }],
    ['QUILT+S3://bucket#package=team/data', { bucket: 'bucket', name: 'team/data' }],
  ])('reads %s', (text, expected) => {
    expect(parsePackageUri(text)).toEqual(expected)
  })

  it.each([
    ['', 'is not an address of a package'],
    ['s3://bucket/key', 'is not an address of a package'],
    ['quilt+file:///srv#package=team/data', 'is not an address of a package'],
    ['quilt+s3:bucket#package=team/data', 'is not an address of a package'],
    ['quilt+s3://bucket', 'is not an address of a package'],
    ['quilt+s3://bucket#path=a', 'names no package'],
    ['quilt+s3://#package=team/data', 'names no bucket'],
    ['quilt+s3://bucket/sub#package=team/data', 'is more than a bucket'],
    ['quilt+s3://user@bucket#package=team/data', 'names a bucket that there can be none of'],
    ['quilt+s3://bucket?x=1#package=team/data', 'names a bucket that there can be none of'],
    ['quilt+s3://bucket#pacakge=team/data', 'The parameter "pacakge" is not known'],
    [at('team/data&Path=a'), 'The parameter "Path" is not known'],
    [at('team/data&'), 'The parameter "" is not known'],
    [at('team/data&path'), '"path" has no value'],
    [at('team/data&path=a=b'), '"path" has more than one "="'],
    [at('team/data&path=a&path=b'), '"path" is given twice'],
    [at(''), '"" is not a name of a package'],
    [at('data'), '"data" is not a name of a package'],
    [at('a/b/c'), '"a/b/c" is not a name of a package'],
    [at('team/da ta'), 'is not a name of a package'],
    [at('../data'), '"../data" is not a name of a package'],
    [at('team/data\n'), 'is not a name of a package'],
    [at('team/data@abcdef:latest'), '"abcdef:latest" is not a hash'],
    [at('team/data@'), '"" is not a hash'],
    [at('team/data@abcde'), '"abcde" is not a hash'],
    [at(`team/data@${HASH}a`), 'is not a hash'],
    [at('team/data@ABCDEF'), '"ABCDEF" is not a hash'],
    [at('team/data:a:b'), '"a:b" is not a tag'],
    [at('team/data:'), '"" is not a tag'],
    [at('team/data:..'), '".." is not a tag'],
    [at('team/data:a/b'), '"a/b" is not a tag'],
    [at(`team/data:${'x'.repeat(256)}`), 'is not a tag'],
    [at('team/data&path='), 'The path "" is the package itself'],
    [at('team/data&path=/'), 'The path "/" is the package itself'],
    [at('team/data&path=a//b'), 'it has an empty segment'],
    [at('team/data&path=a/%2e%2e/b'), 'it has the segment ".."'],
    [at('team/data&path=./a'), 'it has the segment "."'],
    [at('team/data&path=a%00b'), 'it has a NUL'],
    [at('team/data&path=100%'), 'has a "%" without two hex digits at 3'],
    [at('team/data&path=%ff'), 'is percent-encoded, but not as UTF-8'],
  ])('refuses %s: %s', (text, message) => {
    expect(() => parsePackageUri(text)).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining(message) }),
    )
  })

  it('shows no control character of what it refuses', () => {
    expect(() => parsePackageUri('quilt+s3://b\u001b[31m#package=a/b')).toThrow(/^[ -~]*$/)
  })

  it('is told from other texts', () => {
    const texts = ['quilt+s3://b#package=a/b', 'quilt+x:', 's3://b', 'docs/a']
    expect(texts.filter(isPackageUri)).toEqual(texts.slice(0, 2))
  })

  it('is printed so that it is read again', () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}_-]{1,8}$/u)
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
      .filter((text) => !/[/\0]/.test(text) && !/^\.\.?$/.test(text) && text.isWellFormed())
    const uri = fc.record(
      {
        bucket: fc.stringMatching(/^[a-z0-9][a-z0-9.-]{2,20}$/),
        name: fc.tuple(word, word).map((parts) => parts.join('/')),
        revision: fc.oneof(
          fc.stringMatching(/^[0-9a-f]{6,64}$/).map((hash) => ({ hash })),
          fc.stringMatching(/^[\w-]{1,12}$/).map((tag) => ({ tag })),
        ),
        path: fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
      },
      { requiredKeys: ['bucket', 'name'] },
    )
    fc.assert(
      fc.property(uri, (value) => {
        expect(parsePackageUri(printPackageUri(value))).toEqual(value)
      }),
    )
  })

  it('has the same text when it is printed again', () => {
    const text = 'quilt+s3://bucket#package=team/data@a1b2c3&path=a%20b/%D0%96%2525%2B'
    expect(printPackageUri(parsePackageUri(text))).toBe(text)
  })
})
