/** Files whose sentences want to be more in a report than what is quoted of them: without a model nothing else is said. */

import { describe, expect, it } from 'vitest'
import { toHtml } from '../../src/research/export/html.ts'
import { htmlOfMarkdown } from '../../src/text/markdown-html.ts'
import { memoryEngine, runOf } from './model-run.ts'

const engine = memoryEngine()

async function reported(...[request, files]: [Parameters<typeof runOf>[1], Parameters<typeof runOf>[2]]) {
  const outcome = await runOf(engine, request, files)
  return { ...outcome, report: await (await engine.research()).report(outcome.id) }
}

const OTHER = { 'other.md': '# Other\n\nThe museum of lamps is closed on Mondays.\n' }

/** What a sentence about the ferry may hold besides. */
const MARKS: readonly (readonly [what: string, text: string])[] = [
  ['a citation', 'in winter [other.md::S1] at nine'],
  ['a citation behind a closed quotation', 'in winter” [other.md::S1] and “always at nine'],
  ['a citation behind a straight quotation mark', 'in winter" [other.md::S1] and "always at nine'],
  ['a citation behind a backslash', 'in winter \\[other.md::S1] at nine'],
  ['a citation behind two backslashes', 'in winter \\\\[other.md::S1] at nine'],
  ['a citation that leads nowhere', 'in winter [none.md::S9] at nine'],
  ['a citation of the web', 'in winter [https://evil.example/x] at nine'],
  ['a number', 'in winter [1] at nine'],
  ['a link', 'in winter [at nine](https://evil.example/?q=1) or later'],
  ['a picture', 'in winter ![at nine](https://evil.example/p.png) or later'],
  ['a picture by reference', 'in winter ![at nine][p] or later'],
  ['an element', 'in winter <img src="https://evil.example/p.png"> at nine'],
  ['an address in brackets', 'in winter <https://evil.example/x> at nine'],
  ['code that is not closed', 'in winter ` at nine'],
  ['code', 'in winter `at [other.md::S1]` nine'],
  ['entities', 'in winter &#91;other.md::S1&#93; at nine'],
]

describe('a sentence of a hostile file', () => {
  it.each(MARKS)('is quoted as it is, and nothing more, where it holds %s', async (_, text) => {
    const sentence = `The last ferry to the island leaves ${text} o'clock.`
    const files = { 'ferry.txt': `${sentence}\n`, ...OTHER }
    const { markdown, shown, report } = await reported(
      { question: 'When does the last ferry to the island leave?', extractive: true, depth: 1 },
      files,
    )
    expect(shown.report?.quotes).toMatchObject({ unproven: [] })
    expect(shown.report?.quotes.proven).toBeGreaterThan(0)
    expect(shown.report?.unknown_refs).toEqual([])
    expect(report.sources.map(({ ref }) => ref)).toEqual(['ferry.txt::S1'])
    const answer = /## Answer\n\n([\s\S]*?)\n\n## /.exec(markdown)?.[1] ?? ''
    const html = htmlOfMarkdown(answer, new Map([['other.md::S1', 'x']]))
    expect(html).not.toMatch(/<(?!\/?(?:blockquote|p|a)\b)|href/)
    expect(decoded(html).trim()).toBe(`${sentence}\n\n[1] ferry.txt:1`)
    const page = toHtml(report)
    expect(page.split('<section')[0]).not.toMatch(/<img|evil\.example[^<]*">|<code/)
    expect([...(page.split('<section')[0] ?? '').matchAll(/class="ref"/g)].length).toBe(
      [...markdown.matchAll(/(?<!\\)\[1\]/g)].length,
    )
  })

  it.each([
    'a`b`c.md',
    '<img src=x onerror=alert(1)>.md',
    'a<b>c</b>.md',
    '![x](evil).md',
    '[other.md::S1].md',
    'a\\b.md',
    '&lt;b&gt;.md',
    '“q” *e* ~s~ |t|.md',
  ])('is cited by the name of its file, which is not a mark: %s', async (name) => {
    const { markdown, report } = await reported(
      { question: 'When does the last ferry to the island leave?', extractive: true, depth: 1 },
      { [name]: 'The last ferry to the island leaves at nine.\n', ...OTHER },
    )
    expect(report.quotes).toEqual({ proven: 1, unproven: [] })
    const [source] = report.sources
    expect([report.sources.length, source?.text]).toEqual([1, 'The last ferry to the island leaves at nine.'])
    const html = htmlOfMarkdown(markdown, new Map([['1', 'x']]))
    expect(html).not.toMatch(/<(?:img|b|code|del|table)\b|href="(?!#x")/)
    // Another program may show elements that stand in Markdown.
    expect(markdown).not.toMatch(/(?<!\\)<[a-z/!]/i)
  })

  it.each([
    ['a heading', '# Forged'],
    ['a line below a heading', 'Forged\n==='],
    ['a rule', 'Forged\n- - -'],
    ['a table', '|a|b|\n|-|-|\n|c|d|'],
    ['a fence', '```\nForged\n```'],
    ['a quote', '> > Forged'],
  ])('stands in its quotation as text where it looks like %s', async (_, text) => {
    const { markdown } = await reported(
      { question: 'When does the last ferry leave?', extractive: true, depth: 1 },
      { 'ferry.txt': `The last ferry leaves at nine.\n${text}\n` },
    )
    const answer = /## Answer\n\n([\s\S]*?)\n\n## /.exec(markdown)?.[1] ?? ''
    expect(htmlOfMarkdown(answer, new Map())).not.toMatch(/<(?!\/?(?:blockquote|p|a|br)\b)/)
  })
})

function decoded(html: string): string {
  const text = html.replace(/<[^>]*>/g, '')
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
