import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { budgetAt, LAST_STEP, stepOf } from '../../web/src/pages/context/budget-scale.ts'
import { shownLines } from '../../web/src/pages/descriptions/shown-lines.ts'
import { fc, forAll } from '../support/property.ts'
import { barriers } from './barriers.ts'
import { RELAY } from './context-corpus.ts'
import { inBrowser, lasting, quiet, sharedServer, visit } from './in-browser.ts'
import { named, takePicture } from './support.ts'

const served = sharedServer(RELAY)

/** The page at a query, when its answer is there. */
async function inspected(query = '') {
  const seen = await visit(served)
  await seen.page.goto(`${served.url}/context${query}`)
  await seen.page.locator('[data-row]').first().waitFor()
  return seen
}

const row = (page: Page, name: string) => page.locator(`[data-row="${name}"]`)
const segment = (page: Page, name: string) => page.locator(`[data-segment="${name}"]`)
const rendering = (page: Page) => page.getByRole('region', { name: 'What the agent sees' }).locator('pre')
const textOf = (page: Page, name: string) => page.getByRole('region', { name: `Text of ${name}` })

/** Tokens that the page says are used. */
async function used(page: Page): Promise<number> {
  const text = await page.getByRole('region', { name: 'Budget', exact: true }).locator('p').first().textContent()
  return Number(/([\d,]+)used/.exec(text?.replace(/\s/g, '') ?? '')?.[1]?.replaceAll(',', ''))
}

const TOUCHED = '?touched=pkg/auth/handler.ts&touched=pkg/queue/queue.ts&touched=vendor/lib.js'

inBrowser(named('The context inspector'), () => {
  it('says of each file what became of it, and why, and opens a row to its text, the cut part told apart', async () => {
    const { page } = lasting(await inspected(`${TOUCHED}&budget=880`))
    const reasons: readonly (readonly [string, RegExp])[] = [
      ['.context/CONSTITUTION.md', /Pinned: never cut\./],
      ['pkg/auth/AGENTS.md', /Touched pkg\/auth\/handler\.ts\./],
      ['.context/TASKS.md', /\d+ of \d+.*Cut for the budget: \d+ done tasks/],
      ['vendor/AGENTS.md', /Excluded by a \.gitignore\./],
      ['CLAUDE.md', /AGENTS\.md in the same directory is read first\./],
    ]
    for (const [name, reason] of reasons) expect(await row(page, name).textContent()).toMatch(reason)
    await page.getByText('files looked for and not found').click()
    expect(await page.getByText('.context/DRIFT.md').isVisible()).toBe(true)
    expect(await used(page)).toBeLessThanOrEqual(880)
    await row(page, '.context/TASKS.md').getByRole('button').click()
    const text = (await textOf(page, '.context/TASKS.md').textContent()) ?? ''
    expect(text).toContain('Rotate the signing keys')
    expect(text).toContain('Move handler 31 of the relay')
    expect(text).toMatch(/cut: \d+ lines/)
    expect(await rendering(page).textContent()).not.toContain('Move handler 31')
    await row(page, '.context/TASKS.md').getByRole('button').first().click()
    await textOf(page, '.context/TASKS.md').waitFor({ state: 'detached' })
  })

  it('shows bar and table as one: what the pointer is on in one lights up in the other', { tags: 'long' }, async () => {
    const { page } = lasting(await inspected(TOUCHED))
    await segment(page, '.context/TASKS.md').hover()
    await page.locator('[data-row=".context/TASKS.md"][data-pointed]').waitFor()
    await row(page, 'AGENTS.md').hover()
    await page.locator('[data-row="AGENTS.md"][data-pointed]').waitFor()
    expect(await page.locator('[data-pointed]').count()).toBe(1)
    await segment(page, '.context/TASKS.md').click()
    await textOf(page, '.context/TASKS.md').waitFor()
  })

  it('runs again at once when the budget is dragged, and stops what is superseded', { tags: 'long' }, async () => {
    const { page } = lasting(quiet(await inspected(TOUCHED)))
    const stopped: string[] = []
    page.on('requestfailed', (request) => stopped.push(request.failure()?.errorText ?? ''))
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let asked = 0
    await page.route('**/api/load?**', async (route) => {
      asked++
      await released
      await route.continue().catch(() => {})
    })
    const before = await used(page)
    const slider = page.getByRole('slider', { name: 'Budget' })
    await slider.focus()
    for (let step = 1; step <= 4; step++) {
      for (let presses = 0; presses < 6; presses++) await page.keyboard.press('ArrowLeft')
      // Nothing is answered yet: what was asked before is of no use any more.
      await expect.poll(() => asked).toBeGreaterThanOrEqual(step)
      await expect.poll(() => stopped.length).toBeGreaterThanOrEqual(step - 1)
    }
    release()
    await page.waitForURL((url) => Number(url.searchParams.get('budget')) < 2000)
    const budget = Number(new URL(page.url()).searchParams.get('budget'))
    await expect.poll(() => used(page)).toBeLessThanOrEqual(budget)
    expect(await used(page)).toBeLessThan(before)
    expect(new Set(stopped)).toEqual(new Set(['net::ERR_ABORTED']))
  })

  it('takes a budget that is written, and says when pinned text is over it', { tags: 'long' }, async () => {
    const { page } = lasting(await inspected())
    await page.getByRole('spinbutton', { name: 'Budget in tokens' }).fill('12')
    await page.getByText('used, over the budget').waitFor()
  })

  it('shows and copies what the agent gets in each format, and answers why a file is not there', async () => {
    const { page, context } = lasting(await inspected())
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const formats = [
      ['XML', /^<context filename="/],
      ['JSON', /^\{\n {2}"place": "/],
      ['Markdown', /^# Project Context/],
    ] as const
    for (const [name, beginning] of formats) {
      await page.getByRole('radio', { name }).check({ force: true })
      await expect.poll(() => rendering(page).textContent()).toMatch(beginning)
      await page.getByRole('button', { name: 'Copy', exact: true }).click()
      await page.getByRole('button', { name: /^Copied/ }).waitFor()
      const copied: string = await page.evaluate('navigator.clipboard.readText()')
      expect(copied).toMatch(beginning)
      if (name === 'JSON') expect(JSON.parse(copied)).toMatchObject({ budget: 8000, ledger: expect.any(Array) })
    }
    await page.getByLabel('Why is a file missing?').fill('pkg/auth/AGENTS.md')
    await page.keyboard.press('Enter')
    await page.getByText(/Its directory is neither at nor above/).waitFor()
  })

  it('has all that it shows in its address, which can be shared', async () => {
    const { page, context } = lasting(await inspected())
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByLabel('A file that the agent touched').fill('pkg/auth/handler.ts')
    await page.keyboard.press('Enter')
    await row(page, 'pkg/auth/AGENTS.md').waitFor()
    await page.getByLabel('Task').fill('rotate the keys')
    await page.waitForURL(/task=rotate/)
    await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('claude')
    await page.waitForURL(/profile=claude/)
    await page.getByText('More options').click()
    await page.getByRole('checkbox', { name: /home folder/ }).uncheck()
    await page.waitForURL(/home=false/)
    await page.getByRole('button', { name: 'Share link' }).click()
    const shared: string = await page.evaluate('navigator.clipboard.readText()')
    await page.goto(shared)
    await page.locator('[data-row]').first().waitFor()
    expect(await page.getByLabel('Task').inputValue()).toBe('rotate the keys')
    expect(await page.getByRole('combobox', { name: 'Agent', exact: true }).inputValue()).toBe('claude')
    expect(await page.getByRole('checkbox', { name: /home folder/ }).isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Remove pkg/auth/handler.ts' }).click()
    await page.waitForURL((url) => !url.searchParams.has('touched'))
  })

  it('goes to any place, and says what is wrong with one that is none', { tags: 'long' }, async () => {
    const { page } = lasting(await inspected())
    const place = page.getByLabel('Folder or place')
    await place.fill('empty')
    await place.press('Enter')
    await page.getByText('No context here yet').waitFor()
    await place.fill('/etc')
    await place.press('Enter')
    await page.getByRole('alert').getByText('is not in a directory that is served').waitFor()
    await place.fill('pkg/auth')
    await place.press('Enter')
    await row(page, 'pkg/auth/AGENTS.md').waitFor()
    expect(await page.getByLabel('Folder or place').inputValue()).toBe('pkg/auth')
  })

  it('is of places in collections, too: what people said of them comes first', { tags: 'long' }, async () => {
    const { page } = lasting(quiet(await inspected('?place=ambit://lab/readings/2026/quay.csv&withContextDir=true')))
    for (const name of [
      'About /readings/2026',
      'About lab',
      'readings/2026/README.md',
      'AGENTS.md',
      '.context/TASKS.md',
    ]) {
      await row(page, name).waitFor()
    }
    expect(await row(page, 'About lab').textContent()).toContain('Description of this place.')
    expect(await row(page, 'About lab').getByRole('img', { name: 'Descriptions' }).count()).toBe(1)
    expect(await row(page, '.context/TASKS.md').getByRole('img', { name: 'Context directory' }).count()).toBe(1)
    await page.getByText('no budget').waitFor()
    expect(await rendering(page).textContent()).toMatch(/^<path-context path="\/">/)
    await takePicture(page, 'context-collection')
    await page.getByRole('slider', { name: 'Budget' }).focus()
    await page.keyboard.press('Home')
    await page.getByText('100 budget').waitFor()
  })

  it('is beside every place of the browser, in short, and leads to the whole', { tags: 'long' }, async () => {
    const { page } = lasting(quiet(await visit(served)))
    await page.goto(`${served.url}/browse/lab/readings/2026`)
    await page.getByRole('button', { name: 'Context', exact: true }).click()
    await page.getByText('About /readings/2026').waitFor()
    await takePicture(page, 'context-side')
    expect(await barriers(page)).toEqual([])
    await page.getByRole('link', { name: 'See the whole context' }).click()
    await row(page, 'About lab').waitFor()
  })

  it('is of packages, too', { tags: 'long' }, async () => {
    const { page } = lasting(await inspected('?place=lab/harbour/tides:latest'))
    const facts = page.locator('[data-row*="harbour/tides"]')
    await facts.first().waitFor()
    expect(await facts.first().getByRole('img', { name: 'Package' }).count()).toBe(1)
    await takePicture(page, 'context-package')
  })

  it('is used by keys alone', { tags: 'long' }, async () => {
    const { page } = lasting(await inspected(`${TOUCHED}&budget=880`))
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    await page.waitForURL('**/context')
    await page.goto(`${served.url}/context${TOUCHED}&budget=880`)
    await page.locator('[data-row]').first().waitFor()
    await page.getByText('More options').focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement?.textContent')).toContain('.context/CONSTITUTION.md')
    for (let at = 0; at < 5; at++) await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement?.textContent')).toContain('.context/TASKS.md')
    await page.keyboard.press('Enter')
    await textOf(page, '.context/TASKS.md').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe('Text of .context/TASKS.md')
  })

  it('shows what a stranger wrote as letters', async () => {
    const { page, complaints } = lasting(quiet(await inspected('?place=hostile')))
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('dialog', () => complaints.push('a dialog'))
    await row(page, 'AGENTS.md').getByRole('button').click()
    const text = (await textOf(page, 'AGENTS.md').textContent()) ?? ''
    expect(text).toContain('<img src="https://evil.example/x" onerror="alert(1)">')
    expect(text).toContain('U+202E')
    expect(await page.locator('main img, main iframe, main script').count()).toBe(0)
    expect(asked.filter((url) => !url.startsWith(served.url))).toEqual([])
  })
})

describe('a file of which a part is shown', () => {
  const marks = (file: string, shown: string) =>
    shownLines(file, shown).map(({ is, text, rest }) => `${is[0]} ${text}${rest ? `|${rest}` : ''}`)

  it.each([
    ['all of it', 'a\nb\n', 'a\nb\n', ['s a', 's b']],
    ['nothing', 'a\nb\n', '', ['c a', 'c b']],
    ['the middle', 'a\nb\nc\n', 'b\n', ['c a', 's b', 'c c']],
    ['a mark that is not in it', 'a\nb\n', 'a\n\n[truncated]\n', ['s a', 'm [truncated]', 'c b']],
    [
      'a mark after an empty line, and empty lines below',
      'a\n\nb\nc\n\nd\n',
      'a\n\nb\n\n[truncated]\n',
      ['s a', 's ', 's b', 'm [truncated]', 'c c', 'c ', 'c d'],
    ],
    ['a mark in the middle', 'a\nb\nc\n', 'a\n[truncated]\nc\n', ['s a', 'm [truncated]', 'c b', 's c']],
    [
      'the first of two blocks that begin and end alike',
      '```\none\n```\ntext\n```\ntwo\n```\n',
      '```\none\n```\n',
      ['s ```', 's one', 's ```', 'c text', 'c ```', 'c two', 'c ```'],
    ],
    [
      'the second of them',
      '```\none\n```\ntext\n```\ntwo\n```\n',
      '```\ntwo\n```\n',
      ['c ```', 'c one', 'c ```', 'c text', 's ```', 's two', 's ```'],
    ],
    ['the last of lines that are the same', 'x\na\nx\nb\n', 'x\nb\n', ['c x', 'c a', 's x', 's b']],
    [
      'the beginning of a paragraph',
      'One sentence that is long enough. Another.\n',
      'One sentence that is long enough.\n',
      ['s One sentence that is long enough.| Another.'],
    ],
  ])('has each line marked: %s', (_, file, shown, expected) => {
    expect(marks(file, shown)).toEqual(expected)
  })

  it('keeps all lines of the file, and all that are shown, each in its order', () => {
    const line = fc.constantFrom('', 'a', 'b', '- [x] done', '```')
    const isFilled = (text: string) => text !== '\n'
    forAll(fc.array(fc.tuple(line, fc.boolean()), { maxLength: 30 }), (lines) => {
      const file = lines.map(([text]) => `${text}\n`).join('')
      const shown = lines.flatMap(([text, isShown]) => (isShown ? [`${text}\n`] : [])).join('')
      const marked = shownLines(file, shown)
      expect(marked.map(({ text }) => `${text}\n`).join('')).toBe(file)
      const found = marked.flatMap(({ is, text }) => (is === 'shown' ? [`${text}\n`] : []))
      expect(found.filter(isFilled).join('')).toBe(shown.replace(/^\n/gm, ''))
    })
  })
})

it('the steps of the budget go up, each by a little, in round numbers', () => {
  const budgets = Array.from({ length: LAST_STEP + 1 }, (_, step) => budgetAt(step))
  expect([budgets[0], budgets.at(-1)]).toEqual([100, 200_000])
  for (const [at, budget] of budgets.entries()) {
    expect(stepOf(budget)).toBe(at)
    expect(budget).toBeGreaterThan(budgets[at - 1] ?? 0)
    expect(String(budget).replace(/0+$/, '').length).toBeLessThanOrEqual(2)
  }
})
