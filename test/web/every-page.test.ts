/** Every page at every width in both themes: no rule of accessibility is broken, and nothing is cut off. */

import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { languageServer } from '../support/language-server.ts'
import { barriers, isTooWide } from './barriers.ts'
import { findCutOff } from './cut-off.ts'
import { inBrowser, lasting, sharedServer, visit, visitUnknown } from './in-browser.ts'
import { LAB } from './packages-corpus.ts'
import { PREVIEWS } from './preview-corpus.ts'
import { CHROMIUM, named, serveCorpus, takePicture } from './support.ts'
import { atEachSize, nextFrame, path, VIEWS } from './views.ts'
import { WIDE, WIDE_PLACES, WIDE_QUESTION, WIDE_TEXT } from './wide-corpus.ts'

const served = sharedServer({
  ...WIDE,
  files: { ...WIDE.files, ...LAB.files, ...PREVIEWS.files },
  collections: { ...WIDE.collections, ...LAB.collections, ...PREVIEWS.collections },
  uiDebug: true,
})

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  const name = 'somebody-with-a-name-that-is-long-enough-to-be-in-the-way'
  await (await served.engine.tokens()).create({ name, scopes: ['read', 'write'] })
})

/** What breaks a rule of accessibility or is cut off, by size; keeps a picture of each. */
async function problemsAtEachSize(page: Page, what: string): Promise<string[]> {
  const found: string[] = []
  await atEachSize(page, async (size) => {
    // Colours may take a moment to change; those within a closed part of the page never report that they are done.
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
    // Another theme has other colours, at all widths alike, and nothing else.
    const isDark = size.endsWith('dark')
    const lines = isDark ? [] : await findCutOff(page)
    // In the middle a page has the elements of one of the others.
    if (!isDark && !size.startsWith('768')) lines.push(...(await barriers(page)))
    if (size === '1440 dark') lines.push(...(await barriers(page, ['color-contrast'])))
    found.push(...lines.map((line) => `${what}, ${size}: ${line}`))
    await takePicture(page, `${what} ${size}`.replaceAll(/\W+/g, '-'))
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  return found
}

inBrowser(
  named('everybody can use every page, and nothing is cut off, at any width, in any theme'),
  { tags: 'long' },
  () => {
    it.each(VIEWS.map((view) => ({ what: view[0], view })))(
      'by $what',
      async ({ view: [what, address, mark, act] }) => {
        const { page, complaints } = lasting(await visit(served))
        await page.goto(`${served.url}${address}`)
        await page.locator(mark).first().waitFor()
        await act?.(page)
        expect(await problemsAtEachSize(page, what)).toEqual([])
        expect(complaints.filter((text) => !/404/.test(text))).toEqual([])
      },
    )

    it('by a page that is no wider than 360, 800 and 1200 px', async () => {
      await using seen = await visit(served)
      for (const [what, address, mark, act] of VIEWS) {
        if (act) continue
        await seen.page.goto(`${served.url}${address}`)
        await seen.page.locator(mark).first().waitFor()
        for (const width of [360, 800, 1200]) {
          await seen.page.setViewportSize({ width, height: 780 })
          await nextFrame(seen.page)
          expect([what, width, await isTooWide(seen.page)]).toEqual([what, width, false])
        }
      }
    })

    it('by a run: its plan, its log, a question, its report and its sources', async () => {
      const { page } = lasting(await visit(served))
      const found: string[] = []
      const look = async (what: string) => found.push(...(await problemsAtEachSize(page, what)))
      await page.goto(`${served.url}/research`)
      await page.getByLabel('Question').fill(`${WIDE_QUESTION}? And what else?`)
      const name = `${'plan-'.repeat(30)}.md`
      await page.getByLabel(/Drop files here/).setInputFiles([
        { name, mimeType: 'text/markdown', buffer: Buffer.from(WIDE_TEXT) },
        { name: `broken-${name.replace('.md', '.pdf')}`, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
      ])
      await page.getByLabel('Show me the plan first').check()
      await look('research form')
      await page.getByRole('button', { name: 'Start Research' }).click()
      const resume = page.getByRole('button', { name: 'Continue with this plan' })
      await resume.waitFor()
      await look('plan')
      await resume.click()
      await page.getByRole('link', { name: 'Report', exact: true }).waitFor()
      await page.getByRole('region', { name: 'Sources' }).getByRole('button').first().click()
      await look('report')
      await page.getByRole('link', { name: 'Log', exact: true }).click()
      await look('log')
      await page.getByRole('list', { name: 'Questions' }).getByRole('button').first().click()
      await page.getByRole('region', { name: /^Question 1/ }).waitFor()
      await look('question')
      await page.goto(`${served.url}/research`)
      await page.getByRole('table').waitFor()
      await look('research list')
      expect(found).toEqual([])
    })

    it('by a conversation beside a page, and as a page', async () => {
      await using model = await languageServer('chat', [
        { calls: [{ tool: 'search', input: { query: WIDE_QUESTION } }] },
        { text: WIDE_TEXT },
      ])
      await using talking = await serveCorpus({ ...WIDE, model: model.url })
      await using seen = await visit(talking)
      const { page } = seen
      await page.goto(`${talking.url}${path(WIDE_PLACES.deep)}`)
      await page.getByRole('button', { name: 'Assistant', exact: true }).first().click()
      await page.getByRole('list', { name: 'Suggested questions' }).getByRole('button').first().waitFor()
      const found = await problemsAtEachSize(page, 'assistant before a question')
      await page.getByRole('textbox', { name: /^Ask about/ }).fill(WIDE_QUESTION)
      await page.keyboard.press('Enter')
      const log = page.getByRole('log', { name: 'Conversation' })
      await log.getByRole('button', { name: 'Answer again' }).waitFor()
      await log.locator('li button[aria-expanded]').first().click()
      found.push(...(await problemsAtEachSize(page, 'assistant')))
      await page.getByRole('link', { name: 'Open as a page' }).click()
      await log.getByRole('button', { name: 'Answer again' }).waitFor()
      found.push(...(await problemsAtEachSize(page, 'chat with an answer')))
      expect(found).toEqual([])
    })

    it('by the page of a browser that is not signed in', async () => {
      await using seen = await visitUnknown(served)
      await seen.page.goto(`${served.url}/settings`)
      await seen.page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
      expect(await problemsAtEachSize(seen.page, 'sign-in')).toEqual([])
    })
  },
)
