import { describe, expect, it } from 'vitest'
import { keyBelow, type PhysicalKey, parsePhysicalKey } from '../../../src/quilt/located.ts'

describe('a physical key', () => {
  it.each<[string, PhysicalKey]>([
    ['s3://bucket/a/b.csv', { kind: 's3', bucket: 'bucket', key: 'a/b.csv' }],
    ['s3://bucket/a?versionId=x.1_Y', { kind: 's3', bucket: 'bucket', key: 'a', version: 'x.1_Y' }],
    ['s3://bucket/a?versionId=x%2By+z', { kind: 's3', bucket: 'bucket', key: 'a', version: 'x+y z' }],
    // Keys of S3 are opaque: nothing in them leads anywhere.
    ['s3://bucket/a//../%2e%2e/b', { kind: 's3', bucket: 'bucket', key: 'a//../../b' }],
    ['s3://bucket/a%2520b%23+', { kind: 's3', bucket: 'bucket', key: 'a%20b#+' }],
    ['s3://bucket//a', { kind: 's3', bucket: 'bucket', key: '/a' }],
    ['file:///srv/a%20b', { kind: 'file', path: '/srv/a b' }],
    ['file://localhost/srv/a', { kind: 'file', path: '/srv/a' }],
    ['file:///srv/%2561', { kind: 'file', path: '/srv/%61' }],
    ['./manual/force/ONLY.md', { kind: 'relative', path: 'manual/force/ONLY.md' }],
    ['data/a%20b', { kind: 'relative', path: 'data/a b' }],
  ])('reads %s', (text, expected) => {
    expect(parsePhysicalKey(text)).toEqual(expected)
  })

  it.each([
    ['https://host/a', 'is of the scheme "https"'],
    ['data:text/plain,x', 'is of the scheme "data"'],
    ['s3:/bucket/a', 'lacks "//"'],
    ['s3:///a', 'has no bucket'],
    ['s3://bucket', 'has no key'],
    ['s3://bucket/', 'has no key'],
    ['s3://bucket/a?x=1', 'has a query that is not one versionId'],
    ['s3://bucket/a?versionId=1&versionId=2', 'has a query that is not one versionId'],
    ['s3://bucket/a?versionId=', 'has an empty versionId'],
    ['s3://bucket/a#b', 'has a fragment'],
    ['s3://bucket/a%', 'has a "%" without two hex digits'],
    ['s3://bucket/%ff', 'is percent-encoded, but not as UTF-8'],
    ['file://host/a', 'names the host "host"'],
    ['file:/srv/a', 'is not an absolute path'],
    ['file:///srv/a?versionId=1', 'has a query'],
    ['file:///srv/../etc/passwd', 'has the segment ".."'],
    ['file:///srv/%2e%2e/etc', 'has the segment ".."'],
    ['file:///srv//a', 'has an empty segment'],
    ['file:///', 'has an empty segment'],
    ['file:///srv/', 'has an empty segment'],
    ['file:///a%00b', 'has a NUL'],
    ['/etc/passwd', 'is an absolute path without a scheme'],
    ['../a', 'has the segment ".."'],
    ['a/%2e%2e/b', 'has the segment ".."'],
    ['./', 'has an empty segment'],
    ['', 'has an empty segment'],
    ['a?b', 'has a query'],
  ])('is not %s: it %s', (text, message) => {
    expect(() => parsePhysicalKey(text)).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining(message) }),
    )
  })

  it.each([
    ['s3://bucket/a/b', 's3://bucket', 'a/b'],
    ['s3://bucket/pre/a', 's3://bucket/pre', 'a'],
    ['s3://bucket/prefix/a', 's3://bucket/pre', undefined],
    ['s3://bucket/pre/', 's3://bucket/pre', undefined],
    ['s3://other/a', 's3://bucket', undefined],
    ['s3://bucket/a', 'file:///bucket', undefined],
    ['file:///srv/data/a b', 'file:///srv/data', 'a b'],
    ['file:///srv/my%20data/a', 'file:///srv/my%20data', 'a'],
    ['file:///srv/database/a', 'file:///srv/data', undefined],
    ['file:///srv/data', 'file:///srv/data', undefined],
    ['file:///etc/passwd', 'file:///srv/data', undefined],
    ['file:///srv/data/a', 's3://srv', undefined],
    ['./a/b', 's3://bucket', 'a/b'],
    ['a', 'file:///srv/data', 'a'],
  ])('%s is under %s at %s', (text, uri, key) => {
    expect(keyBelow(parsePhysicalKey(text), uri)).toBe(key)
  })
})
