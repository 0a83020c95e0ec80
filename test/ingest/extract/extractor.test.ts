import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import type { ExtractLimits } from '../../../src/ingest/extracted.ts'
import { attachmentText, Extractor, type ExtractorOptions } from '../../../src/ingest/extractor.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { endedAfterEach, own } from '../../support/own.ts'
import { docx, paragraph, pdf, pdfOf, streamOf } from './documents.ts'

const PAGE = Buffer.from('<title>Page</title><p>Text')
/** Nothing that is to be converted takes so long: elements within elements. */
const SLOW = Buffer.from('<div>'.repeat(1_500_000))
const MIB = 1024 * 1024

const keep = endedAfterEach()

const extractor = (limits: Partial<ExtractLimits> = {}, options: ExtractorOptions = {}) =>
  keep(new Extractor({ limits, ...options }))

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: unknown) => (error instanceof ContextError ? error.code : String(error)),
  )
}

describe('an extractor', () => {
  const shared = own(new Extractor())

  it.each([
    ['a.md', Buffer.from('# Title\n'), { ok: true, format: 'markdown', title: 'Title' }],
    ['a.html', PAGE, { ok: true, format: 'html', title: 'Page', text: 'Text' }],
    ['a.pdf', pdf([['One'], ['Two']]), { ok: true, format: 'pdf', text: 'One\n\nTwo', pages: [1, 3] }],
    ['a.docx', docx(paragraph('Title', 'Title')), { ok: true, format: 'docx', title: 'Title' }],
    ['unnamed', pdf([['One']]), { ok: true, format: 'pdf', title: 'unnamed' }],
    ['a.pdf', Buffer.from('none'), { ok: false, why: 'failed' }],
    ['a.docx', Buffer.from('none'), { ok: false, why: 'failed' }],
    ['a.bin', Buffer.from('\0'), { ok: false, why: 'binary' }],
  ])('reads %s', async (path, bytes, expected) => {
    expect(await shared.extract(path, bytes)).toMatchObject(expected)
  })

  it('reads many at a time, each of which gets its own, and leaves the bytes to who has them', async () => {
    const pages = Array.from({ length: 40 }, (_, index) => Buffer.from(`<p>Page ${index}`))
    const found = await Promise.all(pages.map((page, index) => shared.extract(`${index}.html`, page)))
    expect(found.map((each) => each.ok && each.text)).toEqual(pages.map((_, index) => `Page ${index}`))
    expect(pages[7]?.toString()).toBe('<p>Page 7')
  })

  it.each([
    ['a.html', { fileBytes: 26 }],
    ['a.html', { textBytes: 4 }],
    ['a.md', { textBytes: 26 }],
  ])('reads %s up to its limit', async (path, limits) => {
    const bytes = path === 'a.md' ? PAGE.subarray(0, 26) : PAGE
    const less = Object.fromEntries(Object.entries(limits).map(([name, most]) => [name, most - 1]))
    expect(bytes).toHaveLength(26)
    expect(await extractor(limits).extract(path, bytes)).toMatchObject({ ok: true })
    expect(await extractor(less).extract(path, bytes)).toMatchObject({ ok: false, why: 'over-limit' })
  })
})

describe('a worker', () => {
  it('that does not come to an end is ended, and the next file has another', async () => {
    // On a busy machine the other worker takes seconds to start.
    const all = extractor({ timeMs: 4000 }, { workers: 1 })
    const [slow, next] = await Promise.all([all.extract('a.html', SLOW), all.extract('b.html', PAGE)])
    expect(slow).toEqual({ ok: false, why: 'over-limit', detail: 'It took longer than 4 s to read.' })
    expect(next).toMatchObject({ ok: true, title: 'Page' })
  })

  it.each([
    ['many objects', 'a.html', Buffer.from('<b>x</b>'.repeat(1_000_000))],
    [
      'one large object',
      'a.html',
      Buffer.from(`<p ${Array.from({ length: 1_500_000 }, (_, at) => `a${at}`).join(' ')}>`),
    ],
    ['memory that is none of the heap', 'a.pdf', pdfOf([streamOf(Buffer.alloc(256 * MIB, 'a'), true)])],
  ])('that takes too much memory, by %s, is ended, and the next file has another', async (_, path, bytes) => {
    const all = extractor({ memoryMiB: 96 }, { workers: 1 })
    const detail = 'It took more than 96 MiB of memory to read.'
    expect(await all.extract(path, bytes)).toEqual({ ok: false, why: 'over-limit', detail })
    expect(await all.extract('b.html', PAGE)).toMatchObject({ ok: true, title: 'Page' })
  })

  it('is ended by the signal in the middle of a file', async () => {
    const all = extractor({}, { workers: 1 })
    const stop = new AbortController()
    const slow = codeOf(all.extract('a.html', SLOW, stop.signal))
    const next = all.extract('b.html', PAGE)
    setTimeout(() => stop.abort(), 500)
    expect(await slow).toBe('cancelled')
    expect(await next).toMatchObject({ ok: true })
  })

  it('is not asked for what is cancelled before its turn', async () => {
    const all = extractor({}, { workers: 1 })
    const [first, second] = [new AbortController(), new AbortController()]
    const slow = codeOf(all.extract('a.html', SLOW, first.signal))
    const waiting = codeOf(all.extract('b.html', PAGE, second.signal))
    second.abort()
    expect(await waiting).toBe('cancelled')
    expect(await codeOf(all.extract('c.html', PAGE, AbortSignal.abort()))).toBe('cancelled')
    first.abort()
    expect(await slow).toBe('cancelled')
    expect(await all.extract('d.html', PAGE)).toMatchObject({ ok: true })
  })

  it('is gone after the extractor is closed, and what it did, and what waited, is cancelled', async () => {
    const all = extractor({}, { workers: 1 })
    const pending = [all.extract('a.html', SLOW), all.extract('b.html', PAGE)].map(codeOf)
    await all.close()
    expect(await Promise.all(pending)).toEqual(['cancelled', 'cancelled'])
    expect(await codeOf(all.extract('c.html', PAGE))).toBe('cancelled')
    expect(await codeOf(all.extract('c.md', PAGE))).toBe('cancelled')
  })

  it('that cannot be started is an error that says so', async () => {
    const all = extractor({}, { worker: new URL('./none.ts', import.meta.url) })
    expect(await codeOf(all.extract('a.html', PAGE))).toBe('unavailable')
    expect(await all.extract('a.md', PAGE)).toMatchObject({ ok: true })
    const message = 'a.md has no text that can be read: It holds no text.'
    await expect(attachmentText('a.md', Buffer.from(' '))).rejects.toMatchObject({ code: 'invalid-input', message })
  })

  it('connects to nothing that a file names', async () => {
    const asked: (string | undefined)[] = []
    await using server = await listenOnLoopback(
      createServer(({ url }, response) => {
        asked.push(url)
        response.end()
      }),
    )
    const { url } = server
    const relation = `<Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${url}/docx" TargetMode="External"/>`
    const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation}</Relationships>`
    const drawing =
      '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="x" descr="A picture"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="r9" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    const tags = ['img', 'script', 'iframe', 'embed'].map((tag) => `<${tag} src="${url}/html"></${tag}>`)
    const html = `<!DOCTYPE html SYSTEM "${url}/dtd"><link rel="stylesheet" href="${url}/css">${tags.join('')}Text`
    const external = `<< /F << /FS /URL /F (${url}/pdf) >> /Length 0 >>\nstream\n\nendstream`
    const catalog = `/OpenAction << /S /URI /URI (${url}/pdf) >> /URI << /Base (${url}) >>`
    const files: [string, Buffer][] = [
      ['a.html', Buffer.from(html)],
      ['a.docx', docx(drawing + paragraph('Text'), [{ name: 'word/_rels/document.xml.rels', content: relations }])],
      ['a.pdf', pdf([['Text']], { objects: [external], catalog })],
    ]
    const all = extractor()
    for (const [path, bytes] of files) {
      expect(await all.extract(path, bytes)).toMatchObject({ ok: true, text: expect.stringContaining('Text') })
    }
    expect(asked).toEqual([])
  })
})
