/**
 * Draws docs/images/web-*.webp: pages of the web UI in Chromium, with the corpus of its tests, and a model with fixed answers.
 * Run it when the pages look different: `npm run pictures`.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { languageServer } from '../test/support/language-server.ts'
import { TEAM } from '../test/web/corpus.ts'
import { LAB } from '../test/web/packages-corpus.ts'
import { CHROMIUM, launch, openPage, serveCorpus } from '../test/web/support.ts'

const IMAGES = join(import.meta.dirname, '../docs/images')

const SIZE = { width: 1280, height: 800 }

/** Quality of the WebP images, from 0 to 100. */
const QUALITY = 80

const QUESTION = 'What happens after a timeout?'

const ANSWER = `A timeout is an answer like any other: the relay sends the request again, **twice**, and then gives up [1].

> [!WARNING]
> Nothing is sent again that has no idempotency key.

\`\`\`ts
/** How long a request may take, in milliseconds. */
const TIMEOUT = 30_000
\`\`\`
`

const PLAN = `# Plan of the cache

The cache costs 400 EUR a month in 2026. It holds 10 GB.

## Limits

Answers of a customer may not be shared with another customer.
`

if (CHROMIUM === undefined) throw new Error('There is no Chromium: install it, or set AMBIT_CHROMIUM.')

/** Opens a page, and waits until it can be drawn. */
type Scene = (page: Page, url: string) => Promise<void>

const SCENES: Readonly<Record<string, Scene>> = {
  inspector: async (page, url) => {
    await page.goto(`${url}/context?place=${encodeURIComponent('ambit://handbook/api/errors.md')}&budget=400`)
    await page.locator('[data-row]').first().waitFor()
  },
  search: async (page, url) => {
    await page.goto(`${url}/search?q=timeout`)
    await page.locator('main ol mark').first().waitFor()
    await page.locator('section[aria-label=Preview] .prose, section[aria-label=Preview] .code').first().waitFor()
  },
  package: async (page, url) => {
    await page.goto(`${url}/packages/lab/harbour/tides`)
    await page.getByRole('heading', { name: 'Tide readings' }).waitFor()
  },
  chat: async (page, url) => {
    await page.goto(`${url}/chat?place=${encodeURIComponent('ambit://handbook/api')}`)
    await page.getByRole('textbox', { name: 'Ask about this place' }).fill(QUESTION)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Answer again' }).waitFor()
    await page.locator('.hljs-keyword').first().waitFor()
  },
  research: async (page, url) => {
    await page.goto(`${url}/research`)
    await page.getByLabel('Question').fill('What does the cache cost, and what may not be shared?')
    const plan = { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from(PLAN) }
    await page.getByLabel(/Drop files here/).setInputFiles([plan])
    await page.getByRole('button', { name: 'Start Research' }).click()
    await page.waitForURL('**/research/*')
    await page.getByRole('region', { name: 'Report' }).waitFor()
  },
}

await using model = await languageServer('chat', [
  { calls: [{ tool: 'search', input: { query: 'timeout' } }] },
  { text: ANSWER },
])
const files = { ...TEAM.files, ...LAB.files }
const collections = { ...TEAM.collections, ...LAB.collections }
await using served = await serveCorpus({ ...TEAM, files, collections, model: model.url })
// Research uses the built-in model, which answers the same each time.
await using quoting = await serveCorpus(TEAM)
const browser = await launch()
try {
  for (const [name, draw] of Object.entries(SCENES)) {
    const shown = name === 'research' ? quoting : served
    await using seen = await openPage(browser, shown, SIZE)
    await draw(seen.page, shown.url)
    // Waits for colours and previews. A page that follows a run is never idle, so its state does not help.
    await seen.page.waitForTimeout(1_500)
    const session = await seen.context.newCDPSession(seen.page)
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
    writeFileSync(join(IMAGES, `web-${name}.webp`), Buffer.from(data, 'base64'))
  }
} finally {
  await browser.close()
}
