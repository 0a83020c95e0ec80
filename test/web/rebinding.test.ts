import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inBrowser, lasting, sharedServer, visit } from './in-browser.ts'
import { EVIL, named } from './support.ts'

const server = sharedServer({ files: { 'docs/a.md': 'A canary sings.' }, collections: { docs: 'docs' } })

inBrowser(named('a site whose name is made to lead here'), () => {
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'))
  beforeAll(() => new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void site.close())

  it('G5 gets nothing of the server by that name, though the browser is signed in by the right one', async () => {
    const { page } = lasting(await visit(server))
    const { port } = new URL(server.url)
    for (const path of ['/', '/healthz', '/api/status', '/openapi.json', '/assets/none.js']) {
      const answer = await page.goto(`http://${EVIL}:${port}${path}`)
      expect([path, answer?.status()]).toEqual([path, 403])
      expect(await page.content()).not.toContain('canary')
    }
  })

  it('G5 neither reads from the server nor writes to it by its address', async () => {
    const { page } = lasting(await visit(server))
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
  })
})
