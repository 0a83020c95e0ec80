import { describe, expect, it } from 'vitest'
import { parsePackageUri, printPackageUri } from '../../../src/quilt/place.ts'
import { fc, forAll } from '../../support/property.ts'

describe('the address of a package', () => {
  it('shows no control character of what it refuses', () => {
    expect(() => parsePackageUri('quilt+s3://b\u001b[31m#package=a/b')).toThrow(/^[ -~]*$/)
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
    forAll(uri, (value) => {
      expect(parsePackageUri(printPackageUri(value))).toEqual(value)
    })
  })

  it('has the same text when it is printed again', () => {
    const text = 'quilt+s3://bucket#package=team/data@a1b2c3&path=a%20b/%D0%96%2525%2B'
    expect(printPackageUri(parsePackageUri(text))).toBe(text)
  })
})
