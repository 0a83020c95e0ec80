/** What somebody does who has a browser and nothing else, with the program as it is installed. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ALL_FILES, FREE_FILES, type HeldBucket, heldBucket } from '../support/held-bucket.ts'
import { languageServer } from '../support/language-server.ts'
import { Bucket } from '../support/s3/bucket.ts'
import { KEY, REGION, SECRET, s3Server } from '../support/s3/server.ts'
import { TEAM } from './corpus.ts'
import { button, firstOf, inBrowser, quiet, visit } from './in-browser.ts'
import { type StartedServer, startServer } from './started.ts'
import { named, takePicture } from './support.ts'

const QUESTION = 'What happens after a timeout?'

/** From the collection that was just added on: it is indexed, searched, read, and asked about. */
async function useCollection(page: Page, name: string): Promise<void> {
  await page.waitForURL(`**/browse/${name}`)
  await expect.poll(() => documentsIn(page)).toBe(13)
  await page.getByText('This collection is not indexed yet').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Search', exact: true }).first().click()
  await page.getByRole('searchbox').fill('timeout')
  await page.locator('[data-result][href*="api/errors.md"]').first().click()
  await page.waitForURL(`**/browse/${name}/**`)
  await firstOf(page.getByText(/a request is sent again, twice/))
  await page.getByRole('button', { name: 'Assistant', exact: true }).first().click()
  await page.getByRole('textbox', { name: /^Ask about/ }).fill(QUESTION)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  const log = page.getByRole('log', { name: 'Conversation' })
  await firstOf(log.getByText(/sent again, twice/))
}

inBrowser(named('A first run without a terminal'), { tags: 'long' }, () => {
  it('goes by clicks alone from an empty server to an answer about a folder', async () => {
    await using server = await startServer(TEAM.files)
    await using seen = quiet(await visit(server))
    const { page } = seen
    await page.getByRole('heading', { name: 'There are no collections yet' }).waitFor()
    await page.getByRole('button', { name: 'Add a collection' }).click()
    await button(page.getByRole('list', { name: /^Folders in / }), 'handbook').click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await useCollection(page, 'handbook')
    await takePicture(page, 'flow-folder')
  })

  it('goes the same way over S3, with the endpoint and the credentials chosen in the form', async () => {
    await using s3 = await s3Server()
    const bucket = new Bucket(REGION)
    for (const [path, text] of Object.entries(TEAM.files)) {
      if (path.startsWith('handbook/') && typeof text === 'string') bucket.put(`docs/${path}`, Buffer.from(text), {})
    }
    s3.buckets.set('team-files', bucket)
    await using server = await startServer({}, { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET })
    await using seen = await visit(server)
    const { page, complaints } = seen
    await chooseBucket(page, { url: s3.url, bucket: 'team-files', prefix: 'docs/handbook' })
    await page.getByLabel('Region').fill(REGION)
    await page.getByLabel('Path-style addresses').check()
    await takePicture(page, 'home-add-bucket')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('handbook')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await useCollection(page, 'handbook')
    expect(complaints).toEqual([])
    const asked = s3.log.filter(({ status }) => status === 200)
    expect(asked.length).toBeGreaterThan(2)
    expect(asked.every(({ headers }) => headers.authorization?.includes(KEY))).toBe(true)
  })

  it('says why a bucket cannot be read, and reads it without credentials where that is chosen', async () => {
    await using s3 = await s3Server()
    s3.buckets.set('team-files', new Bucket(REGION))
    await using server = await startServer({}, { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET })
    await using seen = await visit(server)
    const { page } = seen
    await chooseBucket(page, { url: s3.url, bucket: 'team-files', prefix: '' })
    await page.getByText('None', { exact: true }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.waitForURL('**/browse/team-files')
    await page.getByRole('link', { name: 'Ambit, home' }).click()
    await page
      .getByRole('row', { name: /team-files/ })
      .getByText('failed')
      .waitFor()
    expect(s3.log.length).toBeGreaterThan(0)
    expect(s3.log.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })
})

type ChosenBucket = Pick<HeldBucket, 'url' | 'bucket' | 'prefix'>

/** Says in the form where a bucket is. */
async function chooseBucket(page: Page, { url, bucket, prefix }: ChosenBucket): Promise<void> {
  await page.getByRole('button', { name: 'Add a collection' }).click()
  await page.getByText('S3 bucket').click()
  await page.getByLabel('Bucket', { exact: true }).fill(bucket)
  await page.getByLabel('Prefix').fill(prefix)
  await page.getByLabel('Endpoint').fill(url)
}

/** Adds the files of a bucket by clicks alone, which begins to index them. */
async function addBucket(page: Page, bucket: ChosenBucket): Promise<void> {
  await chooseBucket(page, bucket)
  await page.getByText('None', { exact: true }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.waitForURL('**/browse/many')
}

/** Documents in the index, as the server tells. */
async function documentsIn(page: Page): Promise<number> {
  return page.evaluate(async () => (await (await fetch('/api/status')).json()).documents)
}

const progress = (page: Page) => page.getByRole('progressbar', { name: 'Indexing many' })
/** The page says how far the indexing is, and that is somewhere in the middle. */
const counts = (page: Page) => page.getByText(/[1-9]\d* of 200 files/).first()
const isWhole = (page: Page) => page.getByText('This collection is not indexed yet').waitFor({ state: 'detached' })

inBrowser(named('Indexing'), { tags: 'long' }, () => {
  it('goes on over a reload and in another tab, and after the server was killed', async () => {
    await using bucket = await heldBucket()
    await using server = await startServer({})
    await using seen = await visit(server)
    const { page, context } = seen
    await addBucket(page, bucket)
    await counts(page).waitFor()
    await page.reload()
    await counts(page).waitFor()
    const other = await context.newPage()
    await other.goto(`${server.url}/browse/many`)
    await counts(other).waitFor()
    await takePicture(page, 'flow-indexing')
    await server.kill()
    await page.getByText('Disconnected.').waitFor()
    await server.start()
    // Nobody signs in again, and nobody starts it again.
    for (const each of [page, other]) await each.getByText('continued after a restart').first().waitFor()
    bucket.release()
    for (const each of [page, other]) await isWhole(each)
    expect(await documentsIn(page)).toBe(ALL_FILES)
    const jobs = await page.evaluate(async () => (await (await fetch('/api/indexing.list')).json()).jobs)
    expect(jobs).toMatchObject([{ name: 'many', state: 'done', isResumed: true }])
  })

  it('ends where another tab stops it, and keeps what was indexed', async () => {
    await using bucket = await heldBucket()
    await using server = await startServer({})
    await using seen = await visit(server)
    const { page, context } = seen
    await addBucket(page, bucket)
    await counts(page).waitFor()
    const other = await context.newPage()
    await other.goto(`${server.url}/browse/many`)
    await other.getByRole('button', { name: 'Stop' }).click()
    for (const each of [page, other]) {
      await progress(each).waitFor({ state: 'detached' })
      await each.getByRole('button', { name: 'Index', exact: true }).waitFor()
    }
    // Whoever reads the files has heard it.
    await expect.poll(() => bucket.waiting).toBe(0)
    bucket.release()
    await expect.poll(() => documentsIn(page)).toBeGreaterThan(0)
    const indexed = await documentsIn(page)
    expect(indexed).toBeLessThanOrEqual(FREE_FILES)
    const before = bucket.read().length
    await page.getByRole('button', { name: 'Index', exact: true }).click()
    await isWhole(page)
    expect(await documentsIn(page)).toBe(ALL_FILES)
    expect(bucket.read().length - before).toBe(ALL_FILES - indexed)
  })
})

/** Research with a model that answers nothing at first, so that there is time to kill the server. */
async function slowServer(work: (server: StartedServer) => Promise<void>): Promise<void> {
  await using hanging = await languageServer('chat', [{ stream: { pieces: [], end: 'hang' } }])
  await using server = await startServer(TEAM.files, {
    AMBIT_MODEL: 'openai-compatible/m',
    AMBIT_MODEL_URL: hanging.url,
    AMBIT_ALLOW_LOOPBACK: '1',
  })
  await work(server)
}

inBrowser(named('Research and chat'), { tags: 'long' }, () => {
  it('research is there after a reload, and goes on after the server was killed', () =>
    slowServer(async (server) => {
      await using seen = await visit(server)
      const { page, context } = seen
      await page.goto(`${server.url}/research`)
      await page.getByLabel('Question').fill('What does the cache cost?')
      await page
        .getByLabel(/Drop files here/)
        .setInputFiles([
          { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from('# Plan\n\nThe cache costs 400 EUR.\n') },
        ])
      await page.getByRole('button', { name: 'Start Research' }).click()
      await page.waitForURL('**/research/*')
      const address = page.url()
      const begun = (each: Page) => each.getByText('Parsing 1 context file…').waitFor()
      await begun(page)
      await page.getByRole('status').getByText(': 0 of 1 read').waitFor()
      await page.reload()
      await begun(page)
      const other = await context.newPage()
      await other.goto(address)
      await begun(other)
      await server.kill()
      await page.getByText('Disconnected.').waitFor()
      await server.start()
      await page.getByText('Disconnected.').waitFor({ state: 'detached' })
      const session = address.replace('/research/', '/api/sessions/')
      const status = () => page.evaluate(async (url) => (await (await fetch(url)).json()).status, session)
      // Another process has it: it was running when the one before it died.
      await expect.poll(status).toBe('running')
      await other.goto(`${server.url}/research`)
      await other.getByRole('cell', { name: 'running' }).waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await expect.poll(status).toBe('stopped')
      // The list follows by itself.
      await other.getByRole('cell', { name: 'stopped' }).waitFor()
    }))

  it('a chat is there after a reload, and says that it was cut off where the server was killed', () =>
    slowServer(async (server) => {
      await using seen = await visit(server)
      const { page } = seen
      await page.getByRole('button', { name: 'Assistant', exact: true }).first().click()
      await page.getByRole('textbox', { name: /^Ask/ }).fill(QUESTION)
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      await page.getByRole('button', { name: 'Stop the answer' }).waitFor()
      await page.reload()
      const log = page.getByRole('log', { name: 'Conversation' })
      await log.getByText(QUESTION).first().waitFor()
      await page.getByRole('button', { name: 'Stop the answer' }).waitFor()
      await server.kill()
      await server.start()
      await page.reload()
      await log.getByText('The answer was cut off.').waitFor()
      await page.getByRole('textbox', { name: /^Ask/ }).waitFor()
    }))
})
