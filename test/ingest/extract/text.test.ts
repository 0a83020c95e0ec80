import { describe, expect, it } from 'vitest'
import { extractText } from '../../../src/ingest/extract/text.ts'
import type { ExtractedContent, Extraction } from '../../../src/ingest/extracted.ts'
import { EXTRACT_LIMITS } from '../../../src/ingest/extracted.ts'
import { decode } from '../../../src/text/decode.ts'
import { fc, forAll } from '../../support/property.ts'

function read(path: string, content: string | Uint8Array): Extraction {
  return extractText(path, Buffer.from(content))
}

/** What was extracted; fails when nothing was. */
function extracted(path: string, content: string | Uint8Array): ExtractedContent {
  const extraction = read(path, content)
  if (!extraction.ok) throw new Error(extraction.detail)
  return extraction
}

describe('a Markdown file', () => {
  it('has its front matter as metadata: strings as they are, other values as JSON', () => {
    const { metadata, warnings } = extracted('a.md', '---\na: text\nb: [1, x]\nc: 1.50\nd: 2024-01-31\n---\nText.\n')
    expect(metadata).toEqual({ a: 'text', b: '[1,"x"]', c: '1.50', d: '2024-01-31' })
    expect(warnings).toEqual([])
  })

  it('warns of front matter that is not YAML', () => {
    const { metadata, warnings } = extracted('a.md', '---\na: [1\nb: text\n---\nText.\n')
    expect(metadata.b).toBe('text')
    expect(warnings).toHaveLength(1)
  })

  it('is Markdown as a whole, front matter and all, so that lines are those of the file', () => {
    const content = '---\na: b\n---\n\n# One\r\n\nText.'
    expect(extracted('a.md', content)).toMatchObject({ format: 'markdown', syntax: 'markdown', text: content })
  })

  it('has no NUL and no half of a character in title and metadata', () => {
    const { title, metadata } = extracted('a.md', '---\ntitle: "a\\0b"\nc: "d\\ud800e"\n---\nText.\n')
    expect([title, metadata.c]).toEqual(['a\uFFFDb', 'd\uFFFDe'])
  })
})

describe('a text', () => {
  it.each([
    ['notes.txt', 'plain', '# no heading\n'],
    ['main.ts', 'code', '// # no heading\nconst a = 1\n'],
    ['Makefile', 'code', 'all:\n\techo\n'],
    ['a.svg', 'code', '<svg><title>x</title></svg>'],
    ['data.json', 'json', '{"title": "x"}'],
    ['data.csv', 'csv', 'title,b\nx,y\n'],
  ])('%s is %s, titled by its name, and stays as it is', (name, format, content) => {
    const expected = { ok: true, format, title: name, text: content, syntax: 'plain', warnings: [] }
    expect(read(`a/${name}`, content)).toMatchObject(expected)
  })

  it.each([
    ['broken', '{"a": '],
    ['with a comment', '{} // none'],
    ['nested deeply', '['.repeat(200_000)],
  ])('is plain where it should be JSON, and is %s', (_, content) => {
    expect(extracted('a.json', content)).toMatchObject({ format: 'plain', text: content })
    expect(extracted('a.json', content).warnings).toHaveLength(1)
  })
})

describe('a CSV file', () => {
  it.each([
    ['commas', 'a.csv', 'name,age\nx,1\n', ['name', 'age']],
    ['semicolons', 'a.csv', 'name;age, in years\nx;1\n', ['name', 'age, in years']],
    ['tabs', 'a.tsv', 'name\tage, in years, or so\n', ['name', 'age, in years, or so']],
    ['quotes', 'a.csv', '"the ""name""",age\r\nx,1\r\n', ['the "name"', 'age']],
    ['a line end in quotes', 'a.csv', '"first\nlast",age\n', ['first\nlast', 'age']],
    ['a byte order mark', 'a.csv', '\uFEFFname,age\n', ['name', 'age']],
    ['blanks', 'a.csv', '\n name , age \n', ['name', 'age']],
    ['rows of other lengths', 'a.csv', 'name,age\nx\ny,1,2\n', ['name', 'age']],
  ])('with %s has the names of its columns as metadata', (_, path, content, columns) => {
    expect(JSON.parse(extracted(path, content).metadata.columns ?? '')).toEqual(columns)
  })

  it.each([
    ['an open quote', 'a,"b\nc'],
    ['a quote within', 'a b"c,d\n'],
  ])('with %s is read all the same', (_, content) => {
    expect(extracted('a.csv', content)).toMatchObject({ text: content, metadata: {} })
  })
})

describe('bytes', () => {
  it.each([
    ['UTF-8', 'Grüße 日本', 'utf8', 'Grüße 日本', 0],
    ['UTF-8 with a byte order mark', '\uFEFFGrüße', 'utf8', 'Grüße', 0],
    ['UTF-16 with a byte order mark', '\uFEFFGrüße', 'utf16le', 'Grüße', 0],
    ['Latin-1', 'Grüße', 'latin1', 'Gr\uFFFD\uFFFDe', 1],
    ['CRLF', 'a\r\nb\rc\n', 'utf8', 'a\r\nb\rc\n', 0],
  ] as const)('of %s are text', (_, content, encoding, text, warnings) => {
    const found = extracted('a.txt', Buffer.from(content, encoding))
    expect(found.text).toBe(text)
    expect(found.warnings).toHaveLength(warnings)
  })

  it('of UTF-16 the other way round are text', () => {
    expect(extracted('a.md', Buffer.from('\uFEFF# Ü', 'utf16le').swap16()).title).toBe('Ü')
  })

  it.each([
    ['a.txt', 'a\0b', 'binary'],
    ['a', '\x7fELF\0', 'binary'],
    ['a.txt', '\xff\xfea\0\0\0', 'binary'],
    ['a.md', '', 'empty'],
    ['a.md', ' \n\t\r\n', 'empty'],
    ['a.md', '\xef\xbb\xbf', 'empty'],
    ['a.html', '<p>', 'failed'],
    ['a', '%PDF-1.7', 'failed'],
  ])('of %s that are %j give nothing: %s', (path, content, why) => {
    const extraction = read(path, Buffer.from(content, 'latin1'))
    expect(extraction).toMatchObject({ ok: false, why })
    expect(extraction).toHaveProperty('detail', expect.stringMatching(/^[A-Z].*\.$/))
  })

  it.each([
    [EXTRACT_LIMITS.textBytes - 1, true],
    [EXTRACT_LIMITS.textBytes, true],
    [EXTRACT_LIMITS.textBytes + 1, false],
  ])('are read up to the limit: %i', (length, ok) => {
    const extraction = read('a.txt', Buffer.alloc(length, 'a'))
    expect(extraction).toMatchObject(ok ? { ok } : { ok, why: 'over-limit' })
  })

  it('of any kind, by any name, give a result, and the same again', () => {
    const names = fc.constantFrom('md', 'txt', 'csv', 'tsv', 'json', 'ts', 'html', 'pdf', 'docx', '', 'md/', '..')
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
      fc.string({ unit: fc.constantFrom('---\n', 'a: ', '[', '"', ',', '\n', '# ', '{', '&a', '*a', '<!--', '```') }),
    )
    forAll(2000, names, bytes, (name, content) => {
      const first = read(`a.${name}`, Buffer.from(content))
      expect(read(`a.${name}`, Buffer.from(content))).toEqual(first)
      if (!first.ok) return
      const decoded = decode(Buffer.from(content))
      expect(first.text).toBe('text' in decoded ? decoded.text : undefined)
      expect(first.title).not.toBe('')
    })
  })
})
