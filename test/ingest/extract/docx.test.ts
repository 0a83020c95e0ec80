import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readDocx } from '../../../src/ingest/extract/docx.ts'
import { EXTRACT_LIMITS } from '../../../src/ingest/extracted.ts'
import { coreProperties, docx, docxParts, paragraph, table } from './documents.ts'
import { zip } from './zip.ts'

const MIB = 1024 * 1024

/** What nothing may look at: it is too large. */
const LARGE = { content: Buffer.alloc(64 * MIB), packed: deflateRawSync(Buffer.alloc(64 * MIB)) }

function read(bytes: Uint8Array, limits = EXTRACT_LIMITS) {
  return readDocx('docs/a.docx', bytes, limits)
}

describe('a DOCX file', () => {
  it('is Markdown with headings, paragraphs and tables', async () => {
    const body = [
      paragraph('Part', 'Heading1'),
      paragraph('Grüße &amp; a_b'),
      table([
        ['a', 'b'],
        ['1', '2'],
      ]),
      paragraph('Inner', 'Heading2'),
    ]
    const text = '# Part\n\nGrüße & a_b\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n## Inner'
    expect(await read(docx(body.join('')))).toMatchObject({ ok: true, format: 'docx', syntax: 'markdown', text })
  })

  it.each([
    ['its properties', docx(paragraph('Heading', 'Heading1'), [coreProperties({ 'dc:title': 'Core' })]), 'Core'],
    ['its first title', docx(paragraph('Text') + paragraph('The title', 'Title')), 'The title'],
    ['its first heading', docx(paragraph('Text') + paragraph('Heading', 'Heading1')), 'Heading'],
    ['its name', docx(paragraph('Text')), 'a.docx'],
    ['its name, where the title is empty', docx(paragraph('x'), [coreProperties({ 'dc:title': ' ' })]), 'a.docx'],
  ])('is titled by %s', async (_, bytes, title) => {
    expect(await read(bytes)).toMatchObject({ ok: true, title })
  })

  it('has its properties as metadata', async () => {
    const core = coreProperties({ 'dc:creator': 'A &amp; B', 'cp:keywords': 'c', 'dc:subject': '', 'cp:revision': '4' })
    expect(await read(docx(paragraph('x'), [core]))).toMatchObject({ metadata: { author: 'A & B', keywords: 'c' } })
  })

  it('is not looked at beyond its text: images, embedded files, themes', async () => {
    const names = ['word/media/image1.png', 'word/embeddings/a.docx', 'word/theme/theme1.xml', 'customXml/item1.xml']
    const more = names.map((name) => ({ name, ...LARGE }))
    expect(await read(docx(paragraph('Text'), more))).toMatchObject({ ok: true, text: 'Text' })
  })

  it('ignores parts whose names lead out of it', async () => {
    const more = ['../../a.xml', 'word/../../b.xml'].map((name) => ({ name, ...LARGE }))
    expect(await read(docx(paragraph('Text'), more))).toMatchObject({ ok: true, text: 'Text' })
  })

  it.each([
    ['the truth', undefined],
    ['nothing', 0],
  ])('that is a bomb is refused, when it declares %s', async (_, declared) => {
    const content = Buffer.alloc(48 * MIB, ' ')
    const more = [{ name: 'word/document.xml', content, ...(declared !== undefined && { declared }) }]
    expect(await read(docx('', more))).toMatchObject({ ok: false, why: 'over-limit' })
  })

  it.each([-1, 0, 1])('is read up to the limit of its parts together: %i more', async (more) => {
    const parts = docxParts(paragraph('Text'))
    const size = parts.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
    const found = await read(zip(parts), { ...EXTRACT_LIMITS, inflatedBytes: size + more })
    expect(found).toMatchObject(more < 0 ? { ok: false, why: 'over-limit' } : { ok: true })
  })

  it.each([
    ['no archive', Buffer.from('PK but no archive'), 'failed'],
    ['nothing', Buffer.alloc(0), 'failed'],
    ['an archive of something else', zip([{ name: 'a.txt', content: 'x' }]), 'failed'],
    ['without text', docx(paragraph(' ')), 'empty'],
    ['encrypted', zip(docxParts('').map((part) => ({ ...part, flags: 1 }))), 'failed'],
  ])('that is %s gives nothing', async (_, bytes, why) => {
    const found = await read(bytes).catch((error: Error) => ({ ok: false, why: 'failed', detail: error.message }))
    expect(found).toMatchObject({ ok: false, why })
  })

  it.each([
    ['entities that expand', '<!DOCTYPE a [<!ENTITY b "xxxxxxxx"><!ENTITY c "&b;&b;&b;&b;">]>'],
    ['a file', '<!DOCTYPE a [<!ENTITY c SYSTEM "file:///etc/hostname">]>'],
  ])('that declares %s is refused', async (_, type) => {
    const content = `<?xml version="1.0"?>${type}<a>&c;</a>`
    for (const name of ['word/document.xml', 'word/styles.xml', 'docProps/core.xml']) {
      expect(await read(docx(paragraph('Text'), [{ name, content }]))).toMatchObject({
        why: 'failed',
        detail: `Its part ${name} declares a document type, which is not allowed.`,
      })
    }
  })
})
