import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEAM } from './corpus.ts'
import { CHROMIUM, launch, named, pictured, type Served, see, serving } from './support.ts'

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

describe.skipIf(CHROMIUM === undefined)(named('Home'), () => {
  it('lists the collections with their documents, and leads to them', async () => {
    await using seen = await see(browser, served)
    const { page, complaints } = seen
    const row = page.getByRole('row', { name: /handbook/ })
    await row.waitFor()
    expect(await row.getByRole('cell').first().textContent()).toContain('/handbook')
    expect(await row.textContent()).toContain('13')
    await row.getByRole('link', { name: 'handbook' }).click()
    await page.waitForURL('**/browse/handbook')
    expect(complaints).toEqual([])
  })

  it.each([
    { width: 1440, dark: false },
    { width: 1440, dark: true },
    { width: 390, dark: false },
    { width: 390, dark: true },
  ])('looks as it should at $width px, dark: $dark', async ({ width, dark }) => {
    await using seen = await see(browser, served, { width, dark, height: width < 800 ? 844 : 900 })
    await seen.page.getByRole('row', { name: /handbook/ }).waitFor()
    await seen.page.getByRole('heading', { name: 'What is weak' }).waitFor()
    await pictured(seen.page, `home-${width}-${dark ? 'dark' : 'light'}`)
  })
})
