/**
 * What the context of a place takes of a bucket: how many requests, when, and what becomes of those that fail.
 *
 * @module-tag long
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import { openS3 } from '../../../src/files/s3/s3.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { failure } from '../../quilt/packages/fixtures.ts'
import { Bucket } from '../../support/s3/bucket.ts'
import { S3Fault } from '../../support/s3/fault.ts'
import { KEY, REGION, type S3Server, SECRET, s3Server } from '../../support/s3/server.ts'

interface Lab extends AsyncDisposable {
  readonly server: S3Server
  readonly bucket: Bucket
  readonly engine: Engine
  load(place: string, signal?: AbortSignal): ReturnType<Engine['load']>
}

/** A collection `lab` of a bucket on loopback, asked as the product does. */
async function labOf(held: Readonly<Record<string, string | Uint8Array>>, attempts?: number): Promise<Lab> {
  const server = await s3Server()
  const bucket = new Bucket(REGION)
  server.buckets.set('bucket', bucket)
  for (const [key, text] of Object.entries(held)) bucket.put(key, Buffer.from(text), {})
  const credentials = { accessKeyId: KEY, secretAccessKey: SECRET }
  const more = attempts === undefined ? {} : { maxAttempts: attempts }
  const engine = createEngine(
    { file: undefined, unknown: [], home: false },
    {
      store: async () => openSqlite(':memory:'),
      objects: (root) =>
        openS3({ bucket: root.split('/')[2] ?? '', endpoint: server.url, region: REGION, credentials, ...more }),
    },
  )
  const { collections } = await engine.library()
  await collections.add({ name: 'lab', root: 's3://bucket' })
  return {
    server,
    bucket,
    engine,
    load: (place, signal) => engine.load({ place }, { ...SILENT, ...(signal && { signal }) }),
    async [Symbol.asyncDispose]() {
      await engine.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const DEEP = Array.from({ length: 25 }, (_, index) => `d${index}`).join('/')
const bare = (server: S3Server) => server.log.map(({ method, path }) => `${method} ${path}`)

describe('the files of a place 25 directories deep in a bucket', () => {
  it('take one request each, all at once, of 10,003 bytes at most', async () => {
    await using lab = await labOf({ 'README.md': 'root', [`${DEEP}/README.md`]: 'x'.repeat(50_000) })
    // Longer than a busy machine takes to begin all of them.
    lab.server.latencyMs = 1500
    let most = 0
    const watching = setInterval(() => (most = Math.max(most, lab.server.running)), 5)
    await lab.load(`lab/${DEEP}`)
    clearInterval(watching)
    expect(lab.server.log).toHaveLength(52)
    expect(new Set(bare(lab.server)).size).toBe(52)
    expect(new Set(lab.server.log.map(({ method, headers }) => `${method} ${headers.range}`))).toEqual(
      new Set(['GET bytes=0-10002']),
    )
    expect(most).toBe(52)
    // Those that are not there are answered with a document of a few hundred bytes.
    expect(Math.max(...lab.server.log.map(({ sent }) => sent))).toBeLessThanOrEqual(10_003)
  })

  it('are compared by their etags the next time: what is current is not sent again', async () => {
    await using lab = await labOf({ 'README.md': 'root', 'a/README.md': 'one', 'a/AGENTS.md': 'two' })
    const first = await lab.load('lab/a')
    lab.server.log.length = 0
    expect(await lab.load('lab/a')).toEqual(first)
    expect(lab.server.log.map(({ status }) => status).toSorted()).toEqual([304, 304, 304, 404])
    lab.bucket.put('a/README.md', Buffer.from('another'), {})
    expect((await lab.load('lab/a')).text).toContain('another')
  })

  it('that were not there, or could not be had, are asked for again', async () => {
    await using lab = await labOf({ 'README.md': 'root', 'a/README.md': 'one' }, 1)
    lab.server.troubles.push({
      of: ({ key }) => key === 'a/README.md',
      answer: new S3Fault(503, 'SlowDown', 'Slow down.'),
    })
    const first = await lab.load('lab/a')
    expect(first.ledger.find(({ title }) => title === 'a/README.md')).toMatchObject({
      decision: 'left',
      why: 'failed',
      detail: expect.stringContaining('SlowDown'),
    })
    expect(first.warnings.map(({ path }) => path)).toEqual(['a/README.md'])
    lab.bucket.put('a/AGENTS.md', Buffer.from('two'), {})
    expect((await lab.load('lab/a')).contexts.map(({ path }) => path)).toEqual([
      'a/README.md',
      'a/AGENTS.md',
      'README.md',
    ])
  })

  it('are had after a 503, and the others are asked for once', async () => {
    await using lab = await labOf({ 'README.md': 'root', 'a/README.md': 'one' })
    const isIt = ({ key }: { key: string }) => key === 'a/README.md'
    lab.server.troubles.push({ of: isIt, times: 2, answer: new S3Fault(503, 'SlowDown', 'Slow down.') })
    const { text } = await lab.load('lab/a')
    expect(text).toContain('one')
    const counts = Map.groupBy(bare(lab.server), (line) => line)
    expect([...counts.values()].map((lines) => lines.length).toSorted()).toEqual([1, 1, 1, 3])
  })

  it('stand in the same order, whichever is answered first', async () => {
    const held = Object.fromEntries(
      ['', 'a/', 'a/b/'].flatMap((at) => [`${at}README.md`, `${at}AGENTS.md`]).map((key) => [key, key]),
    )
    await using lab = await labOf(held)
    const texts = new Set<string>()
    for (const slow of Object.keys(held)) {
      lab.server.troubles.push({ of: ({ key }) => key === slow, answer: new S3Fault(503, 'SlowDown', 'Slow down.') })
      texts.add((await lab.load('lab/a/b')).text)
    }
    expect(texts.size).toBe(1)
  })

  it('are asked for once by twenty places that are loaded at once, of which one is stopped', async () => {
    const places = Array.from({ length: 20 }, (_, index) => `${DEEP}/end-${index}`)
    const held = Object.fromEntries(places.map((place) => [`${place}/README.md`, place]))
    await using lab = await labOf({ 'README.md': 'root', ...held })
    // Longer than a busy machine takes to begin all of them.
    lab.server.latencyMs = 1500
    const stop = new AbortController()
    const loads = places.map((place, index) => lab.load(`lab/${place}`, index === 0 ? stop.signal : undefined))
    setTimeout(() => stop.abort(), 500)
    const [first, ...others] = await Promise.allSettled(loads)
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'cancelled' } })
    for (const [index, one] of others.entries()) {
      const texts = one.status === 'fulfilled' ? one.value.contexts.map(({ content }) => content) : []
      expect(texts).toEqual(expect.arrayContaining(['root', places[index + 1]]))
    }
    const asked = bare(lab.server)
    expect(new Set(asked).size).toBe(asked.length)
    // The place that was stopped may not have asked for its own file.
    expect(asked.length).toBeGreaterThanOrEqual(2 * (19 + 25 + 1))
    expect(asked.length).toBeLessThanOrEqual(2 * (20 + 25 + 1))
  })

  it('leave nothing running when they are not wanted any more', async () => {
    await using lab = await labOf({ 'README.md': 'root' })
    lab.server.latencyMs = 60_000
    const stop = new AbortController()
    const loading = failure(lab.load(`lab/${DEEP}`, stop.signal))
    await expect.poll(() => lab.server.running).toBe(52)
    stop.abort()
    expect(await loading).toMatchObject({ code: 'cancelled' })
    await sleep(50)
    expect(lab.server.running).toBe(0)
  })

  it('of which each is denied are each told as denied', async () => {
    await using lab = await labOf({ 'README.md': 'root' })
    lab.server.refuses = () => true
    const { ledger, warnings, text } = await lab.load('lab/a')
    expect(ledger.map(({ why }) => why)).toEqual(['denied', 'denied', 'denied', 'denied'])
    expect([text, warnings]).toEqual([
      '',
      [{ path: 'a/AGENTS.md', message: expect.stringContaining('is denied to these') }],
    ])
  })

  it.each([
    ['a gibibyte', 1024 ** 3],
    ['five', 5 * 1024 ** 3],
  ])('of %s cost no more than their beginning', async (_, total) => {
    await using lab = await labOf({ 'README.md': 'x' })
    const headers = { 'content-range': `bytes 0-10002/${total}`, 'content-length': 10_003, etag: '"e"' }
    const answer = { status: 206, headers, body: Buffer.alloc(10_003, 'x') }
    lab.server.troubles.push({ of: ({ key }) => key === 'README.md', answer })
    const { text, warnings } = await lab.load('lab')
    expect(text).toContain(`truncated="true" scope="bucket" bucket="bucket">\n${'x'.repeat(10_000)}\n<`)
    expect(warnings).toEqual([{ path: 'README.md', message: `Only the first 10000 of its ${total} bytes are loaded.` }])
    expect(lab.server.log.map(({ path, sent }) => [path, sent])).toContainEqual(['/bucket/README.md', 10_003])
  })

  it.each([
    ['there is no such bucket', (lab: Lab) => lab.server.buckets.clear(), 'not-found', /there is no such bucket/, 4],
    [
      'the credentials have expired',
      (lab: Lab) => lab.server.troubles.push({ times: 100, answer: new S3Fault(400, 'ExpiredToken', 'Expired.') }),
      'denied',
      /credentials that have expired/,
      4,
    ],
    [
      'the service is down',
      (lab: Lab) => lab.server.troubles.push({ times: 100, answer: new S3Fault(503, 'SlowDown', 'Slow down.') }),
      'unavailable',
      /failed \(503 SlowDown\)/,
      // Four times each.
      16,
    ],
  ])('fail with one message where %s', async (_, break_, code, message, requests) => {
    await using lab = await labOf({ 'README.md': 'root' })
    break_(lab)
    expect(await failure(lab.load('lab/a'))).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(lab.server.log.length).toBeLessThanOrEqual(requests)
  })

  it('of a bucket keep their keys: slashes are not folded, and no sign is special', async () => {
    const keys = [
      'a//b/README.md',
      'a//README.md',
      'a/README.md',
      'x/../y/README.md',
      'x/../README.md',
      'ü b/+%41#?/README.md',
    ]
    await using lab = await labOf(Object.fromEntries(keys.map((key) => [key, key])))
    const paths = async (place: string) => (await lab.load(place)).contexts.map(({ path }) => path)
    expect(await paths('lab/a//b')).toEqual(keys.slice(0, 3))
    expect(await paths('lab/x/../y/')).toEqual(keys.slice(3, 5))
    expect(await paths('ambit://lab/%C3%BC%20b/%2B%2541%23%3F')).toEqual(keys.slice(5))
  })
})
