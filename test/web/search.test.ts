import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEAM } from './corpus.ts'
import { CHROMIUM, launch, named, pictured, type Served, SIGHTS, see, serving } from './support.ts'

let browser: Browser
let served: Served

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  ;[browser, served] = await Promise.all([launch(), serving(TEAM)])
})

afterAll(async () => {
  await browser?.close()
  await served?.[Symbol.asyncDispose]()
})

describe.skipIf(CHROMIUM === undefined)(named('Search'), () => {
  it.each(SIGHTS)('looks as it should at $width px, dark: $dark', async (sight) => {
    await using seen = await see(browser, served, sight)
    const { page, complaints } = seen
    const name = `${sight.width}-${sight.dark ? 'dark' : 'light'}`
    await page.goto(`${served.url}/search`)
    await page.getByRole('searchbox').waitFor()
    await pictured(page, `search-empty-${name}`)
    await page.getByRole('searchbox').fill('what happens after a timeout')
    await page.getByRole('listitem').filter({ hasText: 'errors.md' }).first().waitFor()
    await pictured(page, `search-${name}`)
    await page.goto(`${served.url}/settings`)
    await page.getByText('no embedding model').waitFor()
    await pictured(page, `settings-${name}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('err')
    await page.getByRole('option', { name: /errors\.md/ }).waitFor()
    await pictured(page, `finder-${name}`)
    expect(complaints).toEqual([])
  })
})
