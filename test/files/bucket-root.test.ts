import { describe, expect, it } from 'vitest'
import { bucketRoot, isBucketRoot } from '../../src/files/bucket-root.ts'
import { objectsAt } from '../../src/files/object-stores.ts'
import { tree } from '../support/tree.ts'

describe('the root of a bucket', () => {
  it.each([
    ['s3://bucket', { bucket: 'bucket', uri: 's3://bucket' }],
    ['s3://bucket/', { bucket: 'bucket', uri: 's3://bucket' }],
    ['S3://bucket//', { bucket: 'bucket', uri: 's3://bucket' }],
    ['s3://bucket/a', { bucket: 'bucket', prefix: 'a', uri: 's3://bucket/a' }],
    ['s3://bucket/a/b c/', { bucket: 'bucket', prefix: 'a/b c', uri: 's3://bucket/a/b c' }],
    ['s3://bucket/a//b%20?#', { bucket: 'bucket', prefix: 'a//b%20?#', uri: 's3://bucket/a//b%20?#' }],
  ])('is read and written in one way: %s', (text, root) => {
    expect([bucketRoot(text), isBucketRoot(text)]).toEqual([root, true])
    expect(bucketRoot(root.uri)).toEqual(root)
  })

  it.each([
    ['s3:', 'lacks "//" before the bucket'],
    ['s3:bucket', 'lacks "//" before the bucket'],
    ['s3://', 'names no bucket'],
    ['s3:///a', 'names no bucket'],
    ['s3://-a', 'has a bucket name that is not valid'],
    ['s3://a', 'has a bucket name that is not valid'],
    ['s3://me:secret@bucket', 'has a bucket name that is not valid'],
    ['s3://a bucket', 'has a bucket name that is not valid'],
    ['s3://arn:aws:s3:::abc', 'has a bucket name that is not valid'],
    ['s3://../abc', 'has a bucket name that is not valid'],
    ['s3://abc?b', 'has a bucket name that is not valid'],
    ['s3://äbucket', 'has a bucket name that is not valid'],
    ['s3://bucket/a\nb', 'has control characters, or is not valid Unicode'],
    ['s3://bucket/\ud800', 'has control characters, or is not valid Unicode'],
  ])('is refused, and says why: %j', (text, problem) => {
    expect(() => bucketRoot(text)).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining(problem) }),
    )
  })

  it.each(['/s3', 's3', './s3:', 'https://bucket'])('is told from other roots: %s', (text) => {
    expect(isBucketRoot(text)).toBe(false)
  })
})

it('the objects at a root are those of a directory, or of a bucket', async () => {
  using files = tree({ 'a.txt': 'one' })
  expect((await (await objectsAt(files.base)).list()).objects.map(({ key }) => key)).toEqual(['a.txt'])
  const there = await objectsAt('s3://bucket/a/', {}, { endpoint: 'http://127.0.0.1:1', region: 'us-east-1' })
  expect(there.uri).toBe('s3://bucket/a')
  await there.close()
})
