/**
 * Each page at each width and in each theme: nothing is cut off, and the layout is as it was kept.
 *
 * @module-tag long
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { TEAM } from './corpus.ts'
import { findCutOff } from './cut-off.ts'
import { inBrowser, lasting, sharedServer, visit } from './in-browser.ts'
import { LAB } from './packages-corpus.ts'
import { PREVIEWS } from './preview-corpus.ts'
import { CHROMIUM, launch, named } from './support.ts'
import { atEachSize, click, TIDES } from './views.ts'

const plain = sharedServer({
  ...TEAM,
  files: { ...TEAM.files, ...LAB.files, ...PREVIEWS.files },
  collections: { ...TEAM.collections, ...LAB.collections, ...PREVIEWS.collections },
})

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  await (await plain.engine.tokens()).create({ name: 'reader', scopes: ['read'] })
})

/** The main views, and the two parts of each that its look stands on. */
const MAIN: readonly (readonly [
  what: string,
  path: string,
  parts: readonly [string, string],
  act?: (page: Page) => Promise<unknown>,
])[] = [
  ['home', '/', ['main h1', 'main table']],
  ['folder', '/browse/handbook', ['main table', 'main .prose']],
  ['file', '/browse/handbook/api/errors.md', ['main article', 'main .prose h1']],
  ['code', '/browse/service/src/server.ts', ['main h1', 'main .code']],
  ['table', '/browse/figures/latency.csv', ['main h1', 'main section[aria-label^=Rows]']],
  ['search', '/search?q=timeout', ['main input[type=search]', 'main ol']],
  ['inspector', '/context', ['main section[aria-label=Budget]', 'main pre']],
  ['task', '/task?task=retry', ['main h1', 'main input']],
  ['chat', '/chat', ['main h1', 'main textarea']],
  ['packages', '/packages', ['main h1', 'main table']],
  ['package', TIDES, ['main nav', 'main table']],
  ['research', '/research', ['main textarea', 'main h2']],
  ['settings', '/settings', ['main h1', 'main section:has(table)']],
  ['notebook', '/browse/data/tides.ipynb', ['main h1', '[data-notebook]']],
  ['parquet', '/browse/data/points.parquet', ['main h1', 'main section[aria-label^=Rows]']],
  ['tree', '/browse/data/settings.yaml', ['main h1', '[data-preview=tree]']],
  ['bytes', '/browse/data/unknown.bin', ['main h1', 'main h2']],
  ['sound', '/browse/data/tone.wav', ['main h1', 'main audio']],
  ['package with a summary', '/packages/shelf/harbour/spring', ['main nav', 'main section[aria-label=Summary]']],
  ['search with a preview', '/search?q=timeout&type=md', ['main ol', 'section[aria-label=Preview]']],
  ['adding a folder', '/', ['dialog[open]', 'dialog[open] ul'], click('Add a collection')],
  [
    'adding a bucket',
    '/',
    ['dialog[open]', 'dialog[open] fieldset'],
    async (page) => {
      await click('Add a collection')(page)
      await page.getByText('S3 bucket').click()
    },
  ],
]

/** Parts of every page. */
const FRAME = ['header', 'nav[aria-label=Sections]', 'main', 'aside'] as const

type Box = readonly [x: number, y: number, width: number, height: number]
type Layout = Readonly<Record<string, Box | null>>

/** Where parts of a page are, in pixels; null for what is not shown. */
function boxesOf(page: Page, selectors: readonly string[]): Promise<Layout> {
  return page.evaluate((all) => {
    const boxOf = (selector: string): Box | null => {
      const shown = [...document.querySelectorAll(selector)].find((each) => each.getClientRects().length > 0)
      if (!shown) return null
      const { x, y, width, height } = shown.getBoundingClientRect()
      return [Math.round(x), Math.round(y), Math.round(width), Math.round(height)]
    }
    return Object.fromEntries(all.map((selector) => [selector, boxOf(selector)]))
  }, selectors)
}

/** Pixels, and parts of a length, by which another font may move something: across, and down. */
const ACROSS = { pixels: 16, part: 0.05 }
const DOWN = { pixels: 32, part: 0.25 }

/** What is not where it was kept to be. */
function movedParts(kept: Layout, now: Layout): string[] {
  return Object.keys({ ...kept, ...now }).filter((name) => {
    const [before, after] = [kept[name], now[name]]
    if (!before || !after) return (before ?? null) !== (after ?? null)
    return before.some((length, at) => {
      const { pixels, part } = at % 2 === 0 ? ACROSS : DOWN
      return Math.abs(length - (after[at] ?? 0)) > pixels + part * length
    })
  })
}

/** The layout, once it is as it was kept or five seconds have passed: what loads late moves what is there. */
async function settledBoxes(page: Page, selectors: readonly string[], kept: Layout): Promise<Layout> {
  const until = Date.now() + 5000
  for (;;) {
    const now = await boxesOf(page, selectors)
    if (Date.now() > until || movedParts(kept, now).length === 0) return now
    await sleep(50)
  }
}

/** One layout holds for both themes. */
function unthemed(size: string): string {
  return size.replace(/ (light|dark)$/, '')
}

/** A line for each view and width. */
function written(layouts: Readonly<Record<string, Layout>>): string {
  const lines = Object.entries(layouts).filter(([size]) => size.endsWith('light'))
  return `{\n${lines.map(([size, layout]) => `  ${JSON.stringify(unthemed(size))}: ${JSON.stringify(layout)}`).join(',\n')}\n}\n`
}

const KEPT = join(import.meta.dirname, 'layout.json')

inBrowser(named('the layout of the main views'), () => {
  it('is as it was kept, in both themes (AMBIT_TEST_LAYOUT=write keeps it anew)', async () => {
    const { page } = lasting(await visit(plain))
    const kept: Record<string, Layout> = JSON.parse(readFileSync(KEPT, 'utf8'))
    const now: Record<string, Layout> = {}
    for (const [what, address, parts, act] of MAIN) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`${plain.url}${address}`)
      if (act) await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
      await act?.(page)
      for (const part of parts) await page.locator(part).first().waitFor()
      await atEachSize(page, async (size) => {
        const before = kept[unthemed(`${what} ${size}`)] ?? {}
        now[`${what} ${size}`] = await settledBoxes(page, [...FRAME, ...parts], before)
      })
    }
    if (process.env.AMBIT_TEST_LAYOUT === 'write') writeFileSync(KEPT, written(now))
    const moved = Object.entries(now).map(([size, layout]) => [size, movedParts(kept[unthemed(size)] ?? {}, layout)])
    expect(moved).toEqual(Object.keys(now).map((size) => [size, []]))
    expect(Object.keys(kept)).toEqual([...new Set(Object.keys(now).map(unthemed))])
  })

  it.each([
    ['what is as it was', [0, 0, 200, 40], []],
    ['another font', [4, 12, 206, 52], []],
    ['what is narrower', [0, 0, 120, 40], ['main']],
    ['what is further down', [0, 120, 200, 40], ['main']],
    ['what is gone', null, ['main']],
  ] as const)('is told from %s', (_, box, moved) => {
    expect(movedParts({ main: [0, 0, 200, 40] }, { main: box })).toEqual(moved)
  })
})

const NARROW = 'width: 200px; font: 16px monospace'
const LONG = 'x'.repeat(80)

inBrowser(named('what is cut off is found'), () => {
  const around = (inner: string, part = 'main') => `<${part} style="${NARROW}">${inner}</${part}>`

  it.each([
    [
      'a grid as wide as a child that does not wrap',
      around(`<div style="display: grid; overflow-x: hidden"><p style="white-space: nowrap">${LONG}</p></div>`),
    ],
    ['a word that does not break', around(`<p>${LONG}</p>`)],
    ['what is hidden', around(`<p style="overflow: hidden">${LONG}</p>`)],
    [
      'an ellipsis that tells the rest nowhere',
      around(`<p style="overflow: hidden; text-overflow: ellipsis">${LONG}</p>`),
    ],
    ['what scrolls out of reach of the keyboard', around(`<div style="overflow-x: auto"><p>${LONG}</p></div>`)],
    ['a page that scrolls sideways', `<main tabindex="-1" style="${NARROW}; overflow: auto"><p>${LONG}</p></main>`],
    ['the same beside the page', around(`<p>${LONG}</p>`, 'aside')],
    ['the same in a dialog', `<dialog open style="${NARROW}"><p>${LONG}</p></dialog>`],
    ['letters under each other', around(`<p style="width: 2em; overflow-wrap: anywhere">${LONG}</p>`)],
    ['an image that is too wide', around('<p><img width="400" height="4" alt="" src="data:,"></p>')],
  ])('%s', async (_, html) => {
    const page = await (await launch()).newPage()
    await page.setContent(html)
    expect(await findCutOff(page)).toHaveLength(1)
    await page.close()
  })
})
