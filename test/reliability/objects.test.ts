/**
 * The rows of group F that no other test shows. README.md says where the others are.
 *
 * @module-tag long
 */

import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ContextError } from '../../src/core/errors.ts'
import { SILENT } from '../../src/core/flow.ts'
import { openDirectory } from '../../src/files/directory.ts'
import { listPages } from '../../src/files/objects.ts'
import { operations } from '../../src/operations/index.ts'
import { inBucket } from '../context/catalog/labs.ts'
import { HELD_BY_ALL, HELD_BY_SOME } from '../files/keys.ts'
import { bytesOf, textIn } from '../files/objects.contract.ts'
import { everyWay } from '../files/s3.contract.ts'
import { type Served, served } from '../files/s3-bucket.ts'
import { failure } from '../quilt/packages/fixtures.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { noSuchKey, S3Fault } from '../support/s3/fault.ts'
import type { S3Request } from '../support/s3/request.ts'
import { type Elements, xml } from '../support/s3/xml.ts'
import { tree } from '../support/tree.ts'

let on: Served
beforeEach(async () => {
  on = await served()
})
afterEach(() => on[Symbol.asyncDispose]())

const XML = { 'content-type': 'application/xml' }
const internalError = { status: 200, headers: XML, body: xml('Error', { Code: 'InternalError', Message: 'Again.' }) }
const isList = ({ query }: S3Request) => query.get('list-type') === '2'

describe('a service that is busy', () => {
  it('F1 is not asked again by all at once, however much fails', async () => {
    on.server.troubles.push({ answer: new S3Fault(500, 'InternalError', 'Again.'), times: 10_000 })
    const objects = await on.open()
    const results = await Promise.allSettled(Array.from({ length: 500 }, () => objects.read('a')))
    const told = results.map((one) => (one.status === 'rejected' ? String(one.reason) : 'read'))
    expect(new Set(told).size).toBe(1)
    expect(told[0]).toMatch(/s3:\/\/\S+\/a could not be accessed: 127\.0\.0\.1:\d+ failed \(500 InternalError\)\.$/)
    // Four each would be 2,000.
    expect(on.log.length).toBeLessThan(650)
  })
})

describe('an answer of 200 that is an error', () => {
  it('F2 is asked again, wherever an answer has a body', async () => {
    on.fill({ a: 'text' })
    const objects = await on.open()
    const ways = everyWay(objects).filter((_, at) => at !== 2 && at !== 6)
    for (const work of ways) {
      on.server.troubles.push({ answer: internalError })
      const before = on.log.length
      expect(JSON.stringify(await work())).not.toContain('InternalError')
      expect(on.log.length - before).toBe(2)
    }
  })

  it('F2 is told when it is the only one, and never taken for the object', async () => {
    on.fill({ a: 'text' })
    on.server.troubles.push({ answer: internalError, times: 1000 })
    const objects = await on.open()
    for (const work of [() => objects.read('a'), () => textIn(objects, 'a'), () => objects.put('b', bytesOf('b'))]) {
      const before = on.log.length
      await expect(work()).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('failed (503 InternalError)'),
      })
      expect(on.log.length - before).toBe(4)
    }
  })

  it('F2 is told from XML that is an object', async () => {
    const text = xml('Error', { Code: 'InternalError' })
    on.bucket.put('kept.xml', Buffer.from(text), XML)
    expect(await textIn(await on.open(), 'kept.xml')).toBe(text)
    expect(on.log).toHaveLength(1)
  })
})

const LION = `# Long\n\nThe lion begins. ${'Then nothing happens. '.repeat(20_000)}`

describe('a body that is cut off', () => {
  it('F3 is in no index, nor is any part of it', async () => {
    await using lab = await inBucket({ 'a.md': 'zebra', 'long.md': LION, 'z.md': 'zebra' })
    const library = await lab.engine.library()
    lab.server.troubles.push({ of: ({ key }) => key === 'long.md', cut: Math.floor(LION.length * 0.3), times: 1000 })
    expect(await failure(library.collections.index())).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('s3://bucket/long.md could not be accessed'),
    })
    expect((await library.search({ query: 'lion' })).results).toEqual([])
    lab.server.troubles.length = 0
    expect(await library.collections.index()).toMatchObject({ failed: 0 })
    expect((await (await library.documents()).get('lab/long.md')).text).toBe(LION)
    expect(await library.collections.index()).toMatchObject({ unchanged: 3 })
  })
})

describe('an object that is replaced while it is read', () => {
  const [old, other] = [Buffer.alloc(1_000_000, 'o'), Buffer.alloc(1_000_000, 'n')]

  it('F4 is read from its beginning again: never a part of each', async () => {
    on.fill({ a: old })
    const objects = await on.open()
    on.server.troubles.push({ cut: 300_000 })
    const reading = objects.read('a')
    while (on.log[0]?.status !== 200) await new Promise(setImmediate)
    on.fill({ a: other })
    expect(await reading).toMatchObject({ bytes: other, etag: on.bucket.current('a')?.etag })
  })
})

describe('an object that is gone after it was listed', () => {
  it('F7 is left, with the reason, and the others are indexed', async () => {
    await using lab = await inBucket({ 'a.md': 'zebra', 'gone.md': 'lion', 'z.md': 'zebra' })
    lab.server.troubles.push({ of: ({ key }) => key === 'gone.md', answer: noSuchKey('gone.md'), times: 9 })
    const { collections } = await (await lab.engine.library()).collections.index()
    expect(collections).toMatchObject([
      { added: 2, left: [{ path: 'gone.md', why: 'missing', detail: 's3://bucket/gone.md does not exist.' }] },
    ])
  })
})

/** A page of a listing that goes on. */
const listed = (keys: readonly string[], next?: string) => ({
  status: 200,
  headers: XML,
  body: xml('ListBucketResult', {
    Name: 'bucket',
    IsTruncated: next !== undefined,
    NextContinuationToken: next,
    Contents: keys.map((Key): Elements => ({ Key, Size: 1, ETag: '"e"' })),
  }),
})

/** Pages of the largest listing; a million took as long for each. */
const PAGES = Number(process.env.AMBIT_TEST_PAGES ?? 30)

describe('a listing', () => {
  it.each([1, 2, 3, 7])('F8 that comes again after %i pages ends, and is told', async (length) => {
    await using lab = await inBucket({})
    const at = ({ query }: S3Request) => Number(query.get('continuation-token') ?? -1)
    for (let page = -1; page < length; page++) {
      const answer = listed([`k${page}`], `${(page + 1) % length}`)
      lab.server.troubles.push({ of: (request) => isList(request) && at(request) === page, answer, times: 1000 })
    }
    const told = await failure((await lab.engine.library()).collections.index())
    expect(told).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^s3:\/\/bucket cannot be listed/),
    })
    const { problems } = await (await lab.engine.packages()).list({}, SILENT)
    expect(problems).toMatchObject([{ registry: 'lab', message: told.message }])
    expect(lab.server.log.length).toBeLessThan(80)
  })

  it('F8 of very many keys is given page by page, each key once', { timeout: 600_000 }, async () => {
    const server = createServer((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('continuation-token') ?? 0)
      const keys = Array.from({ length: 1000 }, (_, at) => `k${page * 1000 + at}`)
      response.writeHead(200, XML).end(listed(keys, page + 1 === PAGES ? undefined : `${page + 1}`).body)
    })
    await using listening = await listenOnLoopback(server)
    let count = 0
    for await (const { objects } of listPages(await on.open({ endpoint: listening.url }))) {
      expect(objects[0]?.key).toBe(`k${count}`)
      count += objects.length
    }
    expect(count).toBe(PAGES * 1000)
  })
})

describe('a key', () => {
  const segment = fc.oneof(
    fc.constantFrom('', '.', '..', '...', 'a', 'A', '%2F', '%2e%2e', '~', '\\', 'x'.repeat(255), 'é'.repeat(127)),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const key = fc.oneof(
    fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/')),
    fc.constantFrom(...HELD_BY_ALL, ...HELD_BY_SOME),
  )

  it('F9 of a directory is a file of its own in it, or none', async () => {
    await forAllAsync(100, fc.uniqueArray(key, { minLength: 2, maxLength: 8 }), async (keys) => {
      using at = tree({ 'outside.txt': 'outside', 'inside/': '' })
      const objects = openDirectory(at.at('inside'))
      const held: string[] = []
      for (const [number, one] of keys.entries()) {
        const put = await objects.put(one, bytesOf(`${number}`)).catch((error: unknown) => error)
        if (put instanceof ContextError) expect(put).toMatchObject({ code: 'invalid-input' })
        else held.push(one)
      }
      for (const [number, one] of keys.entries()) {
        const text = await textIn(objects, one).catch((error: ContextError) => error.code)
        expect([one, text]).toEqual([one, held.includes(one) ? `${number}` : 'not-found'])
      }
      const { objects: found } = await objects.list()
      expect(found.map((object) => object.key).toSorted()).toEqual(held.toSorted())
      expect(readdirSync(at.base).toSorted()).toEqual(['inside', 'outside.txt'])
      expect(readFileSync(at.at('outside.txt'), 'utf8')).toBe('outside')
    })
  })
})

describe('the service that is asked', () => {
  it('F15 is named by no input of an operation but those that only who runs the program may give', () => {
    const inputs = operations.flatMap(({ name, input }) =>
      Object.keys(input.json().properties ?? {}).map((key) => `${name} ${key}`),
    )
    expect(inputs.length).toBeGreaterThan(60)
    // The profile is a tool that reads instruction files.
    const named = inputs.filter((one) => /endpoint|url|host|region|credential|secret|profile$/i.test(one))
    // A file that is pushed although it looks like a secret.
    const harmless = /^(?:(?:load|explain|check|diff) profile|packages\.push secret)$/
    // A server takes these from its owner alone: see test/surfaces/http/principals.test.ts.
    const owned =
      /^(?:collections\.add (?:endpoint|region|profile)|settings\.set (?:model|search|embedding|reranking)Url)$/
    expect(named.filter((one) => !harmless.test(one) && !owned.test(one))).toEqual([])
  })
})
