/** What holds for everybody on every page: no rule of accessibility is broken, at any width, in any theme. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { languageServer } from '../support/language-server.ts'
import { barriers } from './barriers.ts'
import { LAB } from './packages-corpus.ts'
import { CHROMIUM, launch, named, openPage, type Served, serveCorpus } from './support.ts'
import { atEachSize, path, VIEWS } from './views.ts'
import { WIDE, WIDE_PLACES, WIDE_QUESTION, WIDE_TEXT } from './wide-corpus.ts'

let browser: Browser
let served: Served

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  const files = { ...WIDE.files, ...LAB.files }
  const collections = { ...WIDE.collections, ...LAB.collections }
  ;[browser, served] = await Promise.all([launch(), serveCorpus({ ...WIDE, files, collections, uiDebug: true })])
})

afterAll(async () => {
  await browser?.close()
  await served?.[Symbol.asyncDispose]()
})

async function barriersAtEachSize(page: Page): Promise<string[]> {
  const found: string[] = []
  await atEachSize(page, async (size) => {
    // Colours may take a moment to change.
    await page.waitForFunction(() => document.getAnimations().length === 0)
    found.push(...(await barriers(page)).map((line) => `${size}: ${line}`))
  })
  return found
}

describe.skipIf(CHROMIUM === undefined)(
  named('no rule of accessibility is broken at any width, in any theme'),
  { tags: 'long' },
  () => {
    it.each(VIEWS.map((view) => ({ what: view[0], view })))('by $what', async ({ view: [, address, mark, act] }) => {
      await using seen = await openPage(browser, served)
      const { page } = seen
      await page.goto(`${served.url}${address}`)
      await page.locator(mark).first().waitFor()
      await act?.(page)
      expect(await barriersAtEachSize(page)).toEqual([])
    })

    it('by a run, its question, its report and its sources', async () => {
      await using seen = await openPage(browser, served)
      const { page } = seen
      await page.goto(`${served.url}/research`)
      await page.getByLabel('Question').fill(WIDE_QUESTION)
      const plan = { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from(WIDE_TEXT) }
      await page.getByLabel(/Drop files here/).setInputFiles([plan])
      await page.getByRole('button', { name: 'Start Research' }).click()
      await page.waitForURL('**/research/*')
      await page.getByRole('tab', { name: 'Report' }).waitFor()
      await page.getByRole('tab', { name: 'Log' }).click()
      const found = await barriersAtEachSize(page)
      await page.getByRole('list', { name: 'Questions' }).getByRole('button').first().click()
      await page.getByRole('region', { name: /^Question 1/ }).waitFor()
      found.push(...(await barriersAtEachSize(page)))
      await page.getByRole('tab', { name: 'Report' }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('region', { name: 'Sources' }).getByRole('button').first().click()
      found.push(...(await barriersAtEachSize(page)))
      expect(found).toEqual([])
    })

    it('by a conversation beside a page, and as a page', async () => {
      await using model = await languageServer('chat', [
        { calls: [{ tool: 'search', input: { query: WIDE_QUESTION } }] },
        { text: WIDE_TEXT },
      ])
      await using talking = await serveCorpus({ ...WIDE, model: model.url })
      await using seen = await openPage(browser, talking)
      const { page } = seen
      await page.goto(`${talking.url}${path(WIDE_PLACES.deep)}`)
      await page.getByRole('button', { name: 'Assistant', exact: true }).first().click()
      await page.getByRole('textbox', { name: /^Ask about/ }).fill(WIDE_QUESTION)
      await page.keyboard.press('Enter')
      const log = page.getByRole('log', { name: 'Conversation' })
      await log.getByRole('button', { name: 'Answer again' }).waitFor()
      await log.locator('li button[aria-expanded]').first().click()
      const found = await barriersAtEachSize(page)
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.getByRole('link', { name: 'Open as a page' }).click()
      await log.getByRole('button', { name: 'Answer again' }).waitFor()
      found.push(...(await barriersAtEachSize(page)))
      expect(found).toEqual([])
    })

    it('by the page of a browser that is not signed in', async () => {
      const page = await browser.newPage()
      await page.goto(`${served.url}/settings`)
      await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
      expect(await barriersAtEachSize(page)).toEqual([])
      await page.close()
    })
  },
)
