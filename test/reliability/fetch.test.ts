/** Group K: what is fetched from the web in research. Nothing is dialled but a server on loopback, which is noted. */

import { brotliCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { Extractor } from '../../src/ingest/extractor.ts'
import { type Answer, PUBLIC, read as readBy, redirect, SECRET, type Setting } from '../internet/guarded-read.ts'
import { SPELLINGS } from '../internet/spellings.ts'

const extractor = new Extractor({ workers: 1, limits: { timeMs: 10_000 } })
afterAll(() => extractor.close())

const read = (setting: Setting) => readBy(setting, extractor)

const typed =
  (headers: Record<string, string>, body: string | Uint8Array): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body)

const ROWS: readonly (Setting & { readonly title: string; readonly code: string; readonly dials?: number })[] = [
  { title: 'K1: another scheme', url: 'file:///etc/passwd', code: 'invalid-input', dials: 0 },
  {
    title: 'K3: a name that leads to a public place and a private one',
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
  { title: 'K5: a port of another service', url: 'http://a.example:6379/', code: 'denied', dials: 0 },
  { title: 'K5: a name and a password', url: `http://me:${SECRET}@a.example/`, code: 'invalid-input', dials: 0 },
  {
    title: 'K7: a bomb',
    url: 'http://a.example/',
    answer: typed({ 'content-encoding': 'br' }, brotliCompressSync(Buffer.alloc(5e7))),
    code: 'over-limit',
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

/** One spelling of each kind; all of them: test/internet/guarded-fetch.test.ts. */
const HOSTS = Object.values(SPELLINGS).map(([first = '']) => first)

describe('what must not be read', () => {
  it.each(HOSTS)('K2, K4: %s, whether it is asked for or sent on to', async (host) => {
    for (const answer of [undefined, redirect(`http://${host}/`), redirect('/hop', `http://${host}/`)]) {
      const url = answer ? 'http://a.example/' : `http://${host}/`
      const { found, dialled } = await read({ url, ...(answer && { answer }) })
      expect((found as { name?: string }).name).toBe('ContextError')
      expect(dialled.filter((one) => one !== PUBLIC)).toEqual([])
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
