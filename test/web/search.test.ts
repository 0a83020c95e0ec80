/** @module-tag long */

import { expect, it } from 'vitest'
import { TEAM } from './corpus.ts'
import { inBrowser, lasting, quiet, sharedServer, visit } from './in-browser.ts'
import { named } from './support.ts'

const served = sharedServer(TEAM)

inBrowser(named('Search'), () => {
  it('is narrowed down by what is counted, sorted, and shows the document beside its hit', async () => {
    const { page } = lasting(quiet(await visit(served)))
    await page.goto(`${served.url}/search?q=timeout`)
    const hits = page.locator('main ol > li')
    await expect.poll(() => hits.count()).toBe(9)
    const filters = page.getByRole('region', { name: 'Filters' })
    await filters.getByRole('checkbox', { name: /^\.ts\s*2$/ }).check()
    await page.waitForURL('**/search?q=timeout&type=ts')
    await expect.poll(() => hits.count()).toBe(2)
    expect(await filters.getByRole('group', { name: 'Collection' }).textContent()).toBe('Collectionservice2')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => hits.count()).toBe(9)
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('path')
    await page.waitForURL('**/search?q=timeout&sort=path')
    await expect.poll(() => hits.first().textContent()).toContain('notes.txt')
    const preview = page.getByRole('region', { name: 'Preview' })
    await page.getByRole('link', { name: /Errors are data/ }).focus()
    await preview.getByRole('heading', { level: 2, name: 'Errors are data' }).waitFor()
    await preview.getByText('A timeout is an answer like any other.').waitFor()
  })

  it('has all passages of a document under one hit, and leads from one hit to the next', async () => {
    const { page } = lasting(quiet(await visit(served)))
    await page.goto(`${served.url}/search?q=timeout`)
    const hit = page.locator('main ol > li').filter({ hasText: 'api/errors.md' })
    await hit.getByRole('button', { name: '1 more here' }).click()
    const more = hit.getByRole('list', { name: 'More in Errors' }).getByRole('link')
    expect(await more.textContent()).toContain('Why not exceptions')
    await more.click()
    await page.waitForURL('**/browse/handbook/api/errors.md?lines=*')
    await page.locator('[data-hit]').getByText('Because a timeout is not exceptional.').waitFor()
    const steps = page.getByRole('navigation', { name: 'Hits of the search' })
    const before = page.url()
    expect(await steps.textContent()).toMatch(/Hit \d+ of 11/)
    await steps.getByRole('link', { name: 'Previous hit' }).click()
    await page.locator('[data-hit]').getByText('After a timeout a request is sent again').waitFor()
    await steps.getByRole('link', { name: 'Next hit' }).click()
    await page.waitForURL(before)
    await page.reload()
    await steps.getByText(/^Hit/).waitFor()
  })

  it('leads to the places that are similar to one that is not there', async () => {
    const { page } = lasting(await visit(served))
    await page.goto(`${served.url}/browse/handbook/api/error.md`)
    await page
      .getByRole('alert')
      .getByRole('link', { name: /api\/errors\.md$/ })
      .click()
    await page.waitForURL('**/browse/handbook/api/errors.md')
  })

  it('asks for the rest alone when more is to be shown', async () => {
    const { page } = lasting(await visit(served))
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/search')) asked.push(new URL(request.url()).search)
    })
    await page.goto(`${served.url}/search?q=timeout&n=4`)
    await page.getByText('4 of 9 documents').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => page.locator('main ol > li').count()).toBe(9)
    expect(asked.map((query) => new URLSearchParams(query).get('offset'))).toEqual([null, '4'])
  })
})

inBrowser(named('The finder'), () => {
  it('finds files by letters of their names first, then pages and commands by theirs', async () => {
    const { page } = lasting(quiet(await visit(served)))
    const first = page.getByRole('option').first()
    await page.getByRole('heading', { name: 'What agents get in this project' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('srvts')
    await expect.poll(() => first.textContent()).toBe('server.tsservice/src/server.ts')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/browse/service/src/server.ts')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('ask the')
    await page.getByRole('option', { name: 'Ask the assistant' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Ask about this place')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('no such words')
    await page.getByRole('option', { name: 'Search for “no such words”' }).click()
    await page.waitForURL('**/search?q=no+such+words')
  })
})
