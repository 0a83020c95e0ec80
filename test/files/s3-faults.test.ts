/** An object store that fails, stops within an answer, or lies. */

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NoSpace } from '../../src/core/errors.ts'
import { listPages } from '../../src/files/objects.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { S3Fault } from '../support/s3/fault.ts'
import { xml } from '../support/s3/xml.ts'
import { SOON } from '../support/soon.ts'
import { bytesOf, textIn } from './objects.contract.ts'
import { everyWay } from './s3.contract.ts'
import { type Served, served } from './s3-bucket.ts'

let on: Served
beforeEach(async () => {
  on = await served()
})
afterEach(() => on[Symbol.asyncDispose]())

const slowDown = new S3Fault(503, 'SlowDown', 'Please reduce your request rate.')
const unavailable = new S3Fault(503, 'ServiceUnavailable', 'Please try again.')
const internal = new S3Fault(500, 'InternalError', 'We encountered an internal error. Please try again.')
const LONG = Buffer.alloc(1_000_000)
for (let at = 0; at < LONG.length; at += 4) LONG.writeUInt32LE(at, at)

describe('a bucket whose service fails', () => {
  it.each([
    ['503 twice', unavailable, 2],
    ['500 once', internal, 1],
    ['by ending the connection', 'reset', 2],
  ] as const)('%s is asked again', { tags: 'long' }, async (_, answer, times) => {
    const objects = await on.holding({ a: 'text' })
    for (const work of everyWay(objects).slice(0, -1)) {
      on.server.troubles.push({ answer, times })
      const before = on.log.length
      await work()
      expect(on.log.length - before).toBe(times + 1)
    }
  })

  it('for ever is given up after four requests, and told', { tags: 'long' }, async () => {
    on.server.troubles.push({ answer: unavailable, times: 1000 })
    const objects = await on.open()
    for (const work of everyWay(objects)) {
      const before = on.log.length
      await expect(work()).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/ failed \(503.*\)\.$/),
        hint: 'Try again in a moment.',
      })
      expect(on.log.length - before).toBe(4)
    }
  })

  it('for one object leaves the others of the same wave alone', { tags: 'long' }, async () => {
    on.fill(Object.fromEntries(Array.from({ length: 52 }, (_, at) => [`${at}`, `text ${at}`])))
    on.server.troubles.push({ of: ({ key }) => key === '7', answer: slowDown, times: 2 })
    const objects = await on.open()
    const wave = Array.from({ length: 52 }, (_, at) => objects.read(`${at}`, { length: 10_003 }))
    const texts = (await Promise.all(wave)).map((read) => (read === 'unchanged' ? '' : String(Buffer.from(read.bytes))))
    expect(texts).toEqual(Array.from({ length: 52 }, (_, at) => `text ${at}`))
    expect(on.log).toHaveLength(54)
  })

  it('is not asked again after the call was cancelled', { tags: 'long' }, async () => {
    on.server.troubles.push({ answer: slowDown, times: 1000 })
    const objects = await on.open({ maxAttempts: 50 })
    const controller = new AbortController()
    const reading = objects.read('a', { signal: controller.signal })
    await sleep(300)
    controller.abort()
    const began = performance.now()
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' })
    expect(performance.now() - began).toBeLessThan(SOON)
    const asked = on.log.length
    await sleep(400)
    expect(on.log.length).toBe(asked)
  })

  it('is named when it cannot be reached', async () => {
    const objects = await on.open({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 })
    await expect(objects.read('a')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/127\.0\.0\.1:9 was not reached \(ECONNREFUSED\)/),
    })
  })

  it('is told when it speaks of something else', async () => {
    on.server.troubles.push({ answer: { status: 200, body: '<html>Welcome</html>' }, times: 10 })
    const objects = await on.open()
    for (const work of everyWay(objects).slice(0, -2)) {
      await expect(work()).rejects.toMatchObject({ code: 'unavailable', hint: expect.stringContaining('endpoint') })
    }
  })
})

describe('a body that does not come whole', () => {
  it('is asked for again, and never given in part', async () => {
    const objects = await on.holding({ long: LONG })
    on.server.troubles.push({ cut: 300_000 })
    expect(await objects.read('long')).toMatchObject({ bytes: LONG })
    on.server.troubles.push({ cut: 300_000, times: 100 })
    const before = on.log.length
    await expect(objects.read('long')).rejects.toMatchObject({ code: 'unavailable' })
    expect(on.log.length - before).toBe(3)
  })

  it('is asked for from where it ended, as a stream', async () => {
    const objects = await on.holding({ long: LONG })
    on.server.troubles.push({ cut: 300_000 }, { cut: 200_000 })
    const parts: Uint8Array[] = []
    for await (const part of objects.stream('long')) parts.push(part)
    expect(Buffer.concat(parts).equals(LONG)).toBe(true)
    const etag = `"${on.bucket.current('long')?.etag}"`
    expect(on.log.map(({ headers }) => [headers.range, headers['if-match']])).toEqual([
      [undefined, undefined],
      ['bytes=300000-', etag],
      ['bytes=500000-', etag],
    ])
  })

  it('is told as a conflict when the object was replaced meanwhile', async () => {
    const objects = await on.holding({ long: LONG })
    on.server.troubles.push({ cut: 300_000 })
    const stream = objects.stream('long')[Symbol.asyncIterator]()
    await stream.next()
    on.fill({ long: Buffer.alloc(LONG.length) })
    await expect(
      (async () => {
        while (!(await stream.next()).done);
      })(),
    ).rejects.toMatchObject({ code: 'conflict', hint: 'Read it again.' })
  })

  it('is read again from its beginning when the object was replaced, at most twice', async () => {
    const objects = await on.holding({ long: LONG })
    const replaced = [{ cut: 300_000 }, { answer: new S3Fault(416, 'InvalidRange', 'The range is not satisfiable') }]
    on.server.troubles.push(...replaced, ...replaced)
    expect(await objects.read('long')).toMatchObject({ bytes: LONG })
    on.server.troubles.push(...replaced, ...replaced, ...replaced)
    const message = expect.stringContaining('/long was replaced')
    await expect(objects.read('long')).rejects.toMatchObject({ code: 'conflict', message })
  })

  it('is given up as a stream that never goes on', async () => {
    const objects = await on.holding({ long: LONG })
    on.server.troubles.push({ cut: 300_000 }, { cut: 100, times: 100 })
    await expect(textIn(objects, 'long')).rejects.toMatchObject({ code: 'unavailable' })
    expect(on.log).toHaveLength(3)
  })

  it.each([
    ['after the first bytes', { stall: 65_536, times: 100 }],
    ['before the first', { answer: 'hang', times: 100 } as const],
  ])('is not waited for for ever when nothing comes %s', { tags: 'long' }, async (_, trouble) => {
    on.fill({ long: LONG })
    const objects = await on.open({ idleMs: 200, maxAttempts: 2 })
    on.server.troubles.push(trouble)
    await expect(objects.read('long')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('did not answer in time'),
    })
    await sleep(50)
    expect(on.server.connections).toBe(0)
  })
})

describe('a service that does not know all of it', () => {
  it('may send the whole for a part', async () => {
    const objects = await on.holding({ a: '0123456789' })
    const whole = { status: 200, headers: { etag: '"e"', 'content-length': 10 }, body: '0123456789' }
    for (const [request, text] of [
      [{ length: 3 }, '012'],
      [{ from: 4, length: 3 }, '456'],
      [{ from: 8 }, '89'],
      [{ from: 20, length: 3 }, ''],
    ] as const) {
      on.server.troubles.push({ answer: whole })
      expect(await objects.read('a', request)).toMatchObject({ size: 10, etag: 'e', bytes: Buffer.from(text) })
    }
  })

  it('may look at the range before the etag', async () => {
    const objects = await on.holding({ a: 'a' })
    on.server.troubles.push({ answer: new S3Fault(416, 'InvalidRange', 'The range is not satisfiable') })
    const unless = on.bucket.current('a')?.etag
    expect(await objects.read('a', { from: 5, unless })).toBe('unchanged')
  })

  it('may give the same page again: the list ends', async () => {
    const again = { IsTruncated: true, NextContinuationToken: 'same', Contents: { Key: 'a', Size: 1, ETag: '"e"' } }
    const answer = { status: 200, headers: { 'content-type': 'application/xml' }, body: xml('ListBucketResult', again) }
    on.server.troubles.push({ answer, times: 10 })
    const objects = await on.open()
    await expect(Array.fromAsync(listPages(objects))).rejects.toMatchObject({ code: 'unavailable' })
    await expect(objects.list({ token: 'same' })).rejects.toMatchObject({ code: 'unavailable' })
    const endless = { ...answer, body: xml('ListBucketResult', { IsTruncated: true }) }
    on.server.troubles.splice(0, 10, { answer: endless })
    await expect(objects.list()).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('may answer without end: what it lists is limited in size and time', { tags: 'long' }, async () => {
    const headers = { 'content-type': 'application/xml' }
    for (const status of [200, 500]) {
      on.server.troubles.push({ answer: { status, headers, body: Buffer.alloc(17_000_000, ' ') } })
      const listed = (await on.open({ maxAttempts: 1 })).list()
      await expect(listed).rejects.toMatchObject({ message: expect.stringMatching(/more than 16000000 bytes|500/) })
    }
    const dripping = createServer((_, response) => {
      response.writeHead(200, headers)
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    await using slow = await listenOnLoopback(dripping)
    const objects = await on.open({ endpoint: slow.url, idleMs: 200, maxAttempts: 1 })
    await expect(objects.list()).rejects.toMatchObject({ message: expect.stringContaining('did not answer in time') })
  })

  it('may send spaces for minutes while it joins the parts of an object', { tags: 'long' }, async () => {
    const service = createServer(async (request, response) => {
      request.resume()
      const { method, url = '' } = request
      response.writeHead(method === 'GET' ? 501 : 200, { etag: '"e"', 'content-type': 'application/xml' })
      if (method === 'POST' && url.includes('uploadId')) {
        for (let times = 0; times < 24; times++) await sleep(100).then(() => response.write(' '))
        response.end(xml('CompleteMultipartUploadResult', { Key: 'a', ETag: '"joined"' }))
      } else response.end(method === 'POST' ? xml('InitiateMultipartUploadResult', { UploadId: 'u' }) : '')
    })
    await using slow = await listenOnLoopback(service)
    const objects = await on.open({ endpoint: slow.url, idleMs: 1000, maxAttempts: 1 })
    const bytes = async function* () {
      yield Buffer.alloc(9_000_000)
    }
    expect(await objects.putStream('a', bytes())).toMatchObject({ etag: 'joined' })
  })

  it('may say that it failed in place of an object', async () => {
    const objects = await on.holding({ a: 'text' })
    const body = xml('Error', { Code: 'InternalError' }).padEnd(64 * 1024)
    on.server.troubles.push({ answer: { status: 200, headers: { 'content-type': 'application/xml' }, body } })
    expect(await objects.read('a')).toMatchObject({ size: 4 })
  })

  it('may describe an object only as it sends it, or not at all', async () => {
    const objects = await on.holding({ a: 'text' })
    const refused = { answer: new S3Fault(400, 'InvalidRequest', 'No.') }
    on.server.troubles.push(refused)
    expect(await objects.head('a')).toMatchObject({ size: 4 })
    on.server.troubles.push(refused, { answer: new S3Fault(416, 'InvalidRange', 'The range is not satisfiable') })
    const message = expect.stringContaining('/a was not described')
    await expect(objects.head('a')).rejects.toMatchObject({ code: 'unavailable', message })
  })

  it('may not encode what it lists, nor say its size and time', async () => {
    const plain = { IsTruncated: false, Contents: { Key: 'a+b%41 c', ETag: '"e"' } }
    const answer = { status: 200, headers: { 'content-type': 'application/xml' }, body: xml('ListBucketResult', plain) }
    on.server.troubles.push({ answer })
    expect((await (await on.open()).list()).objects).toMatchObject([
      { key: 'a+b%41 c', size: 0, modifiedAt: '1970-01-01T00:00:00.000Z' },
    ])
  })

  it('may compare etags with their quotes, when they are to be replaced', async () => {
    const objects = await on.holding({ a: 'old' })
    const unmet = new S3Fault(412, 'PreconditionFailed', 'A pre-condition did not hold')
    on.server.troubles.push({
      of: ({ headers }) => headers['if-match']?.startsWith('"') ?? false,
      answer: unmet,
      times: 9,
    })
    const etag = on.bucket.current('a')?.etag ?? ''
    await objects.put('a', bytesOf('new'), { if: { etag } })
    expect(await textIn(objects, 'a')).toBe('new')
    await expect(objects.put('a', bytesOf('x'), { if: { etag } })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('may be busy as something is removed, or say that it is not there', { tags: 'long' }, async () => {
    const objects = await on.holding({ a: 'a' })
    on.server.troubles.push({ of: ({ method }) => method === 'DELETE', answer: slowDown, times: 2 })
    await objects.remove('a')
    expect((await objects.list()).objects).toEqual([])
    const gone = new S3Fault(404, 'NoSuchKey', 'The specified key does not exist.')
    on.server.troubles.push({ of: ({ method }) => method === 'DELETE', answer: gone })
    await objects.remove('a')
  })

  it.each([
    ['507', new S3Fault(507, 'XMinioStorageFull', 'Storage backend has reached its minimum free drive threshold.')],
    ['a quota', new S3Fault(403, 'QuotaExceeded', 'The quota is exceeded.')],
  ])('may say that there is no room left, which is told: %s', async (_, answer) => {
    const objects = await on.open()
    on.server.troubles.push({ of: ({ method }) => method === 'PUT', times: 20, answer })
    const failure = await objects.put('a', bytesOf('a')).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(NoSpace)
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining('/a ') })
  })

  it('may be undecided between writers: it is asked again, and then it is a conflict', async () => {
    const objects = await on.open()
    const undecided = new S3Fault(409, 'ConditionalRequestConflict', 'The conditional request cannot succeed')
    on.server.troubles.push({ answer: undecided, times: 2 })
    await objects.put('a', bytesOf('a'), { if: 'absent' })
    on.server.troubles.push({ answer: undecided, times: 100 })
    const before = on.log.length
    await expect(objects.put('b', bytesOf('b'), { if: 'absent' })).rejects.toMatchObject({ code: 'conflict' })
    expect(on.log.length - before).toBe(5)
  })
})

describe('an upload that nobody finished', () => {
  const HOUR_MS = 3_600_000

  /** Begins an upload, whose ID is the key and its age. */
  const begin = (key: string, hours: number) => {
    const upload = { id: `${key} ${hours}`, key, initiated: new Date(Date.now() - hours * HOUR_MS), parts: new Map() }
    on.bucket.uploads.set(upload.id, upload)
  }

  it('is swept after a day, where its key or its folder is named', async () => {
    const objects = await on.open()
    for (const key of ['a', 'b/c', 'd']) for (const hours of [23, 25]) begin(key, hours)
    const more = xml('ListMultipartUploadsResult', { IsTruncated: true, NextKeyMarker: 'a', NextUploadIdMarker: 'u' })
    on.server.troubles.push({ answer: { status: 200, headers: { 'content-type': 'application/xml' }, body: more } })
    await objects.sweep(['a', 'b/'])
    expect([...on.bucket.uploads.keys()]).toEqual(['a 23', 'b/c 23', 'd 23', 'd 25'])
    const lists = on.log.filter(({ query }) => query.has('uploads'))
    expect(lists.map(({ query }) => query.get('key-marker'))).toEqual([undefined, 'a'])
  })

  it.each([
    [3, 1, 2],
    [1, 2, 3],
  ])('is resumed where it is the latest, of those begun %i, %i and %i hours ago', async (...ages) => {
    const objects = await on.open()
    for (const hours of ages) begin('a', hours)
    const endless = xml('ListPartsResult', { IsTruncated: true, NextPartNumberMarker: 0 })
    on.server.troubles.push({
      of: ({ method, query }) => method === 'GET' && query.has('uploadId'),
      answer: { status: 200, headers: { 'content-type': 'application/xml' }, body: endless },
    })
    const bytes = async function* () {
      yield Buffer.alloc(9_000_000)
    }
    await objects.putStream('a', bytes())
    expect(new Set(on.bucket.uploads.keys())).toEqual(new Set(['a 2', 'a 3']))
    expect(on.log.filter(({ method, query }) => method === 'GET' && query.has('uploadId'))).toHaveLength(1)
  })
})

describe('requests', () => {
  it.each([
    ['a part of an object', 'a', { length: 10_003 }, 1],
    ['a whole object', 'a', {}, 1],
    ['an object that is not there', 'none', { length: 10_003 }, 1],
    ['an empty object', 'empty', { length: 10_003 }, 2],
  ])('for %s are as few as can be', async (_, key, request, count) => {
    const objects = await on.holding({ a: 'text', empty: '' })
    await objects.read(key, request).catch(() => undefined)
    expect(on.log).toHaveLength(count)
  })

  it('for a part of 5 GB fetch that part only', async () => {
    const total = 5 * 1024 ** 3
    const headers = { 'content-range': `bytes 0-10002/${total}`, 'content-length': 10_003, etag: '"e"' }
    on.server.troubles.push({ answer: { status: 206, headers, body: Buffer.alloc(10_003, 'x') } })
    const read = await (await on.open()).read('README.md', { length: 10_003 })
    expect(read !== 'unchanged' && [read.size, read.bytes.length]).toEqual([total, 10_003])
    expect(on.log.map(({ headers, sent }) => [headers.range, sent])).toEqual([['bytes=0-10002', 10_003]])
  })

  it('one after the other use one connection', async () => {
    const objects = await on.holding({ a: 'text' })
    for (let count = 0; count < 20; count++) await objects.read('a', { length: 2 })
    expect(on.server.connections).toBe(1)
  })
})
