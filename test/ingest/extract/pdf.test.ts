import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readPdf } from '../../../src/ingest/extract/pdf.ts'
import { EXTRACT_LIMITS } from '../../../src/ingest/extracted.ts'
import { Extractor } from '../../../src/ingest/extractor.ts'
import { own } from '../../support/own.ts'
import { pdf, pdfOf, streamOf } from './documents.ts'

/** In a worker: pdf.js leaves rejected promises behind. */
const extractor = own(new Extractor())

function read(bytes: Uint8Array) {
  return extractor.extract('docs/a.pdf', bytes)
}

describe('a PDF file', () => {
  it('is its pages with a blank line between, and the lines on which they start', async () => {
    const found = await read(pdf([['One', 'two'], ['Three'], ['Four']]))
    expect(found).toMatchObject({ ok: true, format: 'pdf', syntax: 'plain', warnings: [] })
    expect(found).toMatchObject({ text: 'One\ntwo\n\nThree\n\nFour', pages: [1, 4, 6] })
  })

  it('has no lines that run over its pages but for their number', async () => {
    const pages = ['One', 'Two', 'Three', 'Four'].map((word, at) => ['The report', word, `Page ${at + 1} of 4`])
    expect(await read(pdf(pages))).toMatchObject({ text: 'One\n\nTwo\n\nThree\n\nFour', pages: [1, 3, 5, 7] })
    expect(await read(pdf(pages.slice(1)))).toMatchObject({ text: expect.stringContaining('The report\nTwo\nPage 2') })
  })

  it('says which pages have no text', async () => {
    const found = await read(pdf([[], ['One'], [], ['Two']]))
    expect(found).toMatchObject({ text: 'One\n\nTwo', pages: [1, 1, 3, 3], metadata: { pages: '4' } })
    expect(found).toHaveProperty('warnings', ['Pages without readable text, which may be scanned: 1, 3 (2 of 4).'])
  })

  it('is empty when no page has text', async () => {
    const detail = expect.stringContaining('(12 of 12)')
    expect(await read(pdf(Array.from({ length: 12 }, () => [])))).toMatchObject({ ok: false, why: 'empty', detail })
  })

  it.each([
    ['its properties', { Title: 'The title' }, 'The title'],
    ['its name', {}, 'a.pdf'],
    ['its name, where the title is empty', { Title: ' ' }, 'a.pdf'],
  ])('is titled by %s', async (_, info, title) => {
    expect(await read(pdf([['One']], { info }))).toMatchObject({ ok: true, title })
  })

  it('has its properties as metadata', async () => {
    const info = { Author: 'A', Subject: 'B', Keywords: 'c, d', CreationDate: 'D:20240131', Producer: 'none' }
    const metadata = { author: 'A', subject: 'B', keywords: 'c, d', created: 'D:20240131', pages: '1' }
    expect(await read(pdf([['One']], { info }))).toHaveProperty('metadata', metadata)
  })

  it('may be compressed', async () => {
    const content = Buffer.from('BT /F1 12 Tf 50 700 Td (Packed) Tj ET')
    expect(await read(pdfOf([streamOf(content, true)]))).toMatchObject({ ok: true, text: 'Packed' })
  })

  it('is read where its table of objects is broken', async () => {
    const bytes = Buffer.from(
      pdf([['One']])
        .toString('latin1')
        .replace(/startxref\n\d+/, 'startxref\n7'),
      'latin1',
    )
    expect(await read(bytes)).toMatchObject({ ok: true, text: 'One' })
  })

  it('is read where one page is broken', async () => {
    const good = Buffer.from('BT /F1 12 Tf 50 700 Td (Good) Tj ET')
    const bad = Buffer.concat([Buffer.from('<< /Filter /FlateDecode /Length 9 >>\nstream\nno stream\nendstream')])
    expect(await read(pdfOf([bad, streamOf(good)]))).toMatchObject({ ok: true, text: 'Good', pages: [1, 1] })
  })

  it('is unreadable when it is locked with a password', async () => {
    const key = `<${'ab'.repeat(32)}>`
    const encrypt = `<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`
    const bytes = pdf([['One']], { objects: [encrypt], trailer: '/Encrypt 7 0 R /ID [<00> <00>]' })
    expect(await read(bytes)).toEqual({ ok: false, why: 'unreadable', detail: 'It is locked with a password.' })
  })

  it.each([
    ['nothing', ''],
    ['no PDF', 'Some text.'],
    ['only the beginning of one', '%PDF-1.7\n'],
    ['a catalog of itself', '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R >>\nendobj\ntrailer << /Root 1 0 R >>'],
    ['deeply nested', `%PDF-1.4\n1 0 obj\n${'['.repeat(50_000)}\nendobj\ntrailer << /Root 1 0 R >>`],
  ])('that is %s gives nothing', async (_, content) => {
    expect(await read(Buffer.from(content))).toMatchObject({ ok: false, why: expect.stringMatching(/failed|empty/) })
  })

  it('runs no script, and changes nothing outside of it', async () => {
    const before = Object.getOwnPropertyNames(globalThis)
    const script = '(globalThis.canary = 1; app.alert(1))'
    const actions = ['/JavaScript', '/Launch', '/URI'].map((kind) => `<< /S ${kind} /JS ${script} /F (/bin/true) >>`)
    const options = { objects: actions, catalog: '/OpenAction 7 0 R /AA << /WC 8 0 R /DS 9 0 R >>' }
    const font = `<< /Type /Font /Subtype /Type1 /BaseFont /X /FontMatrix [1 0 0 1 0 (0\\); globalThis.canary = 1; //)] >>`
    const bytes = pdf([['One']], options).toString('latin1')
    const crafted = bytes.replace('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>', font)
    for (const each of [bytes, crafted]) {
      expect(await readPdf('a.pdf', Buffer.from(each, 'latin1'), EXTRACT_LIMITS)).toMatchObject({ ok: true })
    }
    expect(Object.getOwnPropertyNames(globalThis)).not.toContain('canary')
    expect(before).not.toContain('canary')
  })

  it.each([
    [5, true],
    [4, true],
    [3, false],
  ])('is read up to the limit of its text: %i for 4 characters', async (textBytes, ok) => {
    const found = await readPdf('a.pdf', pdf([['Four']]), { ...EXTRACT_LIMITS, textBytes })
    expect(found).toMatchObject(ok ? { ok } : { ok, why: 'over-limit' })
  })

  it('is told apart from another kind of compressed file', async () => {
    expect(await read(deflateSync(Buffer.alloc(1000)))).toMatchObject({ ok: false, why: 'failed' })
  })
})
