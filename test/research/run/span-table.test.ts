import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReportSources } from '../../../src/research/report/sources.ts'
import { packSpans, SpanTable, sendSpans } from '../../../src/research/run/span-table.ts'
import { spansOf } from '../../../src/research/run/spans.ts'
import { cutText, openFiles } from '../../../src/research/run/text-thread.ts'

const TEXTS = {
  nothing: { text: '', syntax: 'plain' },
  paragraphs: { text: 'One stands here.\n\nTwo stands there.\n', syntax: 'plain' },
  'headings within headings': { text: '# A\n\nx\n\n## B\n\ny\n\n# C\n\nz\n\n# C\n\nw\n', syntax: 'markdown' },
  'a heading without a word': { text: '#\n\nx\n', syntax: 'markdown' },
  pages: { text: 'one\n\ntwo\n\nthree\n', syntax: 'plain', pages: [1, 3, 5] },
  'a table': { text: '# T\n\n| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n', syntax: 'markdown' },
  'a CSV': { text: 'name,size\nlion,large\n"mouse, grey",small\n', syntax: 'plain', isCsv: true },
  Chinese: { text: '# 港口\n\n港口六点开放。\n', syntax: 'markdown' },
} as const satisfies Record<string, Parameters<typeof spansOf>[0]>

describe('spans as numbers', () => {
  it.each(Object.entries(TEXTS))('are those of the text: %s', (_, text) => {
    const spans = spansOf(text)
    const table = new SpanTable(text.text, packSpans(spans))
    expect([...table]).toEqual(spans)
    expect(table).toHaveLength(spans.length)
    expect([table.at(-1), table.at(spans.length), table.at(Number.NaN)]).toEqual([spans.at(-1), undefined, undefined])
  })

  it('are those of any text', () => {
    const words = fc.constantFrom(
      '# a\n\n',
      '## b\n\n',
      'word ',
      '\n\n',
      '| a | b |\n| - | - |\n',
      '| 1 | 2 |\n',
      '漢字。',
      '"q,\n',
    )
    fc.assert(
      fc.property(fc.array(words), fc.boolean(), (parts, isCsv) => {
        const text = parts.join('')
        const spans = spansOf({ text, syntax: 'markdown', isCsv })
        expect([...new SpanTable(text, packSpans(spans))]).toEqual(spans)
      }),
    )
  })

  it('are cited by their numbers, and by no other word', () => {
    const { text } = TEXTS.paragraphs
    const spans = new SpanTable(text, packSpans(spansOf(TEXTS.paragraphs)))
    const sources = new ReportSources([{ alias: 'a.md', text, isCsv: false, spans }], new Map())
    expect(sources.span('a.md::S1')?.id).toBe('S1')
    expect(['a.md::S0', 'a.md::S9', 'a.md::S', 'a.md::S-1', 'b.md::S1'].map((ref) => sources.span(ref))).toEqual(
      Array.from({ length: 5 }),
    )
  })
})

describe('a CSV of many rows', () => {
  const text = `name,size\n${Array.from({ length: 20_000 }, (_, at) => `lion ${at},large\n`).join('')}`
  const given = { text, syntax: 'plain', isCsv: true } as const

  it('goes from thread to thread as a few numbers and strings', async () => {
    const spans = await cutText(given)
    const { spans: sent } = sendSpans(spans)
    if (!('numbers' in sent)) throw new Error('They are objects.')
    const { numbers, headings, headers } = sent
    for (const array of [numbers, headings.ends, headers.ends]) expect(array.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect([headings.text, headers.text]).toEqual(['', 'name,size'])
  })

  it('has the spans that it has in one thread', async () => {
    const spans = await cutText(given)
    const all = spansOf(given)
    expect([spans.length, spans.at(7_000)]).toEqual([all.length, all[7_000]])
  })

  it('answers what is asked', async () => {
    const spans = await cutText(given)
    const files = openFiles([{ alias: 'lions.csv', text, isCsv: true, spans }])
    const [part] = await files.assess('How large is lion 7007?', []).finally(files.close)
    expect(part?.findings[0]).toMatchObject({ text: 'name: lion 7007; size: large', ref: 'lions.csv::S7009' })
  })
})
