/**
 * What everybody can use: widths, keys, ways in.
 *
 * @module-tag long
 */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { barriers } from './barriers.ts'
import { TEAM } from './corpus.ts'
import { CHROMIUM, launch, named, type OpenPage, openPage, type Served, serveCorpus, takePicture } from './support.ts'

let browser: Browser
let served: Served

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  ;[browser, served] = await Promise.all([launch(), serveCorpus(TEAM)])
})

afterAll(async () => {
  await browser?.close()
  await served?.[Symbol.asyncDispose]()
})

const click = (name: string) => async (page: Page) => page.getByRole('button', { name }).first().click()

type View = readonly [what: string, path: string, mark: string, act?: (page: Page) => Promise<void>]

/** What there is to see: an address, what shows that it is there, and what is done then. */
const VIEWS: readonly View[] = [
  ['Home', '/', 'role=heading[name="Needs attention"]'],
  ['the form to add a collection', '/', 'role=heading[name="Needs attention"]', click('Add a collection')],
  ['the menu of a collection', '/', 'role=heading[name="Needs attention"]', click('Actions for notes')],
  ['a folder', '/browse/handbook', '.hljs-string'],
  ['a context that is edited', '/browse/handbook', '.hljs-string', click('Edit the description')],
  ['Markdown', '/browse/handbook/api/errors.md', '#text-codes'],
  ['code', '/browse/service/src/server.ts', '.hljs-keyword'],
  ['CSV', '/browse/figures/latency.csv', 'role=region[name=/^Rows/]'],
  ['JSON', '/browse/figures/settings.json', '.hljs-string'],
  ['no such place', '/browse/handbook/none', 'role=alert'],
  ['no such page', '/settings/none', 'text=This page does not exist'],
  ['Search, before', '/search', 'role=searchbox'],
  ['Search, after', '/search?q=timeout', 'main ol mark'],
  ['a search that finds nothing', '/search?q=zzzz', 'text=Nothing was found'],
  ['Settings', '/settings', 'text=No embedding model'],
  ['the finder', '/settings', 'text=No embedding model', (page) => page.keyboard.press('Control+k')],
  ['the keys', '/settings', 'text=No embedding model', (page) => page.keyboard.press('?')],
  ['the side as a sheet', '/browse/handbook', '.hljs-string', click('Side column')],
]

describe.skipIf(CHROMIUM === undefined)(named('no rule of accessibility is broken'), () => {
  describe.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])('at $width px, in both themes', (sight) => {
    let seen: OpenPage

    beforeAll(async () => {
      seen = await openPage(browser, served, sight)
    })

    afterAll(() => seen?.context.close())

    const tags = sight.width < 1000 ? 'long' : []
    it.each(VIEWS.map((view) => ({ what: view[0], view })))(
      'by $what',
      { tags },
      async ({ view: [, path, mark, act] }) => {
        const { page } = seen
        await page.goto(`${served.url}${path}`)
        await page.locator(mark).first().waitFor()
        await act?.(page)
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme })
          // Colours may take a moment to change.
          await page.waitForFunction(() => document.getAnimations().length === 0)
          expect([colorScheme, await barriers(page)]).toEqual([colorScheme, []])
        }
      },
    )
  })
})

describe.skipIf(CHROMIUM === undefined)(named('nothing is wider than the screen'), () => {
  it.each([360, 800, 1200])('at %d px', async (width) => {
    await using seen = await openPage(browser, served, { width, height: 780 })
    const { page } = seen
    for (const [what, path, mark, act] of VIEWS) {
      if (act) continue
      await page.goto(`${served.url}${path}`)
      await page.locator(mark).first().waitFor()
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect([what, Math.max(0, wider)]).toEqual([what, 0])
      if (width === 360) await takePicture(page, `360-${what.replaceAll(/\W+/g, '-').toLowerCase()}`)
    }
  })
})

describe.skipIf(CHROMIUM === undefined)(named('without a mouse'), () => {
  it('one goes from the collections to a file, and up again', async () => {
    await using seen = await openPage(browser, served)
    const { page } = seen
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await tabTo(page, 'main table a:has-text("handbook")')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/browse/handbook')
    await page.getByRole('table').getByRole('link').first().waitFor()
    await tabTo(page, 'main table a')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/browse/handbook/guides')
    await page.getByRole('link', { name: 'install.md' }).waitFor()
    await page.keyboard.press('Backspace')
    await page.waitForURL('**/browse/handbook')
    await page.keyboard.press('Backspace')
    await page.waitForURL(`${served.url}/`)
  })

  it('keys lead to the sections, and to the search', async () => {
    await using seen = await openPage(browser, served)
    const { page } = seen
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await keysTo(page, 's', '**/search')
    await page.locator('input[type=search]:focus').waitFor()
    await page.keyboard.type('timeout')
    await page.locator('main ol mark').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const second = await page.locator('[data-result]').nth(1).getAttribute('href')
    expect(await page.locator('[data-result]:focus').getAttribute('href')).toBe(second)
    await page.keyboard.press('/')
    await page.locator('input[type=search]:focus').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/browse/**')
    await keysTo(page, 'c', `${served.url}/`)
  })

  it('the finder finds a document and goes there, and gives the focus back when it is closed', async () => {
    await using seen = await openPage(browser, served)
    const { page } = seen
    await page.getByRole('button', { name: 'Add a collection' }).focus()
    await page.keyboard.press('Control+k')
    await page.locator('dialog input:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await page.locator(':focus').textContent()).toBe('Add a collection')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('idempotency')
    await page.getByRole('option', { name: /errors\.md/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/browse/handbook/api/errors.md')
  })

  it('the keys are listed by ?, and the menu of the theme is worked by arrows', async () => {
    await using seen = await openPage(browser, served)
    const { page, complaints } = seen
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    await takePicture(page, 'keys')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Theme' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('[role=menuitemradio]:focus').waitFor()
    await page.keyboard.press('End')
    await page.locator('[role=menuitemradio]:focus', { hasText: 'Dark' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(complaints).toEqual([])
  })

  it('the side column is made wider by arrows', async () => {
    await using seen = await openPage(browser, served)
    const { page } = seen
    await page.goto(`${served.url}/browse/handbook`)
    const handle = page.getByRole('separator', { name: 'Width of the side column' })
    await handle.focus()
    const before = Number(await handle.getAttribute('aria-valuenow'))
    await page.keyboard.press('ArrowLeft')
    expect(Number(await handle.getAttribute('aria-valuenow'))).toBe(before + 16)
  })

  it('whatever has the focus shows it', async () => {
    await using seen = await openPage(browser, served)
    const { page } = seen
    await page.goto(`${served.url}/browse/handbook`)
    await page.locator('.hljs-string').first().waitFor()
    const hidden: string[] = []
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      const unseen = await page.evaluate(() => {
        const focused = document.activeElement
        if (!focused || focused === document.body) return ''
        const outlined = [getComputedStyle(focused), getComputedStyle(focused, '::after')]
        return outlined.some(({ outlineStyle }) => outlineStyle !== 'none') ? '' : focused.outerHTML.slice(0, 120)
      })
      if (unseen !== '') hidden.push(unseen)
    }
    expect(hidden).toEqual([])
  })
})

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).first()
  for (let step = 0; step < 60; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${selector}.`)
}

/** By `g` and a key, which have to come within a second: pressed again where the machine was too busy for that. */
async function keysTo(page: Page, key: string, url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    const isThere = page.waitForURL(url, { timeout: 5_000 }).then(
      () => true,
      () => false,
    )
    if ((await isThere) || tries === 10) break
  }
  await page.waitForURL(url)
}
