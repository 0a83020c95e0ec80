import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openWith } from '../../src/open.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { runOf } from './model-run.ts'

const ROOT = fileURLToPath(new URL('../../examples/reports/', import.meta.url))

const EXAMPLES = readdirSync(ROOT, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))

/** What the command of an example asks, and of which files. */
function commandOf(name: string) {
  const [command = ''] = /^\$ ambit research .*$/m.exec(readFileSync(`${ROOT}${name}/README.md`, 'utf8')) ?? []
  const [, question = ''] = /'([^']+)'/.exec(command) ?? []
  const files = [...command.matchAll(/--file (\S+)/g)].map(([, file = '']) => file)
  return { question, files, isWeb: command.includes('--web') }
}

/** A search service that finds each page of an example, and the pages. */
async function servedPages(name: string) {
  const dir = `${ROOT}${name}/pages/`
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname
    const origin = `http://${request.headers.host}`
    const pages = readdirSync(dir)
    const results = pages.map((page) => ({ url: `${origin}/${page}`, title: page.replace(/\.\w+$/, ''), content: '' }))
    if (path === '/search') response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }))
    else if (!pages.includes(path.slice(1))) response.writeHead(404).end()
    else response.setHeader('content-type', 'text/html').end(readFileSync(`${dir}${path.slice(1)}`))
  })
  return listenOnLoopback(server)
}

describe('the report of an example is the one that its command makes', () => {
  it.each(EXAMPLES)('%s', async (name) => {
    const { question, files, isWeb } = commandOf(name)
    await using pages = isWeb ? await servedPages(name) : undefined
    const search = pages && { provider: 'searxng' as const, url: pages.url }
    const base = { file: undefined, unknown: [], home: false, db: ':memory:' } as const
    const engine = openWith({ ...base, ...(search && { search, allowLoopback: true }) })
    await using closing = new AsyncDisposableStack()
    closing.defer(() => engine.close())
    const texts = files.map((file) => [file, readFileSync(`${ROOT}${name}/${file}`, 'utf8')])
    const web = isWeb ? { web: 'default' } : {}
    const { markdown } = await runOf(engine, { question, ...web }, Object.fromEntries(texts))
    const told = pages ? markdown.replaceAll(pages.url, 'http://pages.example') : markdown
    await expect(told).toMatchFileSnapshot(`${ROOT}${name}/report.md`)
  })
})
