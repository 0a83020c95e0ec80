/** @module-tag long */

import { expect, it } from 'vitest'
import { firstOf, inBrowser, lasting, sharedServer, visit } from './in-browser.ts'
import { type Corpus, named, type Viewport } from './support.ts'

const body = (name: string, lines: number) =>
  `export function ${name}(input: string): string {\n${Array.from({ length: lines }, (_, at) => `  input = step${at}(input, 'ledger')\n`).join('')}  return input\n}\n`

/** Definitions that have nothing to do with the task. */
const OTHERS = Array.from({ length: 30 }, (_, at) => body(`other${at}`, 40).replaceAll("'ledger'", "''")).join('\n')
const NOTES = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`src/notes/${at}.ts`, `// a ledger ${at}\n`]))

const LEDGER: Corpus = {
  files: {
    '.git/': '',
    'AGENTS.md': '# Rules\n\n## Parsing\n\nThe parser of ledger lines never throws on commas.\n',
    'src/parser.ts': `${body('parseLedgerLine', 150)}\n${body('splitLedgerCommas', 80)}\n${OTHERS}`,
    ...NOTES,
    'src/ledger-notes.ts': '// a ledger\n',
    'src/store/very/deep/folder/with/a/long/name/ledger-lines-of-the-parser.ts': body('parseLedgerLines', 12),
  },
}

const served = sharedServer(LEDGER)

const TASK = 'The ledger parser drops lines: `parseLedgerLine` is wrong about commas'

/** The page of a task, when its answer is there. */
async function found(query = '&budget=1000', sight: Viewport = {}) {
  const seen = await visit(served, sight)
  await seen.page.goto(`${served.url}/task?task=${encodeURIComponent(TASK)}${query}`)
  await seen.page.locator('[data-file]').first().waitFor()
  return seen
}

inBrowser(named('The page of a task'), () => {
  it('tells the files with their reasons and lines, and shows the lines', async () => {
    const { page } = lasting(await found('&budget=4000'))
    const file = page.locator('[data-file="src/parser.ts"]')
    expect(await file.textContent()).toMatch(/defines parseLedgerLine, named in the task|defines `parseLedgerLine`/)
    expect(await file.textContent()).toContain('parseLedgerLine')
    const text = await page.getByRole('region', { name: 'What the agent sees' }).locator('pre').textContent()
    expect(text).toContain('export function parseLedgerLine')
    await page.getByText('that are less relevant').click()
    expect(await page.getByText('src/notes/9.ts').isVisible()).toBe(true)
  })

  it('shows more lines with a larger budget', async () => {
    const { page } = lasting(await found('&budget=1000'))
    const lines = async () => Number(/(\d+) line/.exec((await file.textContent()) ?? '')?.[1])
    const file = page.locator('[data-file="src/parser.ts"]')
    const before = await lines()
    await page.getByText('16,000', { exact: true }).click()
    await expect.poll(lines).toBeGreaterThan(before)
    expect(page.url()).toContain('budget=16000')
  })

  it('outlines what else the files define where signatures are asked for', async () => {
    const { page } = lasting(await found('&budget=4000'))
    const text = () => page.getByRole('region', { name: 'What the agent sees' }).locator('pre').textContent()
    expect(await text()).not.toContain(': export function other29(')
    await page.getByLabel('Outline more files').check()
    await firstOf(page.getByText(/\d signatures?/))
    expect(await text()).toMatch(/\d+: export function other29\(/)
    expect(page.url()).toContain('signatures=true')
  })

  it('asks by the form, and keeps what was asked in the address', async () => {
    const { page } = lasting(await visit(served, {}))
    await page.goto(`${served.url}/context`)
    await page.getByRole('link', { name: 'For a task' }).click()
    await page.getByText('Describe a task').waitFor()
    await page.getByLabel('Task', { exact: true }).fill('parseLedgerLines is slow')
    await page.getByRole('button', { name: 'Find lines', exact: true }).click()
    await page.locator('[data-file]').first().waitFor()
    expect(page.url()).toContain('task=parseLedgerLines')
    await page.getByLabel('Task', { exact: true }).fill('zzzqqq')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Nothing found').waitFor()
  })
})
