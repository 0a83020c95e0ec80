/** Group K: what is fetched from the web in research. Nothing is dialled but a server on loopback, which is noted. */

import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { Extractor } from '../../src/ingest/extractor.ts'
import {
  type Answer,
  BEFORE,
  PUBLIC,
  read as readBy,
  redirect,
  SECRET,
  type Setting,
  sentOnTo,
} from '../internet/guarded-read.ts'
import { HOSTS } from '../internet/spellings.ts'

const extractor = new Extractor({ workers: 1, limits: { timeMs: 10_000 } })
afterAll(() => extractor.close())

const read = (setting: Setting) => readBy(setting, extractor)

const typed =
  (headers: Record<string, string>, body: string | Uint8Array): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body)

const ROWS: readonly (Setting & { readonly title: string; readonly code: string; readonly dials?: number })[] = [
  ...[
    'file:///etc/passwd',
    'data:text/plain,x',
    'ftp://a.example/',
    'gopher://a.example/',
    'blob:http://a.example/x',
  ].map((url) => ({ title: `K1: ${url}`, url, code: 'invalid-input', dials: 0 })),
  ...['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fd00::1'].map(
    (address) => ({
      title: `K3: a name that leads to ${address}`,
      url: 'http://a.example/',
      addresses: [[address]],
      code: 'denied',
      dials: 0,
    }),
  ),
  {
    title: 'K3: public and private together',
    url: 'http://a.example/',
    addresses: [[PUBLIC, '10.0.0.1']],
    code: 'denied',
    dials: 0,
  },
  {
    title: 'K4: sent to another scheme',
    url: 'http://a.example/',
    answer: redirect('file:///etc/passwd'),
    code: 'invalid-input',
    dials: 1,
  },
  {
    title: 'K4: sent to a name that leads here',
    url: 'http://a.example/',
    answer: redirect('http://b.example/'),
    addresses: [[PUBLIC], ['127.0.0.1']],
    code: 'denied',
    dials: 1,
  },
  {
    title: 'K4: sent to itself for ever',
    url: 'http://a.example/',
    answer: redirect('/'),
    code: 'unavailable',
    dials: 6,
  },
  {
    title: 'K4: sent to a port of mail',
    url: 'http://a.example/',
    answer: redirect('http://a.example:25/'),
    code: 'denied',
    dials: 1,
  },
  ...[22, 25, 6379].map((port) => ({
    title: `K5: port ${port}`,
    url: `http://a.example:${port}/`,
    code: 'denied',
    dials: 0,
  })),
  { title: 'K5: a name and a password', url: `http://me:${SECRET}@a.example/`, code: 'invalid-input', dials: 0 },
  {
    title: 'K7: a bomb in gzip',
    url: 'http://a.example/',
    answer: typed({ 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(2e8))),
    code: 'over-limit',
  },
  {
    title: 'K7: a bomb in brotli',
    url: 'http://a.example/',
    answer: typed({ 'content-encoding': 'br' }, brotliCompressSync(Buffer.alloc(5e7))),
    code: 'over-limit',
  },
  {
    title: 'K7: a bomb in two encodings',
    url: 'http://a.example/',
    answer: typed({ 'content-encoding': 'gzip, br' }, brotliCompressSync(gzipSync(Buffer.alloc(5e7)))),
    code: 'over-limit',
  },
  {
    title: 'K7: three encodings',
    url: 'http://a.example/',
    answer: typed({ 'content-encoding': 'br, gzip, br' }, 'x'),
    code: 'unavailable',
  },
  {
    title: 'K8: a byte now and then',
    url: 'http://a.example/',
    timeMs: 300,
    code: 'unavailable',
    answer: (_, response) => {
      const timer = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(timer))
    },
  },
  {
    title: 'K9: a picture',
    url: 'http://a.example/',
    answer: typed({ 'content-type': 'image/png' }, '\x89PNG'),
    code: 'unavailable',
  },
  {
    title: 'K9: bytes that are called a page',
    url: 'http://a.example/',
    answer: typed({}, Buffer.alloc(5000, '\0\x01\x02')),
    code: 'unavailable',
  },
]

describe('what must not be read', () => {
  it.each(HOSTS)('K2: %s', async (host) => {
    const { found, dialled } = await read({ url: `http://${host}/` })
    expect([(found as { name?: string }).name, dialled]).toEqual(['ContextError', []])
  })

  it.each(HOSTS)('K4: what sends on to %s, first, second or third', async (host) => {
    for (const before of BEFORE) {
      const { error, dialled, expected } = await sentOnTo(host, before, extractor)
      expect([error, dialled]).toEqual(['ContextError', expected])
    }
  })

  it.each(ROWS)('$title', async ({ code, dials, ...setting }) => {
    const { found, dialled } = await read(setting)
    expect(found).toMatchObject({ name: 'ContextError', code, hint: expect.any(String) })
    expect(String(found)).not.toContain(SECRET)
    if (dials !== undefined) expect(dialled).toEqual(Array(dials).fill(PUBLIC))
  })
})

describe('what is read', () => {
  it('K3: is at the address that was checked, though the name leads elsewhere a moment later', async () => {
    const { found, dialled } = await read({ url: 'http://a.example/', addresses: [[PUBLIC], ['127.0.0.1']] })
    expect([found, dialled]).toMatchObject([{ text: SECRET }, [PUBLIC]])
  })

  it('K6: is one request: no picture, frame, icon, style or script of a page is asked for', async () => {
    const page =
      '<link rel=icon href=/i><link rel=stylesheet href=/s><script src=/x></script><img src=/p><iframe src=/f></iframe><p>Text'
    const { asked } = await read({ url: 'http://a.example/', answer: typed({}, page) })
    expect(asked.map(({ path }) => path)).toEqual(['/'])
  })

  it('K10: has a million tags, and takes a bounded time', { tags: 'long' }, async () => {
    const started = performance.now()
    const { found } = await read({ url: 'http://a.example/', answer: typed({}, '<b>'.repeat(1_000_000)) })
    expect(found).toBeDefined()
    expect(performance.now() - started).toBeLessThan(25_000)
  })

  it('K12: is asked for without cookies and credentials, also after one was set', async () => {
    const { asked } = await read({
      url: 'http://a.example/',
      answer: ({ url }, response) =>
        void response
          .writeHead(url === '/' ? 302 : 200, { location: '/b', 'set-cookie': 'a=b', 'content-type': 'text/plain' })
          .end('x'),
    })
    expect(
      asked.flatMap(({ headers }) => Object.keys(headers)).filter((name) => /cookie|authorization|referer/.test(name)),
    ).toEqual([])
  })
})
