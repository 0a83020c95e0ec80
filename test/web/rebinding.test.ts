import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inBrowser } from './in-browser.ts'
import { launch, named, serveCorpus } from './support.ts'

/** A name of somebody else that is made to lead here, as DNS rebinding does. */
const EVIL = 'evil.example'

inBrowser(named('a site whose name is made to lead here'), () => {
  const opening = () => launch([`--host-resolver-rules=MAP ${EVIL} 127.0.0.1`])
  let browser: Awaited<ReturnType<typeof opening>>
  let server: Awaited<ReturnType<typeof serveCorpus>>
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'))
  beforeAll(async () => {
    browser = await opening()
    server = await serveCorpus({ files: { 'docs/a.md': 'A canary sings.' }, collections: { docs: 'docs' } })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
    site.close()
  })

  it('G5 gets nothing of the server by that name, though the browser is signed in by the right one', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(server.link())
    const { port } = new URL(server.url)
    for (const path of ['/', '/healthz', '/api/status', '/openapi.json', '/assets/none.js']) {
      const answer = await page.goto(`http://${EVIL}:${port}${path}`)
      expect([path, answer?.status()]).toEqual([path, 403])
      expect(await page.content()).not.toContain('canary')
    }
    await context.close()
  })

  it('G5 neither reads from the server nor writes to it by its address', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(server.link())
    await page.goto(`http://${EVIL}:${(site.address() as AddressInfo).port}/`)
    const tried = await page.evaluate(async (url) => {
      const told = async (path: string, init: RequestInit) => {
        try {
          const response = await fetch(url + path, init)
          return `${response.type} ${await response.text()}`
        } catch {
          return 'refused'
        }
      }
      const body = JSON.stringify({ path: 'docs', text: 'Written by another site' })
      const text = { 'content-type': 'text/plain' }
      return Promise.all([
        told('/api/status', { credentials: 'include' }),
        told('/api/search?query=canary', { credentials: 'include', mode: 'no-cors' }),
        told('/api/contexts.add', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
        told('/api/contexts.add', { method: 'POST', body, headers: text, mode: 'no-cors', credentials: 'include' }),
      ])
    }, server.url)
    // What a browser sends without asking comes back as nothing that a page can see.
    for (const one of tried) expect(one).toMatch(/^(refused|opaque )$/)
    expect(await (await server.engine.contexts()).list()).toEqual([])
    await context.close()
  })
})
