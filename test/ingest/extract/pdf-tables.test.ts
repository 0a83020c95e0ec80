import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { layOutLines, type PdfLine } from '../../../src/ingest/extract/pdf-tables.ts'
import { Extractor } from '../../../src/ingest/extractor.ts'
import { FilePassages } from '../../../src/research/extractive/passages.ts'
import { spansOf } from '../../../src/research/run/spans.ts'
import { own } from '../../support/own.ts'
import { type Placed, placedPdf } from './documents.ts'

const extractor = own(new Extractor())

async function textOf(...pages: (readonly Placed[])[]): Promise<string> {
  const found = await extractor.extract('a.pdf', placedPdf(pages))
  return found.ok ? found.text : found.detail
}

/** Rows from the top of the page, each cell at the place of its column; a cell of two lines is an array. */
function grid(lefts: readonly number[], rows: readonly (readonly string[])[], font?: 'bold'): Placed[] {
  return rows.flatMap((row, at) =>
    row.flatMap((text, column): Placed[] => {
      const [left, baseline] = [lefts[column] ?? 0, 700 - at * 20]
      if (text === '') return []
      return [font && at === 0 ? [left, baseline, text, font] : [left, baseline, text]]
    }),
  )
}

/** Cells, by rows: `Plan, Price / Basic, 12`. */
const cellsOf = (text: string) => text.split(' / ').map((row) => row.split(', '))

const PLANS = cellsOf('Plan, Price, Users / Basic, 12, 5 / Team, 40, 25 / Whole house, 90, 250')

const PLANS_TEXT =
  '| Plan | Price | Users |\n| --- | --- | --- |\n| Basic | 12 | 5 |\n| Team | 40 | 25 |\n| Whole house | 90 | 250 |'

describe('a table on a page of a PDF', () => {
  it('keeps the lines on which pages start', async () => {
    const found = await extractor.extract('a.pdf', placedPdf([grid([50, 200, 300], PLANS), [[50, 700, 'Next']]]))
    expect(found).toMatchObject({ text: `${PLANS_TEXT}\n\nNext`, pages: [1, 7] })
  })

  it.each([
    ['to the left', [50, 200, 300]],
    ['close together', [50, 120, 160]],
  ])('may have its columns %s', async (_, lefts) => {
    expect(await textOf(grid(lefts, PLANS))).toBe(PLANS_TEXT)
  })

  it('may have a cell in two fonts', async () => {
    const cells: Placed[] = [
      [50, 640, 'Whole'],
      [87, 640, 'house', 'bold'],
      [200, 640, '90'],
      [300, 640, '250'],
    ]
    expect(await textOf([...grid([50, 200, 300], PLANS.slice(0, -1)), ...cells])).toBe(PLANS_TEXT)
  })

  it.each([
    ['numbers below words', cellsOf('Plan, Price / Basic, 12 / Team, 40'), undefined, true],
    ['another font', cellsOf('Plan, Kind / Basic, Small / Team, Large'), 'bold' as const, true],
    ['three short names', cellsOf('Plan, Kind, Place / Basic, Small, Here / Team, Large, There'), undefined, true],
    ['nothing', cellsOf('Name, Ambit / Kind, Engine / Language, TypeScript'), undefined, false],
    ['nothing, numbers from the first row on', cellsOf('Basic, 12, a / Team, 40, b / House, 90, c'), undefined, false],
  ])('has its first row as header by %s', async (_, rows, font, isHeader) => {
    const [first = '', delimiter = '', ...others] = (await textOf(grid([50, 200, 300], rows, font))).split('\n')
    expect(delimiter).toMatch(/^\|(?: --- \|)+$/)
    expect(/\w/.test(first)).toBe(isHeader)
    expect(others).toHaveLength(rows.length - (isHeader ? 1 : 0))
  })

  it('is found by its rows, and cited by row', async () => {
    const text = await textOf([[50, 730, 'What the plans cost is below.'], ...grid([50, 200, 300], PLANS)])
    const spans = spansOf({ text, syntax: 'plain', pages: [1] })
    expect(spans.map(({ id, text, header }) => [id, text, header])).toContainEqual([
      'S3',
      '| Team | 40 | 25 |',
      '| Plan | Price | Users |',
    ])
    const files = new FilePassages([{ alias: 'plans.pdf', title: 'Plans', text, isPrinted: true, spans }])
    const [part] = files.assess('What is the price of the plan Team?', [])
    expect(part?.findings[0]).toMatchObject({ text: 'Plan: Team; Price: 40; Users: 25', ref: 'plans.pdf::S3' })
  })

  it('tells the rows of a table without names as their cells', async () => {
    const text = await textOf(grid([50, 200], cellsOf('Name, Ambit / Kind, Engine / Language, TypeScript')))
    const spans = spansOf({ text, syntax: 'plain', pages: [1] })
    const files = new FilePassages([{ alias: 'a.pdf', title: 'A', text, isPrinted: true, spans }])
    expect(files.assess('Which language?', [])[0]?.findings[0]?.text).toBe('Language; TypeScript')
  })
})

/** A page of lines with random cells: some agree, some do not. */
function page(rows: number): PdfLine[] {
  return Array.from({ length: rows }, (_, at): PdfLine => {
    const lefts = at % 50 < 30 ? [50, 150, 250, 350] : [50 + ((at * 37) % 90), 300]
    const cells = lefts.map((left, column) => ({
      text: `c${at}x${column}`,
      left,
      right: left + 30,
      baseline: -at * 12,
      font: 'a',
    }))
    return { text: cells.map(({ text }) => text).join(' '), baseline: -at * 12, height: 10, cells }
  })
}

describe('the lines of a page', () => {
  it('all stand in its text, in their order, whether or not they are of a table', () => {
    const lines = page(500)
    const words = (text: string) => text.match(/c\d+x\d/g)
    const text = layOutLines(lines)
    expect(text).toContain('| --- |')
    expect(words(text)).toEqual(words(lines.map((line) => line.text).join('\n')))
  })

  it('are laid out at once where a cell looks like an endless number', () => {
    const lines = page(20).map((line) => ({
      ...line,
      cells: line.cells.map((cell) => ({ ...cell, text: `1${' '.repeat(200_000)}${cell.text}` })),
    }))
    expect(layOutLines(lines)).toContain('| 1 c3x1 |')
  })

  it('are laid out in linear time', () => {
    const time = (rows: number) => {
      const lines = page(rows)
      const start = performance.now()
      layOutLines(lines)
      return performance.now() - start
    }
    const best = (rows: number) => Math.min(...Array.from({ length: 5 }, () => time(rows)))
    best(1000)
    expect(best(16_000)).toBeLessThan(Math.max(50, best(4000)) * 8)
  })
})
