import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runSteps } from '../../src/core/steps.ts'
import { systemOpener } from '../../src/files/confine.ts'
import { openDirectory } from '../../src/files/directory.ts'
import { DirectoryList, EntryCache } from '../../src/files/disk/directory-list.ts'
import { compareBytes, type ListRequest } from '../../src/files/objects.ts'
import { tree } from '../support/tree.ts'

const { array, assert, asyncProperty, constantFrom, integer, option, record, uniqueArray } = fc
const SEGMENTS = ['a', 'b', 'a-', 'a.b', 'a b', 'ab', 'é', '😀', '\ufb00', '~', 'x!']
const keys = uniqueArray(
  array(constantFrom(...SEGMENTS), { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/')),
  { maxLength: 25 },
  // A name cannot be a file and a directory.
).map((all) => all.filter((key) => !all.some((other) => other.startsWith(`${key}/`))))

/** All that a bucket would give, in the order of its bytes. */
function expected(keys: readonly string[], prefix: string, delimiter: string | undefined): string[] {
  const there = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length)
      return end === -1 ? key : `${key.slice(0, end + (delimiter ?? '').length)}*`
    })
  const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  return [...new Set(there)].map((key) => key.replace(/\*$/, '')).sort(order)
}

describe('a list of a directory', () => {
  it('is what a bucket would give, whatever is asked, page by page', () =>
    assert(
      asyncProperty(
        record({
          keys,
          prefix: constantFrom('', 'a', 'a/', 'a/b', 'a-', '😀', 'é/', 'b/a/', 'x', 'a/../a', '/'),
          delimiter: option(constantFrom('/', 'a', 'b/', '-', '😀'), { nil: undefined }),
          limit: integer({ min: 1, max: 7 }),
        }),
        async ({ keys, prefix, delimiter, limit }) => {
          using at = tree(Object.fromEntries(keys.map((key) => [key, key])))
          const directory = { uri: 'file:///', root: at.base, open: systemOpener(), isPrivate: false }
          const ordered = new EntryCache()
          const given: string[] = []
          for (let token: string | undefined; ; ) {
            const request: ListRequest = {
              prefix,
              limit,
              ...(delimiter && { delimiter }),
              ...(token !== undefined && { token }),
            }
            const page = runSteps(new DirectoryList(directory, ordered, request).page())
            const both = [...page.objects.map(({ key }) => key), ...page.prefixes]
            expect(both.length).toBeLessThanOrEqual(limit)
            if (page.next !== undefined) expect(both.length).toBe(limit)
            given.push(...both.sort(compareBytes))
            token = page.next
            if (token === undefined) break
          }
          expect(given).toEqual(expected(keys, prefix, delimiter))
        },
      ),
      { numRuns: 100 },
    ))

  it('orders as the bytes of UTF-8 do', () =>
    assert(
      asyncProperty(
        uniqueArray(
          array(constantFrom(...SEGMENTS, '\ud83d\ude01', '\uffff', '\u{10000}')).map((parts) => parts.join('')),
        ),
        async (texts) => {
          expect(texts.toSorted(compareBytes)).toEqual(
            texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
          )
        },
      ),
    ))

  it('of 100,000 files comes in pages, with little memory, and leaves others their turns', {
    tags: 'long',
  }, async () => {
    using at = tree({ 'large/': '' })
    for (let count = 0; count < 100_000; count++) writeFileSync(at.at(`large/file-${count.toString(36)}`), '')
    const objects = openDirectory(at.base)
    let longest = 0
    let last = performance.now()
    const watch = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }, 1)
    global.gc?.()
    const before = process.memoryUsage().heapUsed
    let count = 0
    let previous = ''
    for (let token: string | undefined; ; ) {
      const page = await objects.list({ ...(token !== undefined && { token }) })
      for (const { key } of page.objects) {
        expect(key > previous).toBe(true)
        previous = key
      }
      count += page.objects.length
      token = page.next
      if (token === undefined) break
    }
    clearInterval(watch)
    expect(count).toBe(100_000)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000)
    expect(longest).toBeLessThan(1500)
    expect((await objects.list({ delimiter: '/' })).prefixes).toEqual(['large/'])
    await objects.close()
  })

  it('shows no directory without a file in it', async () => {
    using at = tree({ 'a/b/c/': '', 'd/e/': '', 'd/f': 'f' })
    const objects = openDirectory(at.base)
    expect(await objects.list({ delimiter: '/' })).toEqual({ objects: [], prefixes: ['d/'], left: [] })
  })

  it('sees what has changed since the page before', async () => {
    using at = tree(Object.fromEntries(Array.from({ length: 2000 }, (_, count) => [`d/${count + 1000}`, ''])))
    const objects = openDirectory(at.base)
    await new Promise((resolve) => setTimeout(resolve, 150))
    const { next = '' } = await objects.list({ limit: 10 })
    mkdirSync(dirname(at.at('d/1500a')), { recursive: true })
    writeFileSync(at.at('d/1500a'), '')
    rmSync(at.at('d/1500'))
    const rest = await objects.list({ token: next })
    const all = rest.objects.map(({ key }) => key)
    expect([all[0], all.includes('d/1500a'), all.includes('d/1500')]).toEqual(['d/1010', true, false])
  })

  it.each(['', 'x', 'bm90aGluZw', '[true]', 'WzEsMl0'])('cannot go on from the token %j', async (token) => {
    using at = tree({ a: 'a' })
    await expect(openDirectory(at.base).list({ token })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('is stopped when it is cancelled', { tags: 'long' }, async () => {
    using at = tree(Object.fromEntries(Array.from({ length: 3000 }, (_, count) => [`${count}/a`, ''])))
    const controller = new AbortController()
    const listing = openDirectory(at.base).list({ signal: controller.signal })
    setImmediate(() => controller.abort())
    await expect(listing).rejects.toMatchObject({ code: 'cancelled' })
  })
})
