import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HASHES, LAB } from './packages-corpus.ts'
import { CHROMIUM, launch, named, pictured, type Served, type Sight, see, serving } from './support.ts'

let browser: Browser
let served: Served

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  ;[browser, served] = await Promise.all([launch(), serving(LAB)])
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await served?.[Symbol.asyncDispose]()
})

async function at(path: string, sight: Sight = {}) {
  const seen = await see(browser, served, sight)
  await seen.page.goto(`${served.url}${path}`)
  return seen
}

const TIDES = '/packages/lab/harbour/tides'

const SIGHTS = [
  { width: 1440, height: 900, dark: false },
  { width: 1440, height: 900, dark: true },
  { width: 390, height: 844, dark: false },
  { width: 390, height: 844, dark: true },
]

describe.skipIf(CHROMIUM === undefined)(named('Packages'), () => {
  it.each(SIGHTS)('look as they should at $width px, dark: $dark', async (sight) => {
    const name = (page: string) => `package-${page}-${sight.width}-${sight.dark ? 'dark' : 'light'}`
    await using seen = await at('/packages', sight)
    const { page, complaints } = seen
    await page.getByRole('link', { name: 'harbour/tides' }).waitFor()
    await pictured(page, name('list'))
    await page.goto(`${served.url}${TIDES}?path=plots&entry=plots/curve.svg`)
    await page.getByRole('img', { name: 'curve.svg' }).waitFor()
    await page.getByText('latest', { exact: true }).waitFor()
    await pictured(page, name('entries'))
    await page.goto(`${served.url}${TIDES}?tab=metadata`)
    await page.getByRole('heading', { name: 'Workflow' }).waitFor()
    await pictured(page, name('metadata'))
    await page.goto(`${served.url}${TIDES}?tab=revisions`)
    await page.getByRole('row', { name: /Four gauges/ }).waitFor()
    await pictured(page, name('revisions'))
    await page.goto(`${served.url}${TIDES}?tab=revisions&before=${HASHES.first}`)
    await page.getByRole('row', { name: /spread/ }).waitFor()
    await pictured(page, name('diff'))
    await page.goto(`${served.url}/packages/lab/harbour/berths?tab=verify`)
    await page.getByRole('button', { name: 'Verify all entries' }).click()
    await page.getByText('Not as it should be').waitFor()
    await pictured(page, name('verify'))
    expect(complaints).toEqual([])
  })
})
