/**
 * Settings and their forms, as several people see them.
 *
 * @module-tag long
 */

import { existsSync, readFileSync, statSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { embeddingServer } from '../support/embedding-server.ts'
import { TEAM } from './corpus.ts'
import { button, inBrowser, lasting, quiet, visit, visitAs, visitCorpus } from './in-browser.ts'
import { startServer } from './started.ts'
import { named, type OpenPage, serveCorpus, takePicture } from './support.ts'

const part = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })

inBrowser(named('Settings'), () => {
  it('makes a token that is shown once, lets somebody in by it, and revokes it', async () => {
    const { page, served } = lasting(quiet(await visitCorpus(TEAM)))
    await page.goto(`${served.url}/settings`)
    const tokens = part(page, 'Access tokens')
    await tokens.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name', { exact: true }).fill('alice')
    await page.getByLabel('do research').check()
    await page.getByLabel('handbook').check()
    await takePicture(page, 'settings-new-token')
    await page.getByRole('button', { name: 'Make', exact: true }).click()
    const secret = (await page.locator('dialog code').textContent()) ?? ''
    expect(secret).toMatch(/^ambit_[\w-]{43}$/)
    await takePicture(page, 'settings-token-once')
    await page.getByRole('button', { name: 'Done' }).click()
    const row = tokens.getByRole('row', { name: /alice/ })
    await row.getByRole('cell', { name: 'read, research' }).waitFor()
    await page.reload()
    await row.waitFor()
    expect(await page.content()).not.toContain(secret)

    await using alice = await visitAs(served, secret)
    await alice.page.getByRole('row', { name: /handbook/ }).waitFor()
    expect(await alice.page.getByRole('row', { name: /notes/ }).count()).toBe(0)
    await row.getByRole('button', { name: /^Revoke/ }).click()
    await page.locator('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.getByRole('cell', { name: /^revoked/ }).waitFor()
    await alice.page.reload()
    await alice.page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
  })

  it('shows two people what their rights allow', async () => {
    await using served = await serveCorpus(TEAM)
    const tokens = await served.engine.tokens()
    const reader = await tokens.create({ name: 'reader', scopes: ['read'], collections: ['handbook'] })
    const admin = await tokens.create({ name: 'admin', scopes: ['read', 'write', 'admin'] })
    await using first = await visitAs(served, reader.token)
    await using second = await visitAs(served, admin.token)
    const named = async ({ page }: OpenPage) => {
      await page.goto(served.url)
      await page.getByRole('row', { name: /handbook/ }).waitFor()
      return {
        collections: await page.getByRole('rowheader').allTextContents(),
        add: await page.getByRole('button', { name: 'Add a collection' }).count(),
      }
    }
    expect(await named(first)).toEqual({ collections: ['handbook'], add: 0 })
    expect(await named(second)).toEqual({ collections: ['figures', 'handbook', 'notes', 'service'], add: 1 })
    const parts = async ({ page }: OpenPage) => {
      await page.goto(`${served.url}/settings`)
      await part(page, 'You').getByText('You may').waitFor()
      await part(page, 'Index').getByText('Documents').waitFor()
      return page.getByRole('heading', { level: 2 }).allTextContents()
    }
    expect(await parts(first)).toEqual(['Collections', 'You', 'Index', 'For programs'])
    expect(await parts(second)).toEqual([
      ...['Collections', 'You', 'Access tokens', 'Models and web search', 'Served folders'],
      ...['Index', 'For programs'],
    ])
  })

  it('sets an embedding and a reranking model at once, makes the vectors, and never shows a key', async () => {
    await using embedding = await embeddingServer()
    await using server = await startServer(TEAM.files)
    await using seen = quiet(await visit(server))
    const { page } = seen
    await page.getByRole('button', { name: 'Add a collection' }).click()
    await button(page.getByRole('list', { name: /^Folders in / }), 'handbook').click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.waitForURL('**/browse/handbook')
    await page.getByText('This collection is not indexed yet').waitFor({ state: 'detached' })
    await page.goto(`${server.url}/settings`)
    const services = part(page, 'Models and web search')
    await services.getByRole('button', { name: 'Change embedding model' }).click()
    await page.getByLabel('Provider').selectOption('a service at a URL')
    await page.getByLabel('Model', { exact: true }).fill('plain')
    await page.getByLabel('URL', { exact: true }).fill(embedding.url)
    await page.getByLabel('Key', { exact: true }).fill('canary-key-1234')
    await takePicture(page, 'settings-embedding')
    await page.getByRole('button', { name: 'Save' }).click()
    await services.getByText(`${embedding.url} · with a key`).waitFor()
    await services.getByRole('button', { name: 'Change reranking model' }).click()
    await page.getByLabel('Provider').selectOption('a service at a URL')
    await page.getByLabel('Model', { exact: true }).fill('judge')
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/v1')
    await page.getByRole('button', { name: 'Save' }).click()
    await services.getByText('http://127.0.0.1:9/v1 · without a key').waitFor()
    const index = part(page, 'Index')
    await index.getByText(/plain: 0 documents, 13 without vectors/).waitFor()
    await index.getByRole('button', { name: 'Make vectors' }).click()
    await index.getByText('plain: 13 documents', { exact: true }).waitFor()
    await takePicture(page, 'settings-vectors')
    expect(embedding.asked[0]?.headers.authorization).toBe('Bearer canary-key-1234')
    expect(await page.content()).not.toContain('canary-key')
    await services.getByRole('button', { name: 'Change embedding model' }).click()
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('plain')
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('')
    await page.getByLabel('Provider').selectOption('None')
    await page.getByRole('button', { name: 'Save' }).click()
    await index.getByText('No embedding model is set').waitFor()
    expect(readFileSync(server.files.at('.config/ambit/config.yaml'), 'utf8')).not.toMatch(/canary|embedding/)
  })

  it('sets a model and a web search at once, keeps the key to itself, and drops it with another address', async () => {
    await using server = await startServer(TEAM.files)
    await using seen = await visit(server)
    const { page, complaints } = seen
    await page.goto(`${server.url}/settings`)
    const services = part(page, 'Models and web search')
    await services.getByRole('button', { name: 'Change language model' }).click()
    await page.getByLabel('Provider').selectOption('openai-compatible')
    await page.getByLabel('Model', { exact: true }).fill('qwen3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('has no URL').waitFor()
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/v1')
    await page.getByLabel('Key', { exact: true }).fill('canary-key-1234')
    await takePicture(page, 'settings-model')
    await page.getByRole('button', { name: 'Save' }).click()
    await services.getByText('openai-compatible/qwen3').waitFor()
    await services.getByText('http://127.0.0.1:9/v1 · with a key').waitFor()
    const file = server.files.at('.config/ambit/config.yaml')
    expect(readFileSync(file, 'utf8')).toContain('canary-key-1234')
    expect(statSync(file).mode & 0o077).toBe(0)
    const told = await page.evaluate(async () => {
      const all = await Promise.all(
        ['settings.show', 'status', 'me'].map(async (name) => (await fetch(`/api/${name}`)).text()),
      )
      return all.join('\n')
    })
    expect(told).not.toContain('canary-key')
    await services.getByRole('button', { name: 'Change reranking model' }).click()
    await page.getByLabel('Provider').selectOption('the language model')
    await page.getByRole('button', { name: 'Save' }).click()
    await services.getByText('openai-compatible/qwen3').nth(1).waitFor()
    expect(readFileSync(file, 'utf8')).toMatch(/^rerank(Model)?: openai-compatible\/qwen3$/m)
    // In force without a restart.
    const models = () => page.evaluate(async () => (await (await fetch('/api/chat/models')).json()).models[0].name)
    expect(await models()).toBe('openai-compatible/qwen3')
    await services.getByRole('button', { name: 'Change language model' }).click()
    await page.getByText('A key is set. Leave empty to keep it.').waitFor()
    await page.getByLabel('Model', { exact: true }).fill('qwen4')
    await page.getByRole('button', { name: 'Save' }).click()
    await services.getByText('openai-compatible/qwen4').waitFor()
    await services.getByText('with a key').waitFor()
    await services.getByRole('button', { name: 'Change language model' }).click()
    await page.getByLabel('URL').fill('http://127.0.0.1:10/v1')
    await page.getByRole('button', { name: 'Save' }).click()
    await services.getByText('http://127.0.0.1:10/v1 · without a key').waitFor()
    expect(readFileSync(file, 'utf8')).not.toContain('canary')
    await services.getByRole('button', { name: 'Change web search' }).click()
    await page.getByLabel('Provider').selectOption('searxng')
    await page.getByLabel('URL').fill('http://127.0.0.1:8888')
    await page.getByRole('button', { name: 'Save' }).click()
    await services.locator('code', { hasText: 'searxng' }).waitFor()
    expect(complaints.filter((line) => !/400/.test(line))).toEqual([])
    await server.kill()
    await server.start()
    await page.reload()
    await services.getByText('openai-compatible/qwen4').waitFor()
  })

  it('leaves what a variable of the server sets as it is, and says so', async () => {
    await using server = await startServer(TEAM.files, {
      AMBIT_SEARCH: 'searxng',
      AMBIT_SEARCH_URL: 'http://127.0.0.1:8888',
    })
    await using seen = await visit(server)
    const { page } = seen
    await page.goto(`${server.url}/settings`)
    const services = part(page, 'Models and web search')
    await services.getByText("Set by the server's environment").waitFor()
    expect(await services.getByRole('button', { name: 'Change web search' }).count()).toBe(0)
    const answer = await page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ search: '' })
      const response = await fetch('/api/settings.set', { method: 'POST', headers, body })
      return { status: response.status, detail: (await response.json()).detail }
    })
    expect(answer).toEqual({ status: 409, detail: 'The server was started with AMBIT_SEARCH, which wins.' })
    expect(existsSync(server.files.at('.config/ambit/config.yaml'))).toBe(false)
  })

  it('stays signed in when the server was killed and started again, and makes a link for another browser', async () => {
    await using server = await startServer(TEAM.files)
    await using seen = await visit(server)
    const { page } = seen
    await server.kill()
    await server.start()
    await page.goto(`${server.url}/settings`)
    await part(page, 'You').getByText('owner of this server').waitFor()
    const part2 = part(page, 'Sign in another browser')
    await part2.getByRole('button', { name: 'Make a sign-in link' }).click()
    const link = (await part2.locator('code').textContent()) ?? ''
    expect(link).toMatch(new RegExp(`^${server.url}/login\\?code=[\\w-]{43}$`))
    await using other = await visit({ link: () => link })
    await other.page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(other.page.url()).pathname).toBe('/')
    // It works once, and the one that was printed does not any more.
    for (const used of [link, server.link()]) {
      await using third = await visit({ link: () => used })
      await third.page.getByRole('heading', { name: /The link is not valid/ }).waitFor()
    }
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
  })
})

inBrowser(named('The browsers that are signed in'), () => {
  it('are listed for the owner, who signs another one out, and are nobody else’s business', async () => {
    await using served = await serveCorpus(TEAM)
    const admin = await (await served.engine.tokens()).create({ name: 'bob', scopes: ['read', 'admin'] })
    await using bob = await visitAs(served, admin.token)
    await using seen = await visit(served)
    const { page, complaints } = seen
    await page.goto(`${served.url}/settings`)
    const list = page.getByRole('list', { name: 'Signed-in browsers' })
    await list.getByText('this browser').waitFor()
    expect(await list.getByRole('listitem').count()).toBe(2)
    expect(await list.getByText(/^Chrome on /).count()).toBe(2)
    await takePicture(page, 'settings-browsers')
    await list.getByRole('button', { name: /^Sign out Chrome on \w+ of bob, signed in with a token/ }).click()
    await list.getByText('bob').waitFor({ state: 'detached' })
    expect(await list.getByRole('button').count()).toBe(0)
    expect(complaints).toEqual([])
    await bob.page.reload()
    await bob.page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
    await using again = await visitAs(served, admin.token)
    expect(await again.page.evaluate(async () => (await fetch('/api/browsers')).status)).toBe(403)
  })
})
