/**
 * Packages in the web UI, in a browser.
 *
 * @module-tag long
 */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, lasting, quiet, sharedServer, visit } from './in-browser.ts'
import { HASHES, LAB, labBucket } from './packages-corpus.ts'
import { named, serveCorpus, type Viewport } from './support.ts'

const served = sharedServer(LAB)

async function at(path: string, sight: Viewport = {}) {
  const seen = await visit(served, sight)
  await seen.page.goto(`${served.url}${path}`)
  return seen
}

const TIDES = '/packages/lab/harbour/tides'
const CAMERA = '/packages/lab/harbour/quay-camera'
const BERTHS = '/packages/lab/harbour/berths'

const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })

inBrowser(named('Packages'), () => {
  it('are listed, found by a part of the name, and opened; the way back leads back', async () => {
    const { page } = lasting(quiet(await at('/packages')))
    await link(page, 'harbour/tides').waitFor()
    expect(await page.getByRole('main').getByRole('row').count()).toBe(4)
    await page.getByRole('searchbox', { name: 'Filter packages' }).fill('TIDE lab')
    await page.waitForURL(/q=TIDE/)
    await page.getByText('1 of 3').waitFor()
    await link(page, 'harbour/tides').click()
    await page.waitForURL(`**${TIDES}`)
    await link(page, 'readings').click()
    await link(page, '2026').click()
    await link(page, 'lighthouse.csv').click()
    await page.getByRole('cell', { name: 'lighthouse' }).first().waitFor()
    expect(new URL(page.url()).searchParams.get('entry')).toBe('readings/2026/lighthouse.csv')
    await page.getByText('metre').waitFor()
    for (const folder of ['readings/2026', 'readings', null]) {
      await page.goBack()
      await expect.poll(() => new URL(page.url()).searchParams.get('path')).toBe(folder)
    }
    await page.goBack()
    await page.getByText('1 of 3').waitFor()
  })

  it('are found by what their metadata and their paths say', async () => {
    const { page } = lasting(quiet(await at('/packages?q=Okafor')))
    await link(page, 'harbour/tides').waitFor()
    await page.getByRole('cell', { name: 'its metadata' }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter packages' }).fill('lighthouse.csv')
    await page.getByRole('cell', { name: 'readings/2026/lighthouse.csv' }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter packages' }).fill('zeppelin')
    await page.getByText('No package matches').waitFor()
  })

  it('have a link for each place, to each revision', async () => {
    const { page } = lasting(await at(`${TIDES}?hash=${HASHES.first.slice(0, 12)}&path=readings/2026`))
    await link(page, 'fuel-dock.csv').waitFor()
    expect(await link(page, 'dry-dock.csv').count()).toBe(0)
    await page.getByText('Four gauges').waitFor()
    await page.getByText('older revision').waitFor()
    await page.getByRole('link', { name: 'Go to the latest' }).click()
    await page.getByText('The licence is CC0 now.').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('give their bytes: a picture that is drawn, and an entry that is saved', async () => {
    const { page } = lasting(quiet(await at(`${TIDES}?path=plots&entry=plots/curve.svg`)))
    const image = page.getByRole('img', { name: 'curve.svg' })
    await image.waitFor()
    await expect.poll(() => image.evaluate((element) => Object(element).naturalWidth)).toBe(640)
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save' }).click()
    expect((await saving).suggestedFilename()).toBe('curve.svg')
  })

  it('may hold 20,000 entries in one folder, of which only those that are seen are in the page', async () => {
    const { page } = lasting(await at(`${CAMERA}?path=frames`))
    await link(page, 'frame-00000.json').waitFor()
    const table = page.getByRole('region', { name: 'Entries' })
    expect(await table.getByRole('table').getAttribute('aria-rowcount')).toBe('20001')
    expect(await table.getByRole('row').count()).toBeLessThan(120)
    const last = async () => {
      await table.evaluate((element) => Object.assign(element, { scrollTop: 1e9 }))
      return link(page, 'frame-19999.json').count()
    }
    await expect.poll(last).toBe(1)
    expect(await table.getByRole('row').count()).toBeLessThan(120)
  })

  it('tell what changed between two revisions that are chosen', async () => {
    const { page } = lasting(await at(`${TIDES}?tab=revisions`))
    const compare = page.getByRole('button', { name: /ompare/ })
    await page.getByRole('row', { name: /Four gauges/ }).waitFor()
    expect(await compare.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: `Compare ${HASHES.third.slice(0, 10)}` }).check()
    await page.getByRole('checkbox', { name: `Compare ${HASHES.first.slice(0, 10)}` }).check()
    await compare.click()
    const row = (name: RegExp) => page.getByRole('row', { name })
    expect(await row(/LICENSE/).textContent()).toMatch(/changedLICENSE10 B → 8 Bsize, hash/)
    expect(await row(/spread/).textContent()).toMatch(/added/)
    await page.getByText('Also different: the metadata and the workflow.').waitFor()
    await page.getByRole('button', { name: '3 added' }).click()
    await row(/spread/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Revisions', exact: true }).click()
    await row(/Four gauges/).waitFor()
  })

  it('are verified while one watches, and can be stopped', async () => {
    await using lab = await labBucket()
    await using served = await serveCorpus({ files: {} })
    const { collections } = await served.engine.library()
    await collections.add({ name: 'lab', root: 's3://bucket', endpoint: lab.url, anonymous: true })
    await using seen = await visit(served)
    const { page } = seen
    await page.goto(`${served.url}${TIDES}?tab=verify`)
    const release = lab.holdAnswers(({ method, key }) => method === 'GET' && key.endsWith('plots/spread.svg'))
    await page.getByRole('button', { name: 'Verify all entries' }).click()
    await page.getByText(/^[1-9]\d* of 12 entries$/).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Verify all entries' }).click()
    await page.getByText(/^[1-9]\d* of 12 entries$/).waitFor()
    release()
    await page.getByText('Verified: every entry matches its hash').waitFor()
  })

  it('are verified: each entry, or with what is wrong of it', async () => {
    const { page } = lasting(quiet(await at(`${TIDES}?tab=verify`)))
    await page.getByRole('button', { name: 'Verify all entries' }).click()
    await page.getByText('Verified: every entry matches its hash').waitFor()
    await page.getByText('12 of 12 entries verified').waitFor()
    await page.goto(`${served.url}${BERTHS}?tab=verify`)
    await page.getByRole('button', { name: 'Verify all entries' }).click()
    await page.getByRole('row', { name: /hash-mismatch b\.csv/ }).waitFor()
  })

  it('are used by keys alone', async () => {
    const { page } = lasting(await at('/'))
    await page.getByRole('main').getByRole('link', { name: 'lab' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await link(page, 'harbour/tides').waitFor()
    await link(page, 'harbour/berths').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${TIDES}`)
    await link(page, 'Entries').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Workflow' }).waitFor()
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Metadata')
    await link(page, 'Entries').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${TIDES}`)
    await link(page, 'plots').focus()
    await page.keyboard.press('Enter')
    await link(page, 'spread.svg').waitFor()
  })

  it.each([
    ['/packages/lab/harbour/tide', /There is no package harbour\/tide/, /harbour\/tides/],
    ['/packages/none/harbour/tides', /There is no collection "none"/, /lab/],
    [`${TIDES}?hash=0000000000`, /0000000000/, /./],
    [`${TIDES}?path=nowhere`, /nowhere/, /./],
  ])('that are not there are told, with what to do: %s', async (path, message, hint) => {
    await using seen = await at(path)
    const alert = seen.page.getByRole('alert').first()
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(message)
    expect(await alert.textContent()).toMatch(hint)
  })

  it('are none at first, and the page says what they are', async () => {
    await using bare = await serveCorpus({ files: { 'notes/a.md': 'a' }, collections: { notes: 'notes' } })
    await using seen = quiet(await visit(bare))
    await seen.page.goto(`${bare.url}/packages`)
    await seen.page.getByText('There are no packages here').waitFor()
  })
})
