import { expect, it } from 'vitest'
import { TEAM } from './corpus.ts'
import { inBrowser, lasting, quiet, visitCorpus } from './in-browser.ts'
import { named, takePicture } from './support.ts'

inBrowser(named('Home'), () => {
  it('adds a first collection, indexes it, and shows how far that is', async () => {
    const { page, complaints } = lasting(quiet(await visitCorpus({ files: TEAM.files })))
    await page.getByRole('heading', { name: 'There are no collections yet' }).waitFor()
    await takePicture(page, 'home-empty')
    await page.getByRole('button', { name: 'Add a collection' }).click()
    // What is wrong with a folder that is not served is said, with what to do.
    await page.getByRole('textbox', { name: 'Folder' }).fill('/etc')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/"\/etc" is not in a directory that is served\..*--root DIR/)
    complaints.length = 0
    await page.reload()
    await page.getByRole('button', { name: 'Add a collection' }).click()
    const folders = page.getByRole('list', { name: /^Folders in / })
    await folders.getByRole('button', { name: 'handbook' }).click()
    await folders.getByRole('button', { name: 'guides' }).waitFor()
    await folders.getByRole('button', { name: /^Up to / }).click()
    await folders.getByRole('button', { name: /^Up to / }).waitFor({ state: 'detached' })
    await folders.getByRole('button', { name: 'handbook' }).click()
    await folders.getByRole('button', { name: 'guides' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('handbook')
    await takePicture(page, 'home-add')
    await page.getByLabel('Index it now').uncheck()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.waitForURL('**/browse/handbook')
    const unindexed = page.getByText('This collection is not indexed yet')
    await unindexed.waitFor()
    await page.getByRole('link', { name: 'README.md' }).waitFor()
    await takePicture(page, 'folder-not-indexed')
    await page.getByRole('button', { name: 'Index' }).click()
    await unindexed.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Ambit, home' }).click()
    await page.getByRole('row', { name: /handbook.*13/ }).waitFor()
    expect(await page.getByText('is not indexed yet').count()).toBe(0)
  })

  it('shows what another process indexes, and when it is done', { tags: 'long' }, async () => {
    await using seen = await visitCorpus(TEAM)
    const { served } = seen
    const row = seen.page.getByRole('row', { name: /handbook/ })
    await row.getByText('just now').waitFor()
    const { port } = await served.engine.library()
    await port.index.of('handbook').exclusively(0, async () => {
      await seen.page.reload()
      await row.getByText('being indexed').waitFor()
    })
    await row.getByText('just now').waitFor()
  })

  it('shows what an agent gets of the project, and what is stale in it, and leads to the inspector', async () => {
    const { page, served } = lasting(quiet(await visitCorpus(TEAM)))
    const project = page.getByRole('region', { name: 'This project' })
    await project.getByText(/The context of this folder has [\d,]+ of 8,000 tokens from \d sources\./).waitFor()
    await project.getByText('In the place itself, the project root.').waitFor()
    await page.getByRole('heading', { name: 'Out of date in context files' }).waitFor()
    const finding = page.getByRole('listitem').filter({ hasText: 'AGENTS.md:3' })
    expect(await finding.textContent()).toContain('handbook/api/limits.md')
    await project.getByRole('searchbox').fill('timeout')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=timeout')
    await page.goBack()
    // Which coding agent misses which rule, and what mends it.
    await project.getByText(/^codex misses 1 rule file$/).waitFor()
    await project.getByRole('searchbox').fill('What happens after a timeout?')
    await project.getByRole('button', { name: 'Ask the assistant' }).click()
    const log = page.getByRole('log', { name: 'Conversation' })
    await log.getByRole('article', { name: 'You asked' }).getByText('What happens after a timeout?').waitFor()
    await log.getByRole('button', { name: 'Answer again' }).waitFor()
    await page.goto(served.url)
    await project.getByRole('link', { name: 'See the whole context' }).click()
    await page.waitForURL('**/context')
  })

  it('lists the collections with documents, age of the index and context, changes them, and leads to them', async () => {
    const { page, served } = lasting(quiet(await visitCorpus(TEAM)))
    const row = page.getByRole('row', { name: /handbook/ })
    await row.getByText('3 places · 1 folder without').waitFor()
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      expect.stringMatching(/\/handbook$/),
      '13',
      '2.6 kB',
      'just now',
      '3 places · 1 folder without',
      '',
    ])
    expect(await page.getByRole('row', { name: /notes/ }).textContent()).toContain('none')
    // From the list of what is weak, which is then shorter.
    await page.getByRole('button', { name: 'Describe handbook/decisions' }).click()
    await page.getByRole('textbox', { name: 'What handbook/decisions is for' }).fill('What was decided, and why.')
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('4 places').waitFor()
    expect(await page.getByRole('button', { name: 'Describe handbook/decisions' }).count()).toBe(0)
    const described = { pathPrefix: '/decisions', context: 'What was decided, and why.' }
    expect(await (await served.engine.contexts()).list()).toContainEqual(expect.objectContaining(described))
    const act = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await act('notes', 'Pause')
    await page.getByRole('row', { name: /notes/ }).getByText('paused').waitFor()
    await act('notes', 'Rename…')
    await page.getByLabel('Name', { exact: true }).fill('diary')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('row', { name: /diary/ }).waitFor()
    await act('diary', 'Remove…')
    await page.getByRole('heading', { name: 'Remove diary?' }).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('row', { name: /diary/ }).waitFor({ state: 'detached' })
    const { collections } = await (await served.engine.library()).collections.status()
    expect(collections.map(({ name }) => name)).toEqual(['figures', 'handbook', 'service'])
    await row.getByRole('link', { name: 'handbook' }).click()
    await page.waitForURL('**/browse/handbook')
  })
})
