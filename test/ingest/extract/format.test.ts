import { describe, expect, it } from 'vitest'
import { formatOf } from '../../../src/ingest/extract/format.ts'
import { rowsBy } from '../../support/rows.ts'
import { zip } from './zip.ts'

const TEXT = Buffer.from('Some text.\n')

describe('the format of a file', () => {
  it.each(
    rowsBy({
      markdown: 'a.md docs/A.MD a.mdx a.markdown',
      plain: 'a.txt a.log events.jsonl README docs.d/LICENSE',
      csv: 'a.csv a.tsv',
      json: 'a.json',
      html: 'a.html a.HTM',
      pdf: 'a.pdf',
      docx: 'a.docx',
      code: 'a.ts a.tar.py a.unheard-of Makefile deploy/Dockerfile .gitignore .md',
    }),
  )('is told by the name %s: %s', (path, format) => {
    expect(formatOf(path, TEXT)).toBe(format)
  })

  it.each([
    ['a PDF file', '%PDF-1.7\n\0\x01', 'pdf'],
    ['a script', '#!/bin/sh\necho', 'code'],
    ['a page', '<!DOCTYPE html>\n<p>x', 'html'],
    ['a page without a document type', '\n <html lang="en">', 'html'],
    ['a text on HTML', 'About <html>', 'plain'],
    ['a text', 'x', 'plain'],
    ['nothing', '', 'plain'],
    ['an image', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', undefined],
    ['a text with a NUL', 'a\0b', undefined],
    ['UTF-16 with a byte order mark', '\xff\xfea\0b\0', 'plain'],
    ['UTF-16 without one', 'a\0b\0', undefined],
  ])('is told by how it begins where the name says nothing: %s', (_, start, format) => {
    expect(formatOf('file', Buffer.from(start, 'latin1'))).toBe(format)
  })

  it('is DOCX for an archive with a folder word', () => {
    const parts = ['[Content_Types].xml', 'word/document.xml'].map((name) => ({ name, content: '<a/>' }))
    expect(formatOf('file', zip(parts))).toBe('docx')
    expect(formatOf('file', zip([{ name: 'a/workbook.xml', content: '<a/>' }]))).toBeUndefined()
  })

  it.each([
    ['a.md', 'a\0b', undefined],
    ['a.csv', 'a\0b', undefined],
    ['a.md', '%PDF-1.7', 'markdown'],
    ['a.txt', '<!doctype html>', 'plain'],
    ['a.pdf', 'no PDF\0', 'pdf'],
    ['a.html', '\xff\xfe<\0', 'html'],
  ])('of %s is what the name says, though it begins with %j, unless it is not text', (path, start, format) => {
    expect(formatOf(path, Buffer.from(start, 'latin1'))).toBe(format)
  })
})
