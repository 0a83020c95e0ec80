/** Measures how long pages of the web UI do not respond to a person. */

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { notebook } from '../test/web/preview-corpus.ts'
import { type Corpus, openPage, type Served, serveCorpus } from '../test/web/support.ts'

/** Number of runs of each interaction. */
const RUNS = 7

/** Entries of the folder, documents that a search finds, lines of the file, cells of the notebook, rows of the table. */
const SIZES = { entries: 10_000, hits: 2_000, lines: 5_000, cells: 200, rows: 100_000 }

interface Interaction {
  readonly name: string
  readonly path: string
  /** Selector of an element that is there when the page is ready. */
  readonly mark: string
  /** Makes one input of a person, and waits for its effect. */
  act(page: Page, run: number): Promise<unknown>
}

const wheel = async (page: Page) => {
  await page.mouse.move(700, 600)
  for (let step = 0; step < 5; step++) await page.mouse.wheel(0, 2_000)
}

const INTERACTIONS: readonly Interaction[] = [
  {
    name: `filter of a folder of ${SIZES.entries} entries`,
    path: '/browse/many',
    mark: `text=${SIZES.entries.toLocaleString('en')} files`,
    async act(page, run) {
      const field = page.getByLabel('Filter by name')
      await field.fill('')
      await field.pressSequentially(String(run))
      await page.getByText(/ of 10,000 files/).waitFor()
    },
  },
  {
    name: `last entry of a folder of ${SIZES.entries}`,
    path: '/browse/many',
    mark: `text=${SIZES.entries.toLocaleString('en')} files`,
    async act(page, run) {
      if (run === 0) await page.locator('[data-row="0"] a').focus()
      await page.keyboard.press(run % 2 === 0 ? 'End' : 'Home')
    },
  },
  {
    name: `more of a search with ${SIZES.hits} hits`,
    path: '/search?q=measurement',
    mark: 'main ol mark',
    async act(page) {
      const hits = page.locator('main ol > li')
      const before = await hits.count()
      await page.getByRole('button', { name: /more/i }).last().click()
      await hits.nth(before).waitFor()
    },
  },
  { name: `scrolling a file of ${SIZES.lines} lines`, path: '/browse/some/long.ts', mark: '.hljs-keyword', act: wheel },
  {
    name: `scrolling a notebook of ${SIZES.cells} cells`,
    path: '/browse/some/cells.ipynb',
    mark: '[data-notebook]',
    act: wheel,
  },
  {
    name: `sorting a table of ${SIZES.rows} rows`,
    path: '/browse/some/table.csv',
    mark: 'section[aria-label^=Rows] td',
    async act(page) {
      await page.getByRole('button', { name: 'metres' }).click()
      await page.locator('section[aria-label^=Rows][aria-busy=false]').waitFor()
    },
  },
]

function corpus(): Corpus {
  const { entries, hits, lines, cells, rows } = SIZES
  const many = Array.from({ length: entries }, (_, at) => [
    `many/frame-${String(at).padStart(5, '0')}.csv`,
    at < hits ? `name,what\n${at},a measurement of the quay\n` : 'a,b\n1,2\n',
  ])
  const code = Array.from({ length: lines }, (_, at) => `export const v${at} = retry(${at})`)
  const table = Array.from({ length: rows }, (_, at) => `${at},gauge-${at % 7},${(at * 7919) % 1000}`)
  return {
    files: {
      ...Object.fromEntries(many),
      'some/long.ts': `${code.join('\n')}\n`,
      'some/cells.ipynb': notebook(cells),
      'some/table.csv': `day,gauge,metres\n${table.join('\n')}\n`,
    },
    collections: { many: 'many', some: 'some' },
  }
}

/** Milliseconds of each run, by interaction. */
export async function interactionTimes(browser: Browser): Promise<ReadonlyMap<string, readonly number[]>> {
  await using served = await serveCorpus(corpus())
  const all = new Map<string, readonly number[]>()
  for (const interaction of INTERACTIONS) all.set(interaction.name, await timesOf(browser, served, interaction))
  return all
}

async function timesOf(browser: Browser, served: Served, { path, mark, act }: Interaction): Promise<number[]> {
  await using seen = await openPage(browser, served)
  const { page } = seen
  await page.goto(`${served.url}${path}`)
  await page.locator(mark).first().waitFor()
  // Waits for the parts that are loaded when the browser is idle.
  await page.waitForLoadState('networkidle')
  await page.evaluate(WATCH)
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.evaluate('globalThis.longest = 0')
    await act(page, run)
    times.push(await page.evaluate(AFTER))
  }
  return times
}

/** A script for the page: records the longest task, and the longest time from an input to the next frame. */
const WATCH = `
  globalThis.longest = 0
  const look = (list) => {
    for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration)
  }
  new PerformanceObserver(look).observe({ type: 'longtask' })
  new PerformanceObserver(look).observe({ type: 'event', durationThreshold: 16 })`

/** A script for the page: resolves to the longest time. A time below a frame counts as a frame. */
const AFTER = `new Promise((done) => setTimeout(() => done(Math.max(16, globalThis.longest)), 250))`

/** Number of tokens in an answer. */
const TOKENS = 60
/** Milliseconds between the tokens of a fast model. */
const GAP = 37

/** Milliseconds of each token from the model's service to the screen, in Chromium, with a folder and its README open. */
export async function paintedTimes(browser: Browser): Promise<number[]> {
  const sent: number[] = []
  const service = createServer((request, response) => {
    request.resume()
    request.on('end', () => streamTokens(response, sent))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  const files = { 'few/README.md': '# A few files', '.git/': '' }
  await using served = await serveCorpus({ files, collections: { few: 'few' }, model: `http://127.0.0.1:${port}/v1` })
  await using seen = await openPage(browser, served)
  const { page } = seen
  await page.goto(`${served.url}/browse/few`)
  await page.getByRole('button', { name: 'Assistant', exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Ask about this place' }).fill('Speak.')
  await page.evaluate(LOOK)
  await page.keyboard.press('Enter')
  await page.waitForFunction((tokens) => Reflect.get(globalThis, 'painted').length === tokens, TOKENS)
  const painted = await page.evaluate(() => Reflect.get(globalThis, 'painted') as number[])
  service.closeAllConnections()
  service.close()
  // The first tokens wait for code that is loaded with the first answer.
  return painted.map((time, at) => time - (sent[at] ?? Number.NaN)).slice(5)
}

/** A script for the page: records the time of the frame in which each token appears. */
const LOOK = `
  globalThis.painted = []
  const look = () => {
    const text = document.querySelector('[role=log]')?.textContent ?? ''
    const now = performance.timeOrigin + performance.now()
    while (painted.length < ${TOKENS} && text.includes('token-' + painted.length + ';')) painted.push(now)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

async function streamTokens(response: ServerResponse, sent: number[]): Promise<void> {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let at = 0; at < TOKENS; at++) {
    sent.push(performance.timeOrigin + performance.now())
    response.write(chunk({ content: `token-${at}; ` }))
    await pause(GAP)
  }
  response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
}
