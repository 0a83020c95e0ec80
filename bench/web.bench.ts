import type { Browser, Page } from 'playwright-core'
import { CHROMIUM, launch, openPage, type Served, serveCorpus } from '../test/web/support.ts'
import { bound, type Findings, medianOf, type Table, type Verdict, within } from './harness.ts'
import { interactionTimes, paintedTimes } from './interactions.ts'

const RUNS = 9
const LARGE_FOLDER = 100_000

/** Limits: compressed kilobytes that the first page loads; milliseconds until its paints, and of an interaction. */
const LIMITS = { weight: 200, paint: 700, largest: 1_500, interaction: 100 }

/** The element that shows that a page has its first entries. */
const ROW = '[data-row="0"] a'

/** Measures how long pages of the web UI take in Chromium, on a server that has answered before. */
export async function webFigures(): Promise<Findings> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium: install it, or set AMBIT_CHROMIUM.')
  await using served = await serveCorpus({
    files: { 'few/README.md': '# A few files', 'few/guides/one.md': '# One', ...manyFiles() },
    collections: { few: 'few', many: 'many' },
  })
  const browser = await launch()
  try {
    const few = await measurePage(browser, served, '/browse/few')
    const many = await measurePage(browser, served, '/browse/many')
    return {
      verdicts: [
        ...verdictsOf(few, many),
        bound('web: weight of the first page, compressed as it is sent', await firstWeight(browser, served), {
          unit: 'kB',
          limit: LIMITS.weight,
        }),
        ...(await interactions(browser)),
        within("web: from a model's token to its paint, in the assistant", await paintedTimes(browser), 120),
      ],
      tables: [tableOf({ 'a folder of 2': few, [`a folder of ${LARGE_FOLDER}`]: many })],
    }
  } finally {
    await browser.close()
  }
}

/** Kilobytes of the page and of all that it loads, also when idle. Counts bodies as the server sends them. */
async function firstWeight(browser: Browser, served: Served): Promise<number> {
  await using seen = await openPage(browser, served)
  const { page } = seen
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1_000)
  return (await page.evaluate<number>(WEIGHT)) / 1_000
}

/** A script for the page: the bytes that were loaded, as they were sent. */
const WEIGHT = `
  [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ name }) => !new URL(name).pathname.startsWith('/api/'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`

async function interactions(browser: Browser): Promise<Verdict[]> {
  const times = await interactionTimes(browser)
  return [...times].map(([name, each]) => within(`web: ${name}`, each, LIMITS.interaction))
}

function manyFiles(): Readonly<Record<string, string>> {
  const names = Array.from(
    { length: LARGE_FOLDER },
    (_, index) => `many/measurement-${String(index).padStart(6, '0')}.csv`,
  )
  return Object.fromEntries(names.map((name) => [name, 'a,b\n1,2\n']))
}

/** Milliseconds from the request for the page. */
interface PageTimes {
  /** Until the first paint, with the assets in the browser's cache. */
  readonly paint: number[]
  /** Until the first paint, with an empty cache. */
  readonly first: number[]
  /** Until the largest paint, with an empty cache. */
  readonly largest: number[]
  /** Until the first entries appeared, with the assets in the browser's cache. */
  readonly rows: number[]
}

async function measurePage(browser: Browser, served: Served, path: string): Promise<PageTimes> {
  const pageTimes: PageTimes = { paint: [], first: [], largest: [], rows: [] }
  for (let run = -1; run < RUNS; run++) {
    await using seen = await openPage(browser, served)
    const { page } = seen
    const first = await openAndTime(page, `${served.url}${path}`)
    const again = await openAndTime(page, `${served.url}${path}`)
    if (run < 0) continue
    pageTimes.first.push(first.paint)
    pageTimes.largest.push(first.largest)
    pageTimes.paint.push(again.paint)
    pageTimes.rows.push(again.rows)
  }
  return pageTimes
}

async function openAndTime(page: Page, url: string): Promise<{ paint: number; largest: number; rows: number }> {
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector(ROW, { timeout: 60_000 })
  return page.evaluate(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
    const rows = performance.now()
    return new Promise<{ paint: number; largest: number; rows: number }>((resolve) => {
      new PerformanceObserver((list) => {
        resolve({ paint, largest: list.getEntries().at(-1)?.startTime ?? Number.NaN, rows })
      }).observe({ type: 'largest-contentful-paint', buffered: true } as never)
    })
  })
}

function verdictsOf(few: PageTimes, many: PageTimes): Verdict[] {
  return [
    within('web: first paint of a folder', few.paint, 100),
    within('web: first paint of a folder, where the browser has nothing', few.first, LIMITS.paint),
    within('web: largest paint of a folder, where the browser has nothing', few.largest, LIMITS.largest),
    within(`web: first paint of a folder of ${LARGE_FOLDER} entries`, many.paint, 100),
    bound('web: the first of 100,000 entries over the first of 2', medianOf(many.rows) / medianOf(few.rows), {
      unit: '×',
      limit: 3,
    }),
  ]
}

function tableOf(all: Readonly<Record<string, PageTimes>>): Table {
  const rows = Object.entries(all).map(([name, { first, paint, rows }]) => [
    name,
    ...[first, paint, rows].map((times) => Math.round(medianOf(times)).toLocaleString('en')),
  ])
  return {
    title: 'Pages of the web UI',
    note: `Milliseconds in Chromium from the request for a page; medians of ${RUNS}. The sign-in before it has loaded the home page.`,
    columns: ['page', 'first paint', 'again', 'first entries'],
    rows,
  }
}
