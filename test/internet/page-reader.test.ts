import type { OutgoingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { Extractor } from '../../src/ingest/extractor.ts'
import { pageReader } from '../../src/research/web/page-reader.ts'
import { own } from '../support/own.ts'
import { served } from './served.ts'

const extractor = own(new Extractor({ workers: 1 }))
const reader = pageReader({ extractor, allowLoopback: true })

async function read(body: string | Uint8Array, headers: OutgoingHttpHeaders = { 'content-type': 'text/html' }) {
  await using server = await served((_, response) => response.writeHead(200, headers).end(body))
  return await reader.read(`${server.url}/page`, AbortSignal.timeout(60_000)).catch((error: unknown) => error)
}

const SENTENCES = 'The tide turns twice a day, and the ferry waits for it. '.repeat(12)
const ARTICLE = `<html><head><title>Tides</title></head><body><nav><a href="/">Home</a></nav><div class="sidebar"><a href="/x">Buy now</a></div>
  <article><h1>Tides</h1><h2>Why</h2><p>${SENTENCES}</p><p>${SENTENCES}</p></article><footer>Cookies and imprint</footer>
  <script>document.title = 'changed'</script></body></html>`

const latin = (before: string) => Buffer.from(`${before}Gr\xfc\xdfe`, 'latin1')
const html = (charset?: string) => ({ 'content-type': charset ? `text/html; charset=${charset}` : 'text/html' })

describe('a page', () => {
  it('is its article as Markdown, without what stands around it', async () => {
    const page = await read(ARTICLE)
    expect(page).toMatchObject({ title: 'Tides', text: expect.stringContaining('## Why') })
    expect((page as { text: string }).text).not.toMatch(/Buy now|Cookies|Home|changed/)
  })

  it.each(['Osterby: minutes of the council of June 2025', 'The council of Osterby decides about heat | Osterby'])(
    'has its whole title, without the name of the site: %s',
    async (title) => {
      const page = await read(ARTICLE.replace('<title>Tides<', `<title>${title}<`))
      expect(page).toMatchObject({ title: title.replace(' | Osterby', '') })
    },
  )

  it('without an article is all of it', async () => {
    expect(await read('<title>T</title><ul><li>one</li><li>two</li></ul>')).toMatchObject({
      title: 'T',
      text: expect.stringContaining('two'),
    })
  })

  it.each([
    ['text', 'Plain text.', { 'content-type': 'text/plain; charset=utf-8' }, 'Plain text.'],
    ['Markdown', '# Title\n\nText', { 'content-type': 'text/markdown' }, '# Title\n\nText'],
    ['JSON', '{"a":1}', { 'content-type': 'application/json' }, '{"a":1}'],
    ['XML, as it stands', '<a>x</a>', { 'content-type': 'application/xml' }, '<a>x</a>'],
    ['HTML that says nothing of itself', '<!doctype html><p>Text', {}, 'Text'],
    ['in the encoding that the answer names', latin('<p>'), html('iso-8859-1'), 'Grüße'],
    ['in that one, though the page names another', latin('<meta charset=utf-8><p>'), html('windows-1252'), 'Grüße'],
    ['in the encoding that the page names', latin('<meta charset=iso-8859-1><p>'), html(), 'Grüße'],
    ['in UTF-8, where the named one is none', '<p>Grüße', { 'content-type': 'text/html; charset=klingon' }, 'Grüße'],
  ])('is read as %s', async (_, body, headers, text) => {
    expect(await read(body, headers)).toMatchObject({ text })
  })

  it('is called by its URL where it has no title', async () => {
    expect(await read('Text', { 'content-type': 'text/plain' })).toMatchObject({
      title: expect.stringMatching(/^http:.*\/page$/),
    })
  })

  it.each([
    ['a picture', 'x', { 'content-type': 'image/png' }],
    ['an archive', 'PK\x03\x04', { 'content-type': 'application/octet-stream' }],
    ['something unknown', 'x', {}],
    ['a text with NUL', 'a\0b', { 'content-type': 'text/plain' }],
    ['a broken PDF', '%PDF-1.4 no', { 'content-type': 'application/pdf' }],
    ['nothing', '', { 'content-type': 'text/html' }],
    ['a type with the name of a method', 'x', { 'content-type': 'toString' }],
  ])('that is %s is refused', async (_, body, headers) => {
    const error = { name: 'ContextError', code: 'unavailable', hint: expect.any(String) }
    expect(await read(body, headers)).toMatchObject(error)
  })

  it('of very many elements takes a bounded time', { tags: 'long' }, async () => {
    const started = performance.now()
    await read('<p>a<b>b</b></p>'.repeat(150_000))
    expect(performance.now() - started).toBeLessThan(60_000)
  })

  it('is cancelled while it is parsed', async () => {
    await using server = await served((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<div>'.repeat(900_000)),
    )
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 300)
    await expect(reader.read(server.url, controller.signal)).rejects.toMatchObject({ code: 'cancelled' })
  })
})
