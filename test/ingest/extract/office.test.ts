import { describe, expect, it } from 'vitest'
import { formatOf } from '../../../src/ingest/extract/format.ts'
import { readOdt } from '../../../src/ingest/extract/odt.ts'
import { readPptx } from '../../../src/ingest/extract/pptx.ts'
import { readXlsx } from '../../../src/ingest/extract/xlsx.ts'
import { EXTRACT_LIMITS } from '../../../src/ingest/extracted.ts'
import { Extractor } from '../../../src/ingest/extractor.ts'
import { own } from '../../support/own.ts'
import { coreProperties, docx, paragraph } from './documents.ts'
import { odt, odtParts, pptx, pptxParts, shape, xlsx, xlsxParts } from './office.ts'
import { zip } from './zip.ts'

const MIB = 1024 * 1024
const core = coreProperties({ 'dc:title': 'Core', 'dc:creator': 'A &amp; B' })

const bomb = (name: string) => ({ name, content: Buffer.alloc(48 * MIB, ' '), declared: 0 })

describe('an XLSX file', () => {
  const read = (bytes: Uint8Array, limits = EXTRACT_LIMITS) => readXlsx('a.xlsx', bytes, limits)

  it('is a heading and a table for each sheet', async () => {
    const bytes = xlsx({
      Prices: [
        ['what', 'price'],
        ['pump', 12.5],
      ],
      Empty: [],
      'A &amp; B': [['x']],
    })
    const text = '## Prices\n\n| what | price |\n| --- | --- |\n| pump | 12.5 |\n\n## A & B\n\n| x |\n| --- |'
    const warnings = ['No cells with a value in 1 of 3 sheets.']
    const found = { ok: true, format: 'xlsx', syntax: 'markdown', title: 'a.xlsx', text, warnings }
    expect(await read(bytes)).toMatchObject(found)
  })

  it.each([
    ['a day', { xml: '<c s="1"><v>46347</v></c>' }, '2026-11-21'],
    ['a day and a time', { xml: '<c s="1"><v>46347.5</v></c>' }, '2026-11-21T12:00:00Z'],
    ['a shared text', { xml: '<c t="s"><v>0</v></c>' }, 'shared'],
    ['yes or no', { xml: '<c t="b"><v>1</v></c>' }, 'true'],
    ['what a formula comes to', { xml: '<c><f>1+1</f><v>2</v></c>' }, '2'],
    ['a text of a formula', { xml: '<c t="str"><f>A1</f><v>sum</v></c>' }, 'sum'],
    ['a line', 'a | b', 'a \\| b'],
    ['several lines', 'a\nb', 'a b'],
  ])('shows %s', async (_, cell, shown) => {
    expect(await read(xlsx({ S: [[cell]] }))).toMatchObject({ text: `## S\n\n| ${shown} |\n| --- |` })
  })

  it('leaves empty rows and columns at the end out, and keeps those between', async () => {
    const empty = { xml: '<c/>' }
    const bytes = xlsx({
      S: [
        ['a', empty, 'c', empty],
        [empty, empty],
        [empty, 'b'],
      ],
    })
    expect(await read(bytes)).toMatchObject({ text: '## S\n\n| a |  | c |\n| --- | --- | --- |\n|  | b |  |' })
  })

  it('has its properties', async () => {
    expect(await read(xlsx({ S: [['x']] }, [core]))).toMatchObject({
      title: 'Core',
      metadata: { author: 'A & B', sheets: '["S"]' },
    })
  })

  it.each([
    ['no archive', Buffer.from('PK no'), 'failed'],
    ['without cells', xlsx({ S: [] }), 'empty'],
    ['with a bomb as a sheet', xlsx({ S: [] }, [bomb('xl/worksheets/sheet1.xml')]), 'over-limit'],
    ['a DTD', xlsx({ S: [] }, [{ name: 'xl/styles.xml', content: '<!DOCTYPE x [<!ENTITY a "b">]><x/>' }]), 'failed'],
    ['encrypted', zip(xlsxParts({ S: [['x']] }).map((part) => ({ ...part, flags: 1 }))), 'failed'],
  ])('that is %s gives nothing', async (_, bytes, why) => {
    expect(await read(bytes)).toMatchObject({ ok: false, why })
  })

  it('is not looked at beyond its cells', async () => {
    const more = ['xl/media/a.png', 'xl/drawings/drawing1.xml', 'xl/theme/theme1.xml', 'xl/vbaProject.bin'].map(
      (name) => ({ name, content: Buffer.alloc(48 * MIB) }),
    )
    expect(await read(xlsx({ S: [['x']] }, more))).toMatchObject({ ok: true })
  })
})

describe('a PPTX file', () => {
  const read = (bytes: Uint8Array, limits = EXTRACT_LIMITS) => readPptx('a.pptx', bytes, limits)

  it('is its slides in the order in which they are shown, with what was to be said', async () => {
    const bytes = pptx([
      { body: shape('ctrTitle', 'Tides') + shape('subTitle', 'A &amp; B', 'two| runs') + shape('sldNum', '1') },
      { body: shape('', 'Free text'), notes: shape('body', 'Say this') + shape('sldNum', '2') },
    ])
    const text = '## Slide 1: Tides\n\nA & B\n\ntwo runs\n\n## Slide 2\n\nFree text\n\n### Notes\n\nSay this'
    const found = { ok: true, format: 'pptx', title: 'Tides', syntax: 'markdown', text, pages: [1, 7] }
    expect(await read(bytes)).toMatchObject({ ...found, metadata: { pages: '2' } })
  })

  it('has tables', async () => {
    const cell = (text: string) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
    const body = `<p:graphicFrame><a:graphic><a:tbl><a:tr>${cell('a')}${cell('b')}</a:tr><a:tr>${cell('1')}${cell('&amp;')}</a:tr></a:tbl></a:graphic></p:graphicFrame>`
    expect(await read(pptx([{ body }]))).toMatchObject({ text: '## Slide 1\n\n| a | b |\n| --- | --- |\n| 1 | & |' })
  })

  it('has shapes that stand in groups', async () => {
    expect(await read(pptx([{ body: `<p:grpSp>${shape('', 'inner')}</p:grpSp>` }]))).toMatchObject({
      text: '## Slide 1\n\ninner',
    })
  })

  it('has its properties', async () => {
    expect(await read(pptx([{ body: shape('', 'x') }], [core]))).toMatchObject({
      title: 'Core',
      metadata: { author: 'A & B' },
    })
  })

  it.each([
    ['no archive', Buffer.from('PK no'), 'failed'],
    ['no presentation', zip([{ name: 'a.xml', content: '<a/>' }]), 'failed'],
    ['without slides', pptx([]), 'empty'],
    ['a bomb', pptx([], [bomb('ppt/slides/slide1.xml')]), 'over-limit'],
    ['with a document type', pptx([], [{ name: 'ppt/slides/slide1.xml', content: '<!DOCTYPE x>' }]), 'failed'],
    ['encrypted', zip(pptxParts([]).map((part) => ({ ...part, flags: 1 }))), 'failed'],
  ])('that is %s gives nothing', async (_, bytes, why) => {
    expect(await read(bytes)).toMatchObject({ ok: false, why })
  })
})

describe('an ODT file', () => {
  const read = (bytes: Uint8Array, limits = EXTRACT_LIMITS) => readOdt('a.odt', bytes, limits)
  const body = `<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
    <text:h text:outline-level="1">Tides</text:h><text:p>A &amp; B<text:s/>c<text:line-break/>d<office:annotation><text:p>remark</text:p></office:annotation></text:p>
    <text:h text:outline-level="2">Why</text:h>
    <text:list><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
    <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>
    <text:p>End<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note></text:p>`

  it('is Markdown with headings, lists, tables and notes', async () => {
    const found = await read(odt(body))
    expect(found).toMatchObject({ ok: true, format: 'odt', syntax: 'markdown', title: 'Tides' })
    const { text } = found as { text: string }
    for (const part of ['# Tides', 'A & B c', '## Why', '-   one', '| a | b |', 'End (A note.)'])
      expect(text.replace(/- +/g, '-   ')).toContain(part)
    expect(text).not.toMatch(/deleted|remark/)
  })

  it('has its properties', async () => {
    const meta = {
      name: 'meta.xml',
      content: '<office:meta><dc:title>T</dc:title><meta:initial-creator>A</meta:initial-creator></office:meta>',
    }
    expect(await read(odt('<text:p>x</text:p>', [meta]))).toMatchObject({ title: 'T', metadata: { author: 'A' } })
  })

  it('that nests for ever is read as its text', async () => {
    const found = await read(
      odt(`${'<text:section>'.repeat(3000)}<text:p>deep</text:p>${'</text:section>'.repeat(3000)}`),
    )
    expect(found).toMatchObject({ ok: true, text: 'deep' })
  })

  const locked = {
    name: 'META-INF/manifest.xml',
    content: '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>',
  }
  it.each([
    ['no archive', Buffer.from('PK no'), 'failed'],
    ['no document', zip([{ name: 'a.xml', content: '<a/>' }]), 'failed'],
    ['without text', odt('<text:p/>'), 'empty'],
    ['locked', odt('<text:p>x</text:p>', [locked]), 'unreadable'],
    ['a bomb', odt('', [{ name: 'content.xml', content: Buffer.alloc(48 * MIB, ' '), declared: 0 }]), 'over-limit'],
    ['with a document type', odt('', [{ name: 'content.xml', content: '<!DOCTYPE x><x/>' }]), 'failed'],
    ['encrypted', zip(odtParts('x').map((part) => ({ ...part, flags: 1 }))), 'failed'],
  ])('that is %s gives nothing', async (_, bytes, why) => {
    expect(await read(bytes)).toMatchObject({ ok: false, why })
  })
})

describe('an office file', () => {
  const extractor = own(new Extractor({ workers: 1 }))

  it.each([
    ['xlsx', xlsx({ S: [['x']] })],
    ['pptx', pptx([{ body: shape('', 'x') }])],
    ['odt', odt('<text:p>x</text:p>')],
    ['docx', docx(paragraph('x'))],
  ])('is known as %s by its content, and read in a worker', async (format, bytes) => {
    expect(formatOf('file', bytes)).toBe(format)
    expect(await extractor.extract(`a.${format.toUpperCase()}`, bytes)).toMatchObject({ ok: true, format })
  })

  it('with one cell a million rows down, or seventeen million cells, takes bounded time and memory', {
    tags: 'long',
  }, async () => {
    const cell = '<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
    const far = xlsx({ S: [] }, [{ name: 'xl/worksheets/sheet1.xml', content: cell }])
    const many = xlsx({ S: Array.from({ length: 20_000 }, () => Array.from({ length: 20 }, () => 7)) })
    expect(await extractor.extract('far.xlsx', far)).toMatchObject({ ok: expect.any(Boolean) })
    expect(await extractor.extract('many.xlsx', many)).toMatchObject({ ok: true })
    expect(await extractor.extract('a.odt', odt('<text:p>x</text:p>'))).toMatchObject({ ok: true })
  })
})
