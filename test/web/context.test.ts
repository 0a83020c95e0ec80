import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RELAY } from './context-corpus.ts'
import { CHROMIUM, launch, named, pictured, type Served, type Sight, see, serving } from './support.ts'

let browser: Browser
let served: Served

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  ;[browser, served] = await Promise.all([launch(), serving(RELAY)])
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await served?.[Symbol.asyncDispose]()
})

/** The page at a query, when its table is there. */
async function inspected(query = '', sight: Sight = {}) {
  const seen = await see(browser, served, sight)
  await seen.page.goto(`${served.url}/context${query}`)
  await seen.page.getByRole('heading', { name: 'What the agent sees' }).waitFor()
  await seen.page.locator('[data-row]').first().waitFor()
  return seen
}

const row = (page: Page, name: string) => page.locator(`[data-row="${name}"]`)

describe.skipIf(CHROMIUM === undefined)(named('The context inspector'), () => {
  it.each([
    { width: 1440, dark: false },
    { width: 1440, dark: true },
    { width: 390, dark: false },
    { width: 390, dark: true },
  ])('looks as it should at $width px, dark: $dark', async ({ width, dark }) => {
    const query = '?touched=pkg/auth/handler.ts&touched=pkg/queue/queue.ts&touched=vendor/lib.js&budget=1600'
    await using seen = await inspected(query, { width, dark, height: width < 800 ? 844 : 900 })
    const { page } = seen
    await pictured(page, `context-${width}-${dark ? 'dark' : 'light'}`)
    await row(page, '.context/TASKS.md').getByRole('button').click()
    await page.getByRole('region', { name: 'Text of .context/TASKS.md' }).waitFor()
    await pictured(page, `context-open-${width}-${dark ? 'dark' : 'light'}`)
  })
})
