import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import mammoth from 'mammoth'
import { afterAll, describe, expect, it } from 'vitest'
import { printPage as toPdf } from '../../../src/engine/print/print-page.ts'
import { Extractor, storedZip } from '../../../src/ingest/extractor.ts'
import { openWith } from '../../../src/open.ts'
import type { ResearchReport } from '../../../src/research/answers.ts'
import { renderReport, toBibtex, toCsl } from '../../../src/research/export/formats.ts'
import { CitationNumbers, numberCitations, renumber } from '../../../src/research/report/citations.ts'
import { ReportSources } from '../../../src/research/report/sources.ts'
import { documentParts } from '../../../src/text/markdown-docx.ts'
import { FILES, runOf } from '../model-run.ts'

const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
const extractor = new Extractor()
afterAll(() => Promise.all([engine.close(), extractor.close()]))

const NASTY = '100 % of {braces}, \\input{/etc/passwd} & “quotes” #1_2 ~ ^'
const SOURCES = [
  {
    ref: 'plan, v2.pdf::S3',
    kind: 'context',
    title: NASTY,
    file: 'plan, v2.pdf',
    page: 4,
    headings: ['2. [New]'],
    text: 'x',
  },
  { ref: 'https://example.org/a_b?q=%20{x}', kind: 'web', title: 'A page', text: 'x' },
  {
    ref: 'https://example.org/c',
    kind: 'web',
    title: 'A page',
    author: 'Anna Berg & Sons',
    dates: [{ what: 'published', day: '2024-05-03', where: 'JSON-LD' }],
    text: 'x',
  },
] as const

describe('the sources of a report', () => {
  it('as CSL-JSON have an id each, and the day on which web pages were read', () => {
    const items = JSON.parse(toCsl({ sources: SOURCES }, '2026-11-23'))
    expect(new Set(items.map(({ id }: { id: string }) => id)).size).toBe(3)
    expect(items[0]).toMatchObject({ type: 'document', title: NASTY, page: '4' })
    expect(items[1]).toMatchObject({
      type: 'webpage',
      URL: SOURCES[1].ref,
      accessed: { 'date-parts': [[2026, 11, 23]] },
    })
    expect(items[2]).toMatchObject({
      author: [{ literal: 'Anna Berg & Sons' }],
      issued: { 'date-parts': [[2024, 5, 3]] },
    })
  })

  it('as BibTeX run nothing of TeX, and have balanced braces', () => {
    const text = toBibtex({ sources: SOURCES }, '2026-11-23')
    expect(text.match(/^@\w+\{[A-Za-z0-9-]+,$/gm)).toHaveLength(3)
    expect(text).not.toMatch(/\\input/)
    expect(text).toContain('note = {plan, v2.pdf, page 4, under “2. [New]”}')
    expect(text).toContain('urldate = {2026-11-23}')
    expect(text).toContain('author = {{Anna Berg \\& Sons}}')
    expect(text).toContain('date = {2024-05-03}')
    let depth = 0
    for (const [sign] of text.matchAll(/(?<!\\)[{}]/g)) {
      depth += sign === '{' ? 1 : -1
      expect(depth).toBeGreaterThanOrEqual(0)
    }
    expect(depth).toBe(0)
    // An address is verbatim, but for what begins a comment.
    expect(text.replace(/^ {2}url = .*$/gm, '')).not.toMatch(/(?<!\\)[%&#_]/)
    expect(text).not.toMatch(/(?<!\\)%/)
  })
})

function docxOf(title: string, markdown: string): Buffer {
  const parts = [...documentParts(title, markdown)].map(([name, xml]) => [name, Buffer.from(xml)] as const)
  return storedZip(new Map(parts))
}

const MARKDOWN = `# What of <it> & that?

## Answer

- “The ferry carries **120** passengers.” [1]
  - A second level, with [a link](https://example.org/?a=1&b=2)

> A quotation

| Crane | Tonnes |
| --- | --- |
| North | 40 |

\`\`\`
let x = "<y>"
\`\`\`
`

describe('a report as DOCX', () => {
  const bytes = docxOf('What of <it> & that?', MARKDOWN)

  it('is what other programs read: headings, lists, tables, links', async () => {
    const { value, messages } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) })
    expect(messages.filter(({ type }) => type === 'error')).toEqual([])
    expect(value).toContain('What of &lt;it&gt; &amp; that?')
    expect(value).toMatch(/<h1>Answer<\/h1>/)
    expect(value).toMatch(/<li>“The ferry carries <strong>120<\/strong> passengers\.” \[1\]/)
    expect(value).toContain('<a href="https://example.org/?a=1&amp;b=2">a link</a>')
    expect(value).toMatch(/<table>.*<td>.*North.*40.*<\/table>/s)
    expect(value).toContain('let x = "&lt;y&gt;"')
  })

  it('has smaller headings at each level', () => {
    const styles = documentParts('', '').get('word/styles.xml') ?? ''
    const sizes = [...styles.matchAll(/"(?:Title|Heading\d)".*?w:sz w:val="(\d+)"/g)].map(([, size]) => Number(size))
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => b - a))
  })

  it('is read by our own reader of DOCX again', async () => {
    const found = await extractor.extract('report.docx', bytes, new AbortController().signal)
    expect(found.ok && found.text).toContain('The ferry carries')
  })

  it('holds no character that XML has no place for', async () => {
    const odd = docxOf('a\u0000b\ud800', 'x\u0001y\ufffez')
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(odd) })
    expect(value).toContain('xyz')
  })
})

const CHROMIUM = ['chromium-headless-shell', 'chromium', 'chromium-browser'].some((name) =>
  existsSync(`/usr/bin/${name}`),
)

/** A report that cites one page, as a model wrote it. */
function reportCiting(citation: string): ResearchReport {
  const [, , { ref, kind, title, text }] = SOURCES
  const sources = new ReportSources([], new Map([[ref, { ref, kind, title, text }]]))
  const numbers = new CitationNumbers()
  for (const one of ['https://example.org/other', ref]) numbers.numberOf(one)
  const { text: body, refs } = renumber(
    numberCitations(`It is so ${citation}.`, sources.resolveName, numbers).text,
    numbers,
  )
  const cited = refs.flatMap((one) => sources.sourceOf(one) ?? [])
  const markdown = `# What?\n\n${body}\n\n## Sources\n\n- [1] ${cited[0]?.title}, ${cited[0]?.ref}\n`
  return { question: 'What?', markdown, sources: cited } as unknown as ResearchReport
}

describe.each([
  '[2]',
  '([A page](https://example.org/c))',
  '[https://example.org/c#part]',
  '[https://example.org/c/]',
  '(https://example.org/c)',
])('what a model cites as %s leads to its source', (citation) => {
  const exported = (format: 'md' | 'html' | 'docx' | 'pdf') =>
    renderReport([{ at: '2026-11-23', report: reportCiting(citation) }], { format, version: 1, print: toPdf })

  it('in Markdown, HTML and DOCX', async () => {
    expect((await exported('md')).text).toContain('It is so [1].\n\n## Sources\n\n- [1] A page, https://example.org/c')
    const html = (await exported('html')).text
    expect(html).toMatch(/It is so <a[^>]* href="#source-1"[^>]*>\[?1\]?<\/a>\./)
    expect(html).toMatch(/<li id="source-1"><a href="https:\/\/example\.org\/c"/)
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from((await exported('docx')).text, 'base64') })
    expect(value).toMatch(/It is so \[1\]\..*\[1\] A page, .*https:\/\/example\.org\/c/s)
  })

  it.skipIf(!CHROMIUM)('in PDF', async () => {
    const found = await extractor.extract(
      'report.pdf',
      Buffer.from((await exported('pdf')).text, 'base64'),
      new AbortController().signal,
    )
    expect(found.ok && found.text.replace(/\s+/g, ' ')).toMatch(/It is so \[?1\]?\..*A page.*https:\/\/example\.org\/c/)
  })
})

describe('a report as PDF', () => {
  it.skipIf(!CHROMIUM)('is the print of its page', async () => {
    const { id } = await runOf(engine, { question: 'How many passengers does the ferry carry?' }, FILES)
    const { text, encoding } = await (await engine.research()).exportReport(id, 'pdf')
    const bytes = Buffer.from(text, encoding ?? 'utf8')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const found = await extractor.extract('report.pdf', bytes, new AbortController().signal)
    expect(found.ok && found.text.replace(/\s+/g, ' ')).toContain('The ferry carries 120 passengers.')
  })

  it.skipIf(!CHROMIUM)('runs no script of what it prints, and leaves no process and no profile', async () => {
    const before =
      execFileSync('ls', ['/tmp'])
        .toString()
        .match(/ambit-print-\S+/g) ?? []
    const page = '<p>Before.</p><script>document.body.textContent = "Changed."</script>'
    const found = await extractor.extract('a.pdf', await toPdf(page), new AbortController().signal)
    expect(found.ok && found.text).toContain('Before.')
    expect(
      execFileSync('ls', ['/tmp'])
        .toString()
        .match(/ambit-print-\S+/g) ?? [],
    ).toEqual(before)
  })

  it('says what to install where there is no Chromium', async () => {
    await expect(toPdf('<p>x</p>', ['no-such-browser-here'])).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('Install Chromium'),
    })
  })

  it('fails with a reason where the program is no browser', async () => {
    await expect(toPdf('<p>x</p>', ['true'])).rejects.toThrow(/did not print the report/)
  })
})

describe('versions of a report', () => {
  it('are all kept, and named by their number', async () => {
    const research = await engine.research()
    const { id, markdown } = await runOf(engine, { question: 'How many passengers does the ferry carry?' }, FILES)
    await research.editPlan(id, { add: ['When was the south crane repaired?'] })
    await research.run(id)
    const newest = await research.exportReport(id, 'md')
    expect([newest.version, newest.versions]).toEqual([2, 2])
    expect(newest.text).toContain('2023')
    const first = await research.exportReport(id, 'md', 1)
    expect(first.text).toBe(markdown)
    await expect(research.exportReport(id, 'md', 3)).rejects.toThrow(/no version 3/)
  })
})
