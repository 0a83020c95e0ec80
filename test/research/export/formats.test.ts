import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import mammoth from 'mammoth'
import { afterAll, describe, expect, it } from 'vitest'
import { printPage as toPdf } from '../../../src/engine/print/print-page.ts'
import { Extractor, storedZip } from '../../../src/ingest/extractor.ts'
import { openWith } from '../../../src/open.ts'
import { toBibtex, toCsl } from '../../../src/research/export/formats.ts'
import { documentParts } from '../../../src/text/markdown-docx.ts'
import { served } from '../../internet/served.ts'
import { FILES, modelRun, runOf, type Script, type Task } from '../model-run.ts'

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
  { ref: 'https://example.org/a_b?q=%20{x}\u3000', kind: 'web', title: 'A page', text: 'x' },
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

/** Manners in which models cite the page; the file is cited by its span. */
const MANNERS: readonly ((page: { readonly n: number; readonly where: string }) => string)[] = [
  ({ n }) => `[${n}]`,
  ({ where }) => `([Boats](${where}))`,
  ({ where }) => `[${where}#part]`,
  ({ where }) => `[${where}/]`,
  ({ where }) => `(${where})`,
  () => '[harbour.md::S1]',
]

/** A run whose model cites a page and a file, one sentence for each manner, in all formats. */
async function citedRun() {
  await using web = await served(({ url: path = '' }, response) => {
    const results = [{ url: `${web.url}/boats`, title: 'Boats', content: 'x' }]
    if (path.startsWith('/search')) response.end(JSON.stringify({ results }))
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<title>Boats</title><p>${'Boats are green. '.repeat(30)}`)
  })
  const script: Script = {
    synthesis: ({ items, passages }) => ({
      findings: [...items, ...passages].map(({ id }: Task) => ({ text: 'It is so.', ref: id })),
    }),
    report: ({ evidence }) => {
      const page = evidence.find(({ where }: Task) => where.startsWith('http'))
      return `## Answer\n\n${MANNERS.map((cite, at) => `It is so, case ${'ABCDEF'[at]} ${cite(page)}.`).join('\n\n')}`
    },
  }
  const search = { provider: 'searxng', url: web.url } as const
  await using run = await modelRun(script, { search, allowLoopback: true })
  const { id } = await run.run({ web: 'default', depth: 1 })
  const research = await run.engine.research()
  const exported = async (format: 'md' | 'html' | 'docx' | 'pdf') => {
    const { text, encoding } = await research.exportReport(id, format)
    return Buffer.from(text, encoding ?? 'utf8')
  }
  const [md, html, docx] = [await exported('md'), await exported('html'), await exported('docx')]
  const pdf = CHROMIUM && (await extractor.extract('a.pdf', await exported('pdf'), new AbortController().signal))
  const plain = (tagged: string) => tagged.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  const texts = {
    Markdown: plain(md.toString()),
    HTML: plain(html.toString().replace(/<a[^>]* href="#source-(\d)"[^>]*>\[?\d\]?<\/a>/g, '[$1]')),
    DOCX: plain((await mammoth.convertToHtml({ buffer: docx })).value),
    ...(pdf && { PDF: plain(pdf.ok ? pdf.text : '') }),
  }
  return { url: web.url, html: html.toString(), texts }
}

it('what a model cites in any manner leads to its source, in all formats', async () => {
  const { url, html, texts } = await citedRun()
  for (const [format, text] of Object.entries(texts)) {
    const cited = [...text.matchAll(/case ([A-F])\s?\[?(\d)\]?\s?\./g)].map(
      ([, manner, number]) => `${manner}${number}`,
    )
    expect([format, cited]).toEqual([format, ['A1', 'B1', 'C1', 'D1', 'E1', 'F2']])
    const sources = text.slice(text.lastIndexOf('Sources'))
    expect([format, sources]).toEqual([format, expect.stringMatching(/Boats,?\s?.*\/boats.* harbour\.md/)])
  }
  expect(html).toContain(`<li id="source-1"><a href="${url}/boats"`)
  expect(html).toContain('<li id="source-2">')
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
