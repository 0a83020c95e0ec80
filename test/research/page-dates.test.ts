import { describe, expect, it } from 'vitest'
import type { PageDate } from '../../src/ingest/extracted.ts'
import { Extractor } from '../../src/ingest/extractor.ts'
import { reportWords } from '../../src/research/report/report-words.ts'
import { formatDates, SEARCH_SERVICE } from '../../src/research/web/page-dates.ts'
import { pageReader } from '../../src/research/web/page-reader.ts'
import { served } from '../internet/served.ts'
import { own } from '../support/own.ts'

const extractor = own(new Extractor({ workers: 1 }))
const reader = pageReader({ extractor, allowLoopback: true })

async function datesOf(html: string, headers: Readonly<Record<string, string>> = {}) {
  await using server = await served((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html),
  )
  const { dates = [] } = await reader.read(server.url, AbortSignal.timeout(60_000))
  return dates.map(({ what, day, where }) => `${what} ${day} ${where}`)
}

const { days } = reportWords('', 'en')

const TEXT = '<p>The ferry carries forty cars on each crossing.</p>'
const linked = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>${TEXT}`

const [SAID, LATER] = ['2024-05-03', '2025-01-01'].map((datePublished) => ({ datePublished }))
const DAY = 'published 2024-05-03'

const published = (day: string, where = 'JSON-LD'): PageDate => ({ what: 'published', day, where })
const modified = (day: string, where = 'JSON-LD'): PageDate => ({ what: 'modified', day, where })

describe('the days of a page', () => {
  it.each<[string, string, string[]]>([
    [
      'in meta elements',
      `<meta property="article:published_time" content="2024-05-03T10:00:00Z"><meta name="dcterms.modified" content="2025-01-02">${TEXT}`,
      ['published 2024-05-03 meta article:published_time', 'modified 2025-01-02 meta dcterms.modified'],
    ],
    [
      'in JSON-LD',
      linked({ '@graph': [{ '@type': 'Organization' }, { datePublished: '2024-05-03', dateModified: '2024-06-01' }] }),
      ['published 2024-05-03 JSON-LD', 'modified 2024-06-01 JSON-LD'],
    ],
    ['in JSON-LD of the article, not of a comment', linked([{ ...SAID, comment: LATER }]), [`${DAY} JSON-LD`]],
    [
      'in a time element',
      `<time itemprop="datePublished" datetime="2024-05-03">May</time>${TEXT}`,
      [`${DAY} time element`],
    ],
    ['nowhere', TEXT, []],
    ['in broken JSON-LD', `<script type="application/ld+json">{"datePublished":</script>${TEXT}`, []],
    ['that are none', `<meta name="date" content="2024-13-45"><meta name="pubdate" content="soon">${TEXT}`, []],
    ['of something else in a sentence', '<p>The book was published on May 3, 2024 in Bergen.</p>', []],
  ])('are read %s', async (_, html, dates) => {
    expect(await datesOf(html)).toEqual(dates)
  })

  it.each<[string, PageDate[], string]>([
    ['nothing is said', [], ''],
    ['it was changed later', [published('2024-05-03'), modified('2024-06-01')], `${DAY}, modified 2024-06-01`],
    ['a change lies before the publication', [published('2024-05-03'), modified('2023-06-01')], DAY],
    ['a day of something else stands before it', [published('2026-01-10', 'meta date'), published('2024-05-03')], DAY],
    ['the page names it vaguely', [published('2024-05-03', 'meta date'), published('2022-06-01', SEARCH_SERVICE)], DAY],
    ['the service alone names one', [published('2022-06-01', SEARCH_SERVICE)], 'published 2022-06-01'],
    ['two zones have it', [published('2024-05-04'), published('2024-05-03', 'time element')], DAY],
    ['two days are named', [published('2024-05-03'), published('2022-06-01', 'time element')], ''],
  ])('are told where %s', (_, dates, told) => {
    expect(formatDates(dates, days)).toBe(told)
  })

  it('are told in the language of the report', () => {
    const dates = [published('2024-05-03'), modified('2024-06-01')]
    expect(formatDates(dates, reportWords('', 'de').days)).toBe('veröffentlicht 2024-05-03, geändert 2024-06-01')
  })
})
