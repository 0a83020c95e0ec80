/** Group K: what is fetched from the web in research. Nothing is dialled but a server on loopback, which is noted. */

import { describe, expect, it } from 'vitest'
import { Extractor } from '../../src/ingest/extractor.ts'
import { type Answer, PUBLIC, read as readBy, redirect, type Setting } from '../internet/guarded-read.ts'
import { SPELLINGS } from '../internet/spellings.ts'
import { own } from '../support/own.ts'

const extractor = own(new Extractor({ workers: 1, limits: { timeMs: 10_000 } }))

const read = (setting: Setting) => readBy(setting, extractor)

const typed =
  (headers: Record<string, string>, body: string | Uint8Array): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body)

const ROWS: readonly (Setting & { readonly title: string; readonly code: string })[] = [
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

  it.each(ROWS)('$title', async ({ code, ...setting }) => {
    const { found } = await read(setting)
    expect(found).toMatchObject({ name: 'ContextError', code, hint: expect.any(String) })
  })
})

describe('what is read', () => {
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
})
