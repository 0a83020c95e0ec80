/**
 * A page offers what the scopes of who is signed in allow, and nothing that the server would refuse.
 *
 * @module-tag long
 */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Scope } from '../../src/core/choices.ts'
import { TEAM } from './corpus.ts'
import { inBrowser, sharedServer, visit, visitAs } from './in-browser.ts'
import { named, takePicture } from './support.ts'

const served = sharedServer(TEAM)

/** A page of somebody with these scopes; and what the server refused to it. */
async function signedIn(scopes: readonly Scope[]) {
  const { token } = await (await served.engine.tokens()).create({ name: `only-${scopes.join('-')}`, scopes })
  const seen = await visitAs(served, token)
  const refused: string[] = []
  seen.page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url())
  })
  return { ...seen, refused }
}

const offers = async (page: Page, name: string | RegExp) => (await page.getByRole('button', { name }).count()) > 0

/** What the pages offer, once all of each is there. */
async function offered(page: Page) {
  await page.goto(served.url)
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  const home = {
    add: await offers(page, 'Add a collection'),
    actions: await offers(page, 'Actions for notes'),
    describe: await offers(page, /^Describe /),
  }
  await page.goto(`${served.url}/browse/handbook`)
  await page.locator('.hljs-string').first().waitFor()
  const edit = await offers(page, /^Edit the description/)
  await page.goto(`${served.url}/research`)
  const start = page.getByRole('button', { name: 'Start Research' })
  await start.or(page.getByText('You do not have access to research')).first().waitFor()
  return { ...home, edit, research: (await start.count()) > 0 }
}

inBrowser(named('what a page offers'), () => {
  it.each<[readonly Scope[], object]>([
    [['read'], { add: false, actions: false, describe: false, edit: false, research: false }],
    [['read', 'write'], { add: false, actions: true, describe: true, edit: true, research: false }],
    [['read', 'research'], { add: false, actions: false, describe: false, edit: false, research: true }],
    [['read', 'admin'], { add: true, actions: true, describe: false, edit: false, research: false }],
  ])('to who has %j', async (scopes, expected) => {
    await using seen = await signedIn(scopes)
    expect(await offered(seen.page)).toEqual(expected)
    await takePicture(seen.page, `scopes-${scopes.join('-')}`)
    expect(seen.refused).toEqual([])
  })

  it('to whoever runs the server is all', async () => {
    await using seen = await visit(served)
    expect(Object.values(await offered(seen.page))).toEqual([true, true, true, true, true])
  })

  it('of a collection is what may be done with it, one by one', async () => {
    await using seen = await signedIn(['read', 'write'])
    await seen.page.goto(served.url)
    await seen.page.getByRole('button', { name: 'Actions for notes' }).click()
    const items = await seen.page.getByRole('menuitem').allTextContents()
    expect(items.map((one) => one.trim())).toEqual(['Index', expect.stringMatching(/Pause|Resume/)])
  })

  it('is told in the settings, with the name', async () => {
    await using seen = await signedIn(['read'])
    await seen.page.goto(`${served.url}/settings`)
    await seen.page.getByText('only-read').waitFor()
    expect(await seen.page.getByText('add and remove collections').count()).toBe(0)
  })
})
