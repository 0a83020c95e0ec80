/** With keys alone: nothing in this file clicks. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { TEAM } from './corpus.ts'
import { inBrowser, lasting, quiet, visitCorpus } from './in-browser.ts'
import { named, takePicture } from './support.ts'

type Role = 'button' | 'link' | 'textbox' | 'checkbox'

/** Presses Tab until what has the focus is this, and then the keys. */
async function tabTo(page: Page, role: Role, name: string | RegExp, ...keys: readonly string[]): Promise<void> {
  const target = page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).first()
  await target.waitFor()
  for (let step = 0; step < 80; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return press(page, ...keys)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}.`)
}

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Presses `g` and a key; again where the machine was too busy for both in time. */
async function go(page: Page, key: string, isThere: () => Promise<unknown>): Promise<void> {
  const told = async () => {
    await press(page, 'g', key)
    return isThere().then(
      () => true,
      () => false,
    )
  }
  await expect.poll(told).toBe(true)
}

const goTo = (page: Page, key: string, url: string) => go(page, key, () => page.waitForURL(url, { timeout: 3_000 }))

inBrowser(named('With keys alone'), { tags: 'long' }, () => {
  it('one adds a folder, indexes it, and hears when that is done', async () => {
    const { page } = lasting(quiet(await visitCorpus({ files: TEAM.files })))
    await tabTo(page, 'button', 'Add a collection', 'Enter')
    await tabTo(page, 'button', 'handbook', 'Enter')
    await page.getByRole('list', { name: /handbook$/ }).waitFor()
    await tabTo(page, 'button', 'Add', 'Enter')
    await page.waitForURL('**/browse/handbook')
    // The navigation counts the documents of each collection.
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'handbook 13' }).waitFor()
  })

  it('one walks a folder with arrows from anywhere on its page, and reads a file', async () => {
    const { page, served } = lasting(quiet(await visitCorpus(TEAM)))
    await page.goto(`${served.url}/browse/handbook`)
    await page.getByRole('table', { name: 'Contents of the folder' }).getByRole('link').first().waitFor()
    // No Tab before it.
    await press(page, 'ArrowDown')
    await page.locator('[data-row="0"] a:focus').waitFor()
    await press(page, 'End', 'Home', 'ArrowDown')
    const second = await page.locator('[data-row="1"] a:focus').getAttribute('href')
    await press(page, 'Enter')
    await page.waitForURL(`**${second}`)
  })

  it('one asks the assistant: g a leads into its field', async () => {
    const { page, served } = lasting(quiet(await visitCorpus(TEAM)))
    await page.goto(`${served.url}/browse/handbook`)
    await page.getByRole('table', { name: 'Contents of the folder' }).waitFor()
    await go(page, 'a', () => page.locator('[data-ask]:focus').waitFor({ timeout: 3_000 }))
    await page.keyboard.type('What happens after a timeout?')
    await press(page, 'Enter')
    const log = page.getByRole('log', { name: 'Conversation' })
    await log.getByText('What happens after a timeout?').first().waitFor()
    await log.getByRole('button', { name: 'Answer again' }).waitFor()
    expect(await log.textContent()).toMatch(/timeout/i)
  })

  it('one starts research, and reads the report', async () => {
    const { page } = lasting(quiet(await visitCorpus(TEAM)))
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await goTo(page, 'r', '**/research')
    await tabTo(page, 'textbox', 'Question')
    await page.keyboard.type('What happens after a timeout?')
    await tabTo(page, 'button', 'Start Research', 'Enter')
    await page.waitForURL('**/research/*')
    await page.getByRole('region', { name: 'Report' }).waitFor()
    await tabTo(page, 'link', 'Log', 'Enter')
    await page.getByRole('log', { name: 'Thought stream' }).waitFor()
    await tabTo(page, 'link', 'Report', 'Enter')
    await page.getByRole('region', { name: 'Report' }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^What happens/)
  })

  it('one makes a token in the settings, and revokes it', async () => {
    const { page } = lasting(quiet(await visitCorpus(TEAM)))
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await goTo(page, ',', '**/settings')
    await tabTo(page, 'button', 'New token', 'Enter')
    await tabTo(page, 'textbox', 'Name')
    await page.keyboard.type('alice')
    await tabTo(page, 'button', 'Make', 'Enter')
    await tabTo(page, 'button', 'Done', 'Enter')
    await tabTo(page, 'button', /^Revoke the token of alice/, 'Enter')
    await tabTo(page, 'button', 'Revoke', 'Enter')
    await page.getByRole('cell', { name: /^revoked/ }).waitFor()
  })

  it('one goes from the collections to a file, and up again', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await tabTo(page, 'link', 'handbook')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/browse/handbook')
    await page.getByRole('table').getByRole('link').first().waitFor()
    await tabTo(page, 'link', /api$/, 'ArrowDown', 'ArrowDown', 'Enter')
    await page.waitForURL('**/browse/handbook/guides')
    await page.getByRole('link', { name: 'install.md' }).waitFor()
    await page.keyboard.press('Backspace')
    await page.waitForURL('**/browse/handbook')
    await page.keyboard.press('Backspace')
    await page.waitForURL(`${served.url}/`)
  })

  it('keys lead to the sections, and to the search', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await goTo(page, 's', '**/search')
    await page.locator('input[type=search]:focus').waitFor()
    await page.keyboard.type('timeout')
    await page.locator('main ol mark').first().waitFor()
    await press(page, 'ArrowDown', 'ArrowDown')
    const second = await page.locator('[data-result]').nth(1).getAttribute('href')
    expect(await page.locator('[data-result]:focus').getAttribute('href')).toBe(second)
    await page.keyboard.press('/')
    await page.locator('input[type=search]:focus').waitFor()
    await press(page, 'ArrowDown', 'Enter')
    await page.waitForURL('**/browse/**')
    await goTo(page, 'c', `${served.url}/`)
  })

  it('the finder finds a document and goes there, and gives the focus back when it is closed', async () => {
    const { page } = lasting(await visitCorpus(TEAM))
    await page.getByRole('button', { name: 'Add a collection' }).focus()
    await page.keyboard.press('Control+k')
    await page.locator('dialog input:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await page.locator(':focus').textContent()).toBe('Add a collection')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('idempotency')
    await page.getByRole('option', { name: /errors\.md/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/browse/handbook/api/errors.md')
  })

  it('the keys are listed by ?, and the menu of the theme is worked by arrows', async () => {
    const { page } = lasting(quiet(await visitCorpus(TEAM)))
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    await takePicture(page, 'keys')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Theme' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('[role=menuitemradio]:focus').waitFor()
    await page.keyboard.press('End')
    await page.locator('[role=menuitemradio]:focus', { hasText: 'Dark' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  })

  it('the side column is made wider by arrows', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    await page.goto(`${served.url}/browse/handbook`)
    const handle = page.getByRole('separator', { name: 'Width of the side column' })
    await handle.focus()
    const before = Number(await handle.getAttribute('aria-valuenow'))
    await page.keyboard.press('ArrowLeft')
    expect(Number(await handle.getAttribute('aria-valuenow'))).toBe(before + 16)
  })

  it('whatever has the focus shows it', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    await page.goto(`${served.url}/browse/handbook`)
    await page.locator('.hljs-string').first().waitFor()
    const hidden: string[] = []
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      const unseen = await page.evaluate(() => {
        const focused = document.activeElement
        if (!focused || focused === document.body) return ''
        const outlined = [getComputedStyle(focused), getComputedStyle(focused, '::after')]
        return outlined.some(({ outlineStyle }) => outlineStyle !== 'none') ? '' : focused.outerHTML.slice(0, 120)
      })
      if (unseen !== '') hidden.push(unseen)
    }
    expect(hidden).toEqual([])
  })
})
