import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Bucket } from './s3/bucket.ts'
import { KEY, REGION, type S3Server, SECRET, s3Server } from './s3/server.ts'
import { s3Facts } from './s3.contract.ts'

let server: S3Server
beforeAll(async () => {
  server = await s3Server()
})
afterAll(() => server[Symbol.asyncDispose]())

s3Facts('S3 in process', async () => ({ url: server.url, region: REGION, key: KEY, secret: SECRET }))

it('what the server verifies is the hash of a body', async () => {
  const client = new S3Client({
    endpoint: server.url,
    region: REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: KEY, secretAccessKey: SECRET },
  })
  const Bucket = 'ambit-test-verified'
  await client.send(new CreateBucketCommand({ Bucket }))
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign(args.request as object, { body: 'other' })
      return next(args)
    },
    { step: 'finalizeRequest', priority: 'low', name: 'tamper' },
  )
  const error = await client
    .send(new PutObjectCommand({ Bucket, Key: 'x', Body: 'bytes' }))
    .catch((error: Error) => error)
  expect(error).toMatchObject({ name: 'XAmzContentSHA256Mismatch' })
  client.destroy()
})

describe('answers that are held', () => {
  it('come when they are released, and others come at once', async () => {
    await using own = await s3Server()
    const bucket = new Bucket(REGION)
    bucket.isPublic = true
    for (const key of ['first', 'held']) bucket.put(key, Buffer.from(`the text of ${key}`), {})
    own.buckets.set('b', bucket)
    const text = async (key: string) => (await fetch(`${own.url}/b/${key}`)).text()
    const release = own.holdAnswers(({ key }) => key === 'held')
    let isAnswered = false
    const waiting = text('held').then((told) => {
      isAnswered = true
      return told
    })
    await expect.poll(() => own.running).toBe(1)
    for (let count = 0; count < 20; count++) expect(await text('first')).toBe('the text of first')
    expect([isAnswered, own.running, own.log[0]?.status]).toEqual([false, 1, 0])
    release()
    expect(await waiting).toBe('the text of held')
    expect(await text('held')).toBe('the text of held')
  })

  it('end with their client, and with the server', async () => {
    const own = await s3Server()
    own.holdAnswers(() => true)
    const leaving = new AbortController()
    const left = fetch(`${own.url}/b/a`, { signal: leaving.signal })
    const stays = fetch(`${own.url}/b/b`)
    await expect.poll(() => own.running).toBe(2)
    leaving.abort()
    await expect(left).rejects.toThrow()
    await expect.poll(() => own.log.map(({ wasLeft }) => wasLeft)).toEqual([true, false])
    const ended = expect(stays).rejects.toThrow()
    await own[Symbol.asyncDispose]()
    await ended
  })
})
