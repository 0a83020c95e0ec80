import type { Browser, Page } from 'playwright-core'
import { CHROMIUM, launch, openPage, type Served, serveCorpus } from '../test/web/support.ts'
import { bound, type Findings, medianOf, type Table, type Verdict, within } from './harness.ts'
import { interactionTimes, paintedTimes } from './interactions.ts'

const RUNS = 9
const MANY = 100_000

/** Kilobytes that the first page loads, compressed as they are sent; milliseconds of its paints, and of an interaction. */
const LIMITS = { weight: 200, paint: 700, largest: 1_500, interaction: 100 }

/** Where a page is when something of it is there. */
const ROW = '[data-row="0"] a'

/** How long a person waits for pages of the web UI, in Chromium, on a server that has answered before. */
export async function webFigures(): Promise<Findings> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium: install it, or set AMBIT_CHROMIUM.')
  await using served = await serveCorpus({
    files: { 'few/README.md': '# A few files', 'few/guides/one.md': '# One', ...crowd() },
    collections: { few: 'few', many: 'many' },
  })
  const browser = await launch()
  try {
    const few = await measured(browser, served, '/browse/few')
    const many = await measured(browser, served, '/browse/many')
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
      tables: [tableOf({ 'a folder of 2': few, [`a folder of ${MANY}`]: many })],
    }
  } finally {
    await browser.close()
  }
}

/** Kilobytes of the page and of all that it loads, also when nothing else is to do: bodies as the server sends them. */
async function firstWeight(browser: Browser, served: Served): Promise<number> {
  await using seen = await openPage(browser, served)
  const { page } = seen
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1_000)
  return (await page.evaluate<number>(WEIGHT)) / 1_000
}

/** In the page: bytes of what was loaded, as it was sent. */
const WEIGHT = `
  [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ name }) => !new URL(name).pathname.startsWith('/api/'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`

async function interactions(browser: Browser): Promise<Verdict[]> {
  const times = await interactionTimes(browser)
  return [...times].map(([name, each]) => within(`web: ${name}`, each, LIMITS.interaction))
}

function crowd(): Readonly<Record<string, string>> {
  const names = Array.from({ length: MANY }, (_, index) => `many/measurement-${String(index).padStart(6, '0')}.csv`)
  return Object.fromEntries(names.map((name) => [name, 'a,b\n1,2\n']))
}

/** Milliseconds from when the page was asked for. */
interface Waited {
  /** Until something was painted, where the browser has the assets. */
  readonly paint: number[]
  /** The same, where it has nothing. */
  readonly first: number[]
  /** Until the largest part was painted, where it has nothing. */
  readonly largest: number[]
  /** Until the first entries were there. */
  readonly rows: number[]
}

async function measured(browser: Browser, served: Served, path: string): Promise<Waited> {
  const waited: Waited = { paint: [], first: [], largest: [], rows: [] }
  for (let run = -1; run < RUNS; run++) {
    await using seen = await openPage(browser, served)
    const { page } = seen
    const first = await opened(page, `${served.url}${path}`)
    const again = await opened(page, `${served.url}${path}`)
    if (run < 0) continue
    waited.first.push(first.paint)
    waited.largest.push(first.largest)
    waited.paint.push(again.paint)
    waited.rows.push(again.rows)
  }
  return waited
}

async function opened(page: Page, url: string): Promise<{ paint: number; largest: number; rows: number }> {
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

function verdictsOf(few: Waited, many: Waited): Verdict[] {
  return [
    within('web: first paint of a folder', few.paint, 100),
    within('web: first paint of a folder, where the browser has nothing', few.first, LIMITS.paint),
    within('web: largest paint of a folder, where the browser has nothing', few.largest, LIMITS.largest),
    within(`web: first paint of a folder of ${MANY} entries`, many.paint, 100),
    bound('web: the first of 100,000 entries over the first of 2', medianOf(many.rows) / medianOf(few.rows), {
      unit: '×',
      limit: 3,
    }),
  ]
}

function tableOf(all: Readonly<Record<string, Waited>>): Table {
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
