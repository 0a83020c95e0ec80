import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'
import { KEY, REGION, SECRET, s3Server } from './s3/server.ts'

it('what the server verifies is the hash of a body', async () => {
  await using server = await s3Server()
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
