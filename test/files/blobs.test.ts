import { readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { NoSpace } from '../../src/core/errors.ts'
import { directoryBlobs } from '../../src/files/disk/blobs-directory.ts'
import { blobsAt } from '../../src/files/object-stores.ts'
import { s3Blobs } from '../../src/files/s3/s3.ts'
import { adminOf } from '../support/s3/admin.ts'
import { S3Fault } from '../support/s3/fault.ts'
import { KEY, REGION, type S3Server, SECRET, s3Server } from '../support/s3/server.ts'
import { tree } from '../support/tree.ts'
import { allIn, blobsContract, s3BlobsContract } from './blobs.contract.ts'
import { descriptorsBelow } from './fixtures.ts'

blobsContract('a directory', async () => {
  const at = tree({}, 'ambit-blobs-')
  const open = () => directoryBlobs(at.at('not/there/yet'))
  return { blobs: open(), again: async () => open(), close: async () => at[Symbol.dispose]() }
})

let server: S3Server | undefined
afterAll(() => server?.[Symbol.asyncDispose]())
const inProcess = async () => {
  server ??= await s3Server()
  return { url: server.url, region: REGION, key: KEY, secret: SECRET }
}

s3BlobsContract('S3 in process', inProcess)

const BYTES = new Uint8Array([1, 2, 3])

describe('in a directory, blobs', () => {
  it('make no directory before there is one of them', async () => {
    using at = tree({})
    const blobs = directoryBlobs(at.at('objects'))
    await allIn(blobs)
    await blobs.remove('a/b')
    expect(readdirSync(at.base)).toEqual([])
    await blobs.put('a/b', BYTES)
    expect(readdirSync(at.base)).toEqual(['objects'])
  })

  it('are of their owner alone, with all the directories above them', async () => {
    using at = tree({})
    await directoryBlobs(at.at('objects')).put('uploads/ab/abc', BYTES)
    const modes = ['', 'uploads', 'uploads/ab', 'uploads/ab/abc'].map((name) => statSync(at.at('objects', name)).mode)
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o700, 0o700, 0o600])
  })

  it('leave no descriptor open', async () => {
    using at = tree({})
    const blobs = directoryBlobs(at.base)
    for (const key of ['a/b', 'a/c']) await blobs.put(key, BYTES)
    await blobs.put('a/b', BYTES).catch(() => {})
    for (const key of ['a/b', 'a/none', 'none/a']) {
      await blobs.has(key)
      await blobs.get(key).catch(() => {})
      await blobs.remove(key)
    }
    await allIn(blobs)
    await blobs.tidy('a/')
    expect(descriptorsBelow(at.base)).toEqual([])
  })

  it('are swept of what writers that were killed left behind, where it is old', async () => {
    using at = tree({})
    const blobs = directoryBlobs(at.base)
    await blobs.put('uploads/ab/abc', BYTES)
    const [old, fresh] = ['0', '1'].map((digit) => at.at(`uploads/ab/.ambit-put-${digit.repeat(16)}`))
    for (const path of [old, fresh]) writeFileSync(path ?? '', 'half')
    const before = new Date(Date.now() - 7_200_000)
    utimesSync(old ?? '', before, before)
    utimesSync(at.at('uploads/ab/abc'), before, before)
    await blobs.tidy('uploads/')
    expect(readdirSync(at.at('uploads/ab')).toSorted()).toEqual([`.ambit-put-${'1'.repeat(16)}`, 'abc'])
    expect((await allIn(blobs)).map(({ key }) => key)).toEqual(['uploads/ab/abc'])
  })

  it.each(['get', 'put', 'remove'] as const)('%s follows no link that leads outside', async (what) => {
    using at = tree({ 'outside/secret': 'the secret', 'objects/': '' })
    symlinkSync(at.at('outside'), at.at('objects/uploads'))
    const blobs = directoryBlobs(at.at('objects'))
    const works = {
      get: () => blobs.get('uploads/secret'),
      put: () => blobs.put('uploads/new', BYTES),
      remove: () => blobs.remove('uploads/secret'),
    }
    await expect(works[what]()).rejects.toMatchObject({ code: 'denied' })
    expect(readdirSync(at.at('outside'))).toEqual(['secret'])
  })

  it.each(['../outside/a', 'a/../../outside/a', '/a', 'a//b', '', 'a/'])('keep nothing as %j', async (key) => {
    using at = tree({ 'outside/a': 'x', 'objects/': '' })
    const blobs = directoryBlobs(at.at('objects'))
    await expect(blobs.put(key, BYTES)).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(blobs.get(key)).rejects.toMatchObject({ code: 'not-found' })
    await blobs.remove(key)
    expect(readFileSync(at.at('outside/a'), 'utf8')).toBe('x')
  })

  it('say what is in their way', async () => {
    using at = tree({ file: 'x' })
    await expect(directoryBlobs(at.at('file')).put('a', BYTES)).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(directoryBlobs(at.at('file/below')).put('a', BYTES)).rejects.toMatchObject({ code: 'unavailable' })
    const closed = directoryBlobs('/etc')
    await expect(closed.put('a', BYTES)).rejects.toMatchObject({ code: 'denied' })
    await closed.close()
  })
})

/** A bucket of the server in process, and blobs in it. */
async function withBucket(test: (on: { readonly server: S3Server; readonly bucket: string }) => Promise<void>) {
  const endpoint = await inProcess()
  const own = adminOf(endpoint)
  const bucket = await own.bucket()
  try {
    if (server) await test({ server, bucket })
  } finally {
    server?.troubles.splice(0)
    await own.remove(bucket)
    own.close()
  }
}

const settingsOf = (bucket: string) => ({
  bucket,
  endpoint: server?.url ?? '',
  region: REGION,
  credentials: { accessKeyId: KEY, secretAccessKey: SECRET },
})

describe('in a bucket, blobs', () => {
  const slow = new S3Fault(503, 'SlowDown', 'Reduce your request rate')

  it.each(['PUT', 'GET', 'DELETE', 'HEAD'] as const)('are asked for again when a %s meets a busy service', (method) =>
    withBucket(async ({ server, bucket }) => {
      const blobs = await s3Blobs(settingsOf(bucket))
      if (method !== 'PUT') await blobs.put('a', BYTES)
      server.troubles.push({ of: (request) => request.method === method, times: 2, answer: slow })
      if (method === 'PUT') await blobs.put('a', BYTES)
      if (method === 'GET') expect([...(await blobs.get('a'))]).toEqual([1, 2, 3])
      if (method === 'HEAD') expect(await blobs.has('a')).toBe(true)
      if (method === 'DELETE') await blobs.remove('a')
      expect(server.troubles).toEqual([])
      expect(await blobs.has('a')).toBe(method !== 'DELETE')
    }),
  )

  it.each([
    ['507', new S3Fault(507, 'XMinioStorageFull', 'Storage backend has reached its minimum free drive threshold.')],
    ['a quota', new S3Fault(403, 'QuotaExceeded', 'The quota is exceeded.')],
  ])('that find no room left are told as that: %s', (_, answer) =>
    withBucket(async ({ server, bucket }) => {
      const blobs = await s3Blobs(settingsOf(bucket))
      server.troubles.push({ of: ({ method }) => method === 'PUT', times: 20, answer })
      const failure = await blobs.put('a', BYTES).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(NoSpace)
      expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining(`s3://${bucket}/a`) })
      server.troubles.splice(0)
      expect(await blobs.has('a')).toBe(false)
    }),
  )

  it('of which some other service says 404 when they are taken away are gone', () =>
    withBucket(async ({ server, bucket }) => {
      const blobs = await s3Blobs(settingsOf(bucket))
      const answer = new S3Fault(404, 'NoSuchKey', 'The specified key does not exist.')
      server.troubles.push({ of: ({ method }) => method === 'DELETE', answer })
      await blobs.remove('a')
    }))

  it('are not taken for gone where it is the bucket that is', () =>
    withBucket(async ({ bucket }) => {
      const blobs = await s3Blobs(settingsOf(`${bucket}-not`))
      for (const work of [() => blobs.remove('a'), () => blobs.get('a'), () => allIn(blobs)]) {
        await expect(work()).rejects.toMatchObject({ message: expect.stringContaining('no such bucket') })
      }
    }))
})

describe('a place for blobs', () => {
  it('is a directory or a bucket, as it is written', async () => {
    using at = tree({})
    expect((await blobsAt(at.at('x'))).uri).toBe(`file://${at.at('x')}`)
    expect((await blobsAt('s3://bucket/a/', settingsOf(''))).uri).toBe('s3://bucket/a')
    await expect(blobsAt('s3:bucket')).rejects.toMatchObject({ code: 'invalid-input' })
  })
})
