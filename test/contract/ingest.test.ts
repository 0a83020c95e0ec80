import { it } from 'vitest'
import { formatOf } from '../../src/ingest/extract/format.ts'
import { htmlContent, readHtml } from '../../src/ingest/extract/html.ts'
import { parseFile } from '../../src/ingest/extract/parse.ts'
import { extractText, firstHeading } from '../../src/ingest/extract/text.ts'
import { EXTRACT_LIMITS, type Extraction } from '../../src/ingest/extracted.ts'
import { fileFilter } from '../../src/ingest/file-filter.ts'
import { chunksOf } from '../../src/ingest/indexing/chunks.ts'
import { coreProperties, docx, type Placed, paragraph, pdf, placedPdf, table } from '../ingest/extract/documents.ts'
import { odt, pptx, shape, xlsx } from '../ingest/extract/office.ts'
import { filesIn, perform, record } from './recorded.ts'

/* What is read of documents of each format, whole: text, title, metadata, dates, pages and warnings. */

/** Lines `left baseline text`, the last word `bold` for the font; `page` begins another. */
function pagesIn(text: string): Placed[][] {
  return text.split('page\n').map((page) =>
    page.split('\n').flatMap((line): Placed[] => {
      const [, left, baseline, said = ''] = /^(\d+) (\d+) (.*)$/.exec(line) ?? []
      if (left === undefined) return []
      const place = [Number(left), Number(baseline)] as const
      return [said.endsWith(' bold') ? [...place, said.slice(0, -5), 'bold'] : [...place, said]]
    }),
  )
}

const GRAPHIC =
  '<p:graphicFrame><a:tbl><a:tr><a:tc><a:p><a:r><a:t>A</a:t></a:r></a:p></a:tc><a:tc><a:p/></a:tc></a:tr><a:tr><a:tc><a:p><a:r><a:t>1</a:t></a:r><a:br/><a:r><a:t>one</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>2</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:graphicFrame>'

const PROPERTIES = coreProperties({
  'dc:title': 'Named',
  'dc:creator': ' Anna ',
  'dc:subject': 'Boats',
  'cp:keywords': 'a, b',
  'dc:description': '',
})

const MADE: readonly (readonly [path: string, bytes: Uint8Array])[] = [
  [
    'slides.pptx',
    pptx([
      {
        body:
          shape('title', 'First|slide', 'again') +
          shape('body', 'One & two', ' ', 'three') +
          shape('sldNum', '1') +
          shape('dt', 'today'),
      },
      {
        body: shape('', 'No title') + GRAPHIC + shape('ftr', 'foot'),
        notes: shape('body', 'Say this.') + shape('sldImg', 'no'),
      },
      { body: shape('ctrTitle', 'Third') + shape('title', 'Second title') },
      { body: '' },
    ]),
  ],
  ['named.pptx', pptx([{ body: shape('title', 'Slide') }], [PROPERTIES])],
  [
    'book.xlsx',
    xlsx(
      {
        ' First  sheet ': [
          ['Name', 'Day', 'Sum'],
          ['a | b', { xml: '<c s="1"><v>45000</v></c>' }, 1.5],
          [],
          ['c', { xml: '<c s="1"><v>45000.75</v></c>' }, { xml: '<c t="b"><v>1</v></c>' }],
          [{ xml: '<c t="s"><v>0</v></c>' }, { xml: '<c s="1"><v>1e20</v></c>' }],
        ],
        Empty: [],
        Third: [['', 'x', '']],
      },
      [PROPERTIES],
    ),
  ],
  [
    'letter.docx',
    docx(
      `${paragraph('Report', 'Title')}${paragraph('Part', 'Heading1')}${paragraph('Some text.')}${table([
        ['A', 'B'],
        ['1', '2'],
      ])}${paragraph('Sub', 'Heading2')}`,
      [PROPERTIES],
    ),
  ],
  ...[0, 4087, 4088].map(
    (before) =>
      [
        `doctype-at-${before}.docx`,
        docx(paragraph('x'), [{ name: 'docProps/core.xml', content: `${' '.repeat(before)}<!DOCTYPE x><a/>` }]),
      ] as const,
  ),
  [
    'info.pdf',
    pdf([['One line', 'Another'], [], ['Third page']], {
      info: { Title: 'A title', Author: 'Anna', Subject: '', Keywords: 'k', CreationDate: 'D:2024' },
    }),
  ],
  ['blank.pdf', pdf([[], []])],
  ['scanned.pdf', pdf([...Array.from({ length: 12 }, () => []), ['Words']])],
  ['broken.pdf', Buffer.from('%PDF-1.4\nnothing')],
  ['broken.docx', Buffer.from('PK\x03\x04nothing')],
  ['latin.html', Buffer.from('<meta charset="iso-8859-1"><p>gr\xfc\xdfe', 'latin1')],
  [
    'late.html',
    Buffer.concat([Buffer.alloc(1030, ' '), Buffer.from('<meta charset="iso-8859-1"><p>gr\xfc\xdfe', 'latin1')]),
  ],
  ['unknown.html', Buffer.from('<meta charset="none"><p>gr\xfc\xdfe', 'latin1')],
  ['marked.html', Buffer.from('\ufeff<meta charset="iso-8859-1"><p>größe')],
  ['wide.html', Buffer.from('\ufeff<p>größe', 'utf16le')],
  ['nul-article.html', Buffer.from('<p>a\0b')],
  ['nul.txt', Buffer.from('a\0b')],
  ['wide.txt', Buffer.from('\ufeffgröße', 'utf16le')],
  ['bad.txt', Buffer.from([0x61, 0xff, 0x62, 0xc3, 0x28])],
  ['deep.html', Buffer.from(`${'<div>'.repeat(126)}<p>last <b>bold</b><script>no</script><i>it</i></p>`)],
  ['deeper.html', Buffer.from(`${'<div>'.repeat(127)}<p>last <b>bold</b><script>no</script><i>it</i></p>`)],
]

function bytesOf(path: string, text: string): Uint8Array {
  if (path.endsWith('.pdf')) return placedPdf(pagesIn(text))
  return path.endsWith('.odt') ? odt(text) : Buffer.from(text)
}

function show(what: string, found: Extraction): string[] {
  if (!found.ok) return [`# ${what}: ${found.why}: ${found.detail}`]
  const { ok: _, text, ...facts } = found
  return [`# ${what}: ${JSON.stringify(facts)}`, text]
}

it('documents of each format are read as this', async () => {
  const fixtures = filesIn('documents.txt').map(([path, text]) => [path, bytesOf(path, text)] as const)
  const shown: string[] = []
  for (const [path, bytes] of [...fixtures, ...MADE]) {
    const format = formatOf(path, bytes)
    if (!format) {
      shown.push(`# ${path}: no format`)
      continue
    }
    const task = { path: `docs/${path}`, format, bytes, limits: EXTRACT_LIMITS }
    shown.push(...show(path, await parseFile(task)))
    if (/article/.test(path)) shown.push(...show(`${path}, its article`, await parseFile({ ...task, article: true })))
    const small = { ...EXTRACT_LIMITS, textBytes: 20, inflatedBytes: 300 }
    shown.push(...show(`${path}, within less`, await parseFile({ ...task, limits: small })).slice(0, 1))
  }
  await record(shown, 'ingest/documents')
})

it('names and first bytes have these formats', async () => {
  const heads = [
    '',
    '%PDF-1.7',
    'PK\x03\x04 word/document.xml',
    'PK\x03\x04 xl/workbook.xml',
    'PK\x03\x04 other',
    '\ufeff <!DOCTYPE html>',
    '<htmlx>',
    '#!/bin/sh',
    'a\0b',
    `${' '.repeat(511)}<html>`,
  ]
  const names =
    'a.md a.MDX a.txt a.jsonl a.csv a.tsv a.ipynb a.htm a.pdf a.docm a.xlsx a.pptm a.odt a.ts a.unknown README Makefile Jenkinsfile jenkinsfile.md .bashrc .md dir.md/file a.'
  const shown = names.split(' ').map((name) => `${name}: ${heads.map((head) => formatOf(name, Buffer.from(head)))}`)
  const filters = [
    [[], []],
    [
      ['*.md', 'src'],
      ['drafts', '*.tmp.md'],
    ],
    [['docs/**/*.md'], ['docs/old/']],
    [['.git', '.hidden/*.md'], ['!.*']],
    [[], ['!.gitignore', 'a/b']],
  ] as const
  const paths =
    'a.md src/b.ts docs/x.md docs/old/y.md drafts/z.md .hidden/n.md .git/config .github/w.md node_modules/m.md x.tmp.md .env a/b/c.md .cursorrules'.split(
      ' ',
    )
  for (const [patterns, exclude] of filters) {
    const {
      file,
      excludesDirectory: isLeftOut,
      isHidden,
      includesIgnored: takesIgnored,
    } = fileFilter({ patterns, exclude })
    shown.push(`# ${patterns} without ${exclude}: ${takesIgnored}`)
    shown.push(...paths.map((path) => `${path}: ${file(path)} ${isLeftOut(path)} ${isHidden(path)}`))
  }
  await record(shown, 'ingest/formats')
})

it('pages, names and titles of other kinds are read as this', async () => {
  const targets = {
    html: {
      text: (html: string) => htmlContent(html).text,
      page: (html: string) => readHtml('docs/page.html', Buffer.from(html), EXTRACT_LIMITS),
    },
    formats: { of: (path: string, start: string) => formatOf(path, Buffer.from(start, 'latin1')) },
    titles: {
      first: firstHeading,
      of: (path: string, text: string) => extractText(path, Buffer.from(text), EXTRACT_LIMITS),
    },
  }
  await record(await perform('documents', targets), 'ingest/cases')
})

it('texts are cut into these chunks', async () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')
  const texts = {
    sections: `---\na: b\n---\nBefore.\n\n# A\n\n${words(60)}\n\n## B\n\nshort\n\n### C\n\n${words(55)}\n\n## D\n\n${words(300)}\n\n# E\n\nlast\n`,
    'at the bound': `# A\n\n${'x'.repeat(394)}\n\n# B\n\n${'y'.repeat(395)}\n\n# C\n\n${'z'.repeat(396)}\n\n# D\n\nend`,
    'a long block': `\`\`\`\n${'const a = 1\n'.repeat(300)}\`\`\`\n`,
    'a long line': `  ${'größe'.repeat(500)}\nnext\n`,
    'wide signs': '\u{1f600}'.repeat(700),
    blocks: Array.from({ length: 9 }, (_, at) => `${at} ${'x'.repeat(390)}`).join('\n\n'),
    exactly: `${'a'.repeat(1599)}\n\n${'b'.repeat(1600)}\n\n${'c'.repeat(1601)}`,
  }
  const shown = Object.entries(texts).flatMap(([name, text]) =>
    [true, false].flatMap((isMarkdown) => [
      `# ${name}${isMarkdown ? ' as Markdown' : ''}`,
      ...chunksOf(text, { isMarkdown }).map(
        ({ text: chunk, lines, headings }) =>
          `${lines.start}-${lines.end} [${headings}] ${Buffer.byteLength(chunk)} ${JSON.stringify([chunk.slice(0, 12), chunk.slice(-12)])}`,
      ),
    ]),
  )
  await record(shown, 'ingest/chunks')
})
