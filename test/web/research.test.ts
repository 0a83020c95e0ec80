/** @module-tag long */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { barriers } from './barriers.ts'
import { TEAM } from './corpus.ts'
import { findCutOff } from './cut-off.ts'
import { inBrowser, lasting, quiet, visitCorpus } from './in-browser.ts'
import { PAYLOADS, TARGETS } from './payloads.ts'
import { named, type Served, takePicture } from './support.ts'

const PLAN = `# Storage plan

## Limits

The cache holds 10 GB. It must not be shared between tenants. A write to the cache takes at most 5 ms.

## Costs

The cache costs 400 EUR a month in 2026. In 2025 the cache cost 350 EUR a month.
`

const QUESTION = 'What does the cache cost? How long does a write to the cache take?'

const FILES = [
  { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from(PLAN) },
  { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 nothing') },
]

/** Writes a question, gives files, and starts. */
async function begin(page: Page, { url }: Served, options: { readonly ticks?: readonly string[] } = {}): Promise<void> {
  await page.goto(`${url}/research`)
  await page.getByLabel('Question').fill(QUESTION)
  await page.getByLabel(/Drop files here/).setInputFiles(FILES)
  for (const tick of options.ticks ?? []) await page.getByLabel(tick).check()
  await page.getByRole('button', { name: 'Start Research' }).click()
  await page.waitForURL('**/research/*')
}

const report = (page: Page) => page.getByRole('link', { name: 'Report', exact: true })
const openLog = (page: Page) => page.getByRole('link', { name: 'Log', exact: true }).click()

inBrowser(named('Research'), () => {
  it('goes from a question and files to a report, and tells each step without being asked again', async () => {
    const { page, served } = lasting(quiet(await visitCorpus(TEAM)))
    await begin(page, served)
    await report(page).waitFor()
    await openLog(page)
    const stream = page.getByRole('log', { name: 'Thought stream' })
    for (const sentence of [
      'Parsing 2 context files…',
      'Prepared context slice for node 1',
      'Routing context to child tasks…',
      'Attached full user context for report writing.',
    ]) {
      await expect.poll(() => stream.textContent()).toContain(sentence)
    }
    const files = page.getByRole('region', { name: 'Details' })
    await files.getByRole('img', { name: 'read', exact: true }).waitFor()
    await files.getByText('It is not a PDF that can be read').waitFor()
    const questions = page.getByRole('list', { name: 'Questions' }).getByRole('button')
    expect(await questions.count()).toBe(3)
    await questions.nth(1).focus()
    await page.keyboard.press('Enter')
    const node = page.getByRole('region', { name: 'Question 1.1' })
    await node.getByText('The cache costs 400 EUR a month in 2026.').waitFor()
    await node.getByText(/items?, chosen for this question/).waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Question 1.1' }).waitFor()
  })

  it('goes as deep and as far as is asked for, with the model and the web provider that are chosen', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/sessions')) sent.push(request.postDataJSON())
    })
    await page.goto(`${served.url}/research`)
    await page.getByLabel('Question').fill(QUESTION)
    await page.getByLabel(/Drop files here/).setInputFiles(FILES)
    await page.getByText('Model, depth and budget').click()
    await page.getByLabel('Depth').selectOption('1 level')
    await page.getByLabel('Model', { exact: true }).fill('local/extractive')
    await page.getByLabel('Model requests').fill('20')
    await page.getByLabel('Minutes').fill('5')
    await page.getByLabel('Cost in US dollars').fill('0.5')
    await page.getByLabel('Search the web').check()
    await page.getByLabel('Web provider').selectOption('brave')
    await takePicture(page, 'research-options')
    expect([await barriers(page), await findCutOff(page)]).toEqual([[], []])
    await page.getByRole('button', { name: 'Start Research' }).click()
    await page.getByRole('alert').getByText(/brave/).waitFor()
    await page.getByLabel('Search the web').uncheck()
    await page.getByRole('button', { name: 'Start Research' }).click()
    await report(page).waitFor()
    await openLog(page)
    expect(await page.getByRole('list', { name: 'Questions' }).getByRole('button').count()).toBe(1)
    const asked = { depth: 1, model: 'local/extractive', calls: 20, minutes: 5, cost: 0.5 }
    expect(sent).toMatchObject([{ ...asked, web: 'brave' }, asked])
  })

  it('shows a report whose citations open the passage in its file, and gives it as a file', async () => {
    const { page, served } = lasting(quiet(await visitCorpus(TEAM)))
    await begin(page, served)
    await report(page).click()
    await page.getByRole('heading', { level: 1, name: QUESTION }).waitFor()
    await page
      .getByRole('region', { name: 'Report' })
      .getByRole('button', { name: 'Source 1', exact: true })
      .first()
      .click()
    const passage = page.getByRole('region', { name: 'Cited passage' })
    await passage.getByText('## Limits').waitFor()
    expect(await passage.locator('mark').textContent()).toContain('The cache costs 400 EUR a month in 2026.')
    expect(await page.getByText(/\d+ quotations? verified/).count()).toBe(1)
    const formats = { PDF: 'pdf', Word: 'docx', Markdown: 'md', HTML: 'html', BibTeX: 'bib', JSON: 'json' }
    for (const [name, format] of Object.entries(formats)) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name, exact: true }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(new RegExp(`^(research-\\w+|report)\\.${format}$`))
    }
  })

  it('waits for the person where the plan is asked for first, and does what they made of it', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    await begin(page, served, { ticks: ['Show me the plan first'] })
    const plan = page.getByRole('region', { name: 'The plan' })
    await plan.getByRole('textbox', { name: 'Question 1' }).fill('How much does the cache hold?')
    await plan.getByRole('button', { name: 'Remove question 2' }).click()
    await plan.getByRole('button', { name: 'Pin question 1' }).click()
    await plan.getByRole('button', { name: 'Continue with this plan' }).click()
    await report(page).waitFor()
    await openLog(page)
    const questions = page.getByRole('list', { name: 'Questions' }).getByRole('button')
    expect(await questions.allTextContents()).toEqual([
      expect.stringContaining(QUESTION),
      expect.stringContaining('How much does the cache hold?'),
    ])
  })

  it('takes no fact from front matter, and shows a quotation as one', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    await page.goto(`${served.url}/research`)
    await page.getByLabel('Question').fill('What does the cache cost?')
    const text =
      '---\ntitle: The cache costs 999 EUR\ncost: 999 EUR\n---\n\n# Plan\n\nThe cache costs 400 EUR a month in 2026.\n'
    const file = { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from(text) }
    await page.getByLabel(/Drop files here/).setInputFiles([file])
    await page.getByRole('button', { name: 'Start Research' }).click()
    await report(page).click()
    const main = page.getByRole('main')
    await main.getByText('The cache costs 400 EUR a month in 2026.').first().waitFor()
    expect(await main.textContent()).not.toMatch(/999|^> /m)
  })

  it('stops with a report of what it found, and another question goes on from it', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    await begin(page, served, { ticks: ['Show me the plan first'] })
    await page.getByRole('button', { name: 'Stop' }).click()
    await report(page).waitFor()
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    expect(await page.locator('[class*=animate-spin]').count()).toBe(0)
    await page.getByRole('link', { name: 'Ask a follow-up' }).click()
    await page.getByText(/Follow-up: it starts with the files and findings of/).waitFor()
    await page.getByLabel('Question').fill('What may not be shared?')
    await page.getByRole('button', { name: 'Start Research' }).click()
    await page.getByRole('heading', { level: 1, name: 'What may not be shared?' }).waitFor()
    await report(page).waitFor()
    await openLog(page)
    await page.getByRole('region', { name: 'Details' }).getByText('plan.md').waitFor()
  })

  it('says what is wrong with a session that there is none of', async () => {
    await using seen = await visitCorpus(TEAM)
    const { served } = seen
    await seen.page.goto(`${served.url}/research/0123456789abcdef0123456789abcdef`)
    await seen.page.getByText('There is no research session').waitFor()
  })
})

inBrowser(named('The digest pane of research'), () => {
  it('is not in the page where it is not asked for, and bodies of slices are not sent', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    const bodies: string[] = []
    page.on('response', async (response) => {
      if (/\/api\/sessions\/\w+$/.test(response.url())) bodies.push(await response.text().catch(() => ''))
    })
    await begin(page, served)
    await report(page).waitFor()
    expect(await page.getByRole('region', { name: 'Aggregate digest' }).count()).toBe(0)
    expect(bodies.length).toBeGreaterThan(0)
    expect(bodies.join('')).toContain('"selected_items_count"')
    expect(bodies.join('')).not.toContain('"selected_items":')
  })

  it('shows the slice of the node that was entered, and that the report has everything, where it is', async () => {
    const { page, served } = lasting(await visitCorpus({ ...TEAM, uiDebug: true }))
    await begin(page, served, { ticks: ['Show me the plan first'] })
    const pane = page.getByRole('region', { name: 'Aggregate digest' })
    await pane.getByText('selected_items:').waitFor()
    expect(await pane.textContent()).toContain('The cache holds 10 GB.')
    await page.getByRole('button', { name: 'Continue with this plan' }).click()
    await report(page).waitFor()
    await openLog(page)
    await pane.getByText('Full context attached.').waitFor()
  })
})

inBrowser(named('Hostile research'), () => {
  it('runs nothing and asks nobody else, whatever questions, names and files say', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    const sung: string[] = []
    const foreign: string[] = []
    await page.exposeFunction('pwned', () => sung.push('pwned'))
    page.on('request', (request) => {
      if (!request.url().startsWith(served.url)) foreign.push(request.url())
    })
    const says = [...PAYLOADS, ...TARGETS].map((each) => `The cache costs 400 EUR ${each} a month.`)
    await page.goto(`${served.url}/research`)
    await page.getByLabel('Question').fill(`What does the cache cost ${PAYLOADS.slice(0, 5).join(' ')}?`)
    const buffer = Buffer.from(`# ${PAYLOADS[2]}\n\n${says.join('\n\n')}\n`)
    const name = '<img src=x onerror=pwned()>.md'
    await page.getByLabel(/Drop files here/).setInputFiles([{ name, mimeType: 'text/markdown', buffer }])
    await page.getByRole('button', { name: 'Start Research' }).click()
    await report(page).click()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const source of await page.getByRole('region', { name: 'Sources' }).getByRole('button').all()) {
      await source.click()
    }
    expect(await page.locator('iframe, object, embed, form, base, #root img').count()).toBe(0)
    expect([sung, foreign]).toEqual([[], []])
  })
})
