import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Admin, adminOf, type Endpoint } from './s3/admin.ts'

/** What an S3 answers to the SDK, of what our driver relies on: the same facts of the real one and of ours in process. */
export function s3Facts(name: string, endpointOf: () => Promise<Endpoint>): void {
  let admin: Admin
  let client: S3Client
  let endpoint: Endpoint
  let Bucket = ''
  beforeAll(async () => {
    endpoint = await endpointOf()
    admin = adminOf(endpoint)
    client = admin.client
    Bucket = await admin.bucket()
    await admin.put(Bucket, [
      ['text', Buffer.from('0123456789')],
      ['empty', Buffer.alloc(0)],
    ])
  })
  afterAll(async () => {
    await admin.remove(Bucket)
    admin.close()
  })

  const get = (more: object, from = client) => from.send(new GetObjectCommand({ Bucket, Key: 'text', ...more }))
  const textOf = async (more: object) => (await get(more)).Body?.transformToString()

  /** Status and code of the error. */
  async function fault(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => undefined,
      (error: S3ServiceException) => error,
    )
    return error ? `${error.$metadata.httpStatusCode} ${error.name}` : 'none'
  }

  const as = (accessKeyId: string, secretAccessKey: string) =>
    new S3Client({
      endpoint: endpoint.url,
      region: endpoint.region,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    })

  describe(`the facts of ${name}`, () => {
    it.each([
      ['bytes=0-2', '012', 'bytes 0-2/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=-100', '0123456789', 'bytes 0-9/10'],
      ['bytes=8-100', '89', 'bytes 8-9/10'],
      ['bytes=9-9', '9', 'bytes 9-9/10'],
    ])('ranges: %s gives %s', async (Range, text, contentRange) => {
      const answer = await get({ Range })
      expect([answer.$metadata.httpStatusCode, answer.ContentRange, answer.ContentLength]).toEqual([
        206,
        contentRange,
        text.length,
      ])
      expect(await answer.Body?.transformToString()).toBe(text)
    })

    it('a range that holds nothing is 416, and so is any of an empty object', async () => {
      expect(await fault(get({ Range: 'bytes=10-' }))).toBe('416 InvalidRange')
      expect(await fault(get({ Range: 'bytes=100-200' }))).toBe('416 InvalidRange')
      expect(await fault(get({ Key: 'empty', Range: 'bytes=0-9' }))).toBe('416 InvalidRange')
      expect(await textOf({ Key: 'empty' })).toBe('')
    })

    it('what is missing has a code for GET, and none for HEAD', async () => {
      expect(await fault(get({ Key: 'none' }))).toBe('404 NoSuchKey')
      expect(await fault(client.send(new HeadObjectCommand({ Bucket, Key: 'none' })))).toBe('404 NotFound')
      expect(await fault(get({ Bucket: 'ambit-test-none' }))).toBe('404 NoSuchBucket')
      expect(await fault(client.send(new ListObjectsV2Command({ Bucket: 'ambit-test-none' })))).toBe('404 NoSuchBucket')
    })

    it('keys and secrets that are wrong are told apart', async () => {
      const [unknown, wrong, nobody] = [
        as('AMBITTESTKEYUNKNOWN0', endpoint.secret),
        as(endpoint.key, 'wrong'),
        as('', ''),
      ]
      expect(await fault(get({}, unknown))).toBe('403 InvalidAccessKeyId')
      expect(await fault(get({}, wrong))).toBe('403 SignatureDoesNotMatch')
      const unsigned = await fetch(`${endpoint.url}/${Bucket}/text`)
      expect([unsigned.status, await unsigned.text()]).toEqual([
        403,
        expect.stringContaining('<Code>AccessDenied</Code>'),
      ])
      for (const one of [unknown, wrong, nobody]) one.destroy()
    })

    it('conditions are held against the etag', async () => {
      const { ETag = '' } = await client.send(new HeadObjectCommand({ Bucket, Key: 'text' }))
      expect(ETag).toBe('"781e5e245d69b566979b86e28d23f2c7"')
      expect(await fault(get({ IfNoneMatch: ETag }))).toMatch(/^304 /)
      expect(await fault(get({ IfNoneMatch: ETag, Range: 'bytes=0-2' }))).toMatch(/^304 /)
      expect(await textOf({ IfNoneMatch: '"other"' })).toBe('0123456789')
      expect(await textOf({ IfMatch: ETag })).toBe('0123456789')
      expect(await fault(get({ IfMatch: '"other"' }))).toBe('412 PreconditionFailed')
      const put = (more: object) =>
        client.send(new PutObjectCommand({ Bucket, Key: 'text', Body: '0123456789', ...more }))
      expect(await fault(put({ IfNoneMatch: '*' }))).toBe('412 PreconditionFailed')
      expect(await fault(put({ IfMatch: '"other"' }))).toBe('412 PreconditionFailed')
      expect(await fault(put({ Key: 'none', IfMatch: '"other"' }))).toMatch(/^(404 NoSuchKey|412 PreconditionFailed)$/)
    })

    it('lists say what they were asked, encoded as URLs are', async () => {
      const folder = await admin.bucket()
      const keys = ['a b', 'a+b', 'a/😀', 'a/é', 'a\u0001', 'b/c']
      await admin.put(
        folder,
        keys.map((key) => [key, Buffer.from(key)]),
      )
      const list = (more: object) =>
        client.send(new ListObjectsV2Command({ Bucket: folder, EncodingType: 'url', ...more }))
      const decoded = (text = '') => decodeURIComponent(text.replaceAll('+', ' '))
      const first = await list({ Delimiter: '/', MaxKeys: 3 })
      expect(first.Contents?.map(({ Key }) => decoded(Key))).toEqual(['a\u0001', 'a b', 'a+b'])
      expect([first.EncodingType, first.IsTruncated, first.KeyCount, first.MaxKeys]).toEqual(['url', true, 3, 3])
      const second = await list({ Delimiter: '/', ContinuationToken: first.NextContinuationToken })
      expect([second.CommonPrefixes?.map(({ Prefix }) => decoded(Prefix)), second.IsTruncated]).toEqual([
        ['a/', 'b/'],
        false,
      ])
      const after = await list({ StartAfter: 'a+b', Prefix: 'a' })
      expect(after.Contents?.map(({ Key }) => decoded(Key))).toEqual(['a/é', 'a/😀'])
      expect(after.Contents?.[0]).toMatchObject({ Size: 4, ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/) })
      expect((await list({ MaxKeys: 0 })).KeyCount).toBe(0)
      await admin.remove(folder)
    })

    it('versions are kept, and marks of what was deleted', async () => {
      const kept = await admin.bucket()
      const put = async (Body: string) =>
        (await client.send(new PutObjectCommand({ Bucket: kept, Key: 'k', Body }))).VersionId
      const before = await put('before')
      await client.send(
        new PutBucketVersioningCommand({ Bucket: kept, VersioningConfiguration: { Status: 'Enabled' } }),
      )
      const [first, second] = [await put('1'), await put('2')]
      expect([before, first === second, first && second && true]).toEqual([undefined, false, true])
      const read = (VersionId?: string) => textOf({ Bucket: kept, Key: 'k', ...(VersionId && { VersionId }) })
      expect([await read(), await read(first), await read('null')]).toEqual(['2', '1', 'before'])
      const mark = await client.send(new DeleteObjectCommand({ Bucket: kept, Key: 'k' }))
      expect([mark.DeleteMarker, typeof mark.VersionId]).toEqual([true, 'string'])
      expect(await fault(get({ Bucket: kept, Key: 'k' }))).toBe('404 NoSuchKey')
      expect(await fault(get({ Bucket: kept, Key: 'k', VersionId: mark.VersionId }))).toMatch(/^405 |^404 /)
      const { Versions, DeleteMarkers } = await client.send(new ListObjectVersionsCommand({ Bucket: kept }))
      expect(Versions?.map(({ VersionId, IsLatest }) => [VersionId, IsLatest])).toEqual([
        [second, false],
        [first, false],
        ['null', false],
      ])
      expect(DeleteMarkers).toMatchObject([{ Key: 'k', VersionId: mark.VersionId, IsLatest: true }])
      await client.send(new DeleteObjectCommand({ Bucket: kept, Key: 'k', VersionId: mark.VersionId }))
      expect(await read()).toBe('2')
      await admin.remove(kept)
    })

    it('what was sent is held against its hash', async () => {
      const wrong = { Bucket, Key: 'a', Body: 'x', ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' }
      expect(await fault(client.send(new PutObjectCommand(wrong)))).toBe('400 BadDigest')
    })

    it('keys are at most 1,024 bytes', async () => {
      const put = (Key: string) => client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
      expect(await fault(put('x'.repeat(1025)))).toMatch(/^400 (KeyTooLongError|InvalidObjectName)$/)
    })
  })
}
