import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { BlobInfo, Blobs } from '../../src/files/blobs.ts'
import { s3Blobs } from '../../src/files/s3/s3.ts'
import { type Admin, adminOf, type Endpoint } from '../support/s3/admin.ts'

/** A new, empty place for blobs. */
export interface Filled {
  readonly blobs: Blobs
  /** The same place, as another process sees it. */
  again(): Promise<Blobs>
  close(): Promise<void>
}

type Test = (blobs: Blobs, again: Filled['again']) => Promise<void>

const KEY = 'uploads/0a/ab/abc.1'
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** All that there is below a prefix. */
export async function allIn(blobs: Blobs, prefix = ''): Promise<BlobInfo[]> {
  return (await Array.fromAsync(blobs.list(prefix))).flat()
}

/** Of any S3, each time in a bucket of its own. */
export function s3BlobsContract(name: string, endpointOf: () => Promise<Endpoint>): void {
  let admin: Admin | undefined
  afterAll(() => admin?.close())
  blobsContract(name, async () => {
    const { url, region, key, secret } = await endpointOf()
    admin ??= adminOf({ url, region, key, secret })
    const { remove } = admin
    const bucket = await admin.bucket()
    const credentials = { accessKeyId: key, secretAccessKey: secret }
    const settings = { bucket, prefix: 'of/ambit', endpoint: url, region, credentials }
    return { blobs: await s3Blobs(settings), again: () => s3Blobs(settings), close: () => remove(bucket) }
  })
}

/** What any place for blobs does. `open` gives a new, empty one. */
export function blobsContract(name: string, open: () => Promise<Filled>): void {
  const on = (test: Test) => async () => {
    const { blobs, again, close } = await open()
    const others: Blobs[] = []
    try {
      await test(blobs, async () => {
        const other = await again()
        others.push(other)
        return other
      })
    } finally {
      for (const each of [blobs, ...others]) await each.close()
      await close()
    }
  }

  describe(`blobs in ${name}`, () => {
    it(
      'are none at first: nothing is there, listed or found, and nothing need be taken away',
      on(async (blobs) => {
        expect(await blobs.has(KEY)).toBe(false)
        expect(await allIn(blobs)).toEqual([])
        expect(await allIn(blobs, 'uploads/')).toEqual([])
        const message = expect.stringContaining(`${blobs.uri}/${KEY} `)
        await expect(blobs.get(KEY)).rejects.toMatchObject({ code: 'not-found', message })
        await blobs.remove(KEY)
        await blobs.tidy('uploads/')
      }),
    )

    it(
      'are what they were put as, to others, too',
      on(async (blobs, again) => {
        await fc.assert(
          fc.asyncProperty(fc.uint8Array({ maxLength: 4000 }), async (bytes) => {
            const key = `uploads/0a/${crypto.randomUUID()}`
            await blobs.put(key, bytes)
            expect(Buffer.from(await blobs.get(key)).equals(bytes)).toBe(true)
          }),
          { numRuns: 20 },
        )
        await blobs.put(KEY, new Uint8Array(3_000_000).fill(7))
        const other = await again()
        expect(await other.has(KEY)).toBe(true)
        expect(await other.get(KEY)).toHaveLength(3_000_000)
      }),
    )

    it(
      'are put once: a second one is a conflict, and changes nothing',
      on(async (blobs, again) => {
        await blobs.put(KEY, bytesOf('first'))
        for (const each of [blobs, await again()]) {
          await expect(each.put(KEY, bytesOf('second'))).rejects.toMatchObject({ code: 'conflict' })
        }
        expect(Buffer.from(await blobs.get(KEY)).toString()).toBe('first')
      }),
    )

    it(
      'are put by one of those that try at once',
      on(async (blobs, again) => {
        const writers = [blobs, await again(), blobs, await again()]
        const tried = await Promise.allSettled(writers.map((each, at) => each.put(KEY, bytesOf(`by ${at}`))))
        expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        const won = tried.findIndex(({ status }) => status === 'fulfilled')
        expect(Buffer.from(await blobs.get(KEY)).toString()).toBe(`by ${won}`)
        expect(await allIn(blobs)).toHaveLength(1)
      }),
    )

    it(
      'are taken away, twice as well as once, and the others stay',
      on(async (blobs, again) => {
        await blobs.put(KEY, bytesOf('a'))
        await blobs.put(`${KEY}2`, bytesOf('b'))
        await blobs.remove(KEY)
        await blobs.remove(KEY)
        await (await again()).remove(KEY)
        expect(await blobs.has(KEY)).toBe(false)
        await expect(blobs.get(KEY)).rejects.toMatchObject({ code: 'not-found' })
        expect((await allIn(blobs)).map(({ key }) => key)).toEqual([`${KEY}2`])
        // A key may be put again, though nobody of ours does.
        await blobs.put(KEY, bytesOf('c'))
        expect(Buffer.from(await blobs.get(KEY)).toString()).toBe('c')
      }),
    )

    it(
      'are listed by the beginning of their keys, with size and time, in order',
      on(async (blobs) => {
        const keys = ['uploads/0a/aa/1', 'uploads/0a/ab/1', 'uploads/0b/aa/1', 'others/1']
        for (const key of keys) await blobs.put(key, bytesOf(key))
        expect((await allIn(blobs)).map(({ key }) => key)).toEqual(keys.toSorted())
        const listed = await allIn(blobs, 'uploads/0a/')
        expect(listed.map(({ key, size }) => [key, size])).toEqual([
          ['uploads/0a/aa/1', 15],
          ['uploads/0a/ab/1', 15],
        ])
        for (const { modifiedAt } of listed) {
          expect(new Date(modifiedAt).toISOString()).toBe(modifiedAt)
          expect(Math.abs(Date.now() - Date.parse(modifiedAt))).toBeLessThan(600_000)
        }
      }),
    )

    it(
      'are listed to the end, however many there are',
      { tags: 'long' },
      on(async (blobs) => {
        const keys = Array.from({ length: 1005 }, (_, at) => `uploads/0a/${String(at).padStart(4, '0')}`)
        for (let at = 0; at < keys.length; at += 67) {
          await Promise.all(keys.slice(at, at + 67).map((key) => blobs.put(key, bytesOf(key))))
        }
        expect((await allIn(blobs, 'uploads/')).map(({ key }) => key)).toEqual(keys)
      }),
    )

    it(
      'are left as they are by what is cancelled',
      on(async (blobs) => {
        await blobs.put(KEY, bytesOf('a'))
        const gone = AbortSignal.abort()
        const works = [
          () => blobs.put(`${KEY}2`, bytesOf('b'), gone),
          () => blobs.get(KEY, gone),
          () => blobs.has(KEY, gone),
          () => blobs.remove(KEY, gone),
          () => Array.fromAsync(blobs.list('', gone)),
        ]
        for (const work of works) await expect(work()).rejects.toMatchObject({ code: 'cancelled' })
        expect((await allIn(blobs)).map(({ key }) => key)).toEqual([KEY])
      }),
    )

    it(
      'are not swept with what interrupted writers left',
      on(async (blobs) => {
        await blobs.put(KEY, bytesOf('a'))
        await blobs.tidy('uploads/')
        expect(await blobs.has(KEY)).toBe(true)
      }),
    )
  })
}
