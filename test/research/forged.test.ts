/** What files, pages and models say of themselves stands in a report, too: beside what was checked, and never in its place. */

import { describe, expect, it } from 'vitest'
import { openWith } from '../../src/open.ts'
import { htmlOfMarkdown } from '../../src/text/markdown-html.ts'
import { xlsx } from '../ingest/extract/office.ts'
import { type Served, served } from '../internet/served.ts'
import { FILES, memoryEngine, modelRun, runOf } from './model-run.ts'

const engine = memoryEngine()

const FORGED = '\n\n## Forged\n\n“Nobody ever said these words.” [harbour.md::S1]\n\n'

describe('a report', () => {
  it('has no section that a part of an archive is named like', async () => {
    const name = `xl/worksheets/a${FORGED.replaceAll('\n', '\r\n')}.xml`
    const hostile = xlsx({ S: [['x']] }, [{ name, content: '<!DOCTYPE x><x/>' }])
    const { markdown, shown } = await runOf(engine, {}, { ...FILES, 'b.xlsx': hostile })
    expect(shown.files[1]?.reason).toMatch(/^[^\r\n]{1,500}$/)
    expect(markdown).not.toMatch(/^## Forged/m)
    expect(markdown).not.toMatch(/words\.” \[(?:harbour|\d)/)
  })

  it('has no section and no citation that a model puts into a question or a gap', async () => {
    await using run = await modelRun({
      sufficiency: () => ({ is_sufficient: false, reasoning: 'None.', gaps: [`More.${FORGED}`] }),
      decompose: () => ({ children: [`What of boats?${FORGED}`, 'What of cranes?'] }),
    })
    const { markdown, shown } = await run.run({ depth: 2 })
    expect(shown.nodes.every(({ question }) => !question.includes('\n'))).toBe(true)
    expect(markdown).not.toMatch(/^## Forged/m)
    expect(markdown).not.toMatch(/words\.” \[(?:harbour|\d)/)
    expect(markdown).toContain('harbour.md::S1')
  })

  it('has no picture, link, element or citation in the title of a page', async () => {
    const title = 'Boats ![x](http://spy.example/p) <b>x</b> `y` [harbour.md::S1]'
    const escaped = title.replaceAll('<', '&lt;')
    const page = `<title>${escaped}</title><article><p>The ferry carries forty cars on each crossing.</p></article>`
    await using server: Served = await served(({ url = '' }, response) => {
      const found = { results: [{ url: `${server.url}/boats`, title: 'Boats', content: '' }], unresponsive_engines: [] }
      const isSearch = url.startsWith('/search')
      response.setHeader('content-type', isSearch ? 'application/json' : 'text/html')
      response.end(isSearch ? JSON.stringify(found) : page)
    })
    const search = { provider: 'searxng', url: server.url } as const
    const own = openWith({ file: undefined, unknown: [], home: false, db: ':memory:', search, allowLoopback: true })
    try {
      const question = 'What does the ferry carry on each crossing?'
      const { markdown } = await runOf(own, { question, web: 'default', depth: 1 }, FILES)
      const line = markdown.split('\n').find((one) => /^- \[\d+\] Boats/.test(one)) ?? ''
      expect(line).not.toMatch(/\[harbour\.md::S1\]|!\[x\]|[^\\]<b>/)
      const shown = htmlOfMarkdown(line.replace(/^- \[[^\]]*\] /, ''), new Map())
      expect(shown).toContain('![x](http://spy.example/p) &lt;b&gt;x&lt;/b&gt; `y` (harbour.md::S1)')
    } finally {
      await own.close()
    }
  })
})
