import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inBucket, inDirectory, LABS } from '../../context/catalog/labs.ts'
import { descriptorsBelow } from '../../files/fixtures.ts'
import { packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import { appOf, ask, listening, raw, TOKEN, waiter } from './support.ts'

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex')
const HELD = {
  'README.md': '# Lab\n',
  'digits.txt': '0123456789',
  'empty.txt': '',
  "sub/sp ace+%41#?é😀'(1)*.md": 'oddly named',
  '.env': 'KEY=1',
}

const files = (path: string) => `/files/lab/${path}`

describe.each(LABS)('the bytes of files in %s', (_, open) => {
  it('are those that are there, indexed or not, and say so by HEAD, too', async () => {
    await using lab = await open(HELD)
    const app = appOf({ engine: lab.engine })
    const { status, headers, body } = await ask(app, files('README.md'))
    expect([status, body]).toEqual([200, '# Lab\n'])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '6',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'last-modified': expect.stringMatching(/ GMT$/),
      etag: expect.stringMatching(/^"[^"]+"$/),
    })
    const head = await ask(app, files('README.md'), { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    expect([head.status, head.body, head.headers.get('content-length')]).toEqual([200, '', '6'])
    expect((await ask(app, files('empty.txt'))).headers.get('content-length')).toBe('0')
  })

  it('are found by names that are escaped, each for itself', async () => {
    await using lab = await open(HELD)
    const app = appOf({ engine: lab.engine })
    const name = encodeURIComponent("sp ace+%41#?é😀'(1)*.md")
    const { body, headers } = await ask(app, files(`sub/${name}`))
    expect(body).toBe('oddly named')
    expect(headers.get('content-disposition')).toBe(
      `inline; filename="sp ace+_41#?___'(1)*.md"; filename*=UTF-8''${name.replace("'(1)*", '%27%281%29%2A')}`,
    )
  })

  it.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', null],
  ])('may be asked for in parts: %s', async (range, status, text, contentRange) => {
    await using lab = await open(HELD)
    const given = await ask(appOf({ engine: lab.engine }), files('digits.txt'), { headers: { range } })
    expect([given.status, given.body, given.headers.get('content-range')]).toEqual([status, text, contentRange])
    if (status < 300) expect(given.headers.get('content-length')).toBe(String(text.length))
    expect(given.headers.has('content-disposition')).toBe(status < 300)
  })

  it('are not sent again to who has them, and a part only of what is still the same', async () => {
    await using lab = await open(HELD)
    await sleep(150)
    const app = appOf({ engine: lab.engine })
    const with_ = (headers: Record<string, string>) => ask(app, files('digits.txt'), { headers })
    const etag = (await with_({})).headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const same = await with_({ 'if-none-match': known })
      expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await with_({ 'if-none-match': '"other"' })).status).toBe(200)
    const range = 'bytes=2-3'
    expect(await with_({ range, 'if-range': etag })).toMatchObject({ status: 206, body: '23' })
    for (const condition of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2026 07:28:00 GMT']) {
      expect(await with_({ range, 'if-range': condition })).toMatchObject({ status: 200, body: '0123456789' })
    }
    lab.put({ 'digits.txt': 'abcdefghij' })
    expect(await with_({ 'if-none-match': etag })).toMatchObject({ status: 200, body: 'abcdefghij' })
    expect(await with_({ range, 'if-range': etag })).toMatchObject({ status: 200, body: 'abcdefghij' })
  })

  it.each([
    ['none.md', 404],
    ['sub', 404],
    ['README.md/x', 404],
    ['.env', 403],
    [`${'x'.repeat(2000)}`, 404],
  ])('are none under a name that is none: %s', async (path, status) => {
    await using lab = await open(HELD)
    const given = await ask(appOf({ engine: lab.engine }), files(path))
    expect([given.status, given.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expect(given.body).not.toMatch(/KEY=1|file:\/\//)
  })

  it('come whole over a connection, in any part', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 31) % 256))
    await using lab = await open({ 'large.bin': bytes })
    await using server = await listening({ engine: lab.engine })
    const fetched = async (headers = {}) => {
      const response = await fetch(`${server.url}${files('large.bin')}`, { headers: { ...server.headers, ...headers } })
      return Buffer.from(await response.arrayBuffer())
    }
    expect((await fetched()).equals(bytes)).toBe(true)
    const parts = await Promise.all([
      fetched({ range: 'bytes=0-1234566' }),
      fetched({ range: 'bytes=1234567-2000000' }),
      fetched({ range: 'bytes=2000001-' }),
    ])
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
  })
})

/** A client that takes the first bytes, and no more. */
async function slow(url: string): Promise<IncomingMessage> {
  const [response] = await once(get(url, { headers: { authorization: `Bearer ${TOKEN}` } }), 'response')
  response.pause()
  return response
}

describe('the bytes of a file', () => {
  it('never come from outside of the collection', async () => {
    await using lab = await inDirectory(HELD)
    lab.files.plant({
      'beside/secret.txt': 'OUTSIDE',
      'lab/out -> /beside': '',
      'lab/out.txt -> ../beside/secret.txt': '',
      'lab/in.txt -> digits.txt': '',
      'lab/far.txt -> /../../etc/passwd': '',
    })
    const app = appOf({ engine: lab.engine })
    for (const path of ['out/secret.txt', 'out.txt', 'far.txt']) {
      const { status, body } = await ask(app, files(path))
      expect([path, status]).toEqual([path, path === 'far.txt' ? expect.any(Number) : 403])
      expect(body).not.toMatch(/OUTSIDE|root:|file:\/\//)
      expect(status).toBeGreaterThanOrEqual(400)
    }
    expect((await ask(app, files('in.txt'))).body).toBe('0123456789')
  })

  it('are asked for by a path that a socket sends as it is', async () => {
    await using lab = await inDirectory(HELD)
    await using server = await listening({ engine: lab.engine })
    const first = async (path: string) => {
      const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`
      return (await raw(server.port, head)).split('\r\n')[0]
    }
    expect(await first('/files/lab/digits.txt')).toBe('HTTP/1.1 200 OK')
    expect(await first('/files/lab/../lab/digits.txt')).toMatch(/ 200 /)
    expect(await first('/files/lab/../../../../etc/passwd')).toMatch(/ 404 /)
    expect(await first('/files/lab/..%2f..%2fetc%2fpasswd')).toMatch(/ 400 /)
    expect(await first('/files/lab/%2e%2e%2fetc')).toMatch(/ 400 /)
    expect(await first('/files/lab/a%00.txt')).toMatch(/ 400 /)
    expect(await first('/files%2flab%2fdigits.txt')).toMatch(/ 404 /)
  })

  it('are let go when the client goes', async () => {
    await using lab = await inDirectory({ 'large.bin': Buffer.alloc(30_000_000) })
    await using server = await listening({ engine: lab.engine, limits: { runs: 1 } })
    const response = await slow(`${server.url}${files('large.bin')}`)
    expect(descriptorsBelow(lab.files.base)).toHaveLength(1)
    expect((await fetch(`${server.url}${files('large.bin')}`, { headers: server.headers })).status).toBe(503)
    response.destroy()
    await expect.poll(() => descriptorsBelow(lab.files.base)).toEqual([])
    const again = await fetch(`${server.url}${files('large.bin')}`, {
      headers: { ...server.headers, range: 'bytes=0-0' },
    })
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([206, 1])
  })

  it('are let go when the client takes none, and its connection is cut', async () => {
    await using lab = await inDirectory({ 'large.bin': Buffer.alloc(30_000_000) })
    await using server = await listening({ engine: lab.engine, limits: { time: 200 } })
    const response = await slow(`${server.url}${files('large.bin')}`)
    await expect.poll(() => descriptorsBelow(lab.files.base)).toEqual([])
    const ended = once(response, 'end').then(
      () => 'whole',
      (error: Error) => error.message,
    )
    response.resume()
    expect(await ended).toBe('aborted')
  })

  it('take a place among what the server does at once, together with the operations', async () => {
    await using lab = await inDirectory(HELD)
    const { wait } = waiter()
    await using server = await listening({ engine: lab.engine, operations: [wait], limits: { runs: 1 } })
    const stop = new AbortController()
    const waiting = fetch(`${server.url}/api/wait`, { headers: server.headers, signal: stop.signal }).catch(() => {})
    await sleep(100)
    const refused = await fetch(`${server.url}${files('README.md')}`, { headers: server.headers })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    stop.abort()
    await waiting
    const answered = async () => (await fetch(`${server.url}${files('README.md')}`, { headers: server.headers })).status
    await expect.poll(answered).toBe(200)
  })

  it('give the place back after each answer, whatever it was', async () => {
    await using lab = await inDirectory(HELD)
    const app = appOf({ engine: lab.engine, limits: { runs: 1 } })
    for (const path of ['README.md', 'none.md', '.env', 'digits.txt', '..%2f']) {
      for (const init of [
        {},
        { method: 'HEAD' },
        { headers: { range: 'bytes=99-' } },
        { headers: { 'if-none-match': '*' } },
      ])
        expect((await ask(app, files(path), init)).status).not.toBe(503)
    }
  })

  it('of a bucket that does not answer are not waited for', async () => {
    await using lab = await inBucket({ 'a.txt': 'a' })
    lab.server.refuses = () => true
    const { status, json } = await ask(appOf({ engine: lab.engine }), files('a.txt'))
    expect([status, json]).toMatchObject([403, { code: 'denied' }])
  })
})

describe('the bytes of an entry of a package', () => {
  const made = packageOf({
    'a.txt': { text: 'one' },
    'p/i.png': { text: PNG.toString('latin1') },
    'long.txt': { text: 'x'.repeat(600_000) },
  })
  const PACKAGES = registryV1({ 'team/data': { 1680720300: made } })
  const entry = (path: string, name = 'lab/team/data') => `/entries?${new URLSearchParams({ package: name, path })}`

  it.each(LABS)('are those that its manifest names, and known by their hash: in %s', async (_, open) => {
    await using lab = await open(PACKAGES)
    const app = appOf({ engine: lab.engine })
    const { status, headers, body } = await ask(app, entry('a.txt'))
    expect([status, body, headers.get('content-length')]).toEqual([200, 'one', '3'])
    const etag = `"SHA256-${createHash('sha256').update('one').digest('hex')}"`
    expect([headers.get('etag'), headers.get('accept-ranges')]).toEqual([etag, 'none'])
    expect(headers.get('content-security-policy')).toContain('sandbox')
    const given = (headers: object) => ask(app, entry('a.txt'), { headers: { ...headers } })
    expect(await given({ 'if-none-match': etag })).toMatchObject({ status: 304, body: '' })
    expect(await given({ range: 'bytes=1-1' })).toMatchObject({ status: 200, body: 'one' })
    expect((await ask(app, entry('p/i.png'))).headers.get('content-type')).toBe('image/png')
    const pinned = await ask(app, entry('a.txt', `lab/team/data@${made.hash}`), { method: 'HEAD' })
    expect([pinned.status, pinned.body]).toEqual([200, ''])
  })

  it('are refused when they are others, before the last of them is sent', async () => {
    await using lab = await inDirectory(PACKAGES)
    const bad = [...Object.entries(PACKAGES)].flatMap(([key, value]) =>
      value === 'one' ? [[key, 'two']] : String(value).startsWith('xxx') ? [[key, `${'x'.repeat(599_999)}y`]] : [],
    )
    lab.put(Object.fromEntries(bad))
    await using server = await listening({ engine: lab.engine })
    const short = await fetch(`${server.url}${entry('a.txt')}`, { headers: server.headers })
    expect([short.status, await short.json()]).toMatchObject([403, { code: 'untrusted' }])
    const long = fetch(`${server.url}${entry('long.txt')}`, { headers: server.headers })
    await expect(long.then((response) => response.arrayBuffer())).rejects.toThrow()
  })
})
