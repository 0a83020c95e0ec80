import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ContextError } from '../../src/core/errors.ts'
import type { ObjectPage, Objects, StreamRequest } from '../../src/files/objects.ts'
import { HELD_BY_ALL, HELD_BY_SOME, ORDERED } from './keys.ts'

/** A new, empty place for objects. */
export interface Filled {
  readonly objects: Objects
  /** Puts objects there by another way than the driver. */
  fill(objects: Iterable<readonly [key: string, bytes: Uint8Array]>): Promise<void>
  /** Requests that run, or files that are open. */
  running(): number
  close(): Promise<void>
}

export interface Holding {
  /** Whether the place can hold a key. Default: all. */
  readonly holds?: (key: string) => boolean
}

export const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

/** Bytes of an object that is too large to be read whole. */
const LARGE = 200_000_000

type Test = (filled: Filled) => Promise<void>

/** A test in a new place; `within`: a case of one. */
interface On {
  (name: string, test: Test): void
  long(name: string, test: Test): void
  within(test: Test): Promise<void>
}

/** What any place for objects does. `open` gives a new, empty one. */
export function objectsContract(name: string, open: () => Promise<Filled>, { holds = () => true }: Holding = {}): void {
  const within = async (test: Test) => {
    const filled = await open()
    try {
      await test(filled)
    } finally {
      await filled.objects.close()
      await filled.close()
    }
  }
  const on: On = Object.assign((name: string, test: Test) => it(name, () => within(test)), {
    long: (name: string, test: Test) => it(name, { tags: 'long' }, () => within(test)),
    within,
  })
  describe(`objects in ${name}`, () => {
    readContract(on)
    rangeContract(on)
    unlessContract(on)
    keyContract(on, holds)
    listContract(on)
    pagesContract(on)
    putContract(on)
    removeContract(on)
    streamContract(on)
    abortContract(on)
  })
}

/** All pages, and the tokens on the way. */
async function pagesOf(objects: Objects, request: Parameters<Objects['list']>[0] = {}): Promise<ObjectPage[]> {
  const pages: ObjectPage[] = []
  for (let token: string | undefined; ; ) {
    const page = await objects.list({ ...request, ...(token !== undefined && { token }) })
    pages.push(page)
    token = page.next
    if (token === undefined) return pages
  }
}

/** All keys that there are. */
export async function keysIn(objects: Objects, request: Parameters<Objects['list']>[0] = {}): Promise<string[]> {
  return (await pagesOf(objects, request)).flatMap((page) => page.objects.map(({ key }) => key))
}

function readContract(on: On): void {
  on('are read as they were put, and described alike by put, read, head and list', async ({ objects }) => {
    const bytes = bytesOf('Grüße\n')
    const { key, size, etag, version } = await objects.put('docs/a.md', bytes)
    const read = await objects.read('docs/a.md')
    if (read === 'unchanged') throw new Error('It was read for the first time.')
    const { bytes: given, ...info } = read
    expect(Buffer.from(given)).toEqual(Buffer.from(bytes))
    expect(info).toEqual({ key: 'docs/a.md', size: 8, etag, modifiedAt: info.modifiedAt, ...(version && { version }) })
    expect({ key, size }).toEqual({ key: 'docs/a.md', size: 8 })
    expect(new Date(info.modifiedAt).toISOString()).toBe(info.modifiedAt)
    expect(Math.abs(Date.now() - Date.parse(info.modifiedAt))).toBeLessThan(60_000)
    expect(await objects.head('docs/a.md')).toEqual(info)
    const { objects: listed } = await objects.list()
    expect(listed).toMatchObject([{ key, size, etag }])
  })

  on('have another etag when their bytes are others', async ({ objects }) => {
    const etags = new Set<string>()
    for (const text of ['a', 'b', 'ab', '']) etags.add((await objects.put('a', bytesOf(text))).etag)
    expect(etags.size).toBe(4)
  })

  on('may be empty', async ({ objects }) => {
    await objects.put('empty', new Uint8Array())
    for (const request of [{}, { length: 10 }, { from: 5, length: 10 }, { length: 0 }, { from: 5 }]) {
      expect(await objects.read('empty', request)).toMatchObject({ key: 'empty', size: 0, bytes: Buffer.alloc(0) })
    }
    expect(await objects.head('empty')).toMatchObject({ size: 0 })
    expect(await textIn(objects, 'empty')).toBe('')
  })

  on('that are not there are not found, and the message says which', async ({ objects, fill }) => {
    await fill([['docs/a', bytesOf('a')]])
    for (const key of ['b', 'docs', 'docs/', 'docs/a/b', 'Docs/a', 'docs/A']) {
      const message = expect.stringContaining(`${objects.uri}/${key} `)
      await expect(objects.read(key)).rejects.toMatchObject({ code: 'not-found', message })
      await expect(objects.read(key, { length: 10 })).rejects.toMatchObject({ code: 'not-found', message })
      await expect(objects.head(key)).rejects.toMatchObject({ code: 'not-found', message })
      await expect(textIn(objects, key)).rejects.toMatchObject({ code: 'not-found', message })
    }
  })

  on('that nothing can be are not found, and not written', async ({ objects }) => {
    for (const key of ['', 'x'.repeat(1025), 'é'.repeat(513), 'a\ud800b']) {
      await expect(objects.read(key)).rejects.toMatchObject({ code: 'not-found' })
      await expect(objects.head(key)).rejects.toMatchObject({ code: 'not-found' })
      await expect(textIn(objects, key)).rejects.toMatchObject({ code: 'not-found' })
      await expect(objects.put(key, new Uint8Array())).rejects.toMatchObject({ code: 'invalid-input' })
    }
  })

  on('are not found in a version that is none', async ({ objects, fill }) => {
    await fill([['a', bytesOf('a')]])
    const version = '0123456789abcdef0123456789abcdef'
    await expect(objects.read('a', { version })).rejects.toMatchObject({ code: 'not-found' })
    await expect(objects.head('a', { version })).rejects.toMatchObject({ code: 'not-found' })
  })
}

function rangeContract(on: On): void {
  on('are read in part, with the size of the whole', async ({ objects, fill }) => {
    await fill([['a', bytesOf('0123456789')]])
    const cases = [
      [{ length: 3 }, '012'],
      [{ from: 3 }, '3456789'],
      [{ from: 3, length: 2 }, '34'],
      [{ from: 8, length: 100 }, '89'],
      [{ from: 9, length: 1 }, '9'],
      [{ from: 0, length: 10 }, '0123456789'],
      [{ length: 0 }, ''],
      [{ from: 10 }, ''],
      [{ from: 10, length: 5 }, ''],
      [{ from: 1_000_000, length: 5 }, ''],
    ] as const
    for (const [request, text] of cases) {
      const read = await objects.read('a', request)
      expect([request, read !== 'unchanged' && textOf(read.bytes), read !== 'unchanged' && read.size]).toEqual([
        request,
        text,
        10,
      ])
    }
  })

  on('are not read whole when they are larger than was allowed', async ({ objects, fill }) => {
    await fill([['a', bytesOf('0123456789')]])
    await expect(objects.read('a', { maxBytes: 9 })).rejects.toMatchObject({ code: 'over-limit' })
    await expect(objects.read('a', { from: 1, maxBytes: 8 })).rejects.toMatchObject({ code: 'over-limit' })
    expect(await objects.read('a', { maxBytes: 10 })).toMatchObject({ size: 10 })
    expect(await objects.read('a', { from: 1, maxBytes: 9 })).toMatchObject({ size: 10 })
  })
}

function unlessContract(on: On): void {
  on('are not read when the etag is still current', async ({ objects }) => {
    const { etag } = await objects.put('a', bytesOf('old'))
    expect(await objects.read('a', { unless: etag })).toBe('unchanged')
    expect(await objects.read('a', { unless: etag, length: 2 })).toBe('unchanged')
    expect(await objects.read('a', { unless: etag, length: 0 })).toBe('unchanged')
    expect(await objects.read('a', { unless: 'another' })).toMatchObject({ bytes: Buffer.from('old') })
    await objects.put('a', bytesOf('new'))
    expect(await objects.read('a', { unless: etag })).toMatchObject({ bytes: Buffer.from('new') })
  })
}

function keyContract(on: On, holds: (key: string) => boolean): void {
  on('keep keys to the byte', async ({ objects }) => {
    const keys = [...HELD_BY_ALL, ...HELD_BY_SOME].filter(holds)
    for (const key of keys) await objects.put(key, bytesOf(key))
    for (const key of keys) {
      const read = await objects.read(key, { length: 2000 })
      expect([key, read !== 'unchanged' && textOf(read.bytes)]).toEqual([key, key])
      expect(await objects.head(key)).toMatchObject({ key, size: Buffer.byteLength(key) })
    }
    const sorted = keys.map((key) => Buffer.from(key)).sort(Buffer.compare)
    expect(await keysIn(objects, { limit: 7 })).toEqual(sorted.map(String))
    for (const key of keys) expect(await keysIn(objects, { prefix: key })).toContain(key)
  })

  on('say of keys that they cannot hold that there is none', async ({ objects }) => {
    for (const key of HELD_BY_SOME.filter((key) => !holds(key))) {
      await expect(objects.read(key)).rejects.toMatchObject({ code: 'not-found' })
      await expect(objects.head(key)).rejects.toMatchObject({ code: 'not-found' })
      await expect(objects.put(key, bytesOf('x'))).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect(await keysIn(objects)).toEqual([])
  })
}

function listContract(on: On): void {
  on('are listed by their bytes of UTF-8', async ({ objects, fill }) => {
    await fill(ORDERED.toReversed().map((key) => [key, bytesOf('x')]))
    expect(await keysIn(objects)).toEqual(ORDERED)
    expect(await keysIn(objects, { limit: 1 })).toEqual(ORDERED)
    const byFolder = await pagesOf(objects, { delimiter: '/', limit: 1 })
    const names = byFolder.flatMap((page) => [...page.objects.map(({ key }) => key), ...page.prefixes])
    expect(names).toEqual(ORDERED.filter((key) => !key.includes('/')).toSpliced(ORDERED.indexOf('a/b'), 0, 'a/'))
  })

  const TREE = ['a/b/c', 'a/b/d', 'a/bc', 'ab/c', 'b/c/d', 'b/e', 'c']
  on('are listed by prefix and delimiter', async ({ objects, fill }) => {
    await fill(TREE.map((key) => [key, bytesOf(key)]))
    const cases = [
      [{}, TREE, []],
      [{ prefix: 'a' }, ['a/b/c', 'a/b/d', 'a/bc', 'ab/c'], []],
      [{ prefix: 'a/' }, ['a/b/c', 'a/b/d', 'a/bc'], []],
      [{ prefix: 'a/b' }, ['a/b/c', 'a/b/d', 'a/bc'], []],
      [{ prefix: 'a/b/c' }, ['a/b/c'], []],
      [{ prefix: 'nothing' }, [], []],
      [{ prefix: 'a/b/c/' }, [], []],
      [{ prefix: '../' }, [], []],
      [{ prefix: '/' }, [], []],
      [{ prefix: 'a//' }, [], []],
      [{ delimiter: '/' }, ['c'], ['a/', 'ab/', 'b/']],
      [{ delimiter: '/', prefix: 'a' }, [], ['a/', 'ab/']],
      [{ delimiter: '/', prefix: 'a/' }, ['a/bc'], ['a/b/']],
      [{ delimiter: '/', prefix: 'a/b' }, ['a/bc'], ['a/b/']],
      [{ delimiter: 'b' }, ['c'], ['a/b', 'ab', 'b']],
      [{ delimiter: 'b/' }, ['a/bc', 'c'], ['a/b/', 'ab/', 'b/']],
      [{ delimiter: '/c' }, ['a/b/d', 'a/bc', 'b/e', 'c'], ['a/b/c', 'ab/c', 'b/c']],
    ] as const
    for (const [request, keys, prefixes] of cases) {
      for (const limit of [1000, 2, 1]) {
        const pages = await pagesOf(objects, { ...request, limit })
        const given = [
          pages.flatMap((page) => page.objects.map(({ key }) => key)),
          pages.flatMap((page) => page.prefixes),
        ]
        expect([request, limit, ...given]).toEqual([request, limit, keys, prefixes])
        for (const page of pages) expect(page.objects.length + page.prefixes.length).toBeLessThanOrEqual(limit)
      }
    }
  })

  on('are none at first', async ({ objects }) => {
    expect(await objects.list()).toEqual({ objects: [], prefixes: [], left: [] })
    expect(await objects.list({ prefix: 'a/', delimiter: '/' })).toEqual({ objects: [], prefixes: [], left: [] })
  })
}

function pagesContract(on: On): void {
  const many = (count: number, folder: string) =>
    Array.from({ length: count }, (_, at): [string, Uint8Array] => [
      `${folder}${at.toString().padStart(5, '0')}`,
      bytesOf(`${at}`),
    ])

  on.long('are listed in pages of at most 1,000, of 2,500 keys', async ({ objects, fill }) => {
    const entries = many(2500, 'd/')
    await fill(entries)
    const pages = await pagesOf(objects, { limit: 5000 })
    expect(pages.map((page) => page.objects.length)).toEqual([1000, 1000, 500])
    expect(pages.flatMap((page) => page.objects.map(({ key }) => key))).toEqual(entries.map(([key]) => key))
    expect(pages[2]?.objects.at(-1)).toMatchObject({ key: 'd/02499', size: 4 })
    expect(
      (await pagesOf(objects, { prefix: 'd/01', delimiter: '/', limit: 300 })).map((page) => page.objects.length),
    ).toEqual([300, 300, 300, 100])
  })

  on('are each given once, though some come and others go between two pages', async ({ objects, fill }) => {
    const entries = many(30, '')
    await fill(entries)
    const first = await objects.list({ limit: 10 })
    await fill([
      ['00005a', bytesOf('before')],
      ['00020a', bytesOf('behind')],
    ])
    const rest = await keysIn(objects, { limit: 10, token: first.next ?? '' })
    expect(first.objects).toHaveLength(10)
    expect(rest).toEqual([...entries.slice(10).map(([key]) => key), '00020a'].sort())
  })

  on('are not listed from a token that is none', async ({ objects, fill }) => {
    await fill([['a', bytesOf('a')]])
    const listed = await objects.list({ token: 'no such token' }).catch((error: unknown) => error)
    if (listed instanceof Error) expect(listed).toBeInstanceOf(ContextError)
  })
}

function putContract(on: On): void {
  on('are put only where there is none, when asked', async ({ objects }) => {
    await objects.put('a/b', bytesOf('first'), { if: 'absent' })
    await expect(objects.put('a/b', bytesOf('second'), { if: 'absent' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`${objects.uri}/a/b`),
    })
    expect(await textIn(objects, 'a/b')).toBe('first')
  })

  on('are put only in place of what is known, when asked', async ({ objects }) => {
    await expect(objects.put('a', bytesOf('x'), { if: { etag: 'none' } })).rejects.toMatchObject({ code: 'conflict' })
    const { etag: first } = await objects.put('a', bytesOf('first'))
    const { etag: second } = await objects.put('a', bytesOf('second'), { if: { etag: first } })
    await expect(objects.put('a', bytesOf('x'), { if: { etag: first } })).rejects.toMatchObject({ code: 'conflict' })
    expect(await textIn(objects, 'a')).toBe('second')
    expect(await objects.head('a')).toMatchObject({ etag: second })
  })

  const writers = Array.from({ length: 10 }, (_, at) => `writer ${at}`)
  on('that ten writers put at once where there is none are put by exactly one', async ({ objects }) => {
    const results = await Promise.allSettled(writers.map((text) => objects.put('a', bytesOf(text), { if: 'absent' })))
    await expectOneWinner(objects, results)
  })

  on('that ten writers put at once in place of one are put by exactly one', async ({ objects }) => {
    const { etag } = await objects.put('a', bytesOf('before'))
    const results = await Promise.allSettled(writers.map((text) => objects.put('a', bytesOf(text), { if: { etag } })))
    await expectOneWinner(objects, results)
  })

  async function expectOneWinner(objects: Objects, results: readonly PromiseSettledResult<unknown>[]): Promise<void> {
    const won = results.flatMap(({ status }, at) => (status === 'fulfilled' ? [writers[at]] : []))
    const codes = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect([won.length, new Set(codes)]).toEqual([1, new Set(['conflict'])])
    expect(await textIn(objects, 'a')).toBe(won[0])
  }

  on('that many put at once are one of theirs, whole', async ({ objects }) => {
    const texts = writers.map((text) => `${text}\n`.repeat(1000))
    await Promise.all(texts.map((text) => objects.put('a', bytesOf(text))))
    expect(texts).toContain(await textIn(objects, 'a'))
    expect(await keysIn(objects)).toEqual(['a'])
  })
}

function removeContract(on: On): void {
  on('are removed, twice as well as once, and the others stay', async ({ objects }) => {
    for (const key of ['a/b', 'a/c']) await objects.put(key, bytesOf(key))
    for (const key of ['a/b', 'a/b', 'none/b']) await objects.remove(key)
    await expect(objects.head('a/b')).rejects.toMatchObject({ code: 'not-found' })
    await expect(objects.remove('a/c', AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
    expect(await keysIn(objects)).toEqual(['a/c'])
    await objects.put('a/b', bytesOf('again'), { if: 'absent' })
    await objects.sweep(['a/'])
    expect(await textIn(objects, 'a/b')).toBe('again')
  })
}

function streamContract(on: On): void {
  on('come as a stream, whole and in order', async ({ objects, fill }) => {
    const bytes = Buffer.alloc(3_000_001)
    for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.writeUInt32LE(at, at)
    await fill([['large', bytes]])
    const parts: Uint8Array[] = []
    for await (const part of objects.stream('large')) parts.push(part)
    expect(parts.length).toBeGreaterThan(1)
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
  })

  it.each([
    [{ from: 3 }, '3456789'],
    [{ from: 3, length: 4 }, '3456'],
    [{ length: 4 }, '0123'],
    [{ from: 8, length: 100 }, '89'],
    [{ length: 0 }, ''],
    [{ from: 10 }, ''],
    [{ from: 100, length: 5 }, ''],
    [{ from: 9, length: 1 }, '9'],
  ])('come as a stream of the part that is wanted: %j', (request, text) =>
    on.within(async ({ objects, fill }) => {
      await fill([['a', bytesOf('0123456789')]])
      expect(await streamed(objects, 'a', request)).toBe(text)
    }),
  )

  on('come as a stream of a part in the middle of many', async ({ objects, fill }) => {
    const bytes = Buffer.from(Array.from({ length: 2_000_000 }, (_, at) => (at * 7) % 251))
    await fill([['large', bytes]])
    const parts: Uint8Array[] = []
    for await (const part of objects.stream('large', { from: 600_001, length: 700_002 })) parts.push(part)
    expect(Buffer.concat(parts).equals(bytes.subarray(600_001, 1_300_003))).toBe(true)
  })

  on('are streamed only while they are what the caller knows, if that is said', async ({ objects }) => {
    const { etag } = await objects.put('a', bytesOf('one'))
    expect(await streamed(objects, 'a', { only: etag })).toBe('one')
    expect(await streamed(objects, 'a', { only: etag, from: 1 })).toBe('ne')
    await objects.put('a', bytesOf('three'))
    await expect(streamed(objects, 'a', { only: etag })).rejects.toMatchObject({ code: 'conflict' })
    await expect(streamed(objects, 'a', { only: etag, from: 1, length: 2 })).rejects.toMatchObject({ code: 'conflict' })
  })

  on.long('of 200 MB are no burden when the stream is ended early', async ({ objects, fill, running }) => {
    await fill([['large', Buffer.alloc(LARGE, 'x')]])
    let came = 0
    for await (const part of objects.stream('large')) {
      came += part.length
      if (came > 100_000) break
    }
    await sleep(50)
    expect(running()).toBe(0)
    expect(came).toBeLessThan(10_000_000)
    const read = await objects.read('large', { length: 10_003 })
    expect(read !== 'unchanged' && [read.bytes.length, read.size]).toEqual([10_003, LARGE])
    await expect(objects.read('large')).rejects.toMatchObject({ code: 'over-limit' })
  })

  on('cost nothing as a stream that nobody begins', async ({ objects, running }) => {
    objects.stream('nothing')
    await sleep(20)
    expect(running()).toBe(0)
  })
}

function abortContract(on: On): void {
  on('are not asked for when the call was cancelled before', async ({ objects, fill, running }) => {
    await fill([['a', bytesOf('a')]])
    const signal = AbortSignal.abort()
    await expect(objects.read('a', { signal })).rejects.toMatchObject({ code: 'cancelled' })
    await expect(objects.head('a', { signal })).rejects.toMatchObject({ code: 'cancelled' })
    await expect(objects.list({ signal })).rejects.toMatchObject({ code: 'cancelled' })
    await expect(objects.put('b', bytesOf('b'), { signal })).rejects.toMatchObject({ code: 'cancelled' })
    await expect(textIn(objects, 'a', signal)).rejects.toMatchObject({ code: 'cancelled' })
    expect(running()).toBe(0)
    expect(await keysIn(objects)).toEqual(['a'])
  })

  on('are left when the stream of them is cancelled', async ({ objects, fill, running }) => {
    await fill([['large', Buffer.alloc(20_000_000, 'x')]])
    const controller = new AbortController()
    const stream = objects.stream('large', { signal: controller.signal })[Symbol.asyncIterator]()
    await stream.next()
    controller.abort()
    await expect(toTheEnd(stream)).rejects.toMatchObject({ code: 'cancelled' })
    await sleep(50)
    expect(running()).toBe(0)
  })
}

async function streamed(objects: Objects, key: string, request: StreamRequest): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of objects.stream(key, request)) parts.push(part)
  return textOf(Buffer.concat(parts))
}

async function toTheEnd(stream: AsyncIterator<Uint8Array>): Promise<void> {
  while (!(await stream.next()).done);
}

export async function textIn(objects: Objects, key: string, signal?: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of objects.stream(key, signal && { signal })) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
