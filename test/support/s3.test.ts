import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf } from './s3/body.ts'
import { Bucket } from './s3/bucket.ts'
import { S3Fault } from './s3/fault.ts'
import { KEY, REGION, type S3Server, SECRET, s3Server } from './s3/server.ts'
import { chunkSignature, type Signed } from './s3/signature.ts'
import { s3Facts } from './s3.contract.ts'

let server: S3Server
beforeAll(async () => {
  server = await s3Server()
})
afterAll(() => server[Symbol.asyncDispose]())

s3Facts('S3 in process', async () => ({ url: server.url, region: REGION, key: KEY, secret: SECRET }))

describe('what the server verifies of', () => {
  const clientFor = () =>
    new S3Client({
      endpoint: server.url,
      region: REGION,
      forcePathStyle: true,
      credentials: { accessKeyId: KEY, secretAccessKey: SECRET },
    })

  it('a stream is its checksum, sent behind it without signatures', async () => {
    const client = clientFor()
    const bytes = Buffer.alloc(300_000, 'stream')
    await client.send(
      new PutObjectCommand({
        Bucket: await bucket(),
        Key: 'a',
        Body: Readable.from([bytes]),
        ContentLength: bytes.length,
      }),
    )
    const row = server.log.at(-1)
    expect(row?.headers).toMatchObject({
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'content-encoding': expect.stringContaining('aws-chunked'),
      'x-amz-trailer': 'x-amz-checksum-crc32',
    })
    const { Body } = await client.send(new GetObjectCommand({ Bucket: NAME, Key: 'a' }))
    expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true)
    client.destroy()
  })

  const NAME = 'ambit-test-verified'
  async function bucket(): Promise<string> {
    const client = clientFor()
    const { CreateBucketCommand } = await import('@aws-sdk/client-s3')
    if (!server.buckets.has(NAME)) await client.send(new CreateBucketCommand({ Bucket: NAME }))
    client.destroy()
    return NAME
  }

  /** An address that is good by itself, made as Amazon describes it, without our code. */
  function presigned(path: string, { secret = SECRET, date = new Date(), expires = 60 } = {}): string {
    const stamp = date.toISOString().replace(/[:-]|\.\d+/g, '')
    const scope = `${stamp.slice(0, 8)}/${REGION}/s3/aws4_request`
    const query = [
      'X-Amz-Algorithm=AWS4-HMAC-SHA256',
      `X-Amz-Credential=${encodeURIComponent(`${KEY}/${scope}`)}`,
      `X-Amz-Date=${stamp}`,
      `X-Amz-Expires=${expires}`,
      'X-Amz-SignedHeaders=host',
    ].join('&')
    const request = `GET\n${path}\n${query}\nhost:${new URL(server.url).host}\n\nhost\nUNSIGNED-PAYLOAD`
    const hash = createHash('sha256').update(request).digest('hex')
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const signing = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`)
    const signature = hmac(signing as Buffer, `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${hash}`).toString('hex')
    return `${server.url}${path}?${query}&X-Amz-Signature=${signature}`
  }

  it('an address is its signature, and its time', async () => {
    const client = clientFor()
    await client.send(new PutObjectCommand({ Bucket: await bucket(), Key: 'a b', Body: 'presigned' }))
    client.destroy()
    const path = `/${NAME}/a%20b`
    const asked = async (address: string) => {
      const answer = await fetch(address)
      return [answer.status, (await answer.text()).replace(/.*<Code>(\w+)<.*/s, '$1')]
    }
    expect(await asked(presigned(path))).toEqual([200, 'presigned'])
    expect(await asked(presigned(path).replace('a%20b', 'a%20c'))).toEqual([403, 'SignatureDoesNotMatch'])
    expect(await asked(presigned(path, { secret: 'wrong' }))).toEqual([403, 'SignatureDoesNotMatch'])
    expect(await asked(presigned(path, { date: new Date(Date.now() - 3_600_000) }))).toEqual([403, 'AccessDenied'])
  })

  /** The example that Amazon gives for a body of signed chunks: 66,560 times `a`, in three parts. */
  const EXAMPLE = {
    signatures: [
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
      '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
      'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    ],
    seed: '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    parts: [65_536, 1024, 0],
  }

  function exampleSigned(): Signed {
    const scope = '20130524/us-east-1/s3/aws4_request'
    const start = Buffer.from('AWS4wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')
    const signingKey = scope
      .split('/')
      .reduce<Buffer>((key, part) => createHmac('sha256', key).update(part).digest(), start)
    return {
      accessKey: 'AKIAIOSFODNN7EXAMPLE',
      region: 'us-east-1',
      scope,
      date: '20130524T000000Z',
      signature: EXAMPLE.seed,
      signingKey,
    }
  }

  it('signed chunks is each signature, as in the example of Amazon', () => {
    let before = EXAMPLE.seed
    for (const [at, size] of EXAMPLE.parts.entries()) {
      before = chunkSignature(exampleSigned(), 'PAYLOAD', before, Buffer.alloc(size, 'a'))
      expect(before).toBe(EXAMPLE.signatures[at])
    }
  })

  it('signed chunks is refused when one byte is another, or one is missing', () => {
    const framed = EXAMPLE.parts.map((size, at) =>
      Buffer.concat([
        Buffer.from(`${size.toString(16)};chunk-signature=${EXAMPLE.signatures[at]}\r\n`),
        Buffer.alloc(size, 'a'),
        Buffer.from('\r\n'),
      ]),
    )
    const headers = {
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      'x-amz-decoded-content-length': '66560',
    }
    const request = { method: 'PUT', path: '/b/k', query: new Map(), headers, bucket: 'b', key: 'k' }
    const unframed = (raw: Buffer) => bodyOf(request, raw, exampleSigned())
    const raw = Buffer.concat(framed)
    expect(unframed(raw).equals(Buffer.alloc(66_560, 'a'))).toBe(true)
    const changed = Buffer.from(raw)
    changed[1000] = 98
    for (const wrong of [
      changed,
      Buffer.concat(framed.slice(1)),
      raw.subarray(0, -10),
      Buffer.concat(framed.slice(0, 2)),
    ]) {
      expect(() => unframed(wrong)).toThrow(S3Fault)
    }
  })

  it('a body is its hash', async () => {
    const client = clientFor()
    const Bucket = await bucket()
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
