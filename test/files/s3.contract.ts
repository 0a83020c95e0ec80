import { DeleteObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Objects } from '../../src/files/objects.ts'
import { openS3, type S3Settings } from '../../src/files/s3/s3.ts'
import { type Relay, relayTo } from '../support/relay.ts'
import { type Admin, adminOf, type Endpoint } from '../support/s3/admin.ts'
import { bytesOf, objectsContract, textIn } from './objects.contract.ts'

/** What any S3 does, whoever made it: everything that objects do, and what only buckets have. `endpointOf` is asked once. */
export function s3Contract(name: string, endpointOf: () => Promise<Endpoint>): void {
  let endpoint: Endpoint
  let admin: Admin
  let relay: Relay
  beforeAll(async () => {
    endpoint = await endpointOf()
    admin = adminOf(endpoint)
    relay = await relayTo(endpoint.url)
  })
  afterAll(async () => {
    admin.close()
    await relay[Symbol.asyncDispose]()
  })

  const settings = (bucket: string): S3Settings => ({
    bucket,
    endpoint: relay.url,
    region: endpoint.region,
    credentials: { accessKeyId: endpoint.key, secretAccessKey: endpoint.secret },
  })

  objectsContract(name, async () => {
    const bucket = await admin.bucket()
    const before = relay.open
    return {
      objects: await openS3(settings(bucket)),
      fill: (objects) => admin.put(bucket, objects),
      running: () => relay.open - before,
      close: () => admin.remove(bucket),
    }
  })

  /** A bucket, and its objects as the settings have them. */
  async function inBucket(
    test: (bucket: string, open: (more?: Partial<S3Settings>) => Promise<Objects>) => Promise<void>,
  ) {
    const bucket = await admin.bucket({ isVersioned: true })
    const opened: Objects[] = []
    try {
      await test(bucket, async (more) => {
        const objects = await openS3({ ...settings(bucket), ...more })
        opened.push(objects)
        return objects
      })
    } finally {
      relay.delayMs = 0
      for (const objects of opened) await objects.close()
      await admin.remove(bucket)
    }
  }

  describe(`buckets of ${name}`, () => {
    it('keep versions, each of which can be read', () =>
      inBucket(async (_, open) => {
        const objects = await open()
        const first = await objects.put('a', bytesOf('first'))
        const second = await objects.put('a', bytesOf('second'))
        const { version = '' } = first
        expect(new Set([version, second.version, '', undefined]).size).toBe(4)
        expect(await objects.read('a')).toMatchObject({ bytes: Buffer.from('second'), version: second.version })
        expect(await objects.read('a', { version })).toMatchObject({ bytes: Buffer.from('first'), version })
        expect(await objects.read('a', { version, length: 2 })).toMatchObject({ bytes: Buffer.from('fi'), size: 5 })
        expect(await objects.head('a', { version })).toMatchObject({ size: 5, etag: first.etag, version })
        let text = ''
        for await (const part of objects.stream('a', { version })) text += Buffer.from(part)
        expect(text).toBe('first')
      }))

    it('keep the versions of what was deleted', () =>
      inBucket(async (bucket, open) => {
        const objects = await open()
        const { version = '' } = await objects.put('a', bytesOf('text'))
        const gone = await admin.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'a' }))
        const mark = gone.VersionId ?? ''
        expect([gone.DeleteMarker, mark === '']).toEqual([true, false])
        await expect(objects.read('a')).rejects.toMatchObject({ code: 'not-found' })
        await expect(objects.head('a')).rejects.toMatchObject({ code: 'not-found' })
        await expect(objects.read('a', { version: mark })).rejects.toMatchObject({ code: 'not-found' })
        await expect(objects.head('a', { version: mark })).rejects.toMatchObject({ code: 'not-found' })
        expect(await objects.list()).toEqual({ objects: [], prefixes: [], left: [] })
        expect(await objects.read('a', { version })).toMatchObject({ bytes: Buffer.from('text') })
        await objects.put('a', bytesOf('again'), { if: 'absent' })
        expect(await textIn(objects, 'a')).toBe('again')
      }))

    it('are opened below a prefix, from where no key leads out', () =>
      inBucket(async (bucket, open) => {
        await admin.put(
          bucket,
          ['a', 'p', 'p/', 'p/a', 'p/b/c', 'p//d', 'pq/a'].map((key) => [key, bytesOf(key)]),
        )
        for (const prefix of ['p', 'p/']) {
          const objects = await open({ prefix })
          expect(objects.uri).toBe(`s3://${bucket}/p`)
          const { objects: listed, prefixes } = await objects.list({ delimiter: '/' })
          expect([listed.map(({ key }) => key), prefixes]).toEqual([['a'], ['/', 'b/']])
          expect((await objects.list()).objects.map(({ key }) => key)).toEqual(['/d', 'a', 'b/c'])
          expect(await textIn(objects, 'a')).toBe('p/a')
          expect(await textIn(objects, '/d')).toBe('p//d')
          await expect(objects.read('../a')).rejects.toMatchObject({ code: 'not-found' })
          await expect(objects.read('')).rejects.toMatchObject({ code: 'not-found' })
          await expect(objects.read('x'.repeat(1023))).rejects.toMatchObject({ code: 'not-found' })
        }
      }))

    it('are denied to a secret that is wrong, a key that is unknown, and to nobody', () =>
      inBucket(async (bucket, open) => {
        await admin.put(bucket, [['a', bytesOf('a')]])
        const secret = 'a-secret-that-nobody-may-see'
        const cases: readonly [Partial<S3Settings>, RegExp][] = [
          [{ credentials: { accessKeyId: endpoint.key, secretAccessKey: secret } }, /secret/],
          [{ credentials: { accessKeyId: 'AMBITTESTKEYUNKNOWN0', secretAccessKey: secret } }, /access key/],
          [{ anonymous: true }, /is not public/],
        ]
        for (const [more, message] of cases) {
          const objects = await open(more)
          for (const work of everyWay(objects)) {
            const error = await work().then(
              () => undefined,
              (error: unknown) => error,
            )
            expect(error).toMatchObject({ code: 'denied', hint: expect.any(String) })
            expect(String(error)).toContain(`s3://${bucket}`)
            expect(JSON.stringify([error, String(error), (error as Error).cause])).not.toContain(secret)
          }
          await expect(objects.read('a')).rejects.toMatchObject({ message: expect.stringMatching(message) })
        }
      }))

    it('that do not exist are told as that', async () => {
      const objects = await openS3(settings('ambit-test-no-such-bucket'))
      const message = expect.stringContaining('s3://ambit-test-no-such-bucket')
      const removing = () => objects.remove('a')
      for (const work of [
        () => objects.read('a'),
        () => objects.list(),
        () => objects.put('a', bytesOf('a')),
        removing,
      ]) {
        await expect(work()).rejects.toMatchObject({ code: 'not-found', message, hint: expect.any(String) })
      }
      await expect(objects.head('a')).rejects.toMatchObject({ code: 'not-found', message })
      await objects.close()
    })

    it('answer 52 requests at once, each over a connection of its own', { tags: 'long' }, () =>
      inBucket(async (_, open) => {
        const objects = await open()
        relay.delayMs = 3000
        const before = relay.open
        const waves = Array.from({ length: 52 }, (_, at) => objects.read(`deep/${at}/README.md`, { length: 10_003 }))
        const results = Promise.allSettled(waves)
        await expect.poll(() => relay.open - before).toBe(52)
        expect((await results).map((one) => one.status === 'rejected' && one.reason.code)).toEqual(
          Array<string>(52).fill('not-found'),
        )
      }),
    )

    it('are left alone when reads and lists were cancelled', () =>
      inBucket(async (bucket, open) => {
        await admin.put(bucket, [['a', bytesOf('a')]])
        const objects = await open()
        const before = relay.open
        // Whoever waits for an answer waits longer than the test.
        relay.delayMs = 600_000
        const controller = new AbortController()
        const { signal } = controller
        const works = Array.from({ length: 20 }, () => [
          objects.read('a', { signal, length: 10 }),
          objects.list({ signal }),
          objects.head('a', { signal }),
        ]).flat()
        const results = Promise.allSettled(works)
        await expect.poll(() => relay.open - before).toBe(60)
        controller.abort()
        const codes = (await results).map((one) => one.status === 'rejected' && one.reason.code)
        expect(new Set(codes)).toEqual(new Set(['cancelled']))
        await expect.poll(() => relay.open - before).toBe(0)
      }))
  })
}

export function everyWay(objects: Objects): (() => Promise<unknown>)[] {
  return [
    () => objects.read('a'),
    () => objects.read('a', { length: 10 }),
    () => objects.head('a'),
    () => objects.list(),
    () => textIn(objects, 'a'),
    () => objects.put('b', bytesOf('b')),
    () => objects.put('b', bytesOf('b'), { if: 'absent' }),
  ]
}
