/** @module-tag long */

import { expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { SOON } from '../support/soon.ts'
import { TEAM } from './corpus.ts'
import { firstOf, inBrowser, lasting, quiet, visitCorpus } from './in-browser.ts'
import { named, takePicture } from './support.ts'

/** A folder of so many files, without the files. */
const MANY = 100_000

const crowded = operations.map((operation) =>
  operation.name === 'browse' ? { ...operation, run: async (_: unknown, input: unknown) => listed(input) } : operation,
)

/** A page of it: what comes next is where it goes on. */
function listed(input: unknown) {
  const { place, limit, after = '0' } = Object(input)
  const [, collection = '', path = ''] = /^ambit:\/\/([^/]+)\/?(.*)$/.exec(String(place)) ?? []
  const [from, end] = [Number(after), Math.min(MANY, Number(after) + limit)]
  const entries = Array.from({ length: end - from }, (_, index) => ({
    name: `measurement-${String(from + index).padStart(6, '0')}-of-the-long-run-of-november.json`,
    kind: 'file',
    size: 1_000 + from + index,
    modifiedAt: '2026-11-01T00:00:00Z',
    isIndexed: true,
    docid: '#00000000',
  }))
  const next = end < MANY ? { next: String(end) } : {}
  return { collection, path, uri: place, bucket: null, contexts: [], entries, ...next }
}

inBrowser(named('a folder of 100,000 files'), () => {
  it('has few rows in the page, all of them within reach of keys, and is filtered by name', async () => {
    const { page, served } = lasting(quiet(await visitCorpus(TEAM, { operations: crowded })))
    await page.goto(`${served.url}/browse/figures`)
    await page.getByText('100,000 files').waitFor()
    const table = page.getByRole('table', { name: 'Contents of the folder' })
    expect(await table.getAttribute('aria-rowcount')).toBe('100001')
    expect(await table.getByRole('row').count()).toBeLessThan(100)
    await takePicture(page, 'folder-100000')
    await table.getByRole('link').first().focus()
    await page.keyboard.press('End')
    await page.locator('a:focus', { hasText: 'measurement-099999' }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.locator('a:focus', { hasText: 'measurement-099998' }).waitFor()
    await page.keyboard.press('Home')
    await page.locator('a:focus', { hasText: 'measurement-000000' }).waitFor()
    await page.getByLabel('Filter by name').fill('054321')
    await page.getByText('1 of 100,000 files').waitFor()
    expect(await table.getByRole('link').allTextContents()).toEqual([expect.stringContaining('measurement-054321')])
  })

  it('scrolls, and answers all the while', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM, { operations: crowded }))
    await page.goto(`${served.url}/browse/figures`)
    const table = page.getByRole('table', { name: 'Contents of the folder' })
    await page.getByText('100,000 files', { exact: true }).waitFor()
    await watchFrames(page)
    await table.hover()
    for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 40_000)
    await firstOf(table.getByRole('link', { name: /measurement-02/ }))
    expect(await longestFrame(page)).toBeLessThan(SOON)
  })
})

inBrowser(named('a text as long as any that is indexed'), () => {
  const paragraph = 'A sentence about **timeouts** and `retries`, with [a link](other.md), is followed by another. '
  const files = {
    'texts/long.md': `# Long\n\n${`${paragraph.repeat(5)}\n\n`.repeat(Math.ceil(3_900_000 / (paragraph.length * 5 + 2)))}`,
    'texts/long.js': 'const retries = { after: "timeout", times: [1, 2, 3] }\n'.repeat(70_000),
  }

  it.each(['long.md', 'long.js'])('is shown bit by bit, and the page answers all the while: %s', async (name) => {
    const { page } = lasting(quiet(await visitCorpus({ files, collections: { texts: 'texts' } })))
    await page.getByRole('row', { name: /texts/ }).waitFor()
    await watchFrames(page)
    await page.getByRole('link', { name: 'texts', exact: true }).first().click()
    await page.getByRole('link', { name: `File ${name}` }).click()
    await page.locator('[data-preview]').getByText('retries').first().waitFor()
    expect(await longestFrame(page)).toBeLessThan(SOON)
    if (name === 'long.md') await page.getByRole('button', { name: /Show more \(.* characters\)/ }).click()
    expect(await page.locator('*').count()).toBeLessThan(20_000)
  })
})

async function watchFrames(page: import('playwright-core').Page): Promise<void> {
  await page.evaluate(() => {
    const seen = window as unknown as { longest: number }
    seen.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration)
    }).observe({ type: 'longtask', buffered: false })
  })
}

/** The longest that the page did not answer since it is watched, in milliseconds. */
function longestFrame(page: import('playwright-core').Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { longest: number }).longest)
}
