/** @module-tag long */

import { expect, it } from 'vitest'
import { TEAM } from './corpus.ts'
import { inBrowser, lasting, quiet, sharedServer, visit } from './in-browser.ts'
import { named, takePicture } from './support.ts'

const served = sharedServer(TEAM)

/** A page at a place. */
async function at(path: string) {
  const seen = await visit(served)
  await seen.page.goto(`${served.url}/browse/${path}`)
  return seen
}

inBrowser(named('a folder'), () => {
  it('shows what it holds, its README, and leads on, back and forward', async () => {
    const { page } = lasting(quiet(await at('handbook')))
    const table = page.getByRole('table', { name: 'Contents of the folder' })
    await table.getByRole('link', { name: 'README.md' }).waitFor()
    expect(await table.getByRole('link').allTextContents()).toEqual(['api', 'decisions', 'guides', 'README.md'])
    await page.getByRole('heading', { name: 'The handbook' }).waitFor()
    await table.getByRole('link', { name: 'api' }).click()
    await page.waitForURL('**/browse/handbook/api')
    await table.getByRole('link', { name: 'v2' }).waitFor()
    await expect.poll(() => page.title()).toBe('api · Ambit')
    await page.goBack()
    await table.getByRole('link', { name: 'guides' }).waitFor()
    await page.goForward()
    await table.getByRole('link', { name: 'v2' }).click()
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
    await crumbs.getByRole('link', { name: 'v2' }).waitFor()
    expect(await crumbs.getByRole('link').allTextContents()).toEqual(['handbook', 'api', 'v2'])
    await crumbs.getByRole('link', { name: 'handbook' }).click()
    await page.waitForURL('**/browse/handbook')
  })

  it('follows links of its README within the collection', async () => {
    await using seen = await at('handbook')
    await seen.page.getByRole('link', { name: 'the install guide' }).click()
    await seen.page.waitForURL('**/browse/handbook/guides/install.md')
    await seen.page.getByRole('heading', { name: 'On Linux' }).waitFor()
  })

  it('says that a place is not there, and what is near', async () => {
    await using seen = await at('handbook/apu')
    const alert = seen.page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/handbook\/apu/)
    expect(await alert.textContent()).not.toContain('/api/')
    expect(await alert.getByRole('link', { name: 'Up to handbook' }).getAttribute('href')).toBe('/browse/handbook')
    await takePicture(seen.page, 'folder-not-found')
  })

  it('lists its contexts, and its own can be said, changed and taken away in place', async () => {
    const { page } = lasting(quiet(await at('handbook/guides')))
    const contexts = page.getByRole('region', { name: 'Context' })
    await contexts.getByText('all collections').waitFor()
    expect(await contexts.textContent()).toMatch(
      /All of this is about the relay.*The manual of the relay.*Step by step/,
    )
    await contexts.getByRole('button', { name: /Edit the description: Step by step/ }).click()
    await contexts.getByRole('textbox').fill('Recipes.')
    await page.keyboard.press('Enter')
    await contexts.getByRole('button', { name: 'Edit the description: Recipes.' }).click()
    await contexts.getByRole('textbox').fill('never mind')
    await page.keyboard.press('Escape')
    await contexts.getByRole('button', { name: 'Edit the description: Recipes.' }).click()
    await contexts.getByRole('textbox').fill('')
    await contexts.getByRole('button', { name: 'Remove' }).click()
    await contexts.getByRole('button', { name: 'Describe this folder' }).click()
    await contexts.getByRole('textbox').fill('Step by step.')
    await contexts.getByRole('button', { name: 'Save' }).click()
    await contexts.getByRole('button', { name: 'Edit the description: Step by step.' }).waitFor()
    const said = await (await served.engine.contexts()).list()
    expect(said.filter(({ pathPrefix }) => pathPrefix === '/guides').map(({ context }) => context)).toEqual([
      'Step by step.',
    ])
  })
})

inBrowser(named('a file'), () => {
  it('is shown beside those of its folder, as it is read and as its source', async () => {
    const { page } = lasting(quiet(await at('handbook/api/errors.md')))
    await page.getByRole('heading', { name: 'Timeouts and retries' }).waitFor()
    const siblings = page.getByRole('table', { name: 'In the same folder' })
    expect(await siblings.locator('[aria-current=page]').textContent()).toBe('errors.md')
    await page.getByRole('group', { name: 'View' }).getByText('Source').click()
    await page.waitForURL('**/errors.md?view=source')
    await page.getByText('## Timeouts and retries').waitFor()
    await siblings.getByRole('link', { name: 'messages.md' }).click()
    await page.getByRole('heading', { name: 'Messages', exact: true }).waitFor()
  })

  it('has its size, its version and an outline at the side, which can be closed', async () => {
    const { page } = lasting(await at('handbook/api/errors.md'))
    const side = page.getByRole('complementary', { name: 'Side' })
    await side.getByRole('link', { name: 'Why not exceptions' }).waitFor()
    expect(await side.textContent()).toMatch(/Size.*721 B.*Version.*#[0-9a-f]{8}/)
    await page.getByRole('button', { name: 'Close the side column' }).click()
    await side.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Codes' }).waitFor()
    expect(await side.count()).toBe(0)
    await page.getByRole('button', { name: 'Side column' }).click()
    await side.waitFor()
  })

  it('of JSON is a tree that opens', async () => {
    const { page } = lasting(await at('figures/settings.json'))
    expect(await page.getByText('eu-central').count()).toBe(0)
    await page.getByText('0: 3 fields').click()
    await page.getByText('"eu-central"').waitFor()
  })

  it('of code has the lines marked that the address names', async () => {
    const { page } = lasting(await at('service/src/server.ts?lines=12-14'))
    await page.locator('.hljs-keyword').first().waitFor()
    expect(await page.locator('.code .bg-mark').count()).toBe(3)
    expect(await page.locator('.code .bg-mark').first().textContent()).toContain('export async function start')
  })
})
