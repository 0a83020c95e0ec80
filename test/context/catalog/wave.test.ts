/**
 * What the context of a place takes of a bucket: how many requests, when, and what becomes of those that fail.
 *
 * @module-tag long
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { failure } from '../../quilt/packages/fixtures.ts'
import type { Held } from '../../support/memory-objects.ts'
import { S3Fault } from '../../support/s3/fault.ts'
import type { S3Server } from '../../support/s3/server.ts'
import { type BucketLab, inBucket } from './labs.ts'

/** A collection `lab` of a bucket on loopback, asked as the product does. */
const labOf = (held: Held, maxAttempts = 4) => inBucket(held, { maxAttempts })
const load = ({ engine }: BucketLab, place: string, signal?: AbortSignal) =>
  engine.load({ place }, { ...SILENT, ...(signal && { signal }) })

const DEEP = Array.from({ length: 25 }, (_, index) => `d${index}`).join('/')
const bare = (server: S3Server) => server.log.map(({ method, path }) => `${method} ${path}`)

describe('the files of a place 25 directories deep in a bucket', () => {
  it('take one request each, all at once, of 10,003 bytes at most', async () => {
    await using lab = await labOf({ 'README.md': 'root', [`${DEEP}/README.md`]: 'x'.repeat(50_000) })
    // Longer than a busy machine takes to begin all of them.
    lab.server.latencyMs = 1500
    let most = 0
    const watching = setInterval(() => (most = Math.max(most, lab.server.running)), 5)
    await load(lab, `lab/${DEEP}`)
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
    const first = await load(lab, 'lab/a')
    lab.server.log.length = 0
    expect(await load(lab, 'lab/a')).toEqual(first)
    expect(lab.server.log.map(({ status }) => status).toSorted()).toEqual([304, 304, 304, 404])
    lab.put({ 'a/README.md': 'another' })
    expect((await load(lab, 'lab/a')).text).toContain('another')
  })

  it('that were not there, or could not be had, are asked for again', async () => {
    await using lab = await labOf({ 'README.md': 'root', 'a/README.md': 'one' }, 1)
    lab.server.troubles.push({ of: ({ key }) => key === 'a/README.md', answer: new S3Fault(503, 'SlowDown', 'Slow.') })
    const first = await load(lab, 'lab/a')
    expect(first.ledger.find(({ title }) => title === 'a/README.md')).toMatchObject({
      decision: 'left',
      why: 'failed',
      detail: expect.stringContaining('SlowDown'),
    })
    expect(first.warnings.map(({ path }) => path)).toEqual(['a/README.md'])
    lab.put({ 'a/AGENTS.md': 'two' })
    expect((await load(lab, 'lab/a')).contexts.map(({ path }) => path)).toEqual([
      'a/README.md',
      'a/AGENTS.md',
      'README.md',
    ])
  })

  it('are had after a 503, and the others are asked for once', async () => {
    await using lab = await labOf({ 'README.md': 'root', 'a/README.md': 'one' })
    const isIt = ({ key }: { key: string }) => key === 'a/README.md'
    lab.server.troubles.push({ of: isIt, times: 2, answer: new S3Fault(503, 'SlowDown', 'Slow.') })
    const { text } = await load(lab, 'lab/a')
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
      lab.server.troubles.push({ of: ({ key }) => key === slow, answer: new S3Fault(503, 'SlowDown', 'Slow.') })
      texts.add((await load(lab, 'lab/a/b')).text)
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
    const loads = places.map((place, index) => load(lab, `lab/${place}`, index === 0 ? stop.signal : undefined))
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
    const loading = failure(load(lab, `lab/${DEEP}`, stop.signal))
    await expect.poll(() => lab.server.running).toBe(52)
    stop.abort()
    expect(await loading).toMatchObject({ code: 'cancelled' })
    await sleep(50)
    expect(lab.server.running).toBe(0)
  })

  it('of which each is denied are each told as denied', async () => {
    await using lab = await labOf({ 'README.md': 'root' })
    lab.server.refuses = () => true
    const { ledger, warnings, text } = await load(lab, 'lab/a')
    expect(ledger.map(({ why }) => why)).toEqual(['denied', 'denied', 'denied', 'denied'])
    expect([text, warnings]).toEqual(['', [{ path: 'a/AGENTS.md', message: expect.stringContaining('is denied') }]])
  })

  it.each([
    ['a gibibyte', 1024 ** 3],
    ['five', 5 * 1024 ** 3],
  ])('of %s cost no more than their beginning', async (_, total) => {
    await using lab = await labOf({ 'README.md': 'x' })
    const headers = { 'content-range': `bytes 0-10002/${total}`, 'content-length': 10_003, etag: '"e"' }
    const answer = { status: 206, headers, body: Buffer.alloc(10_003, 'x') }
    lab.server.troubles.push({ of: ({ key }) => key === 'README.md', answer })
    const { text, warnings } = await load(lab, 'lab')
    expect(text).toContain(`truncated="true" scope="bucket" bucket="bucket">\n${'x'.repeat(10_000)}\n<`)
    expect(warnings).toEqual([{ path: 'README.md', message: `Only the first 10000 of its ${total} bytes are loaded.` }])
    expect(lab.server.log.map(({ path, sent }) => [path, sent])).toContainEqual(['/bucket/README.md', 10_003])
  })

  it.each([
    ['there is none', (lab: BucketLab) => lab.server.buckets.clear(), 'not-found', /there is no such bucket/, 4],
    [
      'the credentials have expired',
      (lab: BucketLab) =>
        lab.server.troubles.push({ times: 100, answer: new S3Fault(400, 'ExpiredToken', 'Expired.') }),
      'denied',
      /expired credentials/,
      4,
    ],
    [
      'the service is down',
      (lab: BucketLab) => lab.server.troubles.push({ times: 100, answer: new S3Fault(503, 'SlowDown', 'Slow.') }),
      'unavailable',
      /failed \(503 SlowDown\)/,
      // Four times each.
      16,
    ],
  ])('fail with one message where %s', async (_, break_, code, message, requests) => {
    await using lab = await labOf({ 'README.md': 'root' })
    break_(lab)
    expect(await failure(load(lab, 'lab/a'))).toMatchObject({ code, message: expect.stringMatching(message) })
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
    const paths = async (place: string) => (await load(lab, place)).contexts.map(({ path }) => path)
    expect(await paths('lab/a//b')).toEqual(keys.slice(0, 3))
    expect(await paths('lab/x/../y/')).toEqual(keys.slice(3, 5))
    expect(await paths('ambit://lab/%C3%BC%20b/%2B%2541%23%3F')).toEqual(keys.slice(5))
  })
})
