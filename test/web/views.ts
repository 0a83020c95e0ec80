/** What there is to see of the web UI, and at which sizes: for what holds on every page. */

import type { Page } from 'playwright-core'
import { HASHES } from './packages-corpus.ts'
import { WIDE_PLACES, WIDE_QUESTION } from './wide-corpus.ts'

const WIDTHS = [390, 768, 1440] as const
const THEMES = ['light', 'dark'] as const

/** Does something at each width in each theme, without loading the page anew. */
export async function atEachSize(page: Page, work: (size: string) => Promise<void>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      await nextFrame(page)
      await work(`${width} ${colorScheme}`)
    }
  }
}

/** Waits until the page is drawn anew. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Presses a button by its name. */
export const click = (name: string) => async (page: Page) => page.getByRole('button', { name }).first().click()
const press = (keys: string) => (page: Page) => page.keyboard.press(keys)

/** An address, what shows that the page is there, and what is done then. */
export type View = readonly [what: string, path: string, mark: string, act?: (page: Page) => Promise<unknown>]

/** The page of a file of the wide corpus. */
export const path = (name: string) => `/browse/wide/${name.split('/').map(encodeURIComponent).join('/')}`
export const TIDES = '/packages/lab/harbour/tides'
const LONG_ENTRY = encodeURIComponent(
  'readings/a table whose name is so long that no column of a page could ever hold it without cutting it somewhere.csv',
)

/** Every page and form, over the wide corpus, the packages of the lab and a file of each kind. */
export const VIEWS: readonly View[] = [
  ['home', '/', 'role=table'],
  ['adding a collection', '/', 'role=table', click('Add a collection')],
  [
    'adding a bucket',
    '/',
    'role=table',
    async (page) => {
      await click('Add a collection')(page)
      await page.getByText('S3 bucket').click()
    },
  ],
  ['menu of a collection', '/', 'role=table', click('Actions for wide')],
  ['folder', '/browse/wide', '.prose h1'],
  ['description that is edited', '/browse/wide', '.prose h1', click('Edit the description')],
  [
    'side as a sheet',
    '/browse/wide',
    '.prose h1',
    async (page) => {
      await page.setViewportSize({ width: 390, height: 900 })
      await click('Side column')(page)
    },
  ],
  ['file', path(WIDE_PLACES.long), '.prose h1'],
  ['deep file', path(WIDE_PLACES.deep), '.prose h1'],
  ['source', `${path(WIDE_PLACES.deep)}?view=source`, '.code'],
  ['code', '/browse/wide/code.ts', '.hljs-keyword'],
  ['table', '/browse/wide/table.csv', 'role=region[name=/^Rows/]'],
  ['json', '/browse/wide/tree.json', '.hljs-string'],
  ['ragged table', '/browse/wide/ragged.csv', 'role=region[name=/^Rows/]'],
  ['yaml', '/browse/wide/tree.yaml', '.hljs-string'],
  ['json with an error', '/browse/wide/wrong.json', 'text=Shown as text'],
  ['bytes', '/browse/wide/bytes.bin', 'text=Not text'],
  ['notebook', '/browse/wide/cells.ipynb', '[data-notebook] math'],
  ['parquet', '/browse/data/points.parquet', 'section[aria-label^=Rows] td'],
  ['arrow', '/browse/data/cities.arrow', 'section[aria-label^=Rows] td'],
  ['900 columns', '/browse/data/wide.csv', 'section[aria-label^=Rows] td'],
  ['toml', '/browse/data/settings.toml', '[data-preview=tree] summary'],
  ['lines of json', '/browse/data/lines.jsonl', '[data-preview=tree] summary'],
  ['text of another encoding', '/browse/data/latin.txt', '.code'],
  ['empty file', '/browse/data/empty.txt', 'main h1'],
  ['image', '/browse/data/dot.png', 'main img'],
  ['video', '/browse/data/clip.mp4', 'main p'],
  ['sound', '/browse/data/tone.wav', 'text=0:01'],
  ['package with a summary', '/packages/shelf/harbour/spring', 'section[aria-label=Summary] td'],
  ['chat', '/chat', 'textarea'],
  ['absent', path(`${WIDE_PLACES.deep}/none`), 'role=alert'],
  ['search before', '/search', 'role=searchbox'],
  ['search that finds nothing', '/search?q=zzzz', 'text=Nothing was found'],
  ['search', `/search?q=${encodeURIComponent(WIDE_QUESTION)}`, 'main ol mark'],
  [
    'finder',
    '/settings',
    'role=heading',
    async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('name that')
      await page.getByRole('option').first().waitFor()
    },
  ],
  ['keys', '/settings', 'role=heading', press('?')],
  ['inspector', '/context?budget=900', '[data-row]'],
  ['inspector with all options', '/context?budget=900', '[data-row]', (page) => page.getByText('More options').click()],
  [
    'inspector with the text of a file',
    '/context?budget=900',
    '[data-row]',
    (page) => page.locator('[data-row]').first().getByRole('button').first().click(),
  ],
  ['inspector of a place', `/context?place=${encodeURIComponent(`ambit://wide/${WIDE_PLACES.deep}`)}`, '[data-row]'],
  ['task', `/task?task=${encodeURIComponent(WIDE_QUESTION)}`, 'main h1'],
  ['packages', '/packages', 'role=table'],
  ['package', TIDES, 'role=table'],
  ['package entry', `${TIDES}?path=readings&entry=${LONG_ENTRY}`, 'dl'],
  ['package metadata', `${TIDES}?tab=metadata`, 'summary'],
  ['package revisions', `${TIDES}?tab=revisions`, 'role=table'],
  ['package diff', `${TIDES}?tab=revisions&before=${HASHES.first}`, 'role=row[name=/spread/]'],
  ['package verify', `${TIDES}?tab=verify`, 'main nav'],
  [
    'package verified',
    '/packages/lab/harbour/berths?tab=verify',
    'main nav',
    async (page) => {
      await click('Verify all entries')(page)
      await page.getByText('Verification failed').waitFor()
    },
  ],
  ['settings', '/settings', 'text=No embedding model'],
  ['new token', '/settings', 'text=No embedding model', click('New token')],
  ['language model', '/settings', 'text=No embedding model', click('Change language model')],
  ['sign-in link', '/settings', 'text=No embedding model', click('Make a sign-in link')],
  ['revoking', '/settings', 'text=No embedding model', click('Revoke the token')],
  [
    'web search',
    '/settings',
    'text=No embedding model',
    async (page) => {
      await click('Change web search')(page)
      await page.getByLabel('Provider').selectOption('searxng')
    },
  ],
  ['new research', '/research', 'textarea'],
  ['no page', `/settings/${WIDE_PLACES.deep}`, 'text=This page does not exist'],
]
