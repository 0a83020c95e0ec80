import { describe, expect, it } from 'vitest'
import { FilePassages } from '../../../src/research/extractive/passages.ts'
import { whyUnsupported } from '../../../src/research/report/claim-check.ts'
import { ReportSources } from '../../../src/research/report/sources.ts'
import { packSpans, SpanTable, spansOf } from '../../../src/research/run/spans.ts'
import { cutText, openFiles } from '../../../src/research/run/text-thread.ts'
import { fc, forAll } from '../../support/property.ts'

describe('spans as numbers', () => {
  it('are those of any text', () => {
    const words = fc.constantFrom(
      '# a\n\n',
      '#\n\n',
      '## b\n\n',
      'word ',
      '\n\n',
      '| a | b |\n| - | - |\n',
      '| 1 | 2 |\n',
      '漢字。',
      '"q,\n',
    )
    forAll(fc.array(words), fc.boolean(), fc.boolean(), (parts, isCsv, hasPages) => {
      const text = parts.join('')
      const pages = hasPages ? [1, 3, 5] : undefined
      const spans = spansOf({ text, syntax: hasPages ? 'plain' : 'markdown', isCsv, pages })
      const table = new SpanTable(text, packSpans(spans))
      expect([...table]).toEqual(spans)
      expect([table.at(-1), table.at(spans.length), table.at(Number.NaN)]).toEqual([spans.at(-1), undefined, undefined])
    })
  })

  it('are cited by their numbers, and by no other word', () => {
    const text = 'One stands here.\n\nTwo stands there.\n'
    const spans = new SpanTable(text, packSpans(spansOf({ text, syntax: 'plain' })))
    const sources = new ReportSources([{ alias: 'a.md', title: 'A', text, spans }], new Map())
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
    expect([...spans]).toEqual(spansOf(given))
    const { numbers, headings, headers } = spans.packed
    expect(numbers.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect([headings, headers]).toEqual([[[]], ['name,size']])
  })

  it('answers what is asked', async () => {
    const spans = await cutText(given)
    using files = openFiles([{ alias: 'lions.csv', title: 'Lions', text, spans }])
    const [part] = await files.assess('How large is lion 7007?', [])
    expect(part?.findings[0]).toMatchObject({ text: 'name: lion 7007; size: large', ref: 'lions.csv::S7009' })
    const sources = new ReportSources([{ alias: 'lions.csv', title: 'Lions', text, spans }], new Map())
    const row = sources.claimSource('lions.csv::S7009')
    expect(row?.context).toBe('lions.csv\nLions')
    const quotes = ['lion 7007,large', 'size: large', 'Lions']
    expect(whyUnsupported('', quotes, { sources: row ? [row] : [], question: '', computed: [] })).toBeUndefined()
  })
})

describe('the head of a table', () => {
  const head = '| Day | Hours |\n| - | - |\n'
  const rows = '| Monday | 37 |\n| Friday | 43 |'
  const many = '| Monday | 37 |\n'.repeat(1000)
  it.each([
    ['holds its rows', `For example:\n${head}${rows}`, `For example:\n${head}${rows}`, 5],
    ['holds no more than they', `${head}${rows}\n\nMore.\n\n${head}| Sunday | 0 |`, `${head}${rows}`, 4],
    ['holds none of another section', `${head}\n# B\n\n${head}${rows}`, head.trim(), 2],
    ['holds as many as have room', `${head}${many}`, `${head}${many}`.slice(0, 3994).trim(), 250],
    ['of a CSV stands alone', 'Day,Hours\nMonday,37\n', 'Day,Hours', 1],
  ])('%s', (name, text, expected, end) => {
    const spans = spansOf({ text, syntax: 'markdown', isCsv: name.includes('CSV') })
    const sources = new ReportSources([{ alias: 'a.md', title: 'A', text, spans }], new Map())
    expect(sources.claimSource('a.md::S1')?.text).toBe(expected)
    expect(sources.sourceOf('a.md::S1')).toMatchObject({ lines: { start: 1, end }, offsets: { end: expected.length } })
  })
})

it.each([
  ['a row', (cell: string) => `| name |\n| --- |\n| ${cell} |\n`],
  ['a table of names alone', (cell: string) => `| ${cell} |\n| --- |\n`],
])('of %s that is long whole words are shown', (_, textOf) => {
  const text = textOf('lions of 1,234,567 towns '.repeat(400))
  const spans = spansOf({ text, syntax: 'markdown' })
  const [part] = new FilePassages([{ alias: 'a.md', title: 'A', text, spans }]).assess('Which lions?', [])
  expect(part?.findings[0]?.text).toMatch(/^.{900,1795}\b(?:lions|of|1,234,567|towns)$/)
})
