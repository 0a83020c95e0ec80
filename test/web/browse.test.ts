import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEAM } from './corpus.ts'
import { CHROMIUM, launch, named, pictured, type Served, SIGHTS, see, serving } from './support.ts'

let browser: Browser
let served: Served

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  ;[browser, served] = await Promise.all([launch(), serving(TEAM)])
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await served?.[Symbol.asyncDispose]()
})

describe.skipIf(CHROMIUM === undefined)(named('Browser'), () => {
  it.each(SIGHTS)('looks as it should at $width px, dark: $dark', async (sight) => {
    await using seen = await see(browser, served, sight)
    const { page, complaints } = seen
    const name = `${sight.width}-${sight.dark ? 'dark' : 'light'}`
    await page.goto(`${served.url}/browse/handbook`)
    await page.getByRole('heading', { name: 'The handbook' }).waitFor()
    await page.locator('.hljs-string').first().waitFor()
    await pictured(page, `folder-${name}`)
    await page.goto(`${served.url}/browse/handbook/api/errors.md`)
    await page.getByRole('heading', { name: 'Timeouts and retries' }).waitFor()
    await pictured(page, `markdown-${name}`)
    await page.goto(`${served.url}/browse/service/src/server.ts`)
    await page.locator('.hljs-keyword').first().waitFor()
    await pictured(page, `code-${name}`)
    await page.goto(`${served.url}/browse/figures/latency.csv`)
    await page.getByRole('columnheader', { name: 'region' }).waitFor()
    await pictured(page, `csv-${name}`)
    await page.goto(`${served.url}/browse/figures/settings.json`)
    await page.getByText('regions').waitFor()
    await pictured(page, `json-${name}`)
    expect(complaints).toEqual([])
  })
})
