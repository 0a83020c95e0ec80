/** @module-tag long */

import { expect, it } from 'vitest'
import { PNG } from '../support/tree.ts'
import { barriers } from './barriers.ts'
import { inBrowser, lasting, quiet, visitCorpus } from './in-browser.ts'
import { type Corpus, named, takePicture } from './support.ts'

const NOTES: Corpus = {
  files: {
    'notes/README.md': '# Notes\n\nKept since 2019.\n',
    'notes/.gitignore': 'drafts/\n*.tmp\n',
    'notes/drafts/plan.md': '# The plan\n\nNobody searches this.\n',
    'notes/scratch.tmp': 'only for now\n',
    'notes/dot.png': PNG,
    'notes/data.bin': Buffer.from('a\0b'),
    'notes/.env': 'KEY=canary-secret\n',
    'notes/out -> /beside': '',
    'beside/secret.md': 'OUTSIDE',
  },
  collections: { notes: 'notes' },
}

inBrowser(named('What is not indexed'), () => {
  it('is listed, with the reason, and can be read', async () => {
    const { page, served } = lasting(quiet(await visitCorpus(NOTES)))
    await page.goto(`${served.url}/browse/notes`)
    const row = (name: string) =>
      page
        .getByRole('table')
        .getByRole('row')
        .filter({ has: page.getByText(name, { exact: true }) })
    await row('scratch.tmp').waitFor()
    const reasons: readonly (readonly [string, string])[] = [
      ['scratch.tmp', 'A .gitignore leaves it out.'],
      ['drafts', 'A .gitignore leaves it out.'],
      ['data.bin', 'It is not text, and of no known format.'],
      ['.env', 'Its name is that of a secret.'],
      ['out', 'out leads outside the root.'],
    ]
    for (const [name, reason] of reasons)
      expect(await row(name).textContent()).toContain(name === 'drafts' ? 'drafts' : reason)
    await takePicture(page, 'unindexed')
    expect(await barriers(page)).toEqual([])
    await page.getByRole('link', { name: 'File scratch.tmp' }).click()
    await page.getByText('only for now').waitFor()
    await page.goto(`${served.url}/browse/notes/drafts/plan.md`)
    await page.getByRole('heading', { name: 'The plan' }).waitFor()
    await page.goto(`${served.url}/browse/notes/dot.png`)
    await page.getByText('1 × 1 pixels').waitFor()
  })

  it('is not shown where it looks like a secret, or lies outside; what is not text is told', async () => {
    const { page, served } = lasting(await visitCorpus(NOTES))
    await page.goto(`${served.url}/browse/notes/data.bin`)
    await page.getByText('This file is not text').waitFor()
    for (const [path, message] of [
      ['.env', /has the name of a secret/],
      ['out', /leads outside/],
      ['none.md', /There is no notes\/none\.md/],
    ] as const) {
      await page.goto(`${served.url}/browse/notes/${path}`)
      const alert = page.getByRole('alert').first()
      await alert.waitFor()
      expect(await alert.textContent()).toMatch(message)
      expect(await page.content()).not.toMatch(/canary-secret|OUTSIDE/)
    }
  })

  it('is told when it was changed since, and is there as soon as it is on the disk', async () => {
    const { page, served } = lasting(await visitCorpus({ ...NOTES, files: { ...NOTES.files } }))
    const library = await served.engine.library()
    const { root } = await library.collections.show('notes')
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`${root}/README.md`, '# Notes\n\nChanged by now, and longer than before.\n')
    writeFileSync(`${root}/new.md`, '# New\n')
    await page.goto(`${served.url}/browse/notes`)
    await page.getByText('It was changed since it was indexed.').waitFor()
    await page.getByText('It is not indexed yet.').waitFor()
  })
})
